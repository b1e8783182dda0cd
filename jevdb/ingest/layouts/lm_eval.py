"""lm-evaluation-harness: the rows of `--log_samples` (FORMATS.md §3.13).

A multiple-choice row has a log-likelihood for each option; its probabilities are their
softmax. A generated answer counts as a label where it is one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from jevdb.ingest.decode.rows import (
    ITEM_FIELDS,
    PREDICTION_FIELDS,
    Context,
    Fields,
    RecordLayout,
    Row,
    WrongRecord,
    text_answer,
    typed,
    wrong,
)
from jevdb.ingest.decode.strict import member, type_word

RESPONSES = "filtered_resps"
MUTUAL_INFORMATION = "acc_mutual_info"
PAIR = 2
LOG_LIKELIHOOD = re.compile(r"-?\d+(\.\d*)?([eE][+-]?\d+)?|-inf")
KEYS = frozenset(
    (
        *("doc_id", "doc", "target", "arguments", "resps", RESPONSES, "filter"),
        *("metrics", "doc_hash", "prompt_hash", "target_hash"),
        *("acc", "acc_norm", "exact_match"),
    )
)


class _Request(NamedTuple):
    """A context and the option whose likelihood after it was asked for."""

    context: str
    option: str


class _Rows(RecordLayout):
    """What items and answers have alike."""

    name = "lm-eval"
    keys = KEYS

    def recognises(self, first: Fields) -> bool:
        """Whether the record is a logged sample."""
        return {"doc_id", RESPONSES} <= first.keys()


class Answers(_Rows):
    """The answers of a run: softmax of the log-likelihoods as they are."""

    row_fields = PREDICTION_FIELDS
    exclusive = ("filter",)
    verdict: ClassVar[str] = "acc"
    meaning: ClassVar[str] = "softmax of the options' log-likelihoods"

    def rows(self, record: Fields, context: Context) -> Iterator[Row]:
        """Yield the row of one document under one filter, or one for each repeat."""
        row: Row = {"item_id": _item_id(record)}
        facts: dict[str, str] = {}
        if isinstance(record.get("filter"), str):
            facts["filter"] = str(record["filter"])
        if _is_multiple_choice(record):
            facts["probabilities"] = self.meaning
            requests = _requests(record)
            options = _options(record, requests)
            found = [
                self.logit(value, option)
                for value, option in zip(
                    _log_likelihoods(record, len(options)), options, strict=True
                )
            ]
            row |= _softmax(options, found)
            row["is_correct"] = _verdict(record, self.verdict)
            row["target"] = _own_gold(record, options)
        else:
            yield from _generated_rows(record, {**row, "facts": facts}, context)
            return
        yield {**row, "facts": facts}

    def logit(self, log_likelihood: float, option: str) -> float:
        """Return what the softmax is taken of."""
        return log_likelihood


class NormalizedAnswers(Answers):
    """The same, each log-likelihood divided by the option's length in characters."""

    name = "lm-eval-norm"
    verdict = "acc_norm"
    meaning = "softmax of the options' log-likelihoods per character"

    def recognises(self, first: Fields) -> bool:
        """Whether by itself: never, it is asked for by name."""
        return False

    def logit(self, log_likelihood: float, option: str) -> float:
        """Return the log-likelihood per character."""
        return log_likelihood / max(len(option), 1)


class Items(_Rows):
    """The items of multiple-choice tasks."""

    row_fields = ITEM_FIELDS

    def rows(self, record: Fields, context: Context) -> Iterator[Row]:
        """Yield the item of one document."""
        if not _is_multiple_choice(record):
            message = (
                "no log-likelihoods of options: only multiple-choice tasks have items"
            )
            raise wrong(member("$", RESPONSES), message)
        options = _options(record, _requests(record))
        yield {
            "item_id": _item_id(record),
            "type": "choice",
            "options": options,
            "gold": _gold(record, options),
        }


def _item_id(record: Fields) -> str:
    given = record.get("doc_id")
    return given if isinstance(given, str) else str(typed(given, int, "$.doc_id"))


def _is_multiple_choice(record: Fields) -> bool:
    """Whether the responses are pairs of a log-likelihood and its greedy flag."""
    responses = record.get(RESPONSES)
    return (
        isinstance(responses, list)
        and len(responses) >= PAIR
        and all(isinstance(each, list) and len(each) == PAIR for each in responses)
    )


def _requests(record: Fields) -> list[_Request]:
    """Return what was asked, in the order of the responses.

    Newer files have ``{"gen_args_0": {"arg_0": context, "arg_1": option}}``, older ones
    ``[[context, option]]``.
    """
    given = record.get("arguments")
    if isinstance(given, dict):
        places = [f"gen_args_{place}" for place in range(len(given))]
        pairs = [(member("$.arguments", key), given.get(key)) for key in places]
    else:
        listed = typed(given, list[object], "$.arguments")
        pairs = [(f"$.arguments[{place}]", each) for place, each in enumerate(listed)]
    return [_request(value, path) for path, value in pairs]


