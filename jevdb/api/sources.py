"""What a user gives to be stored: files, a run folder, or rows from memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from jevdb.ingest.reading import Input


class ArrowStream(Protocol):
    """An Arrow table or reader, of whatever library."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """Return the stream."""
        ...


AnyPath: TypeAlias = str | PathLike[str]
Rows: TypeAlias = """(
    AnyPath | Iterable[AnyPath] | Iterable[Mapping[str, Any]] | ArrowStream
    | pd.DataFrame | pl.DataFrame | pl.LazyFrame
)"""


class Inputs(NamedTuple):
    """What is read, and what a run folder says beside its rows."""

    given: Sequence[Input]
    settings: Mapping[str, str]
    requested_model: str | None
    notes: Sequence[str]


def inputs(source: Any) -> Inputs:
    """Return what *source* means: one path, several, or rows from memory.

    Raises
    ------
    UsageError
        It is none of these.
    InputError
        A run folder whose files are not those of its manifest.
    """
    from jevdb.ingest.files.memory import is_table, rows_in_memory
    from jevdb.ingest.runs.folder import run_files

    given = [source] if isinstance(source, str | PathLike | Mapping) else source
    if isinstance(given, Iterable) and not is_table(given):
        rest = iter(given)
        first = list(islice(rest, 1))
        given = chain(first, rest)
        if first and isinstance(first[0], str | PathLike):
            files = run_files([Path(each) for each in given])
            return Inputs(
                files.paths, files.settings, files.requested_model, files.notes
            )
    return Inputs([rows_in_memory(given)], {}, None, [])
