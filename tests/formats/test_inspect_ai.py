"""Inspect AI logs: ZIP archives and JSON, label-only, an epoch a run."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from prepared import DATA, choice, multi, prepare

from jevdb.base.errors import InputError, JevdbError
from jevdb.base.zstd import zipfile
from jevdb.ingest.files import archives
from jevdb.ingest.items.files import read_items
from jevdb.ingest.reading_options import reading_options

FOLDER = DATA / "inspect_ai"
MMLU = choice("1", "6.0 e", "6.8 eV", "12.2 eV", "13.6 eV")
COLOURS = ["red", "blue", "green"]
ITEM = choice("q", *COLOURS)


def sample(**changes: Any) -> dict[str, Any]:
    """A sample whose model picked the third choice, wrongly."""
    return {
        "id": "q",
        "epoch": 1,
        "input": "?",
        "choices": COLOURS,
        "target": "A",
        "output": {"model": "m-2026", "choices": []},
        "scores": {"choice": {"value": "I", "answer": "C"}},
        "model_usage": {
            "p/m": {"input_tokens": 10, "output_tokens": 2},
            "p/grader": {"input_tokens": 99, "output_tokens": 99},
        },
        "total_time": 3.0,
        "working_time": 2.5,
        **changes,
    }


def log(*samples: Any, **more: Any) -> dict[str, Any]:
    described = {"task": "colours", "model": "p/m"}
    return {"version": 2, "eval": described, "samples": list(samples), **more}


@pytest.fixture
def run(tmp_path: Path):
    def read(*samples: Any, items: Any = (ITEM,), **options: Any):
        path = tmp_path / "log.json"
        path.write_text(json.dumps(log(*samples), indent=2))
        return prepare(items, path, **options)

    return read


@pytest.fixture
def items(tmp_path: Path):
    def read(*samples: Any):
        path = tmp_path / "log.json"
        path.write_text(json.dumps(log(*samples), indent=2))
        return read_items([path]).rows

    return read


def archive(path: Path, *samples: Any, method: int = zipfile.ZIP_DEFLATED) -> Path:
    """Write an `.eval`."""
    members = {"header.json": {"eval": {"task": "colours", "model": "p/m"}}}
    for place, each in enumerate(samples):
        members[f"samples/{place}_epoch_1.json"] = each
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, value in members.items():
            text = value if isinstance(value, bytes) else json.dumps(value).encode()
            made.writestr(name, text, method)
    return path


def test_the_real_archive():
    run = prepare([MMLU], FOLDER / "mmlu-summary-choices.eval")
    row = run.rows["1"]
    # Its score: value "I" (incorrect), answer "C": the third choice.
    assert (row["status"], row["label_index"]) == ("ok", 2)
    assert (row["latency_s"], row["input_tokens"], row["output_tokens"]) == (
        1.458,
        153,
        3,
    )
    assert "probabilities" not in row
    model = run.options.model
    assert (model.requested_name, model.resolved_name) == (
        "openai/gpt-4o",
        "gpt-4o-2024-08-06",
    )
    # Its `eval.config.limit` is 1: one question of the task was asked.
    assert run.options.settings == {
        "epoch": "1",
        "limit": "1",
        "task": "inspect_evals/mmlu_0_shot",
    }


def test_the_real_json_log():
    asked = [choice(each, "yes", "no", "maybe") for each in ("12377809", "26163474")]
    run = prepare(asked, FOLDER / "data_pubmedqa_gpt4o_mini.json")
    assert [row["label_index"] for row in run.rows.values()] == [0, 0]
    assert run.summary.ok == 2


def test_the_real_log_without_choices():
    run = prepare([choice("1", "Yes", "No")], FOLDER / "log_read_sample.eval")
    assert run.rows["1"]["label_index"] == 0


def test_items_of_the_real_logs():
    (mmlu,) = read_items([FOLDER / "mmlu-summary-choices.eval"]).rows.values()
    assert (mmlu.item_id, mmlu.type, mmlu.options) == ("1", "choice", MMLU["options"])
    assert mmlu.label_index == 0
    pubmed = read_items([FOLDER / "data_pubmedqa_gpt4o_mini.json"]).rows
    assert [item.options for item in pubmed.values()] == [["yes", "no", "maybe"]] * 2


def test_the_grade_c_is_no_answer_c(run):
    graded = sample(scores={"choice": {"value": "C", "answer": "B"}})
    assert run(graded).rows["q"]["label_index"] == 1


def test_the_files_own_grade_is_compared(run):
    right = run(sample(scores={"choice": {"value": "C", "answer": "A"}}))
    assert right.rows["q"]["is_correct"] is True
    assert run(sample()).rows["q"]["is_correct"] is False


def test_options_that_are_letters_stay_letters(run):
    assert (
        run(sample(), items=[choice("q", "A", "B", "C")]).rows["q"]["label_index"] == 2
    )


def test_options_in_another_order_are_found_by_name(run):
    row = run(sample(), items=[choice("q", "green", "red", "blue")]).rows["q"]
    assert row["label_index"] == 0


def test_a_letter_beyond_the_choices_is_the_models_fault(run):
    scored = sample(scores={"choice": {"value": "I", "answer": "E"}})
    row = run(scored, allow_invalid=True).rows["q"]
    assert (row["status"], row["reason"]) == ("invalid", "answer")


def test_two_letters_for_one_choice_are_the_models_fault(run):
    scored = sample(scores={"choice": {"value": "I", "answer": "A, C"}})
    row = run(scored, allow_invalid=True).rows["q"]
    assert (row["reason"], row["returned"]) == ("answer", {"answer": "A, C"})


def test_letters_of_a_multi_select_item(run):
    scored = sample(scores={"choice": {"value": "C", "answer": "A, C"}})
    row = run(scored, items=[multi("q", *COLOURS)]).rows["q"]
    assert row["labels"] == ["red", "green"]


@pytest.mark.parametrize(
    "scores",
    [{}, None, {"choice": {"value": "N", "answer": None}}, {"choice": {"answer": ""}}],
)
def test_unanswered_is_no_answer(run, scores):
    row = run(sample(scores=scores)).rows["q"]
    assert (row["status"], row["reason"]) == ("invalid", "no_answer")


def test_a_sample_with_an_error_is_an_error(run):
    row = run(sample(error={"message": "503", "traceback": "..."})).rows["q"]
    assert (row["status"], row["error"]) == ("error", "503")
    assert "label_index" not in row


def test_an_id_that_is_a_number(run):
    assert list(run(sample(id=7), items=[choice("7", *COLOURS)]).rows) == ["7"]


def test_time_and_tokens_are_the_answering_models(run):
    row = run(sample()).rows["q"]
    assert (row["latency_s"], row["input_tokens"], row["output_tokens"]) == (2.5, 10, 2)
    older = sample()
    del older["working_time"]
    assert run(older).rows["q"]["latency_s"] == 3.0


def test_the_only_scorer_is_read(run):
    row = run(sample(scores={"match": {"value": "C", "answer": "A"}})).rows["q"]
    assert row["label_index"] == 0


def test_several_epochs_are_repeats_counted_from_1(run):
    second = sample(epoch=2, scores={"choice": {"value": "C", "answer": "A"}})
    done = run(second, sample())
    assert (done.summary.repeats, done.summary.ok) == (2, 2)
    assert done.options.settings["repeats"] == ["1", "2"]
    # The last row of the file is the first epoch's.
    assert (done.rows["q"]["repeat"], done.rows["q"]["label_index"]) == (0, 2)


@pytest.mark.parametrize(("epoch", "place"), [("1", 2), ("2", 0)])
def test_one_epoch_is_taken(run, epoch, place):
    second = sample(epoch=2, scores={"choice": {"value": "C", "answer": "A"}})
    done = run(sample(), second, where={"epoch": epoch})
    assert done.rows["q"]["label_index"] == place
    assert done.options.settings["where.epoch"] == epoch


def test_choices_with_several_targets_are_multi_select(items):
    row = items(sample(target=["A", "C"]))["q"]
    assert (row.type, row.labels) == ("multi_select", ["red", "green"])
    assert items(sample(target="AC"))["q"].labels == ["red", "green"]


def test_a_target_may_have_a_leading_space(items):
    assert items(sample(target=" B"))["q"].label_index == 1


def test_more_than_26_choices_go_on_with_numbers(items, run):
    many = [f"c{place}" for place in range(30)]
    assert items(sample(choices=many, target="3"))["q"].label_index == 28
    scored = sample(choices=many, scores={"choice": {"value": "I", "answer": "4"}})
    assert run(scored, items=[choice("q", *many)]).rows["q"]["label_index"] == 29


ITEM_FAULTS = {
    "no_choices": (
        {"choices": None},
        "$.samples[1].choices",
        "an item needs its options",
    ),
    "text_target": (
        {"target": "red"},
        "$.samples[1].target",
        "expected letters of choices",
    ),
    "letter_beyond": (
        {"target": "D"},
        "$.samples[1].target",
        "expected letters of choices",
    ),
    "no_target": ({"target": ""}, "$.samples[1].target", "names no choice"),
    "null_target": (
        {"target": None},
        "$.samples[1].target",
        "expected a string, got null",
    ),
}


@pytest.mark.parametrize(
    ("changes", "field", "message"), ITEM_FAULTS.values(), ids=ITEM_FAULTS
)
def test_faults_of_items(items, changes, field, message):
    with pytest.raises(InputError) as refused:
        items(sample(id="other"), sample(**changes))
    (problem,) = refused.value.problems
    assert problem.field == field
    assert message in problem.message


RUN_FAULTS = {
    "id": ({"id": 1.5}, "$.samples[0].id", "expected a string"),
    "choices": ({"choices": ["a", 1]}, "$.samples[0].choices[1]", "expected a string"),
    "time": ({"working_time": "3"}, "$.samples[0].working_time", "expected a number"),
    "tokens": (
        {"model_usage": {"p/m": {"input_tokens": 1.5}}},
        '$.samples[0].model_usage["p/m"].input_tokens',
        "expected a whole number",
    ),
    "scorers": (
        {"scores": {"match": {}, "judge": {}}},
        "$.samples[0].scores",
        "none called 'choice' among judge, match",
    ),
}


@pytest.mark.parametrize(
    ("changes", "field", "message"), RUN_FAULTS.values(), ids=RUN_FAULTS
)
def test_faults_of_answers(run, changes, field, message):
    with pytest.raises(InputError) as refused:
        run(sample(**changes))
    (problem,) = refused.value.problems
    assert problem.field == field
    assert message in problem.message


def test_a_log_without_samples_says_so(run):
    with pytest.raises(InputError, match="written without its samples"):
        run()


@pytest.mark.parametrize(
    "method", [0, 8, zipfile.ZIP_ZSTANDARD], ids=["stored", "deflate", "zstd"]
)
def test_every_compression_of_members(tmp_path, method):
    path = archive(tmp_path / "x.eval", sample(), sample(id="r"), method=method)
    run = prepare([ITEM, choice("r", *COLOURS)], path)
    assert run.summary.ok == 2
    assert run.rows["r"]["source_line"] == 2


def test_an_archive_is_known_by_its_content(tmp_path):
    path = archive(tmp_path / "answers.jsonl", sample())
    assert prepare([ITEM], path).summary.ok == 1


def test_nan_in_a_sample_is_refused_with_its_number(tmp_path):
    bad = json.dumps(sample(working_time=float("nan"))).encode()
    path = archive(tmp_path / "x.eval", sample(), bad)
    with pytest.raises(InputError) as refused:
        prepare([ITEM], path)
    (problem,) = refused.value.problems
    assert (problem.line, problem.field) == (2, "$.samples[0].working_time")
    assert "NaN is not JSON" in problem.message


def test_nan_in_the_header_is_no_matter(tmp_path):
    path = archive(tmp_path / "x.eval", sample())
    with zipfile.ZipFile(path, "a") as made:
        made.writestr("_journal/start.json", '{"eval": {}, "value": NaN}')
    assert prepare([ITEM], path).summary.ok == 1


@pytest.mark.parametrize("method", [8, zipfile.ZIP_ZSTANDARD], ids=["deflate", "zstd"])
def test_a_bomb_is_refused(tmp_path, monkeypatch, method):
    monkeypatch.setattr(archives, "MAX_MEMBER", 1 << 16)
    bomb = json.dumps(sample(input=" " * (1 << 20))).encode()
    path = archive(tmp_path / "x.eval", bomb, method=method)
    assert path.stat().st_size < 1 << 13
    with pytest.raises(InputError, match=r"samples/0_epoch_1\.json: expands to over"):
        prepare([ITEM], path)


def test_many_members_are_limited_together(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_EXPANDED", 1000)
    path = archive(tmp_path / "x.eval", *[sample(id=str(n)) for n in range(9)])
    with pytest.raises(InputError, match="the archive expands to over"):
        prepare([ITEM], path)


@pytest.mark.parametrize("method", [8, zipfile.ZIP_ZSTANDARD], ids=["deflate", "zstd"])
def test_a_damaged_member_is_refused(tmp_path, method):
    path = archive(tmp_path / "x.eval", sample(), method=method)
    with zipfile.ZipFile(path) as made:
        info = made.getinfo("samples/0_epoch_1.json")
    data = bytearray(path.read_bytes())
    start = info.header_offset + 30 + len(info.filename)
    data[start + 40] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(InputError, match="ZIP data is damaged"):
        prepare([ITEM], path)


def test_an_archive_cut_short_is_refused(tmp_path):
    path = archive(tmp_path / "x.eval", sample())
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(InputError, match="ZIP data is damaged"):
        prepare([ITEM], path)


def test_another_archive_is_no_log(tmp_path):
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("rows.jsonl", "{}")
    with pytest.raises(InputError, match="no Inspect log: it has no header"):
        prepare([ITEM], path)


def test_an_archive_without_samples(tmp_path):
    with pytest.raises(InputError, match="an Inspect log without samples"):
        prepare([ITEM], archive(tmp_path / "x.eval"))


def test_an_unreadable_header(tmp_path):
    path = tmp_path / "x.eval"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("header.json", "[]")
        made.writestr("samples/1.json", "{}")
    with pytest.raises(InputError, match="not the header of an Inspect log"):
        prepare([ITEM], path)


def test_a_member_of_an_unknown_compression(tmp_path):
    path = archive(tmp_path / "x.eval", sample())
    data = path.read_bytes().replace(
        b"\x14\x00\x00\x00\x08\x00", b"\x14\x00\x00\x00\x62\x00"
    )
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"header\.json: .*not supported"):
        prepare([ITEM], path)


def test_only_what_is_asked_for_may_be_empty(run):
    with pytest.raises(JevdbError, match="no predictions"):
        run(sample(), where={"epoch": "3"})


def test_a_later_member_of_the_same_name_counts(tmp_path):
    path = archive(tmp_path / "x.eval", sample())
    again = sample(scores={"choice": {"value": "C", "answer": "A"}})
    with (
        zipfile.ZipFile(path, "a") as made,
        pytest.warns(UserWarning, match="Duplicate"),
    ):
        made.writestr("samples/0_epoch_1.json", json.dumps(again))
    assert prepare([ITEM], path).rows["q"]["label_index"] == 0


def test_standard_input_is_an_archive_too(tmp_path, monkeypatch):
    path = archive(tmp_path / "x.eval", sample())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    assert prepare([ITEM], Path("-")).summary.ok == 1


def test_an_encrypted_member_is_refused(tmp_path):
    path = archive(tmp_path / "x.eval", sample())
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"header\.json: encrypted"):
        prepare([ITEM], path)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), "a\0b"], ids=repr)
def test_what_is_no_value_matters_only_where_it_is_read(run, bad):
    done = run(sample(input=bad, metadata={"x": [bad]}, scores=graded("I", "C", bad)))
    assert done.rows["q"]["label_index"] == 2
    with pytest.raises(InputError) as refused:
        run(sample(scores=graded("I", bad)))
    (problem,) = refused.value.problems
    assert problem.field == "$.samples[0].scores.answer"


def graded(value: object, answer: object, note: object = "") -> dict[str, Any]:
    return {"choice": {"value": value, "answer": answer, "explanation": note}}


def test_a_score_of_nan_is_no_verdict(run):
    done = run(sample(scores=graded(float("nan"), "A")))
    assert done.rows["q"]["label_index"] == 0
    assert "is_correct" not in done.rows["q"]


def test_other_faults_of_a_log_stand(tmp_path):
    path = tmp_path / "log.json"
    text = json.dumps(log(sample(metadata={"x": float("nan"), "twice": 1})))
    path.write_text(text.replace('"twice"', '"x"'))
    with pytest.raises(InputError, match="key given twice"):
        prepare([ITEM], path)


@pytest.mark.parametrize("status", ["cancelled", "error", "started"])
def test_a_log_that_was_not_finished(tmp_path, status):
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log(sample(), status=status)))
    with pytest.raises(InputError) as refused:
        prepare([ITEM], path)
    assert f"{status!r}" in refused.value.in_shell
    assert "--allow incomplete" in refused.value.in_shell
    with pytest.raises(InputError, match=status):
        read_items([path])
    allowed = prepare([ITEM], path, reading=reading_options({"allow": "incomplete"}))
    assert allowed.options.settings["status"] == status


def test_an_archive_without_its_header_was_not_finished(tmp_path):
    path = tmp_path / "x.eval"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("_journal/start.json", '{"eval": {"task": "t", "model": "m"}}')
        made.writestr("samples/q_epoch_1.json", json.dumps(sample()))
    with pytest.raises(InputError, match="'started'"):
        prepare([ITEM], path)
    said = reading_options({"allow": "incomplete"})
    assert prepare([ITEM], path, reading=said).summary.ok == 1
