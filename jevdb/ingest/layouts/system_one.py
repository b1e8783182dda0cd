"""System One responses: one request's answers to several questions (FORMATS.md §2).

TypeSafe's shape (answers by question name), OpenAI's (a list in question order) and the
list of `systemone_list` servers; a response as it is, or inside a line of a log.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from jevdb.ingest.decode.records import Count, canonical_json
from jevdb.ingest.decode.rows import (
    PREDICTION_FIELDS,
    Context,
    Fields,
    RecordLayout,
    Row,
    typed,
    wrong,
)
from jevdb.ingest.decode.strict import member, type_word
from jevdb.ingest.layouts.system_one_answers import READ, Answer

ID_KEYS = ("item_id", "custom_id", "id", "request_id")
TOKENS = {
    "input_tokens": ("input_tokens", "prompt_tokens"),
    "output_tokens": ("output_tokens", "completion_tokens"),
}
KEYS = frozenset(
    (*ID_KEYS, "v", "ts", "model", "request", "response", "answers", "usage", "error")
)


class _Reply(NamedTuple):
    """The part of a record that is the response itself, and where it lies."""

    body: Mapping[str, object]
    path: str


class Responses(RecordLayout):
    """Responses, or a log of them."""

    name = "system-one"
    keys = KEYS
    row_fields = PREDICTION_FIELDS

    def recognises(self, first: Fields) -> bool:
        """Whether the record, or the response in it, has answers."""
        return "answers" in _reply(first).body

    def rows(self, record: Fields, context: Context) -> Iterator[Row]:
        """Yield a row for each answer of a type that is known."""
        reply = _reply(record)
        facts = _model_names(record, reply)
        answers = list(_answers(record, reply))
        if not answers:
            yield from _failed(record, reply, context, facts)
        for answer in answers:
            kind = answer.body.get("type")
            read = READ.get(str(kind))
            if read is None:
                context.skipped[f"answers of type {kind!r}"] += 1
                continue
            item_id = _item_id(record, answer.question, len(answers), answer, context)
            yield {
                "item_id": item_id,
                **read(answer, context.items.get(item_id)),
                **_usage(reply, len(answers)),
                "meta": self.meta(record, answer, reply, len(answers)),
                "facts": facts,
            }

    def meta(
        self, record: Fields, answer: Answer, reply: _Reply, count: int
    ) -> dict[str, object] | None:
        """Return what is kept beside the answer: the vendor's own confidence too."""
        body = answer.body
        kept: dict[str, object] = {"confidence": body.get("confidence")}
        if "probabilities" in body:
            kept["reported_score"] = body.get("score")
        if count > 1:
            kept["response_usage"] = reply.body.get("usage")
        return {key: value for key, value in kept.items() if value is not None} or None


class Recording(Responses):
    """A `.jevl` log; the last line of an id wins, unknown keys are kept."""

    name = "jevl"

    def recognises(self, first: Fields) -> bool:
        """Whether the record is a line of such a log."""
        return {"v", "id", "answers"} <= first.keys()

    def replaces(self, record: Fields) -> str | None:
        """Return the record's id: it may be written again."""
        given = record.get("id")
        return None if given is None else canonical_json(given)

    def unread_keys(self, record: Fields) -> set[str]:
        """Return nothing: what has no meaning here goes into meta."""
        return set()

    def meta(
        self, record: Fields, answer: Answer, reply: _Reply, count: int
    ) -> dict[str, object] | None:
        """Return also the label of the question, tags, and what nobody knows."""
        kept = {key: record[key] for key in record.keys() - self.keys}
        labels = kept.pop("label", None)
        if isinstance(labels, dict) and answer.question in labels:
            kept["label"] = labels[answer.question]
        if "ts" in record:
            kept["ts"] = record["ts"]
        own = super().meta(record, answer, reply, count) or {}
        return {k: v for k, v in {**kept, **own}.items() if v is not None} or None


