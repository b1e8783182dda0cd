"""`jevdb export --as`: the files of runs in a format of others."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from jevdb.commands.session import say
from jevdb.errors import JevdbError, UsageError
from jevdb.foreign import Foreign
from jevdb.text import counted
from jevdb.warehouse.files import STDOUT

if TYPE_CHECKING:
    from jevdb.runs import Run
    from jevdb.selection import Selection
    from jevdb.warehouse.database import Connection

DEFAULT_FOLDERS = {
    Foreign.HF: Path(".eval_results"),
    Foreign.EVERY_EVAL_EVER: Path("every_eval_ever"),
}
SUFFIXES = {Foreign.HF: (".yaml", ".yml"), Foreign.EVERY_EVAL_EVER: (".json",)}


def write_foreign(
    connection: Connection,
    runs: list[Run],
    selection: Selection,
    form: Foreign,
    out: Path | None,
) -> None:
    """Write each run's files into a folder, or those of the only run to one file.

    Raises
    ------
    UsageError
        One file for several runs, or stdout for a format of two files a run.
    """
    from jevdb.foreign.files import foreign_files

    place = out or DEFAULT_FOLDERS[form]
    is_stdout = str(place) == STDOUT
    is_file = is_stdout or place.suffix in SUFFIXES[form]
    if is_stdout and form is Foreign.EVERY_EVAL_EVER:
        raise UsageError("every-eval-ever has two files a run; --out is a folder")
    if is_file and len(runs) != 1:
        raise UsageError(
            f"--out {place} is one file, for {counted(len(runs), 'run')}; name one "
            "--run, or give a folder"
        )
    for files in foreign_files(connection, runs, selection, form):
        for path, data in _placed(files, place, is_file):
            _write(path, data)
    say(f"{counted(len(runs), 'run')} exported")


def _placed(
    files: dict[PurePosixPath, bytes], place: Path, is_file: bool
) -> list[tuple[Path, bytes]]:
    """Return where each file goes: companions lie beside the one file that is named."""
    if not is_file:
        return [(place / path, data) for path, data in files.items()]
    (_, main), *others = files.items()
    beside = [
        (place.with_name(f"{place.stem}_samples{path.suffix}"), data)
        for path, data in others
    ]
    return [(place, main), *beside]


def _write(path: Path, data: bytes) -> None:
    from jevdb.warehouse.files import write_whole

    if str(path) != STDOUT:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = error.strerror or str(error)
            raise JevdbError(f"{path.parent}: cannot create: {reason}") from error
    write_whole(path, data)
    if str(path) != STDOUT:
        say(f"wrote {path}")
