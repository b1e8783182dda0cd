"""The demo's made-up data: its strata, its labels, and bytes that never change."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path

import pytest

from jevdb.demonstration import synthetic, synthetic_models

# These pin bytes, not meaning: they must be the same on every Python and machine.
DIGESTS = {
    "cmdb-1500-synthetic.items.jsonl": (
        "fa5ff17c77f340c717a5e54a8d474b1dd895a7c7990a5af4fbc13521d90f48b1"
    ),
    "synthetic-steady.jsonl": (
        "337acb61f99c6f0ba50ff5fa593aed8a7380ee920988c0e711b1a0f112108473"
    ),
    "synthetic-bold.jsonl": (
        "57f42f3604131387dcfe364c460ccdabfaeeae73f3e8de1256945d2e8e076295"
    ),
    "synthetic-terse.jsonl": (
        "1ec4459e82f1c23f15181fde781fa501f6453c5cd5b1f3e617fb39c44932f519"
    ),
}
RECORDS = [question.record for question in synthetic.questions()]


def count(**facts: str) -> int:
    return sum(
        all(row[key] == value for key, value in facts.items()) for row in RECORDS
    )


def test_bytes_never_change(tmp_path: Path):
    files = [synthetic.write_items(tmp_path)]
    for model in synthetic_models.MODELS:
        files.append(synthetic_models.write_predictions(tmp_path, model))
    digests = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files
    }
    assert digests == DIGESTS


def test_strata_are_those_of_metrics_md():
    assert len(RECORDS) == 1500
    assert count(modality="text") == 1200
    assert count(modality="image") == count(modality="image", type="choice") == 300
    assert count(type="multi_select") == 100
    assert count(type="multi_select", modality="text") == 100
    assert count(type="choice") + count(type="noul") == 1234
    assert count(type="score") == count(type="score", modality="text") == 166


def test_references_are_over_choice_and_noul_of_both_modalities():
    having = [row for row in RECORDS if "gold_distribution" in row]
    by_modality = Counter(row["modality"] for row in having)
    assert by_modality == {"text": 47, "image": 20}
    assert {row["type"] for row in having} == {"choice", "noul"}
    for row in having:
        assert sum(row["gold_distribution"].values()) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("model", synthetic_models.MODELS, ids=lambda model: model.name)
def test_models_say_that_they_are_synthetic(model: synthetic_models.SyntheticModel):
    assert model.name.startswith("synthetic-")
    ids = {row["item_id"] for row in synthetic_models.predictions(model)}
    assert ids <= {row["item_id"] for row in RECORDS}


def test_the_models_show_what_real_files_hold(tmp_path: Path):
    bold, terse = synthetic_models.MODELS[1:]
    rows = list(synthetic_models.predictions(terse))
    by_id = {row["item_id"]: row for row in RECORDS}
    bare = [row for row in rows if "answer" in row and "probabilities" not in row]
    kinds = {by_id[row["item_id"]]["type"] for row in bare}
    assert kinds == {"choice", "noul", "score", "multi_select"}
    assert len(rows) < 1500
    assert "error" in {row.get("status") for row in rows}
    sums = [
        sum(row["probabilities"].values())
        for row in synthetic_models.predictions(bold)
        if "probabilities" in row
    ]
    assert any(0.001 < abs(total - 1) < 0.0201 for total in sums)
    several = [row for row in rows if by_id[row["item_id"]]["type"] == "multi_select"]
    assert all(
        len(row["step_probabilities"]) == len(row["answer"])
        for row in several
        if "answer" in row
    )


def test_files_are_one_object_a_line(tmp_path: Path):
    text = synthetic.write_items(tmp_path).read_text(encoding="utf-8")
    assert [json.loads(line) for line in text.splitlines()] == RECORDS
