"""Many runs said at once: files under a template of names, or a manifest.

A manifest is CSV with a header, or TOML with a table ``[[runs]]`` for each run; its
fields are file, model, revision, label and started. Paths are from where it lies.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from jevdb.base.errors import InputError, Problem, UsageError, near_names
from jevdb.base.toml_files import Toml, read_toml
from jevdb.base.wording import option
from jevdb.ingest.files.sources import Source
from jevdb.ingest.names import check_name
from jevdb.ingest.run_options import read_time

FIELDS = ("file", "model", "revision", "label", "started")
NEEDED = ("file", "model")
RUNS = "runs"
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
PACKED = (".gz", ".zst", ".xz")


class PlannedRun(NamedTuple):
    """A run to be stored: its file, and the names it gets."""

    file: Path
    model: str
    revision: str | None = None
    label: str | None = None
    started: str | None = None

    @property
    def name(self) -> str:
        """How the run is called: model@revision#label."""
        revision = "" if self.revision is None else f"@{self.revision}"
        label = "" if self.label is None else f"#{self.label}"
        return f"{self.model}{revision}{label}"


def planned(
    files: Sequence[Path], model: str, revision: str | None, label: str | None
) -> list[PlannedRun]:
    """Return a run for each file, named by templates.

    ``{stem}`` stands for a file's name without its endings, ``{name}`` for the whole
    name, ``{folder}`` for that of its folder.

    Raises
    ------
    UsageError
        A template with another word in braces, or a name that is none, or taken twice.
    """
    runs = [
        PlannedRun(
            path,
            _filled(model, path, "model"),
            None if revision is None else _filled(revision, path, "revision"),
            None if label is None else _filled(label, path, "label"),
        )
        for path in files
    ]
    _check_names(runs)
    return runs


def _filled(template: str, path: Path, what: str) -> str:
    words = {
        "stem": stem(path),
        "name": path.name,
        "folder": path.resolve().parent.name,
    }

    def word(found: re.Match[str]) -> str:
        if found[1] not in words:
            known = ", ".join(f"{{{each}}}" for each in words)
            raise UsageError(
                f"{option(what)} {template!r}: {found[0]} stands for nothing; what may "
                f"stand in braces: {known}"
            )
        return words[found[1]]

    return PLACEHOLDER.sub(word, template)


def stem(path: Path) -> str:
    """Return a file's name without its ending and that of its compression."""
    return (path.with_suffix("") if path.suffix in PACKED else path).stem


def read_manifest(path: Path) -> list[PlannedRun]:
    """Return the runs that a manifest says.

    Raises
    ------
    InputError
        It cannot be read, or a run of it is not said well; carries every problem.
    UsageError
        A name that is none, or that two runs would have.
    """
    rows = _from_toml(path) if path.suffix == ".toml" else _from_csv(path)
    problems: list[Problem] = []
    runs = []
    for line, row in rows:
        faults = list(_faults(row))
        problems += [Problem(path.name, line, name, fault) for name, fault in faults]
        if not faults:
            given = {name: value or None for name, value in row.items()}
            file = path.parent / str(given.pop("file"))
            runs.append(PlannedRun(file, str(given.pop("model")), **given))
    if problems:
        raise InputError(problems)
    if not runs:
        raise InputError([Problem(path.name, None, None, "no run in it")])
    _check_names(runs)
    return runs


Said = Iterator[tuple[int | None, dict[str, str]]]


def _from_csv(path: Path) -> Said:
    """Yield the rows of a manifest, each with its line."""
    source = Source(path)
    text = b"".join(source.chunks()).decode(errors="replace")
    reader = csv.reader(text.splitlines(keepends=True), strict=True)
    header: list[str] = []
    try:
        for row in reader:
            line = reader.line_num
            if not header:
                header = row
                _require_known(path, line, header)
            elif row and len(row) != len(header):
                message = f"{len(row)} cells where the header has {len(header)}"
                raise InputError([Problem(path.name, line, None, message)])
            elif row:
                yield line, dict(zip(header, row, strict=True))
    except csv.Error as error:
        problem = Problem(path.name, reader.line_num, None, f"not CSV: {error}")
        raise InputError([problem]) from error


def _from_toml(path: Path) -> Said:
    for run in read_toml(path, _toml_faults)[RUNS]:
        yield None, {name: str(value) for name, value in run.items()}


def _toml_faults(given: Toml) -> Iterator[tuple[str | None, str]]:
    for key in given.keys() - {RUNS}:
        yield key, f"unknown table; a manifest has [[{RUNS}]]"
    runs = given.get(RUNS)
    if not isinstance(runs, list) or not all(isinstance(each, dict) for each in runs):
        yield RUNS, f"missing; a manifest has a table [[{RUNS}]] for each run"
        return
    for place, run in enumerate(runs):
        for name, fault in _name_faults(list(run)):
            yield f"{RUNS}[{place}].{name}", fault


def _require_known(path: Path, line: int, names: Sequence[str]) -> None:
    problems = [
        Problem(path.name, line, name, fault) for name, fault in _name_faults(names)
    ]
    if problems:
        raise InputError(problems)


def _name_faults(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    for name in dict.fromkeys(names):
        if name not in FIELDS:
            yield name, f"unknown field; {near_names(name, FIELDS)}"
        elif names.count(name) > 1:
            yield name, "column given twice"
    for name in NEEDED:
        if name not in names:
            yield name, "missing"


def _faults(row: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name in NEEDED:
        if not row[name]:
            yield name, "empty"
    try:
        read_time(row.get("started") or None)
    except UsageError as error:
        yield "started", str(error)


def _check_names(runs: Sequence[PlannedRun]) -> None:
    """Refuse names before any work: what is none, and what two runs would have."""
    taken: dict[str, Path] = {}
    for run in runs:
        for what in ("model", "revision", "label"):
            name = getattr(run, what)
            if name is not None:
                check_name(name, what)
        first = taken.setdefault(run.name, run.file)
        if first is not run.file:
            raise UsageError(
                f"{first} and {run.file} would both be {run.name!r}; tell them apart "
                f"by {option('model')} '{{stem}}', or a {option('label')}"
            )
