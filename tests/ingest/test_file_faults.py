"""What is the file's fault: refused, with the line, the field, and what is wrong."""

from __future__ import annotations

import gzip

import pytest

from jevdb.base.errors import InputError
from jevdb.ingest.decode.decoding import DIAGNOSED
from jevdb.ingest.decode.strict import MAX_DEPTH

GOOD = '{"item_id": "c2", "answer": "b"}'


def c1(rest: str) -> str:
    return '{"item_id": "c1", ' + rest + "}"


FAULTS = {
    "not_json": ("{oops", None, "not JSON"),
    "trailing_comma": (c1('"answer": "a",'), None, "not JSON"),
    "two_objects": (GOOD + " " + GOOD, None, "not JSON: extra data at column 34"),
    "not_an_object": ('["c1"]', None, "expected an object on the line, got a list"),
    "null_line": ("null", None, "expected an object on the line, got null"),
    "nan": (
        c1('"probabilities": {"a": NaN, "b": 0, "c": 1}'),
        "$.probabilities.a",
        "NaN is not JSON; use null",
    ),
    "infinity": (c1('"latency_s": -Infinity'), "$.latency_s", "-Infinity is not JSON"),
    "1e400": (
        c1('"probabilities": [1e400, 0, 0]'),
        "$.probabilities[0]",
        "1e400 is too large for a double",
    ),
    "huge_integer": (c1(f'"answer": 1{"0" * 5000}'), "$.answer", "too large"),
    "token_count_past_64_bits": (
        c1('"input_tokens": 9223372036854775808'),
        "$.input_tokens",
        "expected int <= 9223372036854775807",
    ),
    "fraction_of_a_token": (
        c1('"input_tokens": 1.5'),
        "$.input_tokens",
        "expected a whole number, got the number 1.5",
    ),
    "number_in_string": (
        c1('"probabilities": {"a": "0.5", "b": 0.25, "c": 0.25}'),
        "$.probabilities.a",
        'expected a number, got the string "0.5"',
    ),
    "number_in_string_of_list": (
        c1('"probabilities": [0.5, "0.25", 0.25]'),
        "$.probabilities[1]",
        'expected a number, got the string "0.25"',
    ),
    "bool_as_number": (
        c1('"probabilities": {"a": true, "b": 0, "c": 0}'),
        "$.probabilities.a",
        "expected a number, got true",
    ),
    "null_probability": (
        c1('"probabilities": {"a": null, "b": 1, "c": 0}'),
        "$.probabilities.a",
        "expected a number, got null",
    ),
    "odd_label_in_path": (
        c1('"probabilities": {"a b": "1"}'),
        '$.probabilities["a b"]',
        "expected a number",
    ),
    "probabilities_not_a_container": (
        c1('"probabilities": 1'),
        "$.probabilities",
        "expected an object or a list, got the number 1",
    ),
    "meta_not_an_object": (c1('"meta": []'), "$.meta", "expected an object"),
    "unknown_key": (
        c1('"probabilites": [1, 0, 0]'),
        "$.probabilites",
        "unknown key; read it with",
    ),
    "key_twice": (c1('"answer": "a", "answer": "b"'), "$.answer", "key given twice"),
    "key_twice_spaced": (
        c1('"answer" : "a", "answer"\t: "a"'),
        "$.answer",
        "key given twice",
    ),
    "key_twice_escaped": (
        c1('"answer": "a", "\\u0061nswer": "a"'),
        "$.answer",
        "key given twice",
    ),
    "key_twice_behind_colons": (
        c1('"error": "a: b: c", "answer": "a", "answer": "a"'),
        "$.answer",
        "key given twice",
    ),
    "label_twice": (
        c1('"probabilities": {"a": 0.5, "a": 0.5, "b": 0, "c": 0}'),
        "$.probabilities.a",
        "key given twice",
    ),
    "meta_key_twice": (
        c1('"meta": {"deep": [{"k": 1, "k": 1}]}'),
        "$.meta.deep[0].k",
        "key given twice",
    ),
    "no_item_id": ('{"answer": "a"}', "$.item_id", "missing"),
    "null_item_id": ('{"item_id": null}', "$.item_id", "a string, got null"),
    "unknown_item": (
        '{"item_id": "c9", "answer": "a"}',
        "$.item_id",
        'no item "c9" in benchmark b',
    ),
    "item_id_not_trimmed": (
        '{"item_id": "c1 ", "answer": "a"}',
        "$.item_id",
        'no item "c1 " in benchmark b',
    ),
    "unknown_status": (
        c1('"status": "fine"'),
        "$.status",
        "expected 'ok', 'invalid', 'unsupported' or 'error', got the string \"fine\"",
    ),
    "status_missing": (
        c1('"status": "missing"'),
        "$.status",
        "an item without an answer has no row",
    ),
    "nul": (c1('"error": "a\\u0000b"'), "$.error", "text holds a NUL character"),
    "surrogate": (
        c1('"error": "\\ud800"'),
        "$.error",
        "text holds half of a surrogate pair",
    ),
    "utf8": (b'{"item_id": "c1", "error": "\xff"}', None, "not UTF-8 at byte 29"),
    "control_character": (c1('"error": "a\tb"'), None, "not JSON: invalid control"),
    "deep": (
        c1('"meta": {"a": ' + "[" * 5000 + "]" * 5000 + "}"),
        None,
        "nested too deeply",
    ),
    "deeper_than_allowed": (
        c1('"meta": {"a": ' + "[" * MAX_DEPTH + "]" * MAX_DEPTH + "}"),
        None,
        "nested too deeply",
    ),
    "answer_number_for_choice": (
        c1('"answer": 1'),
        "$.answer",
        "expected an option as a string, the item is of type choice; got a number",
    ),
    "answer_bool_for_choice": (c1('"answer": true'), "$.answer", "got true or false"),
    "answer_list_for_choice": (c1('"answer": ["a"]'), "$.answer", "got a list"),
    "answer_number_for_noul": (
        '{"item_id": "n1", "answer": 1}',
        "$.answer",
        'expected "yes", "no", true or false',
    ),
    "answer_string_for_score": (
        '{"item_id": "s1", "answer": "2"}',
        "$.answer",
        "expected the level as a number, from 0",
    ),
    "answer_bool_for_score": (
        '{"item_id": "s1", "answer": true}',
        "$.answer",
        "expected the level as a number",
    ),
    "answer_string_for_multi_select": (
        '{"item_id": "m1", "answer": "x"}',
        "$.answer",
        "expected a list of options",
    ),
    "probabilities_on_multi_select": (
        '{"item_id": "m1", "answer": ["x"], "probabilities": {"x": 1, "y": 0, "z": 0}}',
        "$.probabilities",
        "a multi-select item takes none",
    ),
    "steps_on_choice": (
        c1('"answer": "a", "step_probabilities": [1]'),
        "$.step_probabilities",
        "only a multi-select item takes them",
    ),
}


