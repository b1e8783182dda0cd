"""System One responses: each shape's values land, each fault has its message."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from prepared import DATA, choice, noul, prepare, score, write

from jevdb.base.errors import InputError

FOLDER = DATA / "system_one"
ITEMS = [
    choice("t1/ministry", "justice", "travail", "culture"),
    noul("t1/urgent"),
    score("t1/tone", "cold", "mild", "warm"),
]


def response(*answers: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A response with a list of answers, of the request ``t1``."""
    return {"custom_id": "t1", "model": "jev-1.13.0", "answers": list(answers), **more}


@pytest.fixture
def rows(tmp_path: Path):
    def read(*records: Any, items: Any = ITEMS, **options: Any):
        return prepare(items, write(tmp_path / "log.jsonl", *records), **options)

    return read


@pytest.mark.parametrize("name", ["typesafe.json", "openai.json", "list.jsonl"])
def test_every_shape_says_the_same(name):
    run = prepare(ITEMS, FOLDER / name)
    ministry, urgent, tone = (run.rows[item["item_id"]] for item in ITEMS)
    assert ministry["probabilities"] == [0.25, 0.75, 0.0]
    assert ministry["label_index"] == 1
    assert urgent["probabilities"] == [0.125, 0.875]
    assert tone["probabilities"] == [0.25, 0.5, 0.25]
    assert run.summary.ok == 3
    assert run.options.model.resolved_name == "jev-1.13.0"


def test_a_score_beside_a_distribution_is_kept_and_not_the_answer():
    tone = prepare(ITEMS, FOLDER / "typesafe.json").rows["t1/tone"]
    # 0 x .25 + 1 x .5 + 2 x .25 = 1; the reported 1.02 is not it.
    assert "level" not in tone
    assert tone["meta"]["reported_score"] == 1.02


def test_vendor_confidence_is_kept_and_is_no_probability():
    run = prepare(ITEMS, FOLDER / "typesafe.json")
    assert run.rows["t1/ministry"]["meta"]["confidence"] == 0.6
    assert "confidence" not in run.rows["t1/urgent"].get("meta", {})


def test_a_score_without_a_distribution_is_the_expected_rating(rows):
    run = rows(response({"name": "tone", "type": "score", "score": 1.5}))
    assert run.rows["t1/tone"]["level"] == 1.5
    assert "probabilities" not in run.rows["t1/tone"]


def test_a_choice_without_a_distribution_is_a_label(rows):
    run = rows(response({"id": "ministry", "type": "choice", "choice": "culture"}))
    assert run.rows["t1/ministry"]["label_index"] == 2


def test_an_option_that_is_none_is_the_models_fault(rows):
    given = response({"id": "ministry", "type": "choice", "choice": "sport"})
    run = rows(given, allow_invalid=True)
    row = run.rows["t1/ministry"]
    assert (row["status"], row["reason"]) == ("invalid", "answer")


def test_boolean_values_are_yes_and_no_where_those_are_asked(rows):
    pairs = [
        {"value": True, "probability": 0.75},
        {"value": False, "probability": 0.25},
    ]
    answer = {
        "name": "urgent",
        "type": "choice",
        "choice": True,
        "probabilities": pairs,
    }
    row = rows(response(answer)).rows["t1/urgent"]
    assert (row["label_index"], row["probabilities"]) == (1, [0.25, 0.75])


def test_boolean_values_are_true_and_false_where_those_are_options(rows):
    pairs = [
        {"value": True, "probability": 0.75},
        {"value": False, "probability": 0.25},
    ]
    answer = {"name": "q", "type": "choice", "choice": True, "probabilities": pairs}
    run = rows(response(answer), items=[choice("t1/q", "true", "false")])
    assert run.rows["t1/q"]["probabilities"] == [0.75, 0.25]


def test_a_refusal_is_invalid_with_its_words(rows):
    run = rows(response({"name": "urgent", "type": "refusal", "refusal": "I can't."}))
    row = run.rows["t1/urgent"]
    assert (row["status"], row["reason"], row["error"]) == (
        "invalid",
        "reported",
        "I can't.",
    )


def test_an_answer_without_a_value_is_no_answer(rows):
    run = rows(response({"name": "urgent", "type": "noul", "noul": None}))
    assert run.rows["t1/urgent"]["reason"] == "no_answer"


def test_unknown_types_are_left_out_and_counted(rows):
    box = {"name": "area", "type": "box", "box": [0, 0, 1, 1]}
    run = rows(response(box, {"name": "urgent", "type": "noul", "noul": 0.5}))
    assert run.summary.skipped == {"answers of type 'box'": 1}
    assert list(run.rows) == ["t1/urgent"]


def test_tokens_of_one_question_are_the_rows(rows):
    usage = {"input_tokens": 12, "output_tokens": None}
    run = rows(response({"name": "urgent", "type": "noul", "noul": 0.5}, usage=usage))
    row = run.rows["t1/urgent"]
    assert row["input_tokens"] == 12
    assert "output_tokens" not in row
    assert "meta" not in row


