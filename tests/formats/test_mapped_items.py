"""Items of any layout, by a mapping and by options of reading."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commandline import jevdb
from prepared import write

from jevdb.api.run_details import mapped_items
from jevdb.base.errors import InputError, UsageError
from jevdb.base.wording import for_shell
from jevdb.ingest.decode.records import (
    ItemRecord,
    LooseItemRecord,
    LoosePredictionRecord,
    PredictionRecord,
)
from jevdb.ingest.items.files import ReadItems, read_items

HUGGING_FACE = {
    "qid": 7,
    "choices": {"text": ["tea", "coffee"], "label": ["A", "B"]},
    "answerKey": "B",
    "level": "trivial",
    "stem": "Hot?",
}


def read(path: Path, *fields: str, map: Path | None = None, **said: Any) -> ReadItems:
    """Return the items of a file, read as is said."""
    mapping, reading = mapped_items(map, list(fields) or None, None, said)
    return read_items([path], None, reading, mapping)


def test_a_record_of_another_layout_is_an_item(tmp_path: Path) -> None:
    file = write(tmp_path / "items.jsonl", HUGGING_FACE)
    found = read(
        file,
        *("item_id=qid", "options=choices.text", "gold=answerKey", "tier=level"),
        default={"type": "choice"},
        answer_style="letter",
        tier={"trivial": "easy"},
        meta=["stem"],
    )
    row = found.rows["7"]
    assert (row.type, row.options, row.label_index) == ("choice", ["tea", "coffee"], 1)
    assert (row.tier, json.loads(str(row.meta))) == ("easy", {"stem": "Hot?"})


def test_options_of_reading_take_every_field_of_an_item(tmp_path: Path) -> None:
    """Also the group, by which intervals take items together."""
    item = {"item_id": "q1", "type": "choice", "options": ["tea", "mate"]}
    file = write(tmp_path / "items.jsonl", {**item, "gold": "TEA", "group": "g"})
    row = read(file, labels="fold").rows["q1"]
    assert (row.label_index, row.group) == (0, "g")
    assert LooseItemRecord.__struct_fields__ == ItemRecord.__struct_fields__
    assert LoosePredictionRecord.__struct_fields__ == PredictionRecord.__struct_fields__


def test_the_same_said_in_a_file(tmp_path: Path) -> None:
    file = write(tmp_path / "items.jsonl", HUGGING_FACE)
    text = """
        [fields]
        item_id = "qid"
        options = "choices.text"
        gold = "answerKey"
        tier = "level"
        [default]
        type = "choice"
        [tier]
        trivial = "easy"
        [read]
        answer-style = "letter"
        meta = "stem"
    """
    map_file = tmp_path / "map.toml"
    map_file.write_text(text)
    found = read(file, map=map_file)
    assert found.rows["7"].label_index == 1
    with pytest.raises(UsageError, match="'label' by the option and 'letter' by the"):
        read(file, map=map_file, answer_style="label")


@pytest.mark.parametrize(
    ("record", "said", "words"),
    [
        ({"gold": "TEA"}, {}, "--labels fold"),
        ({"gold": "B"}, {}, "--answer-style letter"),
        ({"gold": 2}, {}, "--answer-style index1"),
        ({"options": "tea|coffee"}, {}, "--split '|'"),
        ({"tier": "hardest"}, {}, "--tier hardest=TIER"),
        ({"item_id": 1.0}, {}, "--ids integer"),
        ({"type": "noul", "options": None, "gold": "Yes"}, {}, "--labels fold"),
        ({"type": "noul", "options": None, "gold": 1}, {}, "--alias 1=yes"),
        ({"type": "score", "gold": 2}, {}, "--levels from=1"),
        ({"type": "multi_select", "gold": "tea,coffee"}, {}, "--split ,"),
        ({"question": "Hot?"}, {}, "--meta question"),
        ({"gold": "A coffee"}, {"answer_style": "letter"}, "the text beside it"),
    ],
    ids=str,
)
def test_what_is_written_otherwise_is_refused_with_the_remedy(
    tmp_path: Path, record: Any, said: Any, words: str
) -> None:
    item = {
        "item_id": "i",
        "type": "choice",
        "options": ["tea", "coffee"],
        "gold": "tea",
    }
    given = {key: each for key, each in {**item, **record}.items() if each is not None}
    file = write(tmp_path / "items.jsonl", given)
    with pytest.raises(InputError) as refused:
        read(file, **said)
    assert words in for_shell(refused.value.raised[0].message)


def test_an_alias_to_an_option_of_no_item_is_refused(tmp_path: Path) -> None:
    item = {"item_id": "i", "type": "noul", "gold": "yes"}
    with pytest.raises(UsageError, match="has the option 'ja'"):
        read(write(tmp_path / "items.jsonl", item), alias={"y": "ja"})


def test_a_dry_run_shows_items_and_stores_none(
    warehouse_path: Path, tmp_path: Path
) -> None:
    items = [
        {"item_id": f"i{n}", "type": "choice", "options": ["a", "b"], "gold": "a"}
        for n in range(7)
    ]
    file = write(tmp_path / "items.jsonl", *items)
    done = jevdb(
        *(warehouse_path, "ingest", "items", str(file), "--benchmark", "b"), "--dry-run"
    )
    assert done.exit_code == 0, done.output
    lines = done.stderr.splitlines()
    assert lines[0] == "items of a new benchmark, would be stored: 7 new"
    assert lines[1] == "the first 5, as they would be stored:"
    assert [json.loads(line)["gold"] for line in lines[2:]] == ["a"] * 5
    listed = jevdb(warehouse_path, "benchmarks", "--format", "json")
    assert "b" not in [each["benchmark_id"] for each in json.loads(listed.stdout)]