GUARDED = {
    "answer_number_for_choice": (
        "letters or places of options; reading={'answer_style': 'index0'} or"
    ),
    "answer_number_for_noul": "neither yes nor no: 1 (once); say what each means",
    "answer_string_for_score": "may count the levels from 0 or from 1",
    "answer_string_for_multi_select": "a text where a list of options is asked",
}
"""What a guard says instead, where all answers of a type are such."""


def test_faults_name_line_field_and_reason(ingest, bench):
    alone = {name: fault for name, fault in FAULTS.items() if name not in GUARDED}
    with pytest.raises(InputError) as refused:
        ingest([GOOD, "", *(line for line, *_ in alone.values())])
    found = refused.value.problems
    assert [(each.source, each.line, each.field) for each in found] == [
        ("rows.jsonl", 3 + place, field)
        for place, (_, field, _) in enumerate(alone.values())
    ]
    for problem, (*_, message) in zip(found, alone.values(), strict=True):
        assert message in problem.message
    assert bench.execute("select count(*) from runs").fetchall() == [(0,)]


@pytest.mark.parametrize("name", GUARDED)
def test_a_guard_names_the_line_too(ingest, bench, name):
    line, field, _ = FAULTS[name]
    with pytest.raises(InputError) as refused:
        ingest([GOOD, "", line])
    (problem,) = refused.value.problems
    assert (problem.source, problem.line, problem.field) == ("rows.jsonl", 3, field)
    assert GUARDED[name] in problem.message
    assert bench.execute("select count(*) from runs").fetchall() == [(0,)]


def test_every_fault_of_a_line_and_file_is_listed(ingest):
    with pytest.raises(InputError) as refused:
        ingest(
            [
                c1('"latency_s": "1", "tokens": 1'),
                GOOD,
                '{"item_id": "c9"}',
                "{",
            ]
        )
    places = [(each.line, each.field) for each in refused.value.problems]
    assert places == [(1, "$.latency_s"), (1, "$.tokens"), (3, "$.item_id"), (4, None)]


def test_faults_are_told_by_kind(ingest):
    rows = [c1('"prediction": "a"')] * 18 + [
        c1('"latency_s": "x"'),
        c1('"latency_s": "yy"'),
        "{",
    ]
    with pytest.raises(InputError) as refused:
        ingest(rows)
    assert refused.value.in_shell.splitlines() == [
        "rows.jsonl: $.prediction: unknown key (18 times, at rows.jsonl:1, :2, :3 and "
        "15 more); read it with --field answer=prediction, or keep it with --meta "
        "prediction",
        'rows.jsonl: $.latency_s: expected a number, got the string "x" (2 times, at '
        'rows.jsonl:19 "x", :20 "yy")',
        "rows.jsonl:21: not JSON: expecting property name enclosed in double quotes at "
        "column 2",
        "21 faults of 3 kinds in 1 file; nothing was stored",
    ]
    assert [each.line for each in refused.value.problems] == list(range(1, 22))


