"""Random benchmarks and runs for the property tests, all of which could be stored."""

from __future__ import annotations

from typing import Any, NamedTuple

import oracle
from hypothesis import strategies as st

SCORINGS = ("cmdb-1500", "jevbench", "decision-bench", "generic")
TIERS = ("easy", "standard", "judge", "hard")
LABELS = ("a", "b", "B", "Ä", "é", "z", "10", "9", " a", "\U0001f600")
FAILED = ("invalid", "unsupported", "error")
Record = dict[str, Any]


@st.composite
def distributions(draw: st.DrawFn, k: int) -> list[float]:
    """A distribution that is valid as returned or after rescaling, ties included."""
    weights = draw(
        st.lists(st.integers(0, 20), min_size=k, max_size=k).filter(
            lambda w: sum(w) > 0
        )
    )
    total = sum(weights)
    exact = [weight / total for weight in weights]
    rounded = [round(p, 2) for p in exact]
    scale = draw(st.sampled_from([None, 1.0, 1.0, 0.98, 0.9995, 1.0005, 1.015]))
    if scale is None:
        return rounded if oracle.valid_distribution(rounded, k) else exact
    scaled = [p * scale for p in exact]
    return scaled if oracle.valid_distribution(scaled, k) else exact


@st.composite
def references(draw: st.DrawFn, k: int) -> list[float]:
    weights = draw(st.lists(st.integers(1, 9), min_size=k, max_size=k))
    return [weight / sum(weights) for weight in weights]


@st.composite
def items(draw: st.DrawFn, item_id: str, scoring: str, tiered: bool) -> Record:
    kinds = ("choice",) if scoring == "decision-bench" else oracle.TYPES
    kind = draw(st.sampled_from(kinds))
    options = ["no", "yes"]
    if kind != "noul":
        options = draw(
            st.lists(st.sampled_from(LABELS), min_size=2, max_size=5, unique=True)
        )
    k = len(options)
    modalities = (
        ("text",) if scoring == "jevbench" else ("text", "image", "text_rendered")
    )
    reference = None
    if kind != "multi_select" and draw(st.integers(0, 3)) == 0:
        reference = draw(references(k))
    return {
        "item_id": item_id,
        "type": kind,
        "modality": draw(st.sampled_from(modalities)),
        "tier": draw(st.sampled_from(TIERS)) if tiered else None,
        "options": options,
        "gold": draw(answers(kind, options)),
        "reference": reference,
    }


def answers(kind: str, options: list[str]) -> st.SearchStrategy[Any]:
    if kind == "score":
        return st.integers(0, len(options) - 1)
    if kind == "multi_select":
        return st.lists(st.sampled_from(options), unique=True)
    return st.sampled_from(options)


@st.composite
def predictions(draw: st.DrawFn, item: Record) -> Record | None:
    """A row as a warehouse holds it, or None where the run has no row."""
    kind, options = item["type"], item["options"]
    row: Record = {"item_id": item["item_id"]}
    shape = draw(st.sampled_from(["row", "row", "row", "label", "failed", "missing"]))
    if shape == "missing":
        return None
    if shape == "failed":
        row["status"] = draw(st.sampled_from(FAILED))
    has_answer = kind == "multi_select" or shape == "label" or draw(st.booleans())
    if has_answer:
        row["answer"] = draw(answers(kind, options))
    if kind == "score" and shape == "label" and draw(st.booleans()):
        row["answer"] = draw(st.integers(0, 8 * (len(options) - 1))) / 8
    if kind != "multi_select" and shape != "label":
        row["probabilities"] = draw(distributions(len(options)))
    return row


@st.composite
def benchmarks(draw: st.DrawFn, scoring: str) -> list[Record]:
    tiered = scoring == "jevbench" or draw(st.booleans())
    count = draw(st.integers(1, 12))
    return [draw(items(f"item {i:02d}", scoring, tiered)) for i in range(count)]


class Case(NamedTuple):
    """A benchmark, the rows of a run over it, and the types that the run declares."""

    items: list[Record]
    predictions: list[Record]
    unsupported: list[str]


@st.composite
def cases(draw: st.DrawFn, scoring: str) -> Case:
    """A benchmark and a run; most often it declares no type unsupported."""
    benchmark = draw(benchmarks(scoring))
    types = st.lists(st.sampled_from(oracle.TYPES), max_size=2, unique=True)
    unsupported = draw(st.one_of(st.just([]), st.just([]), types))
    rows = [
        draw(predictions(item)) for item in benchmark if item["type"] not in unsupported
    ]
    return Case(benchmark, [row for row in rows if row is not None], unsupported)
