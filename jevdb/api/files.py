"""Files of answers compared and reported on without a warehouse of one's own.

They go through the same door as a run that is stored: into a warehouse that is made for
the call and gone afterwards. So the numbers, checks and messages are the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import InputError, UsageError
from jevdb.base.wording import option

if TYPE_CHECKING:
    from jevdb.api.run_details import Pairs
    from jevdb.api.warehouse import Warehouse
    from jevdb.ingest.items.summary import ItemsSummary

PACKED = (".gz", ".zst", ".xz")
ITEMS_ONLY = ("tier",)
ANSWERS_ONLY = ("noul_order", "partial")
OF_THE_FILE = (
    *("delimiter", "decimal", "encoding", "ids", "default", "meta", "allow"),
    *ITEMS_ONLY,
)
"""Options of reading that are not about how values name options."""
RUN_FOLDER = "raw.jsonl"


@dataclass(frozen=True, slots=True)
class HowToRead:
    """How files are read, as `Warehouse.ingest_run` takes it."""

    gold: Path | None = None
    reading: Mapping[str, object] = field(default_factory=dict)
    format: str | None = None
    map: Path | None = None
    fields: Pairs = None
    where: Pairs = None


class Filed(NamedTuple):
    """A warehouse that holds files as runs, and the names of these in their order."""

    warehouse: Warehouse
    runs: list[str]


def is_answers(name: str) -> bool:
    """Whether a run's name is, here and now, a file of answers or a run folder."""
    path = Path(name)
    return path.is_file() or (path / RUN_FOLDER).is_file()


@contextmanager
def filed(
    paths: Sequence[Path], how: HowToRead, notify: Callable[[str], None]
) -> Iterator[Filed]:
    """Give a warehouse with the files as runs of models called after them.

    Nothing of it is left after the block.

    Raises
    ------
    UsageError
        The files hold answers alone, and no file of items is given.
    InputError
        A file does not fit; it is said as an ingest says it.
    """
    from jevdb.api.warehouse import Warehouse
    from jevdb.warehouse.fresh import temporary

    for path in (*paths, *([how.gold] if how.gold else [])):
        if not path.exists():
            raise UsageError(f"{path}: no such file")
    with temporary() as making:
        _import_what_is_needed()
        golds = [how.gold] if how.gold else _with_items(paths)
        names = run_names(paths)
        benchmark = run_names(golds)[0] if how.gold else "items"
        with Warehouse(making.finished(), read_only=False, notify=notify) as warehouse:
            items = _store_items(warehouse, golds, benchmark, how)
            for line in (*items.notes, *items.conversions):
                notify(line)
            for path, name in zip(paths, names, strict=True):
                done = warehouse.ingest_run(
                    path,
                    benchmark=benchmark,
                    model=name,
                    format=how.format,
                    map=how.map,
                    fields=how.fields,
                    where=how.where,
                    reading=_without(how.reading, ITEMS_ONLY),
                )
                notify(str(done).replace(": stored", "", 1))
            yield Filed(warehouse, names)


def _import_what_is_needed() -> None:
    """Import what takes long to, while another thread makes the warehouse."""
    for name in ("pyarrow.dataset", "jevdb.ingest", "jevdb.comparison.compare"):
        import_module(name)


def run_names(paths: Sequence[Path]) -> list[str]:
    """Return names for files, each its own: their stems, with folders where needed.

    Examples
    --------
    >>> run_names([Path("a/x.jsonl.gz"), Path("b/x.jsonl"), Path("y@1.csv")])
    ['a/x', 'b/x', 'y-1']
    """
    stems = [_stem(path) for path in paths]
    met = Counter(stems)
    longer = [
        f"{_plain(path.resolve().parent.name)}/{stem}" if met[stem] > 1 else stem
        for path, stem in zip(paths, stems, strict=True)
    ]
    met = Counter(longer)
    return [
        name if met[name] == 1 else f"{name}-{place}"
        for place, name in enumerate(longer, 1)
    ]


def _stem(path: Path) -> str:
    name = path.with_suffix("") if path.suffix in PACKED else path
    return _plain(name.stem) or "stdin"


def _plain(name: str) -> str:
    """Return a file's name without what sets the parts of a run's name apart."""
    return re.sub(r"[@#\x00-\x1f\x7f-\x9f]", "-", name).strip()


def _with_items(paths: Sequence[Path]) -> Sequence[Path]:
    """Return the files themselves where their layout carries the items."""
    from jevdb.ingest.layouts.registry import ITEMS
    from jevdb.ingest.reading import layout_of
    from jevdb.ingest.runs.folder import run_files

    files = [file for path in paths for file in run_files([path]).paths]
    for file in files:
        if layout_of(file, ITEMS).name == ITEMS[-1].name:
            raise UsageError(
                f"{file.name}: answers without their items; say the file of items with "
                f"{option('gold')}"
            )
    return files


def _store_items(
    warehouse: Warehouse, golds: Sequence[Path], benchmark: str, how: HowToRead
) -> ItemsSummary:
    """Store the items; what only answers are written in is not asked of them.

    Options of reading hold for every file. A file of items that does not fit them all,
    because its gold is by label where answers are by letter, is read as it stands.
    """
    said = _without(how.reading, ANSWERS_ONLY)

    def stored(reading: Mapping[str, object]) -> ItemsSummary:
        return warehouse.ingest_items(
            golds, benchmark=benchmark, new=True, reading=reading
        )

    try:
        return stored(said)
    except InputError:
        plain = {name: said[name] for name in OF_THE_FILE if name in said}
        if plain == said:
            raise
        try:
            return stored(plain)
        except InputError:
            pass
        raise


def _without(said: Mapping[str, object], names: Sequence[str]) -> dict[str, object]:
    return {name: value for name, value in said.items() if name not in names}
