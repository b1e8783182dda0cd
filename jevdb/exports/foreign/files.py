"""The files of runs in a format of others, by their path in a folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from jevdb.exports.foreign import Foreign
from jevdb.exports.foreign.every_eval_ever import record_files
from jevdb.exports.foreign.hugging_face import eval_results
from jevdb.exports.foreign.reading import ExportedRun, exported_runs, samples
from jevdb.scoring.names import require_method
from jevdb.scoring.report import require_gold_revision

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.scoring.runs import Run
    from jevdb.scoring.selection import Selection

Files = dict[PurePosixPath, bytes]


def foreign_files(
    connection: Connection,
    runs: Sequence[Run],
    selection: Selection,
    form: Foreign,
    dataset: str | None = None,
) -> Iterator[Files]:
    """Yield the files of each run, the main one first.

    *selection* is of exactly these runs and of one method.

    Raises
    ------
    UnknownNameError
        A method that the warehouse does not know.
    UsageError
        A gold revision that a benchmark of the export does not have.
    """
    for exported in foreign_runs(connection, runs, selection):
        if form is Foreign.HF:
            yield eval_results(exported, dataset)
        else:
            answers = samples(connection, exported.run, selection)
            yield record_files(exported, answers)


def foreign_runs(
    connection: Connection, runs: Sequence[Run], selection: Selection
) -> Iterator[ExportedRun]:
    """Yield what an export says of each run; raises as `foreign_files` does."""
    for method in selection.methods or ():
        require_method(connection, method)
    require_gold_revision(connection, selection.gold_revision, runs)
    yield from exported_runs(connection, runs, selection)