def test_keys_of_a_distribution_are_one_kind_and_values_are_cut(ingest):
    long = "o" * 50
    rows = [c1(f'"probabilities": {{"{key}": "{long}"}}') for key in "abc"]
    with pytest.raises(InputError) as refused:
        ingest(rows)
    first, last = str(refused.value).splitlines()
    shown = '"' + "o" * 37 + '..."'
    assert first.startswith(
        "rows.jsonl: $.probabilities.a: expected a number, got the string " + shown
    )
    assert last == "3 faults of 1 kind in 1 file; nothing was stored"


def test_at_most_ten_kinds_are_told(ingest):
    rows = [c1(f'"key_{chr(97 + n)}{chr(98 + n)}": 1') for n in range(12)]
    with pytest.raises(InputError) as refused:
        ingest(rows)
    *kinds, rest, last = str(refused.value).splitlines()
    assert len(kinds) == 10
    assert rest == "... and 2 faults of 2 kinds more"
    assert last == "12 faults of 12 kinds in 1 file; nothing was stored"


def test_a_flood_of_faults_stays_small(ingest):
    with pytest.raises(InputError) as refused:
        ingest(["{"] * (2 * DIAGNOSED))
    assert refused.value.total == 2 * DIAGNOSED
    assert len(refused.value.problems) == DIAGNOSED
    assert len(str(refused.value)) < 1000
    assert f"{2 * DIAGNOSED:,} faults of 1 kind" in str(refused.value)


def test_problems_of_several_files_stand_in_their_order(ingest, write):
    second = write([GOOD, "["], "a.jsonl")
    first = write(['{"item_id": "c9"}'], "z.jsonl")
    with pytest.raises(InputError) as refused:
        ingest(first, second)
    assert [(p.source, p.line) for p in refused.value.problems] == [
        ("z.jsonl", 1),
        ("a.jsonl", 2),
    ]


@pytest.mark.parametrize(
    "lead",
    [b"\xef\xbb\xbf", b"\n\r\n", b" \n\t\n", b'{"item_id": "n1"}\r\n\r\n'],
    ids=["bom", "blank", "white_space", "crlf"],
)
def test_the_line_is_the_physical_one(ingest, tmp_path, lead):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(lead + b'{"item_id": "c9"}\r\n')
    with pytest.raises(InputError) as refused:
        ingest(path)
    assert refused.value.problems[0].line == lead.count(b"\n") + 1


def test_the_line_counts_through_the_members_of_a_gzip_file(ingest, tmp_path):
    path = tmp_path / "rows.jsonl.gz"
    members = [GOOD.encode() + b"\n", b'{"item_id": "n1"}\n{"item_', b'id": "c9"}\n']
    path.write_bytes(b"".join(map(gzip.compress, members)))
    with pytest.raises(InputError) as refused:
        ingest(path)
    assert refused.value.problems[0].line == 3


@pytest.mark.parametrize(
    ("cut", "message"), [(-9, "cut short"), (-3, "cut short")], ids=["data", "length"]
)
def test_a_gzip_file_cut_short_is_refused(ingest, write, cut, message):
    path = write([GOOD], "rows.jsonl.gz")
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(InputError, match=message):
        ingest(path)


def test_a_gzip_file_with_a_wrong_checksum_is_refused(ingest, write):
    path = write([GOOD], "rows.jsonl.gz")
    data = bytearray(path.read_bytes())
    data[-6] ^= 1
    path.write_bytes(data)
    with pytest.raises(InputError, match="gzip data is damaged"):
        ingest(path)


def test_a_missing_file_is_named(ingest, tmp_path):
    with pytest.raises(InputError, match=r"none\.jsonl: No such file"):
        ingest(tmp_path / "none.jsonl")


def test_an_answer_to_a_type_declared_unsupported(ingest):
    rows = [{"item_id": "s1", "status": "unsupported"}, {"item_id": "n1"}]
    assert ingest(rows, unsupported=("score",)).unsupported == 1
    with pytest.raises(InputError, match="declares unsupported"):
        ingest([{"item_id": "s1", "answer": 1}], unsupported=("score",), label="x")


def test_colons_in_text_are_no_keys(ingest, stored):
    ingest([c1('"answer" :"a", "error": "x\\": y : z", "meta": {"u": "http://h"}')])
    assert stored("c1")["error"] == 'x": y : z'
    assert stored("c1")["meta"] == '{"u":"http://h"}'
