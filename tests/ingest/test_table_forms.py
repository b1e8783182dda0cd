"""Tables as people write them: separators, line ends, encodings, an index, commas."""

from __future__ import annotations

import lzma

import pytest

from jevdb.base.errors import InputError, UsageError
from jevdb.ingest.reading_options import reading_options

ROWS = (("item_id", "answer", "latency_s"), ("c1", "a", "0.5"), ("c2", "b", "1.25"))


def table(delimiter: str = ",", end: str = "\n") -> str:
    return "".join(delimiter.join(row) + end for row in ROWS)


@pytest.fixture
def read(ingest, stored, tmp_path):
    """Ingest bytes as a file; return the summary, and what is stored of c1 and c2."""

    def run(data: bytes, **form):
        path = tmp_path / "answers.txt"
        path.write_bytes(data)
        done = ingest(path, reading=reading_options(form))
        return done, [stored(each) for each in ("c1", "c2")]

    return run


def as_in_the_table(rows) -> bool:
    return [(row["label_index"], row["latency_s"]) for row in rows] == [
        (0, 0.5),
        (0, 1.25),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize(
    ("delimiter", "word"),
    [(",", None), (";", "semicolon"), ("\t", "tab"), ("|", "bar")],
    ids=["comma", "semicolon", "tab", "bar"],
)
def test_the_separator_is_seen_and_said(read, delimiter, word, end):
    done, rows = read(table(delimiter, end).encode())
    assert as_in_the_table(rows)
    assert done.notes == ([f"answers.txt: columns by {word}"] if word else [])


def test_quotes_are_respected_when_the_separator_is_seen(read):
    data = 'item_id;answer;error\nc1;a;"x,y;z\nand more"\nc2;b;"1,2"\n'
    done, rows = read(data.encode())
    assert done.ok == 2
    assert [row["error"] for row in rows] == ["x,y;z\nand more", "1,2"]


def test_a_carriage_return_in_quotes_is_of_its_cell(read):
    _, rows = read(b'item_id,answer,error\rc1,a,"x\ry"\rc2,b,z\r')
    assert [row["error"] for row in rows] == ["x\ry", "z"]


def test_two_separators_that_fit_are_refused_until_one_is_said(read):
    data = b"item_id,answer;error\nc1,a;x\nc2,b;y\n"
    with pytest.raises(InputError) as refused:
        read(data)
    assert "several fit (by comma: 'item_id', 'answer;error'; by semicolon: " in str(
        refused.value
    )
    assert "--delimiter , or ;" in refused.value.in_shell
    with pytest.raises(InputError, match="answer;error"):
        read(data, delimiter=",")


def test_text_without_columns_is_no_broken_json(read):
    for data in (
        b"<html>\n<body>Sorry</body>\n</html>\n",
        b"Sure, here it is:\n\nOslo",
    ):
        with pytest.raises(InputError) as refused:
            read(data)
        assert "not JSON" not in str(refused.value)
        assert len(str(refused.value).splitlines()) == 1


def test_rows_of_another_length_are_faults_of_their_lines(read):
    with pytest.raises(InputError) as refused:
        read(table().encode() + b"n1,yes\n")
    (problem,) = refused.value.problems
    assert (problem.line, problem.message) == (4, "2 cells where the header has 3")


@pytest.mark.parametrize(
    "encoding", ["utf-8-sig", "utf-16", "utf-32"], ids=["8", "16", "32"]
)
def test_a_byte_order_mark_says_the_encoding(read, encoding):
    done, rows = read(table().encode(encoding))
    assert as_in_the_table(rows)
    assert len(done.notes) == (encoding != "utf-8-sig")


@pytest.mark.parametrize(
    ("encoding", "said"),
    [("utf-16-le", "utf-16-le"), ("utf-16-be", "utf-16-be"), ("cp1252", "cp1252")],
)
def test_an_encoding_that_has_to_be_said(read, encoding, said):
    data = "item_id,answer,error\nc1,a,Zoë\nc2,b,x\n".encode(encoding)
    with pytest.raises(InputError) as refused:
        read(data)
    assert f"--encoding {said} or " in refused.value.in_shell
    _, rows = read(data, encoding=said)
    assert rows[0]["error"] == "Zoë"


def test_an_encoding_that_does_not_fit_names_the_line(read):
    data = b'{"item_id": "c1"}\n{"item_id": "c2", "error": "\x81"}\n'
    with pytest.raises(InputError) as refused:
        read(data, encoding="cp1252")
    (problem,) = refused.value.problems
    assert problem.line == 2
    assert "0x81" in problem.message


def test_an_encoding_nobody_knows(read):
    with pytest.raises(UsageError, match="'latin1x' is no text encoding"):
        read(table().encode(), encoding="latin1x")
    with pytest.raises(UsageError, match="'base64' is no text encoding"):
        read(table().encode(), encoding="base64")


def test_an_encoding_that_the_mark_denies(read):
    with pytest.raises(InputError, match="byte order mark of UTF-16-LE"):
        read(table().encode("utf-16"), encoding="cp1252")


@pytest.mark.parametrize("start", [0, 1])
@pytest.mark.parametrize("name", ["", "Unnamed: 0"])
def test_an_index_is_left_out_and_said(read, name, start):
    lines = table().splitlines()
    indexed = [
        f"{name if n == 0 else n - 1 + start},{line}" for n, line in enumerate(lines)
    ]
    done, rows = read("\n".join(indexed).encode())
    assert as_in_the_table(rows)
    assert "left out as an index" in done.notes[0]


def test_a_column_without_a_name_that_does_not_count_is_refused(read):
    with pytest.raises(InputError, match=r"without a name.*name it, or keep"):
        read(b",item_id,answer\n7,c1,a\n3,c2,b\n")


def test_an_index_that_stops_counting_is_a_fault(read):
    rows = [f"{n},c1,a" for n in range(300)]
    with pytest.raises(InputError) as refused:
        read("\n".join([",item_id,answer", *rows, "0,c2,b"]).encode())
    (problem,) = refused.value.problems
    assert problem.line == 302
    assert "counts the rows" in problem.message


def test_a_decimal_comma_has_to_be_said(read):
    data = table(";").replace("0.5", "0,5").replace("1.25", "1,25").encode()
    with pytest.raises(InputError) as refused:
        read(data)
    assert "--decimal comma" in refused.value.in_shell
    _, rows = read(data, decimal="comma")
    assert as_in_the_table(rows)


@pytest.mark.parametrize("cell", ["1.234,5", "1'234.5", "1 234,5", "1.234.567"])
@pytest.mark.parametrize("decimal", ["point", "comma"])
def test_separators_of_thousands_are_refused(read, cell, decimal):
    data = f"item_id;answer;latency_s\nc1;a;{cell}\n".encode()
    with pytest.raises(InputError, match="separators of thousands"):
        read(data, decimal=decimal)


def test_a_point_where_a_comma_was_said(read):
    with pytest.raises(InputError, match="the number has a point"):
        read(table(";").encode(), decimal="comma")


def test_a_table_without_ids_names_its_columns_once(read):
    data = b"question_id,pred,p_tea\nc1,a,1\nc2,b,1\n"
    with pytest.raises(InputError) as refused:
        read(data)
    (line,) = refused.value.in_shell.splitlines()
    assert "its columns are 'question_id', 'pred', 'p_tea'" in line
    assert "--field item_id=question_id --field answer=pred" in line
    assert "--field 'probabilities.*=p_*'" in line


def test_json_lines_that_end_in_cr(read):
    lines = (b'{"item_id": "c1", "answer": "a"}', b'{"item_id": "c2", "answer": "b"}')
    done, _ = read(b"\r".join(lines) + b"\r")
    assert done.ok == 2


def test_xz_is_expanded(read):
    _, rows = read(lzma.compress(table().encode()))
    assert as_in_the_table(rows)
    with pytest.raises(InputError, match="xz data is cut short"):
        read(lzma.compress(table().encode())[:-4])


def test_options_that_nothing_needed_are_said(read):
    done, _ = read(b'{"item_id": "c1"}\n{"item_id": "c2"}\n', decimal="comma")
    assert "is no table of text" in done.notes[0]