def _reply(record: Fields) -> _Reply:
    """Return the response: the record, its ``response``, or the body of that."""
    reply, path = record, "$"
    for key in ("response", "body"):
        inner = reply.get(key)
        if "answers" not in reply and isinstance(inner, dict):
            reply, path = inner, member(path, key)
    return _Reply(reply, path)


def _answers(record: Fields, reply: _Reply) -> Iterator[Answer]:
    given, path = reply.body.get("answers"), member(reply.path, "answers")
    if isinstance(given, dict):
        for name, body in given.items():
            at = member(path, name)
            yield Answer(name, typed(body, dict[str, object], at), at)
    elif isinstance(given, list):
        names = _asked_questions(record)
        for place, body in enumerate(given):
            at = f"{path}[{place}]"
            fields = typed(body, dict[str, object], at)
            own = fields.get("name") or fields.get("id")
            name = own or (names[place] if place < len(names) else str(place))
            yield Answer(typed(name, str, member(at, "name")), fields, at)
    elif given is not None:
        message = f"expected an object or a list, got {type_word(given)}"
        raise wrong(path, message)


def _asked_questions(record: Fields) -> list[str]:
    """Return the names of the questions asked, where the record has its request."""
    request = record.get("request")
    asked = request.get("questions") if isinstance(request, dict) else None
    if isinstance(asked, dict):
        return list(asked)
    if not isinstance(asked, list):
        return []
    named = [each if isinstance(each, dict) else {} for each in asked]
    return [
        str(each.get("name") or each.get("id") or place)
        for place, each in enumerate(named)
    ]


def _item_id(
    record: Fields, question: str, count: int, at: Answer | _Reply, context: Context
) -> str:
    """Return the one item that the record's id and the question's name mean."""
    record_id = next((record[k] for k in ID_KEYS if record.get(k) is not None), None)
    names = [question]
    if record_id is not None:
        owner = record_id if isinstance(record_id, str) else canonical_json(record_id)
        names = [f"{owner}/{question}", question] + [owner] * (count == 1)
    found = [name for name in dict.fromkeys(names) if context.items.get(name)]
    if len(found) == 1:
        return found[0]
    listed = " and ".join(repr(name) for name in found or dict.fromkeys(names))
    if found:
        raise wrong(at.path, f"could answer {listed}, all items of the benchmark")
    raise wrong(at.path, f"no item of the benchmark is called {listed}")


def _failed(
    record: Fields, reply: _Reply, context: Context, facts: dict[str, str]
) -> Iterator[Row]:
    """Yield an error row for each question of a request that was not answered."""
    error = record.get("error") or reply.body.get("error")
    questions = _asked_questions(record)
    if error is None or not questions:
        context.skipped["responses without answers"] += 1
        return
    for question in questions:
        item_id = _item_id(record, question, len(questions), reply, context)
        text = _error_text(error)
        yield {"item_id": item_id, "status": "error", "error": text, "facts": facts}


def _error_text(error: object) -> str:
    inner = error.get("message") if isinstance(error, dict) else error
    return inner if isinstance(inner, str) else canonical_json(error)


def _usage(reply: _Reply, count: int) -> Row:
    """Return the tokens of a response that answers one question only."""
    path = member(reply.path, "usage")
    given = reply.body.get("usage")
    if given is None or count > 1:
        return {}
    usage = typed(given, dict[str, object], path)
    row: Row = {}
    for field, names in TOKENS.items():
        name = next((n for n in names if usage.get(n) is not None), None)
        if name:
            row[field] = typed(usage[name], Count, member(path, name))
    return row


def _model_names(record: Fields, reply: _Reply) -> dict[str, str]:
    """Return the model as the response names it, and as the request did."""
    request = record.get("request")
    asked = request.get("model") if isinstance(request, dict) else None
    if asked is None and reply.body is not record:
        asked = record.get("model")
    named = {"resolved_name": reply.body.get("model"), "requested_name": asked}
    return {key: name for key, name in named.items() if isinstance(name, str)}
