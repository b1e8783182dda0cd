"""Three invented models answering the synthetic benchmark of the demo.

They differ in skill, in how sure they are of themselves and in how they report. So
the demo has something to show: a calibrated one, an overconfident one that rounds to
two decimals, and one that often gives a bare label and sometimes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from jevdb.demonstration.synthetic import Dice, Question, Record, questions, write_jsonl

IMAGE_PENALTY = 0.12
RATING_FALLOFF = 3
PRICE_PER_TOKEN = 0.25e-6


@dataclass(frozen=True, slots=True)
class SyntheticModel:
    """An invented model: its skill and manners; rates are shares of its rows."""

    name: str
    seed: int
    skill: float
    overconfidence: float
    decimals: int
    label_only: float = 0.0
    missing: float = 0.0
    error: float = 0.0
    retried: float = 0.0
    halved: float = 0.0


MODELS = (
    SyntheticModel(
        name="synthetic-steady", seed=101, skill=0.72, overconfidence=0.0, decimals=6
    ),
    SyntheticModel(
        name="synthetic-bold",
        seed=202,
        skill=0.78,
        overconfidence=0.6,
        decimals=2,
        retried=0.01,
    ),
    SyntheticModel(
        name="synthetic-terse",
        seed=303,
        skill=0.55,
        overconfidence=0.2,
        decimals=4,
        label_only=0.3,
        missing=0.02,
        error=0.01,
        halved=0.015,
    ),
)


def write_predictions(folder: Path, model: SyntheticModel) -> Path:
    """Write a model's predictions as canonical JSONL into *folder*."""
    return write_jsonl(folder / f"{model.name}.jsonl", predictions(model))


def predictions(model: SyntheticModel) -> Iterator[Record]:
    """Yield an invented model's rows in item order, the same ones at every call."""
    dice = Dice(model.seed)
    for question in questions():
        # Every chance is drawn for every item, so that a rate moves no other row.
        terse, lost, failed, retried, halved = (dice.fraction() for _ in range(5))
        answer = _answer(dice, model, question)
        usage = _usage(dice)
        record: Record = {"item_id": question.record["item_id"]}
        if lost < model.missing:
            continue
        if failed < model.error:
            yield record | {"status": "error", "error": "synthetic: timed out"}
            continue
        if retried < model.retried:
            yield record | {"status": "error", "error": "synthetic: try again"}
        if terse < model.label_only:
            answer.pop("probabilities", None)
        elif halved < model.halved:
            answer = _halved(answer)
        yield record | answer | usage


def _answer(dice: Dice, model: SyntheticModel, question: Question) -> Record:
    clarity = _clarity(dice, model, question)
    if question.type == "multi_select":
        return _several(dice, question, clarity)
    k = len(question.labels)
    certainty = 1 / k + (1 - 1 / k) * clarity
    top = question.gold[0]
    if dice.fraction() >= certainty:
        top = _mistake(dice, question, top)
    stated = certainty + model.overconfidence * (1 - certainty)
    is_rating = question.type == "score"
    falloff = RATING_FALLOFF if is_rating else 0
    values = dice.distribution(stated, top, k, decimals=model.decimals, falloff=falloff)
    keys = [str(level) for level in range(k)] if is_rating else question.labels
    return {
        "answer": question.named([top]),
        "probabilities": dict(zip(keys, values, strict=True)),
    }


def _clarity(dice: Dice, model: SyntheticModel, question: Question) -> float:
    """Return how well the model sees this item: 0 is guessing, 1 is knowing."""
    penalty = IMAGE_PENALTY if question.record["modality"] == "image" else 0.0
    ease = 0.7 * (0.5 - question.difficulty) + 0.2 * (dice.fraction() - 0.5)
    return min(max(model.skill - penalty + ease, 0.02), 0.995)


def _mistake(dice: Dice, question: Question, gold: int) -> int:
    """Return a wrong option; a wrong rating is one level off."""
    k = len(question.labels)
    if question.type != "score":
        return (gold + 1 + dice.below(k - 1)) % k
    neighbour = gold + dice.pick((-1, 1))
    return neighbour if 0 <= neighbour < k else 2 * gold - neighbour


def _several(dice: Dice, question: Question, clarity: float) -> Record:
    """Return a set of options, each with its probability given the earlier picks."""
    picks = []
    for index in range(len(question.labels)):
        chance = clarity if index in question.gold else 0.2 * (1 - clarity)
        if dice.fraction() < chance:
            picks.append(index)
    steps = [round(0.4 + 0.6 * clarity * dice.fraction(), 4) for _ in picks]
    return {"answer": question.named(picks), "step_probabilities": steps}


def _halved(answer: Record) -> Record:
    """Return an answer whose probabilities sum to a half: the model's own fault."""
    stated = answer.get("probabilities")
    if not isinstance(stated, Mapping):
        return answer
    halves = {label: round(value / 2, 6) for label, value in stated.items()}
    return answer | {"probabilities": halves}


def _usage(dice: Dice) -> Record:
    tokens = 90 + dice.below(400)
    return {
        "latency_s": round(0.2 + 1.8 * dice.fraction(), 3),
        "input_tokens": tokens,
        "output_tokens": 1 + dice.below(12),
        "cost_usd": round(tokens * PRICE_PER_TOKEN, 8),
    }
