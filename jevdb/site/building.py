"""Building a site: all of it in a folder beside the place, then in its place at once.

The same warehouse gives the same bytes: nothing here asks for the time, and everything
is in an order that the data decides.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.defaults import DEFAULT_METHOD
from jevdb.base.errors import ConflictError, JevdbError
from jevdb.base.text import counted
from jevdb.exports.results_file import Request as ExportRequest
from jevdb.exports.results_file import document, to_bytes
from jevdb.site.addresses import INDEX, METHODS, results_file
from jevdb.site.benchmark_pages import BenchmarkSite
from jevdb.site.contents import Contents, read_contents
from jevdb.site.definitions import metric_definitions
from jevdb.site.explore.explore_page import write_explore
from jevdb.site.model_pages import write_models
from jevdb.site.rendering import FORM, MANIFEST, Pages
from jevdb.site.suite_pages import write_suites
from jevdb.warehouse.files import sync

if TYPE_CHECKING:
    from collections.abc import Callable

    from jevdb.base.connection import Connection
    from jevdb.site.fronts import Front
    from jevdb.site.suite_pages import SuiteLink


class Built(NamedTuple):
    """What a build wrote."""

    n_files: int
    n_runs: int


def build_site(
    connection: Connection,
    folder: Path,
    include_private: bool,
    on_words: Callable[[str], None],
    engine: Path | None = None,
) -> Built:
    """Write the site to *folder*, whole or not at all.

    With an *engine* (`jevdb.site.explore.engine`) there is the page Explore too, which
    holds a public copy of the warehouse; it has no private run whatever is asked for.

    Raises
    ------
    ConflictError
        There is something at *folder* that is no site of ours.
    JevdbError
        It cannot be written.
    """
    target = Path(os.path.realpath(folder))
    require_place(target)
    made = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        made.mkdir(parents=True)
        built = _filled(connection, made, include_private, on_words, engine)
        _put(made, target)
    except OSError as error:
        reason = error.strerror or error
        raise JevdbError(f"{folder}: cannot write: {reason}") from error
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return built


def require_place(target: Path) -> None:
    """Refuse to replace anything but a site of ours as we left it."""
    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        return
    known = site_files(target)
    found = {
        path.relative_to(target).as_posix()
        for path in target.rglob("*")
        if not path.is_dir() or path.is_symlink()
    }
    foreign = sorted(found - known.keys() - {MANIFEST})
    if foreign:
        raise ConflictError(
            f"{target}: holds {foreign[0]}, which is not of the site; move it away, or "
            "build elsewhere"
        )


def site_files(folder: Path) -> dict[str, str]:
    """Return the files of the site at *folder* with their digests.

    Raises
    ------
    ConflictError
        There is no site of ours.
    """
    try:
        listed = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if listed["form"] > FORM:
            raise ConflictError(f"{folder}: a site of a newer jevdb; upgrade jevdb")
        return {str(path): str(digest) for path, digest in listed["files"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConflictError(
            f"{folder}: there is no site of jevdb, but something else or nothing; name "
            "another folder"
        ) from error


def _put(made: Path, target: Path) -> None:
    """Give the folder *made* the name *target*; a site that was there goes."""
    old = target.with_name(f".{target.name}.{os.getpid()}.old")
    if target.exists():
        target.rename(old)
    try:
        made.rename(target)
    except OSError:
        if old.exists():
            old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)
    sync(target.parent)


def _filled(
    connection: Connection,
    folder: Path,
    include_private: bool,
    on_words: Callable[[str], None],
    engine: Path | None,
) -> Built:
    contents = read_contents(connection, DEFAULT_METHOD, include_private)
    menu = [
        (benchmark.name, benchmark.pages.front) for benchmark in contents.benchmarks
    ]
    pages = Pages(folder, menu, has_explore=engine is not None)
    pages.assets()
    main = contents.method_ids[0]
    results = document(connection, ExportRequest(contents.runs, main))
    packed = gzip.compress(to_bytes(results), mtime=0)
    pages.file(results_file(main), packed)
    fronts, history, cohorts = [], [], {}
    for benchmark in contents.benchmarks:
        runs = counted(len(contents.runs_of(benchmark)), "run")
        on_words(f"{benchmark.benchmark_id}: {runs}")
        site = BenchmarkSite(connection, contents, benchmark, pages)
        front, told = site.write()
        fronts.append(front)
        history += told
        cohorts[benchmark.benchmark_id] = site.cohorts
    write_models(contents, history, pages)
    if engine is not None:
        on_words("the warehouse for the browser")
        write_explore(connection, contents, pages, cohorts, engine)
    suites = write_suites(connection, contents, pages, on_words)
    _general_pages(pages, contents, fronts, suites)
    pages.finish()
    return Built(len(pages.written), len(contents.runs))


def _general_pages(
    pages: Pages, contents: Contents, fronts: list[Front], suites: list[SuiteLink]
) -> None:
    main = contents.method_ids[0]
    files = {main: results_file(main)}
    pages.page(
        INDEX,
        "index.html",
        fronts=fronts,
        suites=suites,
        n_runs=len(contents.runs),
        files=files,
        pages=contents.pages,
    )
    pages.page(
        METHODS,
        "methods.html",
        methods=contents.methods,
        definitions=metric_definitions(),
        files=files,
    )
