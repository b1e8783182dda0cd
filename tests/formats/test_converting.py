"""Values read as a user asks for it: worked out by hand, and twins of clean files."""

from __future__ import annotations

import itertools
import json
import math
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from prepared import Run, choice, multi, noul, prepare, score, write

from jevdb.base.errors import InputError, UsageError
from jevdb.base.wording import for_shell
from jevdb.commands.reading import ALLOWED as SHOWN_WORDS
from jevdb.commands.reading import READING, VALUES
from jevdb.ingest.converting.folding import differences, folded
from jevdb.ingest.converting.styles import read_letter
from jevdb.ingest.reading_options import (
    ALLOWED,
    CHOICES,
    ReadingOptions,
    reading_options,
    together,
)

TOWNS = choice("c", "Lima", "Oslo", "Cairo")
RUBRIC = score("s", "poor", "fair", "good")
PICKS = multi("m", "late", "cold", "wet")
YES_NO = noul("n")
ITEMS = [TOWNS, RUBRIC, PICKS, YES_NO]


PROBABILITIES = "$.probabilities"


def read(path: Path, *rows: Any, items: Any = ITEMS, **said: Any) -> Run:
    """Return the run of some rows, read as is said."""
    file = write(path / "rows.jsonl", *rows)
    return prepare(items, file, reading=reading_options(said))


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("Oslo", "oslo"),
        ("  New\u00a0 York\r\n", "new york"),
        ("O\u200bs\u00adlo\ufeff", "oslo"),
        ('"Oslo"', "oslo"),
        ("\u201cOslo\u201d", "oslo"),
        ("\u2018Oslo\u2019", "oslo"),
        ("«Oslo»", "oslo"),
        ("`Oslo`", "oslo"),
        ("**Oslo**", "oslo"),
        ("*Oslo.*", "oslo"),
        ("Oslo!", "oslo"),
        ("Oslo..", "oslo."),
        ("Straße", "strasse"),
        ("Cre\u0300me", "crème"),
        ("①", "①"),
        ("x²", "x²"),
        ("\uff2f", "\uff4f"),
        ('"', '"'),
        (".", "."),
    ],
)
def test_folding(given: str, wanted: str) -> None:
    assert folded(given) == wanted


@pytest.mark.parametrize(
    ("given", "label"), [("OSLO", "oslo"), (' "A b." ', ' "a B." '), ("x", "x")]
)
def test_what_differs_by_case_alone(given: str, label: str) -> None:
    assert differences(given, label) == ["case"]


def test_differences_name_what_folding_took_away() -> None:
    assert differences(" oslo.", "Oslo") == ["blanks", "end marks", "case"]
    assert differences("Cre\u0300me", "Crème") == ["Unicode form"]


@pytest.mark.parametrize(
    ("text", "place", "beside"),
    [
        *((form, 1, None) for form in ("B", "(B)", "[B]", "B.", "B)", "B:", "b")),
        ("(B) Oslo", 1, "Oslo"),
        ("B. Oslo", 1, "Oslo"),
        ("Z", 25, None),
    ],
)
def test_letters(text: str, place: int, beside: str | None) -> None:
    found = read_letter(text)
    assert found is not None
    assert (found.place, found.beside) == (place, beside)


@pytest.mark.parametrize(
    "text", ["", "BB", "(B", "B]", "The answer is B", "Bergen", "1"]
)
def test_what_is_no_letter(text: str) -> None:
    assert read_letter(text) is None