def test_openais_token_names(rows):
    usage = {"prompt_tokens": 12, "completion_tokens": 3}
    run = rows(response({"name": "urgent", "type": "noul", "noul": 0.5}, usage=usage))
    row = run.rows["t1/urgent"]
    assert (row["input_tokens"], row["output_tokens"]) == (12, 3)


def test_tokens_of_several_questions_stay_with_the_response():
    row = prepare(ITEMS, FOLDER / "typesafe.json").rows["t1/urgent"]
    assert "input_tokens" not in row
    assert row["meta"]["response_usage"] == {"input_tokens": 40, "output_tokens": 9}


def test_requested_and_resolved_names_stay_apart(rows):
    inner = {
        "model": "jev-1.13.0",
        "answers": {"urgent": {"type": "noul", "noul": 0.5}},
    }
    run = rows({"id": "t1", "model": "jev", "response": {"body": inner}})
    model = run.options.model
    assert (model.requested_name, model.resolved_name) == ("jev", "jev-1.13.0")


def test_several_resolved_names_are_a_setting(rows):
    one = response({"name": "urgent", "type": "noul", "noul": 0.5})
    two = response({"name": "tone", "type": "score", "score": 1}, model="jev-1.14.0")
    run = rows(one, two)
    assert run.options.model.resolved_name is None
    assert run.options.settings["resolved_names"] == ["jev-1.13.0", "jev-1.14.0"]


def test_a_list_without_names_follows_the_request(rows):
    record = {
        "id": "t1",
        "request": {"questions": [{"name": "urgent"}, {"name": "ministry"}]},
        "answers": [
            {"name": None, "type": "predicate", "probability": 0.5},
            {"name": None, "type": "choice", "choice": "justice"},
        ],
    }
    assert set(rows(record).rows) == {"t1/urgent", "t1/ministry"}


def test_a_list_without_names_and_request_is_counted(rows):
    answers = [
        {"name": None, "type": "predicate", "probability": 0.25},
        {"name": None, "type": "predicate", "probability": 0.75},
    ]
    run = rows({"id": "t1", "answers": answers}, items=[noul("t1/0"), noul("t1/1")])
    assert run.rows["t1/1"]["probabilities"] == [0.25, 0.75]


@pytest.mark.parametrize("item", ["t1/q", "t1", "q"])
def test_the_item_is_id_and_question_or_either(rows, item):
    run = rows(response({"name": "q", "type": "noul", "noul": 0.5}), items=[noul(item)])
    assert list(run.rows) == [item]


def test_the_records_id_alone_is_no_item_of_several_questions(rows):
    answers = [{"name": name, "type": "noul", "noul": 0.5} for name in "ab"]
    with pytest.raises(InputError, match="is called 't1/a' and 'a'"):
        rows(response(*answers), items=[noul("t1")])


def test_two_items_that_could_be_meant_are_refused(rows):
    record = response({"name": "q", "type": "noul", "noul": 0.5})
    with pytest.raises(InputError, match="could answer 't1/q' and 'q', all items"):
        rows(record, items=[noul("t1/q"), noul("q")])


def test_item_id_comes_before_the_providers_id(rows):
    answer = {"q": {"type": "noul", "noul": 0.5}}
    record = {"id": "resp_9", "item_id": "t1", "answers": answer}
    assert list(rows(record, items=[noul("t1/q")]).rows) == ["t1/q"]


def test_a_request_that_failed_is_an_error_of_each_question(rows):
    failed = {
        "id": "t1",
        "request": {"questions": {"urgent": {}, "tone": {}}},
        "error": {"message": "503", "code": 503},
    }
    run = rows(failed, layout="system-one")
    assert {row["status"] for row in run.rows.values()} == {"error"}
    assert run.rows["t1/tone"]["error"] == "503"
    assert run.summary.missing == 1


def test_a_failure_of_unknown_questions_is_counted(rows):
    answered = response({"name": "urgent", "type": "noul", "noul": 0.5})
    run = rows(answered, {"id": "t2", "error": "503"})
    assert run.summary.skipped == {"responses without answers": 1}


def test_keys_without_a_meaning_are_named(rows):
    answer = {"name": "urgent", "type": "noul", "noul": 0.5}
    run = rows(response(answer, object="decision", created=1))
    assert run.summary.ignored_keys == ["created", "object"]


def test_a_recording_takes_the_last_line_of_an_id():
    items = [*ITEMS, choice("t2/ministry", "justice", "travail")]
    run = prepare(items, FOLDER / "session.jevl")
    # The first line answered `tone` too: it is replaced as a whole, two rows of four.
    assert run.rows.keys() == {"t1/urgent", "t2/ministry"}
    assert run.rows["t1/urgent"]["probabilities"] == [0.25, 0.75]
    counts = run.summary
    assert (counts.read, counts.ok, counts.duplicates, counts.missing) == (4, 2, 2, 2)


def test_a_recordings_last_line_wins_even_if_it_is_a_refusal(rows):
    line = {"v": 1, "id": "t1", "answers": {"urgent": {"type": "noul", "noul": 0.5}}}
    later = {"v": 1, "id": "t1", "answers": {"urgent": {"type": "refusal"}}}
    assert rows(line, later).rows["t1/urgent"]["status"] == "invalid"


