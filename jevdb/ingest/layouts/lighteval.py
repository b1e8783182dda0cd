"""lighteval: the Parquet files of `--save-details`, since 0.10 (docs/formats.md).

A row is ``doc`` (what was asked), ``model_response`` and ``metric``. One that has a
log-likelihood for each choice has probabilities, their softmax; a generated answer
counts as a label where it is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from jevdb.ingest.decode.rows import (
    ITEM_FIELDS,
    PREDICTION_FIELDS,
    Context,
    Fields,
    RecordLayout,
    Row,
    text_answer,
    typed,
    wrong,
)
from jevdb.ingest.layouts.likelihoods import MEANING, option_names, softmax

LIKELIHOODS = "$.model_response.logprobs"
CHOICES = "$.doc.choices"
GOLD = "$.doc.gold_index"
VERDICTS = ("acc", "em", "exact_match", "extractive_match")
FEWEST = 2


class _Details(RecordLayout):
    """What items and answers have alike."""

    name = "lighteval"
    is_log = True
    keys: frozenset[str] = frozenset(("doc", "model_response", "metric"))

    def recognises(self, first: Fields) -> bool:
        """Whether the record is a detail."""
        return {"doc", "model_response"} <= first.keys()


class Answers(_Details):
    """The answers of a run to one task."""

    row_fields = PREDICTION_FIELDS
    exclusive: ClassVar[tuple[str, ...]] = ("doc.task_name",)

    def rows(self, record: Fields, context: Context) -> Iterator[Row]:
        """Yield the row of one document."""
        if not context.is_wanted(record):
            return
        doc, said = _part(record, "doc"), _part(record, "model_response")
        item_id = _item_id(doc)
        facts = {"doc.task_name": typed(doc.get("task_name"), str, "$.doc.task_name")}
        row: Row = {"item_id": item_id, "is_correct": _verdict(record)}
        likelihoods = typed(said.get("logprobs") or [], list[float], LIKELIHOODS)
        if likelihoods:
            facts["probabilities"] = MEANING
            options = _options(doc)
            if len(likelihoods) != len(options):
                count = f"{len(likelihoods)} log-likelihoods for {len(options)} choices"
                raise wrong(LIKELIHOODS, count)
            row |= softmax(options, likelihoods)
            row["target"] = [options[place] for place in _golds(doc, len(options))]
        else:
            text = _generated(said)
            row |= text_answer(text, context.items.get(item_id)) if text else {}
        yield {**row, "facts": facts}


class Items(_Details):
    """The items of a multiple-choice task."""

    row_fields = ITEM_FIELDS

    def rows(self, record: Fields, context: Context) -> Iterator[Row]:
        """Yield the item of one document."""
        if not context.is_wanted(record):
            return
        doc = _part(record, "doc")
        options = _options(doc)
        if len(options) < FEWEST:
            raise wrong(
                CHOICES, "fewer than two: only multiple-choice tasks have items"
            )
        golds = _golds(doc, len(options))
        if len(golds) > 1:
            raise wrong(
                GOLD, f"{len(golds)} golds, any of which is right; one is asked"
            )
        yield {
            "item_id": _item_id(doc),
            "type": "choice",
            "options": options,
            "gold": options[golds[0]],
        }


def _part(record: Fields, key: str) -> dict[str, object]:
    return typed(record.get(key), dict[str, object], f"$.{key}")


def _item_id(doc: Fields) -> str:
    item_id = typed(doc.get("id"), str, "$.doc.id")
    if not item_id:
        raise wrong("$.doc.id", "empty: the documents were not numbered")
    return item_id


def _options(doc: Fields) -> list[str]:
    return option_names(typed(doc.get("choices"), list[str], CHOICES), CHOICES)


def _golds(doc: Fields, count: int) -> Sequence[int]:
    """Return the places of the right choices; one may stand alone."""
    given = doc.get("gold_index")
    places = typed(given if isinstance(given, list) else [given], list[int], GOLD)
    if not places:
        raise wrong(GOLD, "names no choice")
    for place in places:
        if not 0 <= place < count:
            raise wrong(GOLD, f"{place} is no place among {count} choices")
    return places


def _verdict(record: Fields) -> bool | None:
    """Return lighteval's own verdict, where its metric is one."""
    metric = record.get("metric")
    found = [
        metric.get(name)
        for name in VERDICTS
        if isinstance(metric, dict) and name in metric
    ]
    return bool(found[0]) if found and found[0] in (0, 1) else None


def _generated(said: Fields) -> str | None:
    """Return the text of the only answer; without its reasoning where that was cut."""
    key = "text" if said.get("text_post_processed") is None else "text_post_processed"
    path = f"$.model_response.{key}"
    texts = typed(said.get(key) or [], list[str], path)
    if len(texts) > 1:
        raise wrong(path, f"{len(texts)} samples of a model; one is an answer")
    return texts[0] if texts else None