@pytest.mark.parametrize(
    ("said", "item", "given", "stored"),
    [
        ({"alias": {"1": "yes"}}, "n", {"answer": 1}, {"label_index": 1}),
        ({"alias": {"true": "Oslo"}}, "c", {"answer": True}, {"label_index": 1}),
        ({"alias": {"Lima": "Oslo"}}, "c", {"answer": "Lima"}, {"label_index": 0}),
        ({"labels": "fold"}, "n", {"answer": "TRUE"}, {"label_index": 1}),
        (
            {"labels": "fold"},
            "n",
            {"probabilities": {"Yes": 0.75, "No": 0.25}},
            {"probabilities": [0.25, 0.75]},
        ),
        ({"labels": "fold"}, "s", {"answer": "Good."}, {"level": 2.0}),
        ({"labels": "fold"}, "m", {"answer": ["LATE"]}, {"labels": ["late"]}),
        ({"answer_style": "letter"}, "c", {"answer": "(C)"}, {"label_index": 2}),
        (
            {"answer_style": "letter"},
            "m",
            {"answer": ["A", "C"]},
            {"labels": ["late", "wet"]},
        ),
        ({"answer_style": "index1"}, "c", {"answer": "3"}, {"label_index": 2}),
        (
            {"answer_style": "index0"},
            "m",
            {"answer": [0, 2]},
            {"labels": ["late", "wet"]},
        ),
        (
            {"answer_style": "index1"},
            "c",
            {"probabilities": {"1": 0.25, "2": 0.5, "3": 0.25}},
            {"probabilities": [0.25, 0.5, 0.25]},
        ),
        ({"levels": "from=1"}, "s", {"answer": 2.5}, {"level": 1.5, "label_index": 1}),
        (
            {"levels": "from=1"},
            "s",
            {"probabilities": {"1": 0.25, "2": 0.25, "3": 0.5}},
            {"probabilities": [0.25, 0.25, 0.5]},
        ),
        (
            {"noul_order": "yes,no"},
            "n",
            {"probabilities": [0.75, 0.25]},
            {"probabilities": [0.25, 0.75]},
        ),
        (
            {"noul_order": "no,yes"},
            "n",
            {"probabilities": [0.75, 0.25]},
            {"probabilities": [0.75, 0.25]},
        ),
        (
            {"scale": "percent"},
            "n",
            {"probabilities": {"yes": 75}},
            {"probabilities": [0.25, 0.75]},
        ),
        (
            {"scale": "percent"},
            "c",
            {"probabilities": {"Lima": "50 %", "Oslo": "25%", "Cairo": 25}},
            {"probabilities": [0.5, 0.25, 0.25]},
        ),
        # 1 / (1 + e^0) is a half.
        (
            {"scale": "logit"},
            "n",
            {"probabilities": {"yes": 0}},
            {"probabilities": [0.5, 0.5]},
        ),
        (
            {"scale": "log2"},
            "c",
            {"probabilities": [-1, "-inf", -1]},
            {"probabilities": [0.5, 0.0, 0.5]},
        ),
        (
            {"scale": "logprob"},
            "c",
            {"probabilities": [0, None, "-inf"]},
            {"probabilities": [1.0, 0.0, 0.0]},
        ),
        (
            {"sum": "rescale"},
            "c",
            {"probabilities": [2, 1, 1]},
            {"probabilities": [0.5, 0.25, 0.25]},
        ),
        # Half of it is of options; of that half, three fifths are Lima's.
        (
            {"partial": True},
            "c",
            {"probabilities": {"Lima": 0.3, "Oslo": 0.2, "the": 0.4}},
            {"probabilities": [0.6, 0.4, 0.0]},
        ),
        (
            {"partial": True, "labels": "fold"},
            "c",
            {"probabilities": {"Lima": 0.25, "lima": 0.5, "Oslo": 0.25}},
            {"probabilities": [0.75, 0.25, 0.0]},
        ),
        ({"split": "|"}, "m", {"answer": "late | wet"}, {"labels": ["late", "wet"]}),
        ({"split": "json"}, "m", {"answer": '["cold"]'}, {"labels": ["cold"]}),
        ({"ids": "integer"}, "7", {"answer": "a"}, {"label_index": 0}),
    ],
    ids=str,
)
def test_a_value_is_read_as_asked(
    tmp_path: Path, said: Any, item: str, given: Any, stored: Any
) -> None:
    items = [*ITEMS, choice("7", "a", "b")]
    row = {"item_id": 7.0 if item == "7" else item, **given}
    run = read(tmp_path, row, items=items, **said)
    kept = run.rows[item]
    for name, value in stored.items():
        is_numbers = name == "probabilities"
        assert kept[name] == (pytest.approx(value) if is_numbers else value)
    assert kept["status"] == "ok"
    is_as_it_is = said == {"noul_order": "no,yes"}
    assert run.summary.conversions or is_as_it_is, "what was asked for is said"
    for name, value in said.items():
        assert run.options.settings[f"read.{name}"] == value


