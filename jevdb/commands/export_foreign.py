"""`jevdb export --as`: the files of runs in a format of others."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import JevdbError, UsageError
from jevdb.base.text import counted
from jevdb.commands.session import Session, say
from jevdb.exports.foreign import Foreign
from jevdb.warehouse.files import STDOUT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jevdb.scoring.runs import Run

DEFAULT_FOLDERS = {
    Foreign.HF: Path(".eval_results"),
    Foreign.EVERY_EVAL_EVER: Path("every_eval_ever"),
}
SUFFIXES = {Foreign.HF: (".yaml", ".yml"), Foreign.EVERY_EVAL_EVER: (".json",)}


class Wanted(NamedTuple):
    """What to export: which runs, and how they are scored."""

    run: Sequence[str | Run] | None
    method: str | None
    gold_revision: int | None
    include_private: bool
    as_of: str | None


def write_foreign(
    session: Session,
    wanted: Wanted,
    form: Foreign,
    out: Path | None,
    dataset: str | None,
) -> None:
    """Write each run's files into a folder, or those of the only run to one file.

    Raises
    ------
    UsageError
        One file for several runs, or stdout for a format of two files a run.
    """
    if dataset and form is not Foreign.HF:
        raise UsageError("--dataset goes with --as hf")
    if form is Foreign.MLFLOW:
        _log(session, wanted, out)
        return
    place = out or DEFAULT_FOLDERS[form]
    is_stdout = str(place) == STDOUT
    is_file = is_stdout or place.suffix in SUFFIXES[form]
    if is_stdout and form is Foreign.EVERY_EVAL_EVER:
        raise UsageError("every-eval-ever has two files a run; --out is a folder")
    warehouse = session.reading()
    runs = warehouse.exported_runs(
        wanted.run, include_private=wanted.include_private, as_of=wanted.as_of
    )
    if is_file and len(runs) != 1:
        raise UsageError(
            f"--out {place} is one file, for {counted(len(runs), 'run')}; name one "
            "--run, or give a folder"
        )
    if runs:
        # Names are resolved, and choices told, once.
        by_id = wanted._replace(run=runs)._asdict()
        for _, files in warehouse.export_foreign(form.value, dataset=dataset, **by_id):
            for path, data in _placed(files, place, is_file):
                _write(path, data)
    say(f"{counted(len(runs), 'run')} exported")


def _log(session: Session, wanted: Wanted, folder: Path | None) -> None:
    if folder == Path(STDOUT):
        raise UsageError("MLflow is a folder or a server, not stdout")
    logged = session.reading().export_to_mlflow(folder, **wanted._asdict())
    new = sum(is_new for _, is_new in logged)
    say(f"{counted(new, 'run')} logged, {len(logged) - new} there already")


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
