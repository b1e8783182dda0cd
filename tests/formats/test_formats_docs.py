"""docs/formats.md says what there is: its layouts, its fields, its example map."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from prepared import choice, prepare, write

from jevdb.ingest.layouts.mapped import selection
from jevdb.ingest.layouts.mapping import FIELDS
from jevdb.ingest.layouts.registry import PREDICTIONS

TEXT = (Path(__file__).parents[2] / "docs" / "formats.md").read_text()
ELSEWHERE = {"canonical", "jevbench", "decision-bench"}


@pytest.mark.parametrize(
    "name", sorted({each.name for each in PREDICTIONS} - ELSEWHERE)
)
def test_every_layout_has_its_paragraph(name):
    assert re.search(rf"^## .*`{name}`", TEXT, re.MULTILINE)


@pytest.mark.parametrize("name", FIELDS)
def test_every_field_has_its_row(name):
    assert re.search(rf"^\| [^|]*`{name}`[^|]* \|", TEXT, re.MULTILINE)


def test_the_example_is_a_map(tmp_path):
    path = tmp_path / "example.toml"
    path.write_text(TEXT.split("```toml\n")[1].split("```")[0])
    rows = write(
        tmp_path / "rows.jsonl",
        {
            "id": "r",
            "condition": "RAW",
            "preds": {"q": {"choice": "b", "conf": 0.9}},
            "usage": {"ms": 1500},
        },
        {"id": "r", "condition": "TAGGED", "preds": {"q": {"choice": "a"}}},
    )
    run = prepare(
        [choice("r/q", "a", "b")], rows, **selection(path, [], [], None)._asdict()
    )
    row = run.rows["r/q"]
    assert (row["label_index"], row["latency_s"], row["meta"]) == (
        1,
        1.5,
        {"confidence": 0.9},
    )