def _request(value: object, path: str) -> _Request:
    if isinstance(value, dict):
        value = [value.get("arg_0"), value.get("arg_1")]
    texts = typed(value, list[object], path)[:PAIR]
    if len(texts) < PAIR or not all(isinstance(text, str) for text in texts):
        raise wrong(path, "expected a context and an option")
    return _Request(str(texts[0]), str(texts[1]))


def _options(record: Fields, requests: list[_Request]) -> list[str]:
    """Return the options; one leading space that all have is the task's delimiter."""
    half = len(requests) // 2
    metrics = record.get("metrics")
    is_named = isinstance(metrics, list) and MUTUAL_INFORMATION in metrics
    is_doubled = half >= PAIR and [request.option for request in requests[:half]] == [
        request.option for request in requests[half:]
    ]
    if is_named or is_doubled:
        message = (
            f"{len(requests)} log-likelihoods of a mutual-information run: with and "
            f"without context; log the samples without {MUTUAL_INFORMATION}"
        )
        raise wrong("$.arguments", message)
    options = [request.option for request in requests]
    if len({request.context for request in requests}) > 1:
        # The options stand before one common end: the task varies the contexts.
        raise wrong("$.arguments", "the options' contexts differ; they name no options")
    if all(option.startswith(" ") for option in options):
        options = [option[1:] for option in options]
    if len(set(options)) < len(options):
        twice = next(o for place, o in enumerate(options) if o in options[:place])
        raise wrong("$.arguments", f"{type_word(twice)} is an option twice")
    return options


def _log_likelihoods(record: Fields, count: int) -> list[float]:
    path = member("$", RESPONSES)
    responses = typed(record.get(RESPONSES), list[list[object]], path)
    if len(responses) != count:
        raise wrong(path, f"{len(responses)} log-likelihoods for {count} options")
    return [
        _log_likelihood(pair[0], f"{path}[{place}][0]")
        for place, pair in enumerate(responses)
    ]


def _log_likelihood(given: object, path: str) -> float:
    """Return a log-likelihood; the harness turns every leaf into a string."""
    text = given if isinstance(given, str) else repr(given)
    if not LOG_LIKELIHOOD.fullmatch(text) or float(text) > 0:
        raise wrong(path, f"expected a log-likelihood, got {type_word(given)}")
    return float(text)


def _softmax(options: list[str], logits: list[float]) -> Row:
    """Return the distribution, to 12 digits: as far as all machines agree."""
    largest = max(logits)
    if largest == -math.inf:
        return {"status": "invalid", "error": "every log-likelihood is -inf"}
    weights = [math.exp(logit - largest) for logit in logits]
    total = math.fsum(weights)
    return {
        "probabilities": {
            option: float(f"{weight / total:.12g}")
            for option, weight in zip(options, weights, strict=True)
        }
    }


def _generated_rows(record: Fields, row: Row, context: Context) -> Iterator[Row]:
    """Yield the generated answer of a document; of several, each is a repeat.

    What the harness says of several together is the verdict on none of them.
    """
    asked = context.items.get(_item_id(record))
    texts = _generated(record)
    for repeat, text in enumerate(texts):
        said = text_answer(text, asked) if text else {}
        if len(texts) > 1:
            yield {**row, **said, "repeat": repeat}
        else:
            yield {**row, **said, "is_correct": _verdict(record, "exact_match")}


def _generated(record: Fields) -> list[str | None]:
    """Return the filtered texts of a generated answer, as they are: one a repeat."""
    path = member("$", RESPONSES)
    given = record.get(RESPONSES)
    while isinstance(given, list) and len(given) == 1:
        given, path = given[0], f"{path}[0]"
    if not isinstance(given, list):
        return [None if given is None else typed(given, str, path)]
    if not given:
        raise wrong(path, "no responses; one is an answer")
    return [
        None if each is None else typed(each, str, f"{path}[{place}]")
        for place, each in enumerate(given)
    ]


def _verdict(record: Fields, metric: str) -> bool | None:
    value = record.get(metric)
    return bool(value) if value in (0, 1) else None


def _own_gold(record: Fields, options: list[str]) -> str | None:
    """Return the option that the target names, if it names one."""
    try:
        return _gold(record, options)
    except WrongRecord:
        return None


def _gold(record: Fields, options: list[str]) -> str:
    """Return the option that the target names: its place, or its text."""
    target = record.get("target")
    text = str(target) if isinstance(target, int) else typed(target, str, "$.target")
    is_place = text.isascii() and text.isdigit() and int(text) < len(options)
    names = {text, text.removeprefix(" ")} & set(options)
    if is_place and not (names and options.index(min(names)) != int(text)):
        return options[int(text)]
    if len(names) == 1 and not is_place:
        return min(names)
    what = "is both an option and the place of another" if names else "names no option"
    raise wrong("$.target", f"{type_word(target)} {what}")
