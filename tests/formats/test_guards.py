"""What keeps a file from being stored as something its author did not mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from prepared import choice, multi, noul, prepare, score, write

from jevdb.base.errors import InputError
from jevdb.base.wording import for_shell
from jevdb.ingest.reading_options import reading_options

TOWNS = ("Lima", "Oslo", "Cairo")
LEVELS = ("poor", "fair", "good", "great")
PICKS = ("late", "cold", "wet")


def rows_of(kind: str, key: str, *values: Any) -> list[dict[str, Any]]:
    return [{"item_id": f"{kind}{n}", key: value} for n, value in enumerate(values)]


def items_of(rows: list[dict[str, Any]], levels: tuple[str, ...]) -> list[Any]:
    make = {
        "c": lambda name: choice(name, *TOWNS),
        "m": lambda name: multi(name, *PICKS),
        "n": noul,
        "s": lambda name: score(name, *levels),
    }
    return [make[row["item_id"][0]](row["item_id"]) for row in rows]


ANSWER, P = "answer", "probabilities"
REFUSED: dict[str, tuple[list[dict[str, Any]], dict[str, Any], list[str]]] = {
    # near labels: one is enough, at any place, in any form
    "near_key": (
        rows_of("c", P, {"Lima": 1, "Oslo": 0, "CAIRO": 0}),
        {},
        ["--labels fold", "--labels exact", '"CAIRO"'],
    ),
    "near_pick": (
        rows_of("m", ANSWER, ["late"], ["cold", "Wet"], ["late"]),
        {},
        ["--labels fold", "rows.jsonl:2"],
    ),
    "near_level": (rows_of("s", ANSWER, "poor", "Fair", "good"), {}, ["--labels fold"]),
    "true_as_key": (
        rows_of("n", P, {"True": 0.75, "False": 0.25}),
        {},
        ["--labels fold"],
    ),
    "alike": (
        rows_of("c", ANSWER, "Lima", "Oslo", "Cairo\u200b"),
        {},
        ["--labels fold", "U+200B"],
    ),
    # styles
    "small_letters": (
        rows_of("c", ANSWER, "b", "(c)"),
        {},
        ["--answer-style letter --labels fold"],
    ),
    "letters_of_several": (
        rows_of("m", ANSWER, ["A", "C"], ["B"]),
        {},
        ["--answer-style letter"],
    ),
    "letters_in_one_text": (
        rows_of("m", ANSWER, "A, C", "B"),
        {},
        ["--split , --answer-style letter"],
    ),
    "places_as_keys": (
        rows_of("c", P, {"0": 0.5, "1": 0.25, "2": 0.25}),
        {},
        ["--answer-style index0"],
    ),
    "places_with_neither_end": (
        rows_of("c", ANSWER, 1, 2, 2),
        {},
        ["--answer-style index0", "--answer-style index1"],
    ),
    "places_of_the_other_end": (
        rows_of("c", ANSWER, 1, 2, 3),
        {"answer_style": "index0"},
        ["--answer-style index1", "rows.jsonl:3"],
    ),
    # levels
    "levels_as_keys_from_1": (
        rows_of("s", P, {"1": 0.25, "2": 0.25, "3": 0.25, "4": 0.25}),
        {},
        ["--levels from=1"],
    ),
    "digits": (rows_of("s", ANSWER, "0", "2"), {}, ["--levels from=0"]),
    "up_to_their_number": (
        rows_of("s", ANSWER, 1, 2, 4, 3),
        {},
        ["--levels from=1", "rows.jsonl:3"],
    ),
    "up_to_their_number_said_to_be_from_0": (
        rows_of("s", ANSWER, 1, 2, 4, 3),
        {"levels": "from=0"},
        ["--levels from=1", "--allow invalid"],
    ),
    "a_zero_said_to_be_from_1": (
        rows_of("s", ANSWER, 0, 1, 2),
        {"levels": "from=1"},
        ["--levels from=0"],
    ),
    # scales, of keys, lists and P(yes) alone; with what else is to be said
    "percent_in_lists": (rows_of("c", P, [50, 25, 25]), {}, ["--scale percent"]),
    "percent_of_yes": (
        rows_of("n", P, {"yes": 93}, {"yes": 0.5}, {"yes": 7}),
        {},
        ["--scale percent"],
    ),
    "percent_of_other_keys": (
        rows_of("c", P, {"A": 50, "B": 25, "C": 25}),
        {},
        ["--scale percent", "--answer-style letter"],
    ),
    "logarithms_of_tokens": (
        rows_of("c", P, {"A": -0.1, "the": -3}),
        {},
        ["--scale logprob", "--answer-style letter", "--partial"],
    ),
    "logarithm_of_yes": (
        rows_of("n", P, {"yes": -0.2}, {"yes": -1.5}),
        {},
        ["--scale logprob", "--scale logit"],
    ),
    "logits_of_yes": (
        rows_of("n", P, {"yes": -0.2}, {"yes": 2.5}),
        {},
        ["--scale logit"],
    ),
    "logits_of_both_signs": (
        rows_of("c", P, [2, 1, 3], [-1, -2, -0.5], [1, -1, 0]),
        {},
        ["--scale logit"],
    ),
    "fractions_called_percent": (
        rows_of("n", P, {"yes": 0.93}, {"yes": 0.5}),
        {"scale": "percent"},
        ["--scale percent", "fractions"],
    ),
    "weights": (rows_of("c", P, [3, 1, 1], [0, 2, 3]), {}, ["--sum rescale"]),
    # others
    "yes_first": (rows_of("n", P, [0.75, 0.25]), {}, ["--noul-order yes,no"]),
    "words_for_yes": (
        rows_of("n", ANSWER, "ja", "nein", "ja"),
        {},
        ["--alias", '"ja" (2 times)'],
    ),
    "one_number_for_yes": (
        rows_of("n", ANSWER, "yes", "no", 1, "no"),
        {},
        ["--alias 1=yes"],
    ),
    "subset": (
        rows_of(
            "c",
            P,
            {"Lima": 0.75, "Oslo": 0.25},
            *[{"Lima": 1, "Oslo": 0, "Cairo": 0}] * 3,
        ),
        {},
        ["--partial", "--allow invalid", "1 of 4"],
    ),
    "misfit": (
        rows_of("c", ANSWER, "Lima", "granite", "slate"),
        {"labels": "exact"},
        ["2 of 3", "granite", "'b'", "--allow invalid"],
    ),
    "misfit_of_one_type": (
        rows_of("c", ANSWER, *["Lima"] * 9) + rows_of("m", ANSWER, ["hot"]),
        {},
        ["1 of 1 multi_select", "hot"],
    ),
}


@pytest.mark.parametrize(("rows", "said", "words"), REFUSED.values(), ids=REFUSED)
def test_a_file_of_two_meanings_is_refused_with_the_remedy(
    tmp_path: Path, rows: Any, said: Any, words: Any
) -> None:
    file = write(tmp_path / "rows.jsonl", *rows)
    items = items_of(rows, LEVELS)
    with pytest.raises(InputError) as refused:
        prepare(items, file, reading=reading_options(said))
    text = for_shell("\n".join(str(each) for each in refused.value.raised))
    assert [word for word in words if word not in text] == [], text
    assert len(text.splitlines()) <= 3
    if rows[0]["item_id"][0] != "n" or rows[0].get(P) != [0.75, 0.25]:
        allowed = reading_options({**said, "allow": "invalid"})
        assert prepare(items, file, reading=allowed).summary.expected == len(rows)


NUMERALS = ("1", "2", "3", "4")


def test_levels_called_by_other_numbers_are_asked_for(tmp_path: Path) -> None:
    rows = rows_of("s", ANSWER, 1, 2, 3)
    file = write(tmp_path / "rows.jsonl", *rows)
    items = items_of(rows, NUMERALS)
    with pytest.raises(InputError, match="a level's name or its number"):
        prepare(items, file)
    read = {
        said: prepare(items, file, reading=reading_options({"levels": said}))
        for said in ("from=0", "from=1", "names")
    }
    levels = {said: run.rows["s0"]["level"] for said, run in read.items()}
    assert levels == {"from=0": 1.0, "from=1": 0.0, "names": 0.0}


CLEAN: dict[str, list[dict[str, Any]]] = {
    "refusals": rows_of("c", ANSWER, "Lima", "Oslo", "I would rather not"),
    "one_sum_off": rows_of("c", P, [0.5, 0.25, 0.25], [0.5, 0.2, 0.1], [1, 0, 0]),
    "a_level_too_high": rows_of("s", ANSWER, 0, 1, 2, 9),
    "a_level_of_their_number_beside_0": rows_of("s", ANSWER, 0, 1, 2, 4),
    "half": rows_of("c", ANSWER, "Lima", "granite"),
    "yes_alone": rows_of("n", P, {"yes": 0.5}, {"yes": 0.0}, {"yes": 1.0}),
    "by_name": rows_of("s", ANSWER, "poor", "great"),
    "zeros": rows_of("c", P, [0, 1, 0], [1, 0, 0]),
}


@pytest.mark.parametrize("rows", CLEAN.values(), ids=CLEAN)
def test_what_is_the_models_fault_meets_no_guard(tmp_path: Path, rows: Any) -> None:
    file = write(tmp_path / "rows.jsonl", *rows)
    run = prepare(items_of(rows, LEVELS), file)
    for reason, n in run.summary.reasons.items():
        assert len(run.summary.reason_places[reason]) == n


def test_levels_whose_ends_never_occur_are_said(tmp_path: Path) -> None:
    rows = rows_of("s", ANSWER, 1, 2)
    file = write(tmp_path / "rows.jsonl", *rows)
    run = prepare(items_of(rows, LEVELS), file)
    assert run.summary.conversions == ["levels read from 0; 1 to 2 met of 0 to 3"]
