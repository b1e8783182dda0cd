"""Cells of CSV and Parquet as JSON: text, where nothing else is declared."""

from __future__ import annotations

import json
import re

import msgspec

NUMBER_CELLS = {"latency_s", "input_tokens", "output_tokens", "cost_usd"}
COUNT_CELLS = {"input_tokens", "output_tokens"}
JSON_CELLS = {
    *("probabilities", "step_probabilities", "gold_distribution"),
    "meta",
}
LABEL_CELLS = {"answer", "gold", "options"}
JSON_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")


class NotJsonCell(Exception):
    """A cell that has to be JSON and is not."""

    def __init__(self, name: str, message: str):
        self.name = name
        super().__init__(f"the cell is not JSON: {message}")


def json_line(tokens: dict[str, str]) -> bytes:
    """Return the object whose members are given as JSON."""
    members = (f"{json.dumps(name)}:{token}" for name, token in tokens.items())
    return ("{" + ",".join(members) + "}").encode()


def csv_token(name: str, cell: str) -> str:
    """Return the JSON a cell stands for; text where nothing else is declared."""
    if name in NUMBER_CELLS and JSON_NUMBER.fullmatch(cell):
        return cell
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
