"""The made-up benchmark of the demo: 1,500 items in the strata of CMDB-1500.

Nothing here measures anything: the questions have no text, and every name says
``synthetic``. The bytes depend on the seed alone: see `Dice`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar

BENCHMARK_ID = "cmdb-1500-synthetic"
SCORING = "cmdb-1500"
SEED = 1500

Record = dict[str, object]
T = TypeVar("T")


class Stratum(NamedTuple):
    """How many items of a type and modality there are, and with a reference."""

    type: str
    modality: str
    items: int
    references: int
    families: tuple[str, ...]


# METRICS.md: 934 + 300 pooled, 166 ratings, 100 multi-select, 47 + 20 references.
STRATA = (
    Stratum("choice", "text", 620, 33, ("intent", "tool_choice", "triage", "policy")),
    Stratum("noul", "text", 314, 14, ("entailment", "safety", "eligibility")),
    Stratum("score", "text", 166, 0, ("severity", "quality")),
    Stratum("multi_select", "text", 100, 0, ("tagging", "required_documents")),
    Stratum("choice", "image", 300, 20, ("chart", "document_scan", "screenshot")),
)
DOMAINS = ("support", "finance", "health", "legal", "retail", "software", "logistics")
LABELS = {
    "intent": ("cancel", "change_address", "complain", "refund", "track", "upgrade"),
    "tool_choice": ("calculator", "calendar", "database", "email", "none", "search"),
    "triage": ("close", "escalate", "hold", "reply", "route"),
    "policy": ("allow", "allow_with_notice", "deny", "needs_review"),
    "tagging": ("billing", "bug", "feature", "login", "praise", "privacy", "speed"),
    "required_documents": ("contract", "id", "invoice", "payslip", "permit", "photo"),
    "chart": ("falling", "flat", "peak", "rising", "seasonal"),
    "document_scan": ("form", "id_card", "invoice", "letter", "receipt"),
    "screenshot": ("button", "dialog", "menu", "text_field"),
    "severity": ("none", "minor", "major", "critical"),
    "quality": ("very poor", "poor", "fair", "good", "very good"),
}


class Dice:
    """Draws that give the same bytes on every machine and Python.

    Only ``random()`` of `random.Random` is used, which Python keeps stable, and neither
    ``sum`` of floats, which 3.12 made more exact, nor the C library's functions.
    """

    def __init__(self, seed: int):
        self.fraction = Random(seed).random

    def below(self, limit: int) -> int:
        """Return a whole number from 0 to *limit* - 1."""
        return int(self.fraction() * limit)

    def pick(self, values: Sequence[T]) -> T:
        """Return one of the values."""
        return values[self.below(len(values))]

    def sample(self, values: Sequence[T], count: int) -> tuple[T, ...]:
        """Return *count* different values, in the order of the draw."""
        rest = list(values)
        return tuple(rest.pop(self.below(len(rest))) for _ in range(count))

    def distribution(
        self, certainty: float, top: int, k: int, *, decimals: int, falloff: int = 0
    ) -> list[float]:
        """Return rounded probabilities with the largest at *top*.

        A *falloff* above 0 makes options lose weight with their distance from *top*, as
        the levels of a rating do.
        """
        weights = [
            (self.fraction() + 0.05) / (1 + falloff * abs(index - top))
            for index in range(k)
        ]
        rest = total(weights[:top] + weights[top + 1 :])
        values = [(1 - certainty) * weight / rest for weight in weights]
        values[top] = certainty
        largest = max(range(k), key=values.__getitem__)
        values[top], values[largest] = values[largest], values[top]
        return [round(value, decimals) for value in values]


def total(values: Iterable[float]) -> float:
    """Return the sum as every Python adds it, one after the other."""
    found = 0.0
    for value in values:
        found += value
    return found


class Question(NamedTuple):
    """An item in its canonical form, and how hard it is: 0 easy to 1 hard."""

    record: Record
    type: str
    labels: tuple[str, ...]
    gold: tuple[int, ...]
    difficulty: float

    def named(self, picks: Sequence[int]) -> object:
        """Return an answer in its canonical form: label, level or list of labels."""
        if self.type == "multi_select":
            return [self.labels[pick] for pick in picks]
        return picks[0] if self.type == "score" else self.labels[picks[0]]


def write_items(folder: Path) -> Path:
    """Write the items as canonical JSONL into *folder* and return the file."""
    path = folder / f"{BENCHMARK_ID}.items.jsonl"
    return write_jsonl(path, (question.record for question in questions()))


def write_jsonl(path: Path, records: Iterable[Record]) -> Path:
    """Write records one a line, with the same bytes on every system."""
    lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    path.write_text("".join(lines), encoding="utf-8", newline="\n")
    return path


def questions() -> list[Question]:
    """Return the 1,500 items, the same ones at every call."""
    dice = Dice(SEED)
    found: list[Question] = []
    for stratum in STRATA:
        for index in range(stratum.items):
            question = _question(dice, f"synthetic-{len(found) + 1:04d}", stratum)
            if index < stratum.references:
                question.record["gold_distribution"] = _reference(dice, question)
            found.append(question)
    return found


def _question(dice: Dice, item_id: str, stratum: Stratum) -> Question:
    family = dice.pick(stratum.families)
    labels = _labels(dice, stratum.type, family)
    several = stratum.type == "multi_select"
    gold = dice.sample(range(len(labels)), 1 + dice.below(3) if several else 1)
    record: Record = {
        "item_id": item_id,
        "type": stratum.type,
        "modality": stratum.modality,
        "family": family,
        "domain": dice.pick(DOMAINS),
        "options": list(labels),
    }
    question = Question(
        record, stratum.type, labels, tuple(sorted(gold)), dice.fraction()
    )
    record["gold"] = question.named(question.gold)
    return question


def _labels(dice: Dice, kind: str, family: str) -> tuple[str, ...]:
    if kind == "noul":
        return ("no", "yes")
    known = LABELS[family]
    if kind != "choice":
        return known
    return dice.sample(known, 2 + dice.below(len(known) - 1))


def _reference(dice: Dice, question: Question) -> dict[str, float]:
    gold, k = question.gold[0], len(question.labels)
    values = dice.distribution(0.55 + 0.4 * dice.fraction(), gold, k, decimals=3)
    others = total(values[:gold] + values[gold + 1 :])
    values[gold] = round(1 - others, 3)
    return dict(zip(question.labels, values, strict=True))
