"""docs/canonical.md names every field and every case of the corpus, with what to give.

The commands of the cases themselves are run by test_door.py.
"""

from __future__ import annotations

import json
import re
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from prepared import DATA

from jevdb.ingest.decode.records import ItemRecord, PredictionRecord

LINK = re.compile(r"\[(.*?)\]\(.*?\)")
TEXT = (Path(__file__).parents[2] / "docs" / "canonical.md").read_text()
ROW = re.compile(r"^\| (\d\d) \| (.*?) \| (.*) \|$", re.MULTILINE)
ROWS = {number: (title, give) for number, title, give in ROW.findall(TEXT)}
CASES = {
    path.name[:2]: json.loads((path / "case.json").read_text())
    for path in sorted((DATA / "door").iterdir())
    if path.is_dir()
}
OF_NO_CASE = {"57": {"--allow"}, "58": {"--benchmark", "--alias"}, "56": {"--revise"}}
"""Options that a row names beside those of its case."""


def words(case: dict[str, Any]) -> set[str]:
    """Every word of the commands of a case."""
    tries = [{"run": case.get("run", [])}, *case.get("then", [])]
    commands = [case.get("items", []), *(each["run"] for each in tries)]
    commands += [each["items"] for each in case.get("items_then", [])]
    return set(chain.from_iterable(commands))


def test_every_case_has_its_row():
    assert list(ROWS) == list(CASES)
    for number, case in CASES.items():
        title = LINK.sub(r"\1", ROWS[number][0])
        assert title.replace("\\|", "|") == case["title"]


@pytest.mark.parametrize("number", CASES)
def test_what_is_given_is_what_the_case_tries(number: str):
    given = " ".join(re.findall(r"`([^`]*)`", ROWS[number][1]))
    known = words(CASES[number]) | OF_NO_CASE.get(number, set())
    assert set(re.findall(r"--[a-z-]+", given)) <= known


@pytest.mark.parametrize(
    "name",
    sorted({*PredictionRecord.__struct_fields__, *ItemRecord.__struct_fields__}),
)
def test_every_field_has_its_row(name: str):
    assert re.search(rf"^\| [^|]*`{name}`[^|]* \|", TEXT, re.MULTILINE)
