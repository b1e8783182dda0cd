"""Result files of public boards, told apart and read (SUITES.md §6)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from prepared import DATA, MAPS, choice, noul, prepare, write

from jevdb.ingest.layouts.mapped import selection

REQUESTS = DATA / "mapped" / "decision-index.jsonl"
ITEMS = [
    json.loads(line)
    for line in (DATA / "decision_index" / "items.jsonl").read_text().splitlines()
]
DOCUMENT = DATA / "s1mb_maps" / "kites-noul-test-v1.json.xz"


def by_map(name: str, items: list[dict[str, Any]], *paths: Path):
    chosen = selection(MAPS / f"{name}.toml", [], [], None)
    return prepare(items, *paths, **chosen._asdict())


def asked() -> list[dict[str, Any]]:
    return [
        {key: item[key] for key in ("item_id", "type")}
        | {"options": item.get("options", ["no", "yes"])}
        for item in ITEMS
    ]


@pytest.mark.parametrize("read", ["by itself", "by its map"])
def test_requests_without_a_response_are_rows(read: str):
    """One of the twelve was unsupported, one abstained; neither is missing."""
    if read == "by itself":
        run = prepare(asked(), REQUESTS)
    else:
        run = by_map("decision-index", asked(), REQUESTS)
    summary = run.summary
    assert (summary.ok, summary.unsupported, summary.error) == (10, 1, 1)
    assert summary.missing == 0
    first = run.rows["90:made-up-MC:test:0000"]
    # choice D of A to E; the request took 12.5 ms.
    assert (first["label_index"], first["latency_s"]) == (3, 0.0125)
    assert run.options.model.resolved_name == "example/made-up@r1"


def test_a_map_says_how_many_records_have_no_members(tmp_path: Path):
    """Without ? such a record is no row, and it is counted."""
    path = tmp_path / "map.toml"
    path.write_text('each = "preds"\n[fields]\nitem_id = "@key"\nanswer = "@value"\n')
    rows = write(tmp_path / "r.jsonl", {"preds": {"q": "x"}}, {"error": "timeout"})
    chosen = selection(path, [], [], None)
    run = prepare([choice("q", "x", "y")], rows, **chosen._asdict())
    assert run.summary.skipped == {"records without preds": 1}


def test_a_compressed_document_of_s1mb():
    """Its noul answers are keyed false and true: the first says 0.206 and 0.794."""
    items = [noul(f"kites-{place:03d}") for place in range(24)]
    run = by_map("s1mb", items, DOCUMENT)
    assert (run.summary.ok, run.summary.missing) == (24, 0)
    assert run.rows["kites-000"]["probabilities"] == [0.206, 0.794]
    assert run.options.model.resolved_name == "example__model_11_0"


def test_failed_answers_of_s1mb_are_errors():
    items = [choice("c", "x", "y"), noul("n"), noul("e")]
    run = by_map("s1mb", items, DATA / "mapped" / "s1mb.jsonl")
    assert (run.rows["e"]["status"], run.rows["e"]["error"]) == ("error", "timeout")
    assert run.rows["n"]["probabilities"] == [0.25, 0.75]