def test_logits_are_a_softmax_over_the_options(tmp_path: Path) -> None:
    run = read(tmp_path, {"item_id": "c", "probabilities": [2, 0, -1]}, scale="logit")
    weights = [math.exp(2), 1, math.exp(-1)]
    wanted = [weight / sum(weights) for weight in weights]
    assert run.rows["c"]["probabilities"] == pytest.approx(wanted, abs=1e-15)


@pytest.mark.parametrize(
    ("said", "given", "field", "words"),
    [
        (
            {"labels": "fold"},
            {"probabilities": {"lima": 0.5, "LIMA": 0.5}},
            PROBABILITIES,
            "--partial adds them up",
        ),
        ({"answer_style": "letter"}, {"answer": "A Oslo"}, "$.answer", "'Lima'"),
        (
            {"scale": "percent"},
            {"probabilities": [0.5, 0.25, 0.25]},
            PROBABILITIES,
            "--scale fraction",
        ),
        (
            {"scale": "logprob"},
            {"probabilities": [50, 25, 25]},
            PROBABILITIES,
            "--scale percent",
        ),
        (
            {"scale": "logprob"},
            {"probabilities": [-1, -2, -2]},
            PROBABILITIES,
            "--scale log2",
        ),
        (
            {"scale": "logprob"},
            {"probabilities": {"Lima": "x", "Oslo": 0, "Cairo": 0}},
            PROBABILITIES,
            "expected a number",
        ),
        (
            {"alias": {"x": "Lima"}},
            {"probabilities": {"Lima": "50%", "Oslo": 0, "Cairo": 0}},
            PROBABILITIES,
            "--scale percent",
        ),
    ],
    ids=str,
)
def test_a_row_that_cannot_be_read_so_is_a_fault_of_its_line(
    tmp_path: Path, said: Any, given: Any, field: str, words: str
) -> None:
    with pytest.raises(InputError) as refused:
        read(tmp_path, {"item_id": "c", **given}, **said)
    (problem,) = refused.value.raised
    assert (problem.source, problem.line, problem.field) == ("rows.jsonl", 1, field)
    assert words in for_shell(problem.message)


@pytest.mark.parametrize(
    ("given", "field", "words"),
    [
        ({"item_id": "zz", "answer": [0.5, True]}, "$.item_id", "no item"),
        ({"item_id": "zz", "probabilities": {"Lima": "x"}}, PROBABILITIES, "a number"),
        ({"item_id": "zz", "probabilities": [0.5, "x"]}, PROBABILITIES, "a number"),
        ({"item_id": "m", "probabilities": {"late": "x"}}, PROBABILITIES, "a number"),
        ({"item_id": "m", "probabilities": ["x"]}, PROBABILITIES, "a number"),
        ({"item_id": "c", "answer": [0.5, True]}, "$.answer", "got a list"),
        ({"item_id": 5.5, "answer": "Lima"}, "$.item_id", "--ids integer"),
    ],
    ids=str,
)
def test_what_options_do_not_read_is_held_to_the_canonical_form(
    tmp_path: Path, given: Any, field: str, words: str
) -> None:
    """An option is for the values that it reads; the rest stays as strict as ever."""
    with pytest.raises(InputError) as refused:
        read(tmp_path, {"item_id": "n", "answer": "yes"}, given, levels="from=0")
    (problem,) = refused.value.raised
    assert (problem.line, problem.field) == (2, field)
    assert words in for_shell(problem.message)


@pytest.mark.parametrize(
    ("given", "remedy"),
    [
        ({"Lima": "80%", "Oslo": "20%", "Cairo": "0%"}, "; --scale percent reads it"),
        (["80%", 20, 0], "; --scale percent reads it"),
        ({"Lima": -1, "Oslo": -1, "Cairo": "-inf"}, "--scale logprob reads it as 0"),
        (
            [{"label": "Lima", "score": 1}],
            "--field probabilities=probabilities reads pairs",
        ),
    ],
    ids=str,
)
def test_text_and_pairs_among_numbers_name_what_reads_them(
    tmp_path: Path, given: Any, remedy: str
) -> None:
    with pytest.raises(InputError) as refused:
        read(tmp_path, {"item_id": "c", "probabilities": given})
    assert remedy in for_shell(refused.value.raised[0].message)


@pytest.mark.parametrize("given", [2.5, 1e17, 9007199254740992.0, "9007199254740993.0"])
def test_ids_that_no_double_holds_are_refused(tmp_path: Path, given: Any) -> None:
    with pytest.raises(InputError) as refused:
        read(tmp_path, {"item_id": given, "answer": "Lima"}, ids="integer")
    assert refused.value.problems[0].field == "$.item_id"


