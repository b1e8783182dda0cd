"""lm-evaluation-harness: softmax of log-likelihoods, and generated labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from prepared import DATA, choice, noul, prepare, score, write

from jevdb.base.errors import InputError, UsageError
from jevdb.ingest.items.files import read_items
from jevdb.ingest.reading_options import ReadingOptions

FOLDER = DATA / "lm_eval"
COLOURS = FOLDER / "samples_colours.jsonl"
GENERATED = FOLDER / "samples_math_perturbed_full_2026-01-21T03-44-18.458309.jsonl"
ITEMS = [choice("0", "red", "blue", "green"), choice("1", "red", "green")]


def sample(options: list[str], values: list[Any], **changes: Any) -> dict[str, Any]:
    """A logged sample with a log-likelihood for each option."""
    return {
        "doc_id": 0,
        "target": "0",
        "arguments": [["Question:", f" {option}"] for option in options],
        "filtered_resps": [[value, "False"] for value in values],
        "filter": "none",
        "metrics": ["acc"],
        **changes,
    }


def generated(answer: Any, **changes: Any) -> dict[str, Any]:
    return {"doc_id": 0, "filtered_resps": [answer], "filter": "none", **changes}


@pytest.fixture
def run(tmp_path: Path):
    def read(*records: Any, items: Any = ITEMS, **options: Any):
        return prepare(items, write(tmp_path / "s.jsonl", *records), **options)

    return read


def test_probabilities_are_the_softmax():
    run = prepare(ITEMS, COLOURS)
    # exp(-ln 4), exp(-ln 2), exp(-ln 4) = 1/4, 1/2, 1/4, which sum to 1.
    assert run.rows["0"]["probabilities"] == pytest.approx([0.25, 0.5, 0.25], abs=1e-12)
    assert run.rows["0"]["status"] == "ok"


def test_a_log_likelihood_of_minus_infinity_is_probability_0():
    assert prepare(ITEMS, COLOURS).rows["1"]["probabilities"] == [0.0, 1.0]


def test_the_settings_say_what_the_probabilities_are():
    settings = prepare(ITEMS, COLOURS).options.settings
    assert settings == {
        "probabilities": "softmax of the options' log-likelihoods",
        "filter": "none",
    }


def test_length_normalisation_is_asked_for_by_name():
    run = prepare(ITEMS, COLOURS, layout="lm-eval-norm")
    # Per character: -ln 4 / 3, -ln 2 / 4, -ln 4 / 5 for red, blue, green.
    weights = [4 ** (-1 / 3), 2 ** (-1 / 4), 4 ** (-1 / 5)]
    expected = [weight / sum(weights) for weight in weights]
    assert run.rows["0"]["probabilities"] == pytest.approx(expected, abs=1e-12)
    assert str(run.options.settings["probabilities"]).endswith("per character")


def test_the_files_own_verdict_is_compared():
    assert prepare(ITEMS, COLOURS).rows["0"]["is_correct"] is True


def test_items_come_from_the_samples():
    first, second = read_items([COLOURS]).rows.values()
    assert (first.item_id, first.type) == ("0", "choice")
    assert first.options == ["red", "blue", "green"]
    assert first.label_index == 1  # the target "1" is a place
    assert second.label_index == 1  # the target "green" is a text


def test_numbers_are_read_as_well_as_strings(run):
    rows = run(sample(["red", "blue", "green"], [-1, -1.0, "-1.0"])).rows
    assert rows["0"]["probabilities"] == pytest.approx([1 / 3] * 3, abs=1e-12)


def test_options_without_a_leading_space_stay_as_they_are(run):
    record = sample(["a", "b"], [-1, -1])
    record["arguments"] = [["Q", " a"], ["Q", "b"]]
    assert run(record, items=[choice("0", " a", "b")]).rows["0"]["status"] == "ok"


def test_another_label_set_is_the_models_fault(run):
    row = run(sample(["A", "B", "C"], [-1, -2, -3]), allow_invalid=True).rows["0"]
    assert (row["status"], row["reason"]) == ("invalid", "label_set")


def test_no_likelihood_at_all_is_invalid(run):
    row = run(sample(["red", "blue", "green"], ["-inf"] * 3)).rows["0"]
    assert (row["status"], row["error"]) == ("invalid", "every log-likelihood is -inf")


def test_several_filters_are_refused(run):
    second = generated("blue", filter="flexible")
    with pytest.raises(
        InputError, match=r"'flexible' after filter 'none'.*where filter=none"
    ):
        run(generated("red"), second)


def test_one_filter_is_taken(run):
    second = generated("blue", filter="flexible")
    done = run(generated("red"), second, where={"filter": "flexible"})
    assert done.rows["0"]["label_index"] == 1
    assert done.options.settings["filter"] == "flexible"


def test_the_real_generated_answers_are_no_options():
    asked = [choice(str(place), "3", "9") for place in range(10)]
    run = prepare(asked, GENERATED, allow_invalid=True)
    assert run.summary.reasons == {"answer": 10}
    assert run.summary.expected == 10


def test_a_generated_answer_is_a_label_where_it_is_one_exactly(run):
    given = [generated("blue"), generated(" red", doc_id=1)]
    rows = run(*given, reading=ReadingOptions(labels="exact")).rows
    assert (rows["0"]["status"], rows["0"]["label_index"]) == ("ok", 1)
    assert (rows["1"]["status"], rows["1"]["reason"]) == ("invalid", "answer")


def test_a_generated_level_and_a_generated_yes(run):
    items = [score("0", "bad", "good"), noul("1")]
    rows = run(generated("1"), generated("yes", doc_id=1), items=items).rows
    assert (rows["0"]["level"], rows["1"]["label_index"]) == (1.0, 1)


def test_words_where_a_level_is_asked_are_the_models_fault(run):
    row = run(generated("very good"), items=[score("0", "bad", "good")]).rows["0"]
    assert (row["status"], row["error"]) == ("invalid", "the answer is not a level")


@pytest.mark.parametrize("answer", ["", None, [""]])
def test_an_empty_answer_is_no_answer(run, answer):
    assert run(generated(answer)).rows["0"]["reason"] == "no_answer"


def test_generated_tasks_have_no_items():
    with pytest.raises(InputError, match="only multiple-choice tasks have items"):
        read_items([GENERATED])


DOUBLED = sample(["red", "blue"], [-1, -2, -3, -4])
DOUBLED["arguments"] = [["Q", " red"], ["Q", " blue"], ["", " red"], ["", " blue"]]
TARGETS = {
    "unknown": ("purple", "names no option"),
    "beyond": ("7", "names no option"),
    "both": ("1", "is both an option and the place of another"),
}
FAULTS = {
    "doubled": (
        DOUBLED,
        "$.arguments",
        "4 log-likelihoods of a mutual-information run",
    ),
    "mutual": (
        sample(["red", "blue"], [-1, -2], metrics=["acc", "acc_mutual_info"]),
        "$.arguments",
        "mutual-information run",
    ),
    "contexts": (
        sample(["red", "blue"], [-1, -2], arguments=[["A", " x"], ["B", " x"]]),
        "$.arguments",
        "the options' contexts differ",
    ),
    "twice": (
        sample(["red", "red"], [-1, -2]),
        "$.arguments",
        'the string "red" is an option twice',
    ),
    "count": (
        sample(["red", "blue"], [-1, -2, -3]),
        "$.filtered_resps",
        "3 log-likelihoods for 2 options",
    ),
    "text": (
        sample(["red", "blue"], [-1, "nan"]),
        "$.filtered_resps[1][0]",
        'expected a log-likelihood, got the string "nan"',
    ),
    "positive": (
        sample(["red", "blue"], ["0.5", -1]),
        "$.filtered_resps[0][0]",
        "expected a log-likelihood",
    ),
    "flag": (
        sample(["red", "blue"], [True, -1]),
        "$.filtered_resps[0][0]",
        "expected a log-likelihood, got true",
    ),
    "arguments": (
        sample(["red", "blue"], [-1, -2], arguments=[["A"], ["B"]]),
        "$.arguments[0]",
        "expected a context and an option",
    ),
    "doc_id": (
        sample(["red", "blue"], [-1, -2], doc_id=0.5),
        "$.doc_id",
        "whole number",
    ),
    "none": (generated([]), "$.filtered_resps[0]", "no responses; one is an answer"),
    "nan_token": (
        '{"doc_id": 1, "filtered_resps": ["red"], "exact_match": NaN}',
        "$.exact_match",
        "NaN is not JSON",
    ),
}


def test_several_responses_are_repeats(run):
    done = run(generated(["red", "blue", None], exact_match=1.0))
    assert (done.summary.repeats, done.summary.ok, done.summary.invalid) == (3, 2, 1)
    assert done.options.settings["repeats"] == ["0", "1", "2"]


def test_documents_with_fewer_responses_than_others(run):
    with pytest.raises(InputError) as refused:
        run(generated(["red", "blue"]), generated("red", doc_id=1))
    (problem,) = refused.value.problems
    assert (problem.line, problem.field) == (2, "$.repeat")


@pytest.mark.parametrize(("record", "field", "message"), FAULTS.values(), ids=FAULTS)
def test_faults_name_line_field_and_reason(run, record, field, message):
    with pytest.raises(InputError) as refused:
        run(generated("red", doc_id=1), record)
    (problem,) = refused.value.problems
    assert (problem.line, problem.field) == (2, field)
    assert message in problem.message


@pytest.mark.parametrize(("target", "message"), TARGETS.values(), ids=TARGETS)
def test_targets_that_name_no_option(tmp_path, target, message):
    record = sample(["1", "2"], [-1, -2], target=target)
    with pytest.raises(InputError, match=message):
        read_items([write(tmp_path / "s.jsonl", record)])


def test_where_goes_with_layouts_of_several_rows_an_item(tmp_path):
    path = write(tmp_path / "rows.jsonl", {"item_id": "0", "answer": "red"})
    with pytest.raises(UsageError, match="does not go with the format 'canonical'"):
        prepare(ITEMS, path, where={"filter": "none"})