def test_a_recording_keeps_what_nobody_knows():
    items = [*ITEMS, choice("t2/ministry", "justice", "travail")]
    meta = prepare(items, FOLDER / "session.jevl").rows["t1/urgent"]["meta"]
    assert meta == {
        "label": True,
        "tags": ["night"],
        "ts": "2026-11-02T10:00:05Z",
        "station": 7,
    }


WRONG = {
    "noul_text": (
        {"name": "urgent", "type": "noul", "noul": "0.5"},
        "$.answers[0].noul",
        'expected a number, got the string "0.5"',
    ),
    "probability_null": (
        {"name": "ministry", "type": "choice", "probabilities": {"justice": None}},
        "$.answers[0].probabilities.justice",
        "expected a number, got null",
    ),
    "pair_without_probability": (
        {"name": "ministry", "type": "choice", "probabilities": [{"value": "justice"}]},
        "$.answers[0].probabilities[0].probability",
        "missing",
    ),
    "pair_twice": (
        {
            "name": "ministry",
            "type": "choice",
            "probabilities": [{"value": "culture", "probability": 0.5}] * 2,
        },
        "$.answers[0].probabilities[1].value",
        "a second probability of 'culture'",
    ),
    "level_not_whole": (
        {
            "name": "tone",
            "type": "score",
            "probabilities": [{"value": 0.5, "probability": 1}],
        },
        "$.answers[0].probabilities[0].value",
        "expected a whole number",
    ),
    "choice_is_a_number": (
        {"name": "ministry", "type": "choice", "choice": 1},
        "$.answers[0].choice",
        "expected a string, got the number 1",
    ),
    "unknown_question": (
        {"name": "colour", "type": "noul", "noul": 0.5},
        "$.answers[0]",
        "no item of the benchmark is called 't1/colour' and 'colour' and 't1'",
    ),
    "answer_no_object": ("yes", "$.answers[0]", "expected an object"),
}


@pytest.mark.parametrize(("answer", "field", "message"), WRONG.values(), ids=WRONG)
def test_faults_name_line_field_and_reason(rows, answer, field, message):
    good = response({"name": "urgent", "type": "noul", "noul": 0.5})
    with pytest.raises(InputError) as refused:
        rows(good, "", response(answer))
    (problem,) = refused.value.problems
    assert (problem.line, problem.field) == (3, field)
    assert message in problem.message


STRICT = {
    "nan": ('{"answers": {"urgent": {"noul": NaN}}}', "$.answers.urgent.noul", "NaN"),
    "twice": ('{"answers": {}, "answers": {}}', "$.answers", "key given twice"),
    "nul": ('{"answers": {}, "id": "\\u0000"}', "$.id", "NUL"),
    "huge": (
        '{"answers": {"urgent": {"noul": 1e400}}}',
        "$.answers.urgent.noul",
        "1e400",
    ),
    "answers_text": ('{"id": "t1", "answers": "x"}', "$.answers", "expected an object"),
    "no_object": ("[1]", None, "expected an object on the line"),
    "deep": ('{"answers": ' + "[" * 200 + "]" * 200 + "}", None, "nested too deeply"),
}


@pytest.mark.parametrize(("line", "field", "message"), STRICT.values(), ids=STRICT)
def test_records_are_read_as_strictly_as_the_canonical_form(rows, line, field, message):
    good = response({"name": "urgent", "type": "noul", "noul": 0.5})
    with pytest.raises(InputError) as refused:
        rows(good, line)
    (problem,) = refused.value.problems
    assert (problem.line, problem.field) == (2, field)
    assert message in problem.message


def test_an_array_over_several_lines_has_true_line_numbers(tmp_path):
    good = response({"name": "urgent", "type": "noul", "noul": 0.5})
    bad = response({"name": "urgent", "type": "noul", "noul": "x"})
    path = tmp_path / "all.json"
    path.write_text(
        "\n[\n" + json.dumps(good) + ",\n\n" + json.dumps(bad, indent=1) + "]"
    )
    with pytest.raises(InputError) as refused:
        prepare(ITEMS, path)
    assert [problem.line for problem in refused.value.problems] == [5]


BROKEN = {
    "cut": ('[\n{"id": "t1",\n"answers": {', 3, "not JSON"),
    "no_comma": ('[{"id": 1}\n{"id": 2}]', 2, "expecting ',' delimiter at column 1"),
    "more": ('[{"id": 1}]\n[]', 2, "extra data at column 1"),
    "deep": ("[" + '{"a":' * 100_000, 1, "nested too deeply"),
    "utf8": (b'[{"id":\n"\xff"}]', 2, "not UTF-8"),
}


@pytest.mark.parametrize(("text", "line", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_document_has_its_line(tmp_path, text, line, message):
    path = tmp_path / "all.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as refused:
        prepare(ITEMS, path)
    (problem,) = refused.value.problems
    assert problem.line == line
    assert message in problem.message