def test_a_text_that_is_an_option_and_splits_is_a_fault(tmp_path: Path) -> None:
    items = [multi("m", "a", "b", "a,b")]
    with pytest.raises(InputError, match="'a,b' is an option, and splits"):
        read(tmp_path, {"item_id": "m", "answer": "a,b"}, items=items, split=",")


def test_under_half_of_the_mass_is_no_answer(tmp_path: Path) -> None:
    rows = [{"item_id": "c", "probabilities": {"Lima": 0.4, "the": 0.6}}]
    run = read(tmp_path, *rows, partial=True, allow=["invalid"])
    assert run.rows["c"]["status"] == "invalid"


def test_options_that_nothing_needed_are_said(tmp_path: Path) -> None:
    run = read(tmp_path, {"item_id": "c", "answer": "Lima"}, labels="fold")
    assert for_shell(run.summary.conversions[0]) == "--labels fold: nothing to fold"


def test_an_alias_to_a_label_of_no_item_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"has the option 'Limaa'; did you mean 'Lima'"
    ):
        read(tmp_path, {"item_id": "c", "answer": "x"}, alias={"x": "Limaa"})


def test_options_and_mapping_must_not_contradict() -> None:
    one, other = (
        reading_options({"scale": "percent"}),
        reading_options({"scale": "log2"}),
    )
    assert together(one, ReadingOptions()).scale == "percent"
    with pytest.raises(UsageError, match="'percent' by the option and 'log2'"):
        together(one, other)


@pytest.mark.parametrize(
    "said",
    [
        {"scales": "percent"},
        {"scale": "percents"},
        {"allow": ["everything"]},
        {"alias": ["x"]},
        {"partial": "yes"},
        {"encoding": "utf-99"},
        {"encoding": "base64"},
        {"split": ""},
    ],
)
def test_options_that_are_none_are_refused(said: Any) -> None:
    with pytest.raises(UsageError):
        reading_options(said)


def test_the_command_offers_what_reading_knows() -> None:
    assert {name: "|".join(CHOICES[name]) for name in VALUES} | {
        "noul_order": "no,yes|yes,no"
    } == VALUES
    assert ", ".join(ALLOWED) == SHOWN_WORDS
    known = set(ReadingOptions.__dataclass_fields__)
    assert set(READING) <= known


# Twins: what is written otherwise and read as asked is the run of its clean twin.

Row = dict[str, Any]
LABELS = ("Lima", "Oslo", "crème", "New York", "tea time")
SIXTEENTHS = 16


def relabelled(row: Row, change: Callable[[str], object]) -> Row:
    """Return a row whose labels are written otherwise."""
    out = dict(row)
    answer = row.get("answer")
    if isinstance(answer, str):
        out["answer"] = change(answer)
    elif isinstance(answer, list):
        out["answer"] = [change(each) for each in answer]
    given = row.get("probabilities")
    if isinstance(given, dict):
        out["probabilities"] = {str(change(key)): p for key, p in given.items()}
    return out


WAYS: tuple[Callable[[str], str], ...] = (
    str.upper,
    lambda text: f"  {text}\u00a0",
    lambda text: f'"{text}"',
    lambda text: f"**{text}.**",
    lambda text: unicodedata.normalize("NFD", text),
    lambda text: f"\u200b{text}",
)


def folded_twin(rows: list[Row], pick: Callable[[int], int]) -> tuple[list[Row], Row]:
    out = [
        relabelled(row, WAYS[pick(len(WAYS))]) if row["item_id"][0] != "s" else row
        for row in rows
    ]
    return out, {"labels": "fold"}


def styled_twin(rows: list[Row], pick: Callable[[int], int]) -> tuple[list[Row], Row]:
    style = ("letter", "index0", "index1")[pick(3)]
    names = {
        "letter": lambda place: chr(ord("A") + place),
        "index0": lambda place: place,
        "index1": lambda place: place + 1,
    }
    out = [
        relabelled(row, lambda label: names[style](LABELS.index(label)))
        if row["item_id"][0] in "cm"
        else row
        for row in rows
    ]
    return out, {"answer_style": style}


