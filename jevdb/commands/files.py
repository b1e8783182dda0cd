"""Files in the place of runs: what commands that take both share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from jevdb.base.errors import UsageError
from jevdb.commands.patience import patience
from jevdb.commands.session import Session

if TYPE_CHECKING:
    from jevdb.api.files import Filed

GoldFileOption = Annotated[
    Path | None,
    typer.Option(
        "--gold",
        metavar="ITEMS",
        help="With files of answers: the file of the items and their gold.",
    ),
]
WhereOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PATH=VALUE",
        help="Take only these rows of files with several an item: epoch=1, "
        "filter=none; repeatable.",
    ),
]


class Files(NamedTuple):
    """What is said of how files are read."""

    gold: Path | None
    map: Path | None
    fields: list[str] | None
    where: list[str] | None
    reading: Mapping[str, object]

    def said(self) -> list[str]:
        """Return the options that only files need."""
        given = {
            "--gold": self.gold,
            "--map": self.map,
            "--field": self.fields,
            "--where": self.where,
            **{
                f"--{name.replace('_', '-')}": each
                for name, each in self.reading.items()
            },
        }
        return [name for name, value in given.items() if value]


@contextmanager
def warehouse_for(
    session: Session,
    named: Sequence[str],
    files: Files,
    of_a_warehouse: Mapping[str, object],
) -> Iterator[Filed]:
    """Give the warehouse in which runs are looked up, and how they are called there.

    Where the first is a file, or ``--gold`` is given, all are files, and the warehouse
    holds them alone. *of_a_warehouse* are options that then mean nothing.

    Raises
    ------
    UsageError
        Options that do not go with files, or files' options without any.
    """
    from jevdb.api.files import Filed, HowToRead, filed, is_answers

    if files.gold is None and not (named and is_answers(named[0])):
        if said := files.said():
            raise UsageError(f"{', '.join(said)}: goes with files of answers")
        yield Filed(session.reading(), list(named))
        return
    if said := [f"--{name}" for name, value in of_a_warehouse.items() if value]:
        raise UsageError(f"{', '.join(said)}: goes with runs of a warehouse, not files")
    how = HowToRead(
        files.gold,
        reading=files.reading,
        map=files.map,
        fields=files.fields,
        where=files.where,
    )
    with ExitStack() as stack:
        with patience("reading"):
            paths = [Path(each) for each in named]
            found = stack.enter_context(filed(paths, how, session.notify))
        yield found
