"""The options of commands that work on a suite as well as on runs."""

from __future__ import annotations

from typing import Annotated

import typer

from jevdb.base.errors import UsageError

SuiteOption = Annotated[
    str | None,
    typer.Option(
        "--suite",
        metavar="NAME[@VERSION]",
        help="Use the score over the benchmarks of a suite (`jevdb suites`).",
    ),
]
EntrantOption = Annotated[
    list[str] | None,
    typer.Option(
        "--entrant",
        metavar="NAME=MODEL[@REVISION][#LABEL]",
        help="With --suite: join unlike names under one; repeatable.",
    ),
]
DropOption = Annotated[
    list[str] | None,
    typer.Option(
        "--drop",
        metavar="NAME",
        help="With --suite: leave this entrant out; repeatable.",
    ),
]
MixedOption = Annotated[
    bool,
    typer.Option(
        "--mixed",
        help="With --suite: add published results to entrants with runs too, marked.",
    ),
]
EditionOption = Annotated[
    str | None,
    typer.Option(
        "--edition", metavar="NAME", help="A frozen board (`jevdb editions`)."
    ),
]
ALWAYS = {"context", "form", "help"}


def _given(context: typer.Context) -> dict[str, str]:
    """Return the options that were given, by parameter, as they are typed."""
    source = context.get_parameter_source
    return {
        str(each.name): each.opts[-1]
        for each in context.command.params
        if each.name and str(getattr(source(each.name), "name", "")) == "COMMANDLINE"
    }


def require_no_others(context: typer.Context, *known: str) -> None:
    """Refuse options that do not go with a suite: UsageError."""
    others = [
        option
        for name, option in _given(context).items()
        if name not in known and name not in ALWAYS
    ]
    if others:
        with_what = "--edition" if known == ("edition",) else "--suite"
        raise UsageError(f"{', '.join(others)} does not go with {with_what}")


def require_suite(context: typer.Context, *names: str) -> None:
    """Refuse options that only go with a suite: UsageError."""
    given = _given(context)
    alone = [given[name] for name in names if name in given]
    if alone:
        raise UsageError(f"{', '.join(alone)} goes with --suite only")
