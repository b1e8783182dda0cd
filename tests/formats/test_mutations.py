"""Any value anywhere in a record gives rows or a fault, never anything else."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prepared import DATA, MAPS, benchmark_of, choice, noul, score

from jevdb.base.errors import InputError
from jevdb.ingest.converting.converter import Converter
from jevdb.ingest.decode.decoding import LineBatch, Problems
from jevdb.ingest.decode.rows import AskedItems, Gathered, Known
from jevdb.ingest.items.files import read_items
from jevdb.ingest.judge.staging import KeySets, Origin, stage
from jevdb.ingest.layouts.mapped import selection
from jevdb.ingest.layouts.registry import ITEMS, PREDICTIONS
from jevdb.ingest.reading import Reader
from jevdb.ingest.record_decoder import RecordDecoder

VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 2**70, 0.5, -0.5, "", "x", "1", " A", "\u2028"),
    *([], [None], [0.5], ["a", "a"], [[]], {}, {"a": None}, {"0": 1}, {"a": {"a": []}}),
)
ASKED = [
    *(choice("t1/ministry", "justice", "travail"), noul("t1/urgent")),
    *(score("t1/tone", "a", "b", "c"), choice("0", "red", "blue", "green")),
    *(choice("1", "A", "B"), choice("ministry/r1", "travail", "justice")),
    *(score("review-5/stars", "1", "2", "3"), choice("d1", "approve", "deny")),
]
MAPPED = {path.stem: path for path in MAPS.glob("*.toml")}
FILES = {
    "typesafe": DATA / "system_one" / "typesafe.json",
    "openai": DATA / "system_one" / "openai.json",
    "jevl": DATA / "system_one" / "session.jevl",
    "lm_eval": DATA / "lm_eval" / "samples_colours.jsonl",
    "inspect": DATA / "inspect_ai" / "mmlu-summary-choices.eval",
    **{name: DATA / "mapped" / f"{name}.jsonl" for name in MAPPED},
}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value, but for Inspect's long lists of events."""
    yield path
    members = value.items() if isinstance(value, dict) else ()
    if isinstance(value, list):
        members = enumerate(value)
    for key, inner in members:
        if key not in ("events", "messages", "attachments"):
            yield from places(inner, (*path, key))


def mutations(record: Any) -> Iterator[bytes]:
    for path in places(record):
        for value in VALUES:
            changed = [copy.copy(record)]
            target: Any = changed
            for key in (0, *path[:-1]):
                target[key] = copy.copy(target[key])
                target = target[key]
            target[path[-1] if path else 0] = value
            yield json.dumps(changed[0]).encode()


def first_record(path: Path) -> Any:
    """The record that a layout sees first, whatever the container."""
    from jevdb.ingest.files.containers import open_container
    from jevdb.ingest.files.sources import Source

    batch = next(open_container(Source(path), Problems()).batches)
    records = map(json.loads, batch.lines)
    return next(each for each in records if not is_header(each))


def is_header(record: Any) -> bool:
    """Whether a record is none: the first line of a log, which its map leaves out."""
    return isinstance(record, dict) and record.get("type") == "header"


@pytest.mark.parametrize("name", FILES)
def test_a_changed_record_gives_rows_or_a_fault(name):
    record = first_record(FILES[name])
    said = selection(MAPPED.get(name), [], [], None)
    mapping, reading = said.mapping, said.reading
    layouts = [each for each in PREDICTIONS if each.recognises(record)]
    layout = mapping or layouts[0]
    items = AskedItems(benchmark_of(ASKED))
    known = Known(items, {}, mapping, reading)
    n_rows = n_faults = 0
    for line in mutations(record):
        problems = Problems()
        decoder = RecordDecoder(layout, "f", problems, known, Gathered(), False)
        columns = decoder.columns(LineBatch([line], [1]))
        if reading.converts:
            converter = Converter(reading, items, problems)
            columns = converter.columns(columns, "f", layout.has_text_answers)
        n_rows += stage(columns, Origin("f", 0, False), KeySets()).num_rows
        n_faults += problems.total
    assert n_rows
    assert n_faults


@pytest.mark.parametrize("name", ["inspect", "lm_eval"])
def test_a_changed_item_gives_an_item_or_a_fault(name, tmp_path):
    path = tmp_path / "items.jsonl"
    path.write_bytes(b"\n".join(mutations(first_record(FILES[name]))))
    problems = Problems()
    rows = list(Reader([path], ITEMS, None, problems))
    assert rows
    with pytest.raises(InputError):
        read_items([path])
