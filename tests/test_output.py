"""Every format says the same, in values that its readers understand."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import duckdb
import pytest

from jevdb.base.aligning import aligned
from jevdb.base.output import Format, Rows, collected, fetched, plain, write
from jevdb.base.text import markdown_text, visible, width

ROWS = Rows(
    ("name", "n", "value", "tags", "at", "meta"),
    [
        (
            "b|c",
            2,
            0.1,
            ["x", None],
            datetime(2026, 1, 2, 3, 4, 5),
            '{"k": [1, 1e400]}',
        ),
        ("a", 10, None, [], None, None),
    ],
    frozenset({"meta"}),
)


def written(form: Format, rows: Rows = ROWS) -> str:
    out = io.StringIO()
    write(rows, form, out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, True),
        (2**80, 2**80),
        (0.1, 0.1),
        (float("nan"), None),
        (float("inf"), None),
        (float("-inf"), None),
        (Decimal("1.50"), 1.5),
        (Decimal("12345678901234567890"), 12345678901234567890),
        (date(2026, 1, 2), "2026-01-02"),
        (datetime(2026, 1, 2, 3, 4, 5), "2026-01-02T03:04:05Z"),
        (datetime(2026, 1, 2, 3, 4, 5, 600), "2026-01-02T03:04:05.000600Z"),
        (datetime(2026, 1, 2, tzinfo=UTC), "2026-01-02T00:00:00Z"),
        # 02:00 two hours east of Greenwich is midnight there.
        (
            datetime(2026, 1, 2, 2, tzinfo=timezone(timedelta(hours=2))),
            "2026-01-02T00:00:00Z",
        ),
        (b"\x00\xff", "00ff"),
        ({"a": float("nan"), 1: (1, 2)}, {"a": None, "1": [1, 2]}),
        (timedelta(days=1), "1 day, 0:00:00"),
    ],
)
def test_plain_values(value: object, expected: object):
    assert plain(value) == expected
    assert type(plain(value)) is type(expected)


def test_json_is_one_array_of_objects_in_column_order():
    first, second = json.loads(written(Format.JSON))
    assert list(first) == ["name", "n", "value", "tags", "at", "meta"]
    assert first["tags"] == ["x", None]
    assert first["at"] == "2026-01-02T03:04:05Z"
    assert first["meta"] == {"k": [1, None]}
    assert second == {
        **{"name": "a", "n": 10, "value": None},
        **{"tags": [], "at": None, "meta": None},
    }


def test_json_of_no_rows_is_an_empty_array():
    assert written(Format.JSON, Rows(("a",), [])) == "[]\n"
    assert written(Format.JSONL, Rows(("a",), [])) == ""
    assert written(Format.CSV, Rows(("a",), [])) == "a\n"
    assert written(Format.TABLE, Rows(("a",), [])) == "a\n"


def test_jsonl_is_the_same_objects_a_line_each():
    lines = written(Format.JSONL).splitlines()
    assert [json.loads(line) for line in lines] == json.loads(written(Format.JSON))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_csv_is_as_it_is_but_on_a_terminal():
    """A cell that a spreadsheet would run stays; an escape repaints no terminal."""
    rows = Rows(("name",), [["=1+1"], ["red \x1b[31m"]])
    file, terminal = io.StringIO(), Terminal()
    write(rows, Format.CSV, file)
    write(rows, Format.CSV, terminal)
    assert file.getvalue() == "name\n=1+1\nred \x1b[31m\n"
    assert terminal.getvalue() == "name\n=1+1\nred \\x1b[31m\n"


def test_csv_leaves_null_empty_and_has_lists_as_json():
    header, first, second = csv.reader(io.StringIO(written(Format.CSV)))
    assert header == list(ROWS.columns)
    assert first[:5] == ["b|c", "2", "0.1", '["x", null]', "2026-01-02T03:04:05Z"]
    assert second == ["a", "10", "", "[]", "", ""]


def test_table_lines_up_and_puts_numbers_to_the_right():
    assert written(Format.TABLE, Rows(("name", "n"), [("bee", 2), ("a", 10)])) == (
        "name   n\nbee    2\na     10\n"
    )


def test_markdown_escapes_cells():
    assert written(Format.MARKDOWN, Rows(("name", "n"), [("b|c *x*", 2)])) == (
        "| name | n |\n| --- | ---: |\n| b\\|c \\*x\\* | 2 |\n"
    )


def test_columns_that_no_row_uses_can_be_left_out():
    rows = Rows(("a", "b", "c"), [(1, None, None), (2, None, 3)])
    assert rows.used().columns == ("a", "c")
    assert rows.used().rows == [[1, None], [2, 3]]
    assert Rows(("a",), []).used().columns == ("a",)


def test_fetched_knows_json_columns_and_numbers_columns_of_one_name():
    connection = duckdb.connect()
    connection.execute("select 1 as a, 2 as a, '{\"x\": 1}'::json as j, '{}' as t")
    rows = collected(connection)
    assert rows.columns == ("a", "a_1", "j", "t")
    assert list(rows.plain()) == [[1, 2, {"x": 1}, "{}"]]


def test_fetched_reads_past_the_first_batch():
    connection = duckdb.connect()
    connection.execute("from range(25000)")
    assert sum(1 for _ in fetched(connection).rows) == 25_000


def test_control_characters_cannot_reach_the_terminal():
    assert visible("red \x1b[31m\nnext") == "red \\x1b[31m\\nnext"
    assert visible("naïve 語") == "naïve 語"
    table = written(Format.TABLE, Rows(("a", "b"), [("x\ny", "z")]))
    assert table.splitlines()[1] == "x\\ny  z"


def test_wide_and_combining_characters_line_up():
    assert width("語") == 2
    assert width("e\u0301") == 1
    assert aligned([["語", "1"], ["ab", "2"]], [False, True]) == ["語  1", "ab  2"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("public_231", "public_231"),
        ("_it_", "\\_it\\_"),
        ("<b>&amp;</b>", "\\<b\\>\\&amp;\\</b\\>"),
        ("[a](b) `c` $d$", "\\[a\\](b) \\`c\\` \\$d\\$"),
        ("back\\slash", "back\\\\slash"),
        ("two\nlines", "two\\\\nlines"),
    ],
)
def test_markdown_shows_names_as_they_are(text: str, expected: str):
    assert markdown_text(text) == expected
