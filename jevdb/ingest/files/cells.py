"""Cells of CSV and Parquet as JSON: text, where nothing else is declared."""

from __future__ import annotations

import json
import re

import msgspec

from jevdb.base.wording import how

NUMBER_CELLS = {"latency_s", "input_tokens", "output_tokens", "cost_usd"}
COUNT_CELLS = {"input_tokens", "output_tokens"}
JSON_CELLS = {
    *("probabilities", "step_probabilities", "gold_distribution"),
    *("values", "meta"),
}
LABEL_CELLS = {"answer", "gold", "options"}
JSON_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
COMMA_NUMBER = re.compile(r"-?(0|[1-9]\d*),\d+([eE][+-]?\d+)?")
GROUPED_NUMBER = re.compile(
    r"-?\d{1,3}(?:(,)\d{3}(?:,\d{3})*(?:\.\d+)?|(\.)\d{3}(?:\.\d{3})*(?:,\d+)?"
    r"|([ '\u00a0\u2009\u202f])\d{3}(?:\3\d{3})*(?:[.,]\d+)?)"
)
"""A number with a separator of thousands: comma, point, blank or apostrophe."""


class WrongCell(Exception):
    """A cell that cannot be read as what its column holds."""

    def __init__(self, name: str, message: str):
        self.name = name
        super().__init__(message)


class NotJsonCell(WrongCell):
    """A cell that has to be JSON and is not."""

    def __init__(self, name: str, message: str):
        super().__init__(name, f"the cell is not JSON: {message}")


def number_text(cell: str, decimal: str = "point") -> str | None:
    """Return the JSON number that a cell of a number column stands for, or None.

    Examples
    --------
    >>> number_text("0.5"), number_text("0,5", "comma"), number_text("a")
    ('0.5', '0.5', None)
    """
    if decimal == "comma":
        if COMMA_NUMBER.fullmatch(cell):
            return cell.replace(",", ".")
        if "." in cell:
            return None
    return cell if JSON_NUMBER.fullmatch(cell) else None


def number_fault(cell: str, decimal: str = "point") -> str | None:
    """Return what keeps text that looks like a number from being read as one.

    Examples
    --------
    >>> number_fault("1.234,5")
    'the number has separators of thousands; write it without them'
    >>> number_fault("Oslo, Lima") is None
    True
    """
    if decimal == "comma":
        if "." in cell and JSON_NUMBER.fullmatch(cell):
            said = how("decimal", "comma")
            return f"the number has a point, and {said} was said; write one of them"
    elif COMMA_NUMBER.fullmatch(cell):
        return f"the number has a decimal comma; say {how('decimal', 'comma')}"
    if GROUPED_NUMBER.fullmatch(cell):
        return "the number has separators of thousands; write it without them"
    return None


def json_line(tokens: dict[str, str]) -> bytes:
    """Return the object whose members are given as JSON."""
    members = (f"{json.dumps(name)}:{token}" for name, token in tokens.items())
    return ("{" + ",".join(members) + "}").encode()


def csv_token(name: str, cell: str, decimal: str = "point") -> str:
    """Return the JSON a cell stands for; text where nothing else is declared.

    Raises
    ------
    WrongCell
        It has to be JSON and is not, or a number and is written otherwise.
    """
    if name in NUMBER_CELLS:
        number = number_text(cell, decimal)
        if number is not None:
            return number
        if fault := number_fault(cell, decimal):
            raise WrongCell(name, fault)
    return text_token(name, cell)


def text_token(name: str, cell: str) -> str:
    """Return the JSON a text stands for: itself in columns that hold JSON."""
    if name in JSON_CELLS:
        return _checked_json(name, cell)
    if name in LABEL_CELLS and cell.startswith("["):
        try:
            return _checked_json(name, cell)
        except NotJsonCell:
            return quoted(cell)
    return quoted(cell)


def quoted(text: str) -> str:
    """Return the text as a JSON string."""
    return json.dumps(text, ensure_ascii=False)


def _checked_json(name: str, cell: str) -> str:
    try:
        msgspec.json.decode(cell)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise NotJsonCell(name, str(error)) from error
    return cell