def scaled_twin(rows: list[Row], pick: Callable[[int], int]) -> tuple[list[Row], Row]:
    def percent(row: Row) -> Row:
        given = row.get("probabilities")
        if given is None:
            return row
        return {**row, "probabilities": {key: p * 100 for key, p in given.items()}}

    return [percent(row) for row in rows], {"scale": "percent"}


def split_twin(rows: list[Row], pick: Callable[[int], int]) -> tuple[list[Row], Row]:
    separator = (",", "|", "json")[pick(3)]

    def joined(row: Row) -> Row:
        answer = row.get("answer")
        if not isinstance(answer, list):
            return row
        text = json.dumps(answer) if separator == "json" else separator.join(answer)
        return {**row, "answer": text}

    return [joined(row) for row in rows], {"split": separator}


def shifted_twin(rows: list[Row], pick: Callable[[int], int]) -> tuple[list[Row], Row]:
    def shifted(row: Row) -> Row:
        if row["item_id"][0] != "s":
            return row
        if "answer" in row:
            return {**row, "answer": row["answer"] + 1}
        given = row["probabilities"]
        return {**row, "probabilities": {str(int(k) + 1): p for k, p in given.items()}}

    return [shifted(row) for row in rows], {"levels": "from=1"}


TWINS = (folded_twin, styled_twin, scaled_twin, split_twin, shifted_twin)


@st.composite
def clean_rows(draw: st.DrawFn) -> list[Row]:
    """Rows that need no option: of every type, with and without a distribution."""
    rows = []
    for place in range(draw(st.integers(1, 8))):
        kind = draw(st.sampled_from("csmn"))
        labels = {
            "c": LABELS,
            "m": LABELS,
            "n": ("no", "yes"),
            "s": ("0", "1", "2"),
        }[kind]
        row: Row = {"item_id": f"{kind}{place}"}
        if kind == "m":
            picked = st.lists(st.sampled_from(labels), min_size=1, unique=True)
            row["answer"] = draw(picked)
        elif draw(st.booleans()):
            label = draw(st.sampled_from(labels))
            row["answer"] = int(label) if kind == "s" else label
        else:
            cuts = st.lists(
                st.integers(0, SIXTEENTHS),
                min_size=len(labels) - 1,
                max_size=len(labels) - 1,
            )
            edges = [0, *sorted(draw(cuts)), SIXTEENTHS]
            parts = [b - a for a, b in itertools.pairwise(edges)]
            row["probabilities"] = {
                label: part / SIXTEENTHS
                for label, part in zip(labels, parts, strict=True)
            }
        rows.append(row)
    return rows


def items_of(rows: list[Row]) -> list[Row]:
    """Return the items that clean rows answer."""
    make = {
        "c": lambda name: choice(name, *LABELS),
        "m": lambda name: multi(name, *LABELS),
        "n": noul,
        "s": lambda name: score(name, "poor", "fair", "good"),
    }
    return [make[row["item_id"][0]](row["item_id"]) for row in rows]


PROFILE = {
    "derandomize": True,
    "database": None,
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
}


@settings(max_examples=8, **PROFILE)
@given(rows=clean_rows(), twin=st.sampled_from(TWINS), seed=st.randoms())
def test_what_is_written_otherwise_is_the_run_of_its_clean_twin(
    rows: list[Row], twin: Any, seed: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert_twins(rows, twin, seed, tmp_path_factory.getbasetemp())


@pytest.mark.long
@settings(max_examples=300, **PROFILE)
@given(rows=clean_rows(), twin=st.sampled_from(TWINS), seed=st.randoms())
def test_many_twins(
    rows: list[Row], twin: Any, seed: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert_twins(rows, twin, seed, tmp_path_factory.getbasetemp())


def assert_twins(rows: list[Row], twin: Any, seed: Any, folder: Path) -> None:
    """Hold a run that is written otherwise against the clean one."""
    items = items_of(rows)
    clean = prepare(items, write(folder / "clean.jsonl", *rows))
    written, said = twin(rows, seed.randrange)
    file = write(folder / "written.jsonl", *written)
    read_so = prepare(items, file, reading=reading_options(said))
    assert read_so.summary.run_id == clean.summary.run_id
    assert not clean.options.settings
    kept = read_so.options.settings.keys() - {"read.changed"}
    assert kept == {f"read.{name}" for name in said}
