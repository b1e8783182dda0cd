"""The options of reading, alike for every command that takes files."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

PANEL = "How values are read"
VALUES = {
    "labels": "exact|fold",
    "answer_style": "label|letter|index0|index1",
    "levels": "from=0|from=1|names",
    "noul_order": "no,yes|yes,no",
    "scale": "fraction|percent|logprob|log2|logit",
    "sum": "exact|rescale",
    "ids": "text|integer",
}
"""The values that help names; what they mean lies with the ingest, imported late."""
ALLOWED = "invalid, verdict, target, all-wrong, incomplete"


def _option(*names: str, help: str, metavar: str | None = None) -> Any:
    return typer.Option(*names, help=help, metavar=metavar, rich_help_panel=PANEL)


READING: dict[str, Any] = {
    "labels": Annotated[
        str | None,
        _option(
            "--labels",
            metavar=VALUES["labels"],
            help="With fold case, blanks, quotes and end marks of labels do not count.",
        ),
    ],
    "alias": Annotated[
        list[str] | None,
        _option(
            "--alias",
            metavar="GIVEN=LABEL",
            help="What a word of the file stands for: 1=yes; repeatable.",
        ),
    ],
    "answer_style": Annotated[
        str | None,
        _option(
            "--answer-style",
            metavar=VALUES["answer_style"],
            help="How options are named: by label, letter, or place from 0 or 1.",
        ),
    ],
    "levels": Annotated[
        str | None,
        _option(
            "--levels",
            metavar=VALUES["levels"],
            help="What a number means in a rubric: a level from 0 or from 1, or "
            "a level's name.",
        ),
    ],
    "noul_order": Annotated[
        str | None,
        _option(
            "--noul-order",
            metavar=VALUES["noul_order"],
            help="The order of a list of two for yes or no.",
        ),
    ],
    "scale": Annotated[
        str | None,
        _option(
            "--scale",
            metavar=VALUES["scale"],
            help="What the values of distributions are.",
        ),
    ],
    "sum": Annotated[
        str | None,
        _option(
            "--sum",
            metavar=VALUES["sum"],
            help="With rescale jevdb divides distributions by their sum, "
            "whatever it is.",
        ),
    ],
    "partial": Annotated[
        bool,
        _option(
            "--partial",
            help="Distributions are over some of the options, or over tokens.",
        ),
    ],
    "split": Annotated[
        str | None,
        _option(
            "--split",
            metavar="SEP",
            help="What separates several options in one text; json if the text "
            "is a JSON list.",
        ),
    ],
    "ids": Annotated[
        str | None,
        _option(
            "--ids",
            metavar=VALUES["ids"],
            help="With integer the id 1.0 means 1.",
        ),
    ],
    "tier": Annotated[
        list[str] | None,
        _option(
            "--tier",
            metavar="GIVEN=TIER",
            help="Which tier a word stands for; items only; repeatable.",
        ),
    ],
    "default": Annotated[
        list[str] | None,
        _option(
            "--default",
            metavar="NAME=VALUE",
            help="The value of a field that a record lacks; repeatable.",
        ),
    ],
    "meta": Annotated[
        list[str] | None,
        _option(
            "--meta",
            metavar="NAME",
            help="Keep this key in meta, never scored; * for all; repeatable.",
        ),
    ],
    "delimiter": Annotated[
        str | None,
        _option(
            "--delimiter",
            metavar=", ; tab |",
            help="What separates a table's columns, if the file does not show it.",
        ),
    ],
    "decimal": Annotated[
        str | None,
        _option(
            "--decimal",
            metavar="point|comma",
            help="How a table's numbers are written.",
        ),
    ],
    "encoding": Annotated[
        str | None,
        _option(
            "--encoding",
            metavar="NAME",
            help="The text's encoding; UTF-8, or what a byte order mark says.",
        ),
    ],
    "allow": Annotated[
        list[str] | None,
        _option(
            "--allow",
            metavar="WORD",
            help=f"Store although a guard says no: {ALLOWED}; repeatable.",
        ),
    ],
}
"""Each option of reading by its name in Python."""


def takes_reading(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of reading; it gets what was said as ``reading``."""

    def command(*args: Any, **given: Any) -> None:
        said = {name: given.pop(name) for name in READING}
        function(*args, reading={k: v for k, v in said.items() if v}, **given)

    signature = inspect.signature(function, eval_str=True)
    own = [each for each in signature.parameters.values() if each.name != "reading"]
    keyword = inspect.Parameter.KEYWORD_ONLY
    added = [
        inspect.Parameter(
            name, keyword, default=False if name == "partial" else None, annotation=kind
        )
        for name, kind in READING.items()
    ]
    command.__signature__ = signature.replace(parameters=[*own, *added])  # type: ignore[attr-defined]
    command.__name__ = function.__name__
    command.__doc__ = function.__doc__
    command.__annotations__ = {
        **{each.name: each.annotation for each in own},
        **READING,
        "return": None,
    }
    return command
