"""A mapping: every field and every way to write a distribution, and its faults."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from prepared import DATA, MAPS, choice, multi, noul, prepare, score, write

from jevdb.base.errors import InputError, UsageError
from jevdb.base.wording import for_shell
from jevdb.ingest.layouts.mapped import selection
from jevdb.ingest.reading_options import reading_options

FOLDER = DATA / "mapped"
C = choice("c", "a", "b", "c")
N = noul("n")
S = score("s", "bad", "fair", "good")


def shipped(name: str, items: Any, where: Sequence[str] = ()):
    """The sample rows of a layout, read by its shipped map."""
    chosen = selection(MAPS / f"{name}.toml", [], list(where), None)
    return prepare(items, FOLDER / f"{name}.jsonl", **chosen._asdict())


@pytest.fixture
def fields(tmp_path: Path):
    """Read records by ``--field`` options."""

    def read(names: list[str], *records: Any, items: Any = (C, N, S), **options: Any):
        path = tmp_path / "rows.jsonl"
        chosen = selection(None, names, options.pop("where", []), None)
        rows = write(path, *records)
        return prepare(items, rows, **chosen._asdict(), **options)

    return read


def test_4nt0ineb():
    labels = ("travail", "justice")
    asked = [choice(f"ministry/{each}", *labels) for each in ("r1", "r2")]
    run = shipped("4nt0ineb", asked)
    first, second = run.rows["ministry/r1"], run.rows["ministry/r2"]
    assert (first["probabilities"], first["label_index"]) == ([0.25, 0.75], 1)
    assert (first["latency_s"], first["input_tokens"], first["output_tokens"]) == (
        1.25,
        2577,
        561,
    )
    assert first["meta"] == {"confidence": 0.5}
    assert (second["status"], second["meta"]) == ("invalid", {"retries": 2})
    assert run.options.settings["where.condition"] == "RAW"


def test_tenkei():
    asked = [
        choice("d1", "approve", "deny"),
        score("d2", "none", "low", "mid", "high"),
        noul("d3"),
        noul("d4"),
    ]
    run = shipped("tenkei", asked)
    first, second, third, fourth = (run.rows[item["item_id"]] for item in asked)
    assert (first["status"], first["label_index"]) == ("ok", 0)
    assert "probabilities" not in first
    assert first["meta"]["selected_probability"] == 0.9
    assert (first["latency_s"], first["cost_usd"]) == (0.5, 0.002)
    assert second["probabilities"] == [0.6875, 0.3125, 0.0, 0.0]
    assert (third["status"], third["error"]) == ("invalid", "not one of the labels")
    assert (fourth["status"], fourth["error"]) == ("error", "503")
    assert run.options.model.requested_name == "m-1"


def test_omarmujahid():
    stars = ("1", "2", "3", "4", "5")
    asked = [
        item
        for review in ("review-5", "review-2")
        for item in (
            score(f"{review}/stars", *stars),
            choice(f"{review}/topic", "food", "service"),
            noul(f"{review}/spam"),
        )
    ]
    run = shipped("omarmujahid", asked)
    assert run.summary.ok == 6
    assert run.rows["review-5/stars"]["level"] == 0.1
    assert run.rows["review-5/topic"]["label_index"] == 0
    assert run.rows["review-5/spam"]["probabilities"] == [0.875, 0.125]
    meta = run.rows["review-5/stars"]["meta"]
    assert (meta["vendor_conf"], meta["in_tok"]) == (0.92, 120)
    assert "input_tokens" not in run.rows["review-5/stars"]


def test_abdelstark():
    asked = [choice(str(place), "anger", "fear", "joy") for place in range(3)]
    run = shipped("abdelstark", asked)
    # The row has joy .25, fear .125, anger .625: another order than the item's.
    assert run.rows["0"]["probabilities"] == [0.625, 0.125, 0.25]
    assert run.rows["0"]["label_index"] == 0
    assert (run.rows["0"]["latency_s"], run.rows["0"]["input_tokens"]) == (0.5, 40)
    assert (run.rows["1"]["status"], run.rows["1"]["attempts"]) == ("ok", 2)
    assert (run.rows["2"]["status"], run.rows["2"]["error"]) == ("error", "timeout")
    model = run.options.model
    assert (model.requested_name, model.resolved_name) == ("jev", "jev-1.13.0")


def test_nibzard():
    asked = [choice(f"s1-{place}", "x", "y") for place in range(3)]
    run = shipped("nibzard", asked, ["repeat=0"])
    assert run.rows["s1-0"]["label_index"] == 1
    assert run.rows["s1-1"]["status"] == "invalid"
    assert (run.rows["s1-2"]["status"], run.rows["s1-2"]["error"]) == (
        "error",
        "limit of 255 options",
    )


def test_the_repeats_of_nibzard_are_one_run():
    asked = [choice(f"s1-{place}", "x", "y") for place in range(3)]
    run = shipped("nibzard", asked)
    summary = run.summary
    assert (summary.repeats, summary.expected, summary.missing) == (2, 6, 2)
    assert run.options.settings["repeats"] == ["0", "1"]


def test_a_repeat_takes_the_place_of_a_record_chosen_by_it(tmp_path):
    """[where] of a map is what is taken where nothing tells the repeats apart."""
    path = tmp_path / "map.toml"
    path.write_text(
        '[fields]\nitem_id = "i"\nanswer = "a"\nrepeat = "n"\n'
        '[where]\nn = "1"\ntask = "t"\n'
    )
    assert selection(path, [], [], None).where == {"task": "t"}
    assert selection(path, [], ["n=2"], None).where == {"task": "t", "n": "2"}


def test_records_are_left_out_and_counted(tmp_path):
    path = tmp_path / "map.toml"
    path.write_text('[fields]\nitem_id = "i"\nanswer = "a"\n[unless]\nkind = "head"\n')
    head = {"kind": "head", "config": {"model": "m"}}
    rows = write(tmp_path / "rows.jsonl", head, {"i": "q", "a": "x"}, head)
    chosen = selection(path, [], [], None)
    run = prepare([choice("q", "x", "y")], rows, **chosen._asdict())
    assert run.rows["q"]["label_index"] == 0
    assert run.summary.skipped == {"records with kind=head": 2}
    assert run.summary.ignored_keys == []


def test_an_item_decides_between_p_yes_and_probabilities(tmp_path):
    rows = write(
        tmp_path / "rows.jsonl",
        {"i": "n", "yes": 0.75, "p": {"no": 0.5, "yes": 0.5}},
        {"i": "c", "yes": 0.75, "p": {"x": 0.125, "y": 0.875}},
        {"i": "m", "p": {"no": 0.5, "yes": 0.5}},
    )
    fields = ["item_id=i", "p_yes=yes?", "probabilities=p?"]
    chosen = selection(None, fields, [], None)
    asked = [noul("n"), choice("c", "x", "y"), noul("m")]
    found = prepare(asked, rows, **chosen._asdict()).rows
    assert found["n"]["probabilities"] == [0.25, 0.75]
    assert found["c"]["probabilities"] == [0.125, 0.875]
    assert found["m"]["probabilities"] == [0.5, 0.5]


def test_another_repeat_is_another_run():
    chosen = selection(MAPS / "nibzard.toml", [], ["repeat=1"], None)
    run = prepare(
        [choice("s1-0", "x", "y")], FOLDER / "nibzard.jsonl", **chosen._asdict()
    )
    assert run.rows["s1-0"]["label_index"] == 0
    assert run.options.settings["where.repeat"] == "1"


P = [0.5, 0.25, 0.25]
WAYS = {
    "by_label": (["probabilities=p"], {"p": {"c": 0.25, "a": 0.5, "b": 0.25}}),
    "by_index": (["probabilities_by_index=p"], {"p": {"0": 0.5, "2": 0.25, "1": 0.25}}),
    "list_by_index": (["probabilities_by_index=p"], {"p": P}),
    "list": (["probabilities=p"], {"p": P}),
    "parallel": (
        ["probabilities=p", "labels=l"],
        {"p": [0.25, 0.5, 0.25], "l": ["b", "a", "c"]},
    ),
    "pairs": (
        ["probabilities=p"],
        {
            "p": [
                {"value": "b", "probability": 0.25},
                {"value": "a", "probability": 0.5},
                {"value": "c", "probability": 0.25},
            ]
        },
    ),
    "pairs_other_names": (
        ["probabilities=p"],
        {"p": [{"label": x, "p": p} for x, p in zip("abc", P, strict=True)]},
    ),
    "a_path_a_label": (
        ["probabilities.a=x.a", "probabilities.b=x.b", "probabilities.c=x.c"],
        {"x": {"a": 0.5, "b": 0.25, "c": 0.25}},
    ),
    "deep": (["probabilities=out[0].p"], {"out": [{"p": P}]}),
    "quoted_key": (['probabilities=["a.b"].p'], {"a.b": {"p": P}}),
    "alternatives": (["probabilities=x?", "probabilities=p"], {"p": P}),
}


@pytest.mark.parametrize(("names", "record"), WAYS.values(), ids=WAYS)
def test_each_way_to_write_a_distribution(fields, names, record):
    run = fields(["item_id=id", *names], {"id": "c", **record})
    assert run.rows["c"]["probabilities"] == P


def test_p_yes_alone(fields):
    run = fields(["item_id=id", "p_yes=p"], {"id": "n", "p": 0.25})
    assert run.rows["n"]["probabilities"] == [0.75, 0.25]


def test_indices_of_a_score_item(fields):
    record = {"id": "s", "p": {"0": 0.5, "1": 0.25, "2": 0.25}}
    run = fields(["item_id=id", "probabilities_by_index=p"], record)
    assert run.rows["s"]["probabilities"] == P


FIELD_VALUES = {
    "answer": ("answer=x", "b", "label_index", 1),
    "answer_index": ("answer_index=x", 2, "label_index", 2),
    "status": ("status=x", "unsupported", "status", "unsupported"),
    "latency_s": ("latency_s=x", 2, "latency_s", 2.0),
    "latency_ms": ("latency_ms=x", 1500, "latency_s", 1.5),
    "input_tokens": ("input_tokens=x", 7, "input_tokens", 7),
    "output_tokens": ("output_tokens=x", 7, "output_tokens", 7),
    "cost_usd": ("cost_usd=x", 0.25, "cost_usd", 0.25),
    "error": ("error=x", {"code": 503}, "error", '{"code":503}'),
    "meta": ("meta.note=x", ["n"], "meta", {"note": ["n"]}),
}


@pytest.mark.parametrize(
    ("field", "value", "column", "stored"), FIELD_VALUES.values(), ids=FIELD_VALUES
)
def test_each_field_lands(fields, field, value, column, stored):
    run = fields(["item_id=id", field], {"id": "c", "x": value})
    assert run.rows["c"][column] == stored


def test_steps_of_a_multi_select(fields):
    record = {"id": "m", "picked": ["y"], "steps": [0.75]}
    names = ["item_id=id", "answer=picked", "step_probabilities=steps"]
    run = fields(names, record, items=[multi("m", "x", "y")])
    assert (run.rows["m"]["labels"], run.rows["m"]["step_probabilities"]) == (
        ["y"],
        [0.75],
    )


def test_names_of_the_model(fields):
    names = ["item_id=id", "answer=x", "requested_name=m", "resolved_name=r"]
    run = fields(names, {"id": "c", "x": "a", "m": "jev", "r": "jev-1"})
    model = run.options.model
    assert (model.requested_name, model.resolved_name) == ("jev", "jev-1")


def test_what_the_user_says_of_the_model_stands(fields):
    from jevdb.ingest import Model

    names = ["item_id=id", "answer=x", "resolved_name=r"]
    record = {"id": "c", "x": "a", "r": "jev-1"}
    run = fields(names, record, model=Model("m", resolved_name="mine"))
    assert run.options.model.resolved_name == "mine"


def test_an_index_with_labels_of_the_row(fields):
    names = ["item_id=id", "answer_index=x", "labels=l"]
    run = fields(names, {"id": "c", "x": 0, "l": ["c", "b", "a"]})
    assert run.rows["c"]["label_index"] == 2


def test_an_index_of_a_score_item_is_its_level(fields):
    run = fields(["item_id=id", "answer_index=x"], {"id": "s", "x": 1})
    assert run.rows["s"]["level"] == 1.0


def test_a_number_names_a_choice_and_is_a_level(fields):
    items = [choice("c", "1", "2"), S]
    rows = [{"id": "c", "x": 2}, {"id": "s", "x": 2}]
    run = fields(["item_id=id", "answer=x"], *rows, items=items)
    assert run.rows["c"]["label_index"] == 1
    assert run.rows["s"]["level"] == 2.0


def test_an_error_without_an_answer_is_an_error(fields):
    rows = [{"id": "c", "x": None, "e": "503"}, {"id": "n", "x": "yes", "e": "slow"}]
    run = fields(["item_id=id", "answer=x", "error=e"], *rows)
    assert run.rows["c"]["status"] == "error"
    assert (run.rows["n"]["status"], run.rows["n"]["error"]) == ("ok", "slow")


def test_ids_of_several_parts(fields):
    run = fields(
        ["item_id={a}:{b.n}", "answer=x"],
        {"a": "q", "b": {"n": 3}, "x": "a"},
        items=[choice("q:3", "a", "b")],
    )
    assert list(run.rows) == ["q:3"]


def test_keys_that_are_not_mapped_are_named(fields):
    run = fields(["item_id=id", "answer=x"], {"id": "c", "x": "a", "why": "", "z": 1})
    assert run.summary.ignored_keys == ["why", "z"]


def test_csv_is_text_and_read_as_what_the_field_is(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(
        "example,predicted,p,ms,tokens,lvl\n"
        'c,a,"{""a"": 0.5, ""b"": 0.25, ""c"": 0.25}",1500,7,\n'
        "s,,,20,,2\n"
    )
    names = [
        *("item_id=example", "answer=predicted", "answer=lvl", "probabilities=p"),
        *("latency_ms=ms", "input_tokens=tokens"),
    ]
    run = prepare([C, S], path, **selection(None, names, [], None)._asdict())
    first = run.rows["c"]
    assert (first["probabilities"], first["latency_s"], first["input_tokens"]) == (
        P,
        1.5,
        7,
    )
    assert (run.rows["s"]["level"], run.rows["s"]["latency_s"]) == (2.0, 0.02)


def test_csv_with_a_column_a_label(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("id,p.a,p.b,p.c\nc,0.5,0.25,0.25\n")
    names = ["item_id=id", *(f"probabilities.{x}=p.{x}" for x in "abc")]
    run = prepare([C], path, **selection(None, names, [], None)._asdict())
    assert run.rows["c"]["probabilities"] == P


def test_parquet(tmp_path):
    path = tmp_path / "rows.parquet"
    table = {"id": ["c", "n"], "out": [{"p": P}, None], "y": [None, 0.25]}
    pq.write_table(pa.table(table), path)
    names = ["item_id=id", "probabilities=out.p?", "latency_s=y"]
    run = prepare([C, N], path, **selection(None, names, [], None)._asdict())
    assert run.rows["c"]["probabilities"] == P
    assert run.rows["n"]["latency_s"] == 0.25


FAULTS = {
    "no_id": ("answer=x", {"x": "a"}, "$.id", "missing; it names the item"),
    "mixed_keys": (
        "probabilities=x",
        {"id": "c", "x": {"a": 0.5, "1": 0.25, "2": 0.25}},
        "$.x",
        "keys by index ('1') among keys by label ('a')",
    ),
    "label_by_index": (
        "probabilities_by_index=x",
        {"id": "c", "x": {"0": 0.5, "b": 0.5}},
        "$.x.b",
        "not the index of an option",
    ),
    "mixed_entries": (
        "probabilities=x",
        {"id": "c", "x": [{"value": "a", "p": 1}, 0.5]},
        "$.x[1]",
        "a number among objects",
    ),
    "no_label": (
        "probabilities=x",
        {"id": "c", "x": [{"p": 1}]},
        "$.x[0]",
        "has none of value",
    ),
    "no_p": (
        "probabilities=x",
        {"id": "c", "x": [{"value": "a"}]},
        "$.x[0]",
        "has none of probability",
    ),
    "label_twice": (
        "probabilities=x",
        {"id": "c", "x": [{"value": "a", "p": 0.5}] * 2},
        "$.x[1].value",
        "a second probability of 'a'",
    ),
    "text_p": (
        "probabilities=x",
        {"id": "c", "x": {"a": "0.5"}},
        "$.x.a",
        'expected a number, got the string "0.5"',
    ),
    "no_distribution": (
        "probabilities=x",
        {"id": "c", "x": "0.5"},
        "$.x",
        'expected a list, got the string "0.5"',
    ),
    "status": (
        "status=x",
        {"id": "c", "x": "fine"},
        "$.x",
        'unknown status, the string "fine"',
    ),
    "status_object": (
        "status=x",
        {"id": "c", "x": {}},
        "$.x",
        "unknown status, an object",
    ),
    "index_beyond": (
        "answer_index=x",
        {"id": "c", "x": 3},
        "$.x",
        "3 is the place of none of 3",
    ),
    "index_text": (
        "answer_index=x",
        {"id": "c", "x": "1"},
        "$.x",
        "expected a whole number",
    ),
    "latency": ("latency_ms=x", {"id": "c", "x": "5"}, "$.x", "expected a number"),
    "answer_object": ("answer=x", {"id": "n", "x": {}}, "$.x", "got an object"),
    "nan": ("p_yes=x", '{"id": "n", "x": NaN}', "$.x", "NaN is not JSON"),
}


@pytest.mark.parametrize(
    ("name", "record", "field", "message"), FAULTS.values(), ids=FAULTS
)
def test_faults_name_line_path_and_reason(fields, name, record, field, message):
    blank = {"id": "s", "x": None}
    with pytest.raises(InputError) as refused:
        fields(["item_id=id", name], blank, "", record)
    (problem,) = refused.value.problems
    assert (problem.line, problem.field) == (3, field)
    assert message in problem.message


@pytest.mark.parametrize(
    ("labels", "message"),
    [(["a", "b"], "3 values beside 2 labels"), (["a", "a", "b"], "a label twice")],
)
def test_parallel_lists_that_do_not_fit(fields, labels, message):
    with pytest.raises(InputError, match=message):
        fields(
            ["item_id=id", "probabilities=p", "labels=l"],
            {"id": "c", "p": P, "l": labels},
        )


def test_paths_of_members_are_those_of_the_file(tmp_path):
    path = tmp_path / "m.toml"
    path.write_text('each = "preds"\n[fields]\nitem_id = "@key"\np_yes = "@value.p"\n')
    rows = write(tmp_path / "r.jsonl", {"preds": {"n": {"p": "x"}}})
    with pytest.raises(InputError) as refused:
        prepare([N], rows, **selection(path, [], [], None)._asdict())
    assert refused.value.problems[0].field == "$.preds.n.p"


def test_members_of_a_list(tmp_path):
    path = tmp_path / "m.toml"
    path.write_text(
        'each = "all"\n[fields]\nitem_id = "@value.id"\np_yes = "@value.p"\n'
    )
    rows = write(tmp_path / "r.jsonl", {"all": [{"id": "n", "p": 0.5}]}, {"all": None})
    run = prepare([N], rows, **selection(path, [], [], None)._asdict())
    assert list(run.rows) == ["n"]


def test_a_path_that_leads_nowhere_is_named(fields):
    with pytest.raises(InputError) as refused:
        fields(["item_id=id", "answer=predicted"], {"id": "c", "answer": "a"})
    (problem,) = refused.value.problems
    assert (problem.line, problem.field) == (None, "predicted")
    assert "no record has anything there" in problem.message


def test_a_csv_cell_that_is_no_json(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text('id,p\nc,"{""a"": 0.5, ""a"": 0.5}"\n')
    chosen = selection(None, ["item_id=id", "probabilities=p"], [], None)
    with pytest.raises(
        InputError, match=r"rows\.csv:2: \$\.p: the cell: key given twice"
    ):
        prepare([C], path, **chosen._asdict())


MAP_FAULTS = {
    "no_toml": ("[fields\n", 1, None, "not TOML"),
    "section": ("[field]\n", None, "field", "unknown key; did you mean 'fields'"),
    "name": (
        '[fields]\nitem_id = "id"\nanwser = "x"\n',
        None,
        "fields.anwser",
        "'answer'",
    ),
    "path": ('[fields]\nitem_id = "a..b"\n', None, "fields.item_id", "is not a path"),
    "no_path": ("[fields]\nitem_id = 3\n", None, "fields.item_id", "expected one path"),
    "number": (
        '[fields]\nitem_id = "i"\np_yes = 1\n',
        None,
        "fields.p_yes",
        "as a string",
    ),
    "both": (
        '[fields]\nitem_id = "i"\nlatency_s = "s"\nlatency_ms = "ms"\n',
        None,
        "fields.latency_ms",
        "does not go with latency_s",
    ),
    "status": (
        '[fields]\nitem_id = "i"\n[status]\nfine = "okay"\n',
        None,
        "status.fine",
        "unknown status 'okay'; did you mean 'ok'",
    ),
    "table": ("fields = 3\n", None, "fields", "expected a table"),
    "where": ('[fields]\nitem_id = "i"\n[where]\na = 1\n', None, "where.a", "a string"),
}


@pytest.mark.parametrize(
    ("text", "line", "field", "message"), MAP_FAULTS.values(), ids=MAP_FAULTS
)
def test_faults_of_a_map(tmp_path, text, line, field, message):
    path = tmp_path / "my.toml"
    path.write_text(text)
    with pytest.raises(InputError) as refused:
        selection(path, [], [], None)
    (problem,) = refused.value.problems
    assert (problem.source, problem.line, problem.field) == ("my.toml", line, field)
    assert message in problem.message


OPTION_FAULTS = {
    "no_equals": (["item_id"], [], "not of the form NAME=PATH"),
    "unknown": (["item_id=i", "foo=x"], [], "unknown field"),
    "both_ways": (
        ["item_id=i", "probabilities=p", "probabilities.a=q"],
        [],
        "with and without",
    ),
    "other_way": (
        ["item_id=i", "probabilities.a=q", "probabilities=p"],
        [],
        "with and without",
    ),
    "where": (["item_id=i"], ["a[=1"], "--where: 'a[' is not a path"),
    "where_form": (["item_id=i"], ["epoch"], "--where 'epoch' is not of the form K=V"),
}


@pytest.mark.parametrize(
    ("fields_", "where", "message"), OPTION_FAULTS.values(), ids=OPTION_FAULTS
)
def test_faults_of_options(fields_, where, message):
    with pytest.raises(UsageError) as refused:
        selection(None, fields_, where, None)
    assert message in refused.value.in_shell


def test_options_that_do_not_go_together(tmp_path):
    with pytest.raises(UsageError, match="do not go together"):
        selection(MAPS / "tenkei.toml", ["item_id=i"], [], None)
    with pytest.raises(UsageError, match="format does not go with"):
        selection(None, ["item_id=i"], [], "canonical")


@pytest.mark.parametrize(
    "path", sorted(MAPS.glob("*.toml")), ids=lambda path: path.stem
)
def test_every_shipped_map_is_a_map_with_sample_rows(path):
    assert selection(path, [], [], None).mapping is not None
    assert json.loads((FOLDER / f"{path.stem}.jsonl").read_text().splitlines()[0])


@pytest.mark.parametrize("text", ["1.5", "3"])
def test_a_default_of_a_field_of_numbers_is_a_number(tmp_path: Path, text: str):
    table = tmp_path / "map.toml"
    names = '[fields]\nitem_id = "item_id"\n'
    table.write_text(f"{names}[default]\nlatency_s = {text}\n")
    rows = write(tmp_path / "rows.jsonl", {"item_id": "c", "answer": "a"})
    by_file = prepare([C], rows, **selection(table, [], [], None)._asdict())
    said = reading_options({"default": [f"latency_s={text}"]})
    by_option = prepare([C], rows, **selection(None, [], [], None, said)._asdict())
    for run in (by_file, by_option):
        assert run.rows["c"]["latency_s"] == float(text)


def test_what_a_refused_record_has_is_not_called_absent(tmp_path: Path):
    """Only the unknown key is wrong: the id and the kept key are there."""
    rows = write(
        tmp_path / "rows.jsonl", {"item_id": "c", "answer": "a", "k": 1, "u": 2}
    )
    said = reading_options({"meta": ["k"]})
    with pytest.raises(InputError) as refused:
        prepare([C], rows, **selection(None, [], [], None, said)._asdict())
    assert [each.field for each in refused.value.problems] == ["$.u"]


@pytest.mark.parametrize("kept", [["k"], ["*"]])
def test_a_kept_key_does_not_replace_what_meta_holds(tmp_path: Path, kept: list[str]):
    row = {"item_id": "c", "answer": "a", "k": 1, "meta": {"k": 2}}
    rows = write(tmp_path / "rows.jsonl", row)
    said = reading_options({"meta": kept})
    with pytest.raises(InputError) as refused:
        prepare([C], rows, **selection(None, [], [], None, said)._asdict())
    (problem,) = refused.value.raised
    assert problem.field == "$.k"
    assert "--field meta.OTHER=k" in for_shell(problem.message)


def test_pairs_of_label_and_score(fields):
    pairs = [{"label": "b", "score": 0.75}, {"label": "a", "score": 0.25}]
    rest = [{"label": "c", "score": 0}]
    run = fields(["probabilities=p"], {"item_id": "c", "p": pairs + rest})
    assert run.rows["c"]["probabilities"] == [0.25, 0.75, 0.0]
