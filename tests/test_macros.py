"""Each macro against a restatement in plain Python; the registry is closed."""

from __future__ import annotations

import hashlib
import json
import math
import random
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import duckdb
import oracle
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from jevdb.warehouse.sqlfiles import program

UNIT = 2**53
fractions = st.floats(0, 1)
wide = st.floats(-1000, 1000)
counts = st.integers(0, 50)
distribution = st.integers(2, 6).flatmap(strategies.distributions)
labels = st.lists(st.sampled_from(strategies.LABELS), max_size=6)
plain = st.text(st.characters(min_codepoint=0x20, codec="utf-8"), max_size=8)


class Restated(NamedTuple):
    """How a macro is called, what it is given, and what it is in Python."""

    call: str
    given: st.SearchStrategy[tuple[Any, ...]]
    python: Callable[..., Any]
    exactly: bool = True


@st.composite
def placed(draw: st.DrawFn) -> tuple[list[float], int]:
    """A distribution, and the place of its gold."""
    values = draw(distribution)
    return values, draw(st.integers(0, len(values) - 1))


@st.composite
def labelled(draw: st.DrawFn) -> tuple[list[str], list[float], bool]:
    values = draw(distribution)
    names = st.lists(
        st.sampled_from(strategies.LABELS),
        min_size=len(values),
        max_size=len(values),
        unique=True,
    )
    return draw(names), values, draw(st.booleans())


@st.composite
def pairs(draw: st.DrawFn) -> tuple[list[float], list[float]]:
    k = draw(st.integers(2, 6))
    return draw(strategies.distributions(k)), draw(strategies.references(k))


@st.composite
def levels(draw: st.DrawFn) -> tuple[int, int]:
    """How many levels, and the gold one."""
    k = draw(st.integers(2, 9))
    return k, draw(st.integers(0, k - 1))


def plain_sum(values: list[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total


def is_rescaled(values: list[float]) -> bool:
    return abs(plain_sum(values) - 1) > 0.001 + 1e-9


def units(value: float) -> int:
    return math.floor(Fraction(value) * UNIT)


def top_index(names: list[str], values: list[float], is_ordered: bool) -> int:
    kind = "score" if is_ordered else "choice"
    return oracle.top_of({"type": kind, "options": names}, values)


def rps(values: list[float], gold: int) -> float:
    cumulative = [Fraction(0)]
    for value in values:
        cumulative.append(cumulative[-1] + Fraction(value))
    gaps = [
        (cumulative[level + 1] - (level >= gold)) ** 2
        for level in range(len(values) - 1)
    ]
    return float(sum(gaps) / (len(values) - 1))


def brier(values: list[float], gold: int) -> float:
    return float(sum((Fraction(p) - (i == gold)) ** 2 for i, p in enumerate(values)))


def f1(picked: list[str], gold: list[str]) -> float:
    first, second = set(picked), set(gold)
    if not first and not second:
        return 1.0
    return 2 * len(first & second) / (len(first) + len(second))


def reason(
    value: float | None,
    n_asked: int | None,
    n_supported: int | None,
    n_scope: int | None,
) -> str | None:
    if value is not None:
        return None
    if n_supported == 0:
        return "unsupported_type"
    if not n_asked:
        return "no_rows"
    return "no_probabilities" if n_scope else "no_reference"


def json_sha256(*values: object) -> str:
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def tallies_sha256(
    names: list[str | None], sizes: list[int], sums: list[int | None]
) -> str:
    """The digest of kept tallies, whose counts are their sizes here."""
    listed = json.dumps(names, ensure_ascii=False, separators=(",", ":"))
    whole = ", ".join("NULL" if each is None else str(each) for each in sums)
    text = f"{listed}{sizes}{sizes}[{whole}]"
    return hashlib.sha256(text.encode()).hexdigest()


def ordered_sha256(keys: list[str]) -> str:
    """The digest of `digest_of` where each row's digest is named after its key."""
    text = "".join(f"{key}-digest" for key in sorted(keys))
    return hashlib.sha256(text.encode()).hexdigest()


def level_in_text(text: str) -> float | None:
    return float(text) if re.fullmatch(r"-?[0-9]+([.][0-9]+)?", text) else None


maybe_count = st.one_of(st.none(), st.integers(0, 2))
eighths = st.one_of(st.none(), st.lists(st.integers(0, 8).map(lambda n: n / 8)))
facts = st.one_of(st.none(), plain)
some_labels = st.one_of(st.none(), st.lists(plain, max_size=3))
quarter = st.one_of(st.none(), st.integers(1, 40).map(lambda n: n / 4 + 1 / 8))

REGISTRY = {
    "calibration_part": Restated(
        "calibration_part($1::double)",
        st.tuples(st.one_of(st.none(), fractions)),
        lambda ece: None if ece is None else max(0.0, 100 * (1 - 2 * ece)),
    ),
    "chance_corrected": Restated(
        "chance_corrected($1::double, $2::double)",
        st.tuples(fractions, fractions),
        lambda acc, chance: None if chance == 1 else (acc - chance) / (1 - chance),
    ),
    "chance_rating_error": Restated(
        "chance_rating_error($1::bigint, $2::integer)",
        levels(),
        lambda k, gold: float(
            Fraction(sum(abs(level - gold) for level in range(k)), k * (k - 1))
        ),
    ),
    "confidence_bin": Restated(
        "confidence_bin($1::double, $2::integer)",
        st.tuples(
            st.one_of(fractions, st.integers(0, 10).map(lambda n: n / 10)),
            st.just(10),
        ),
        lambda confidence, bins: min(math.floor(bins * confidence), bins - 1),
    ),
    "digest_of": Restated(
        "(select digest_of(key || '-digest', key) from (select unnest($1::varchar[]) "
        "as key))",
        st.tuples(st.lists(st.sampled_from("abcAÄ"), min_size=1)),
        ordered_sha256,
    ),
    "distinct_labels": Restated(
        "distinct_labels($1::varchar[])",
        st.tuples(some_labels),
        lambda labels: None if labels is None else list(dict.fromkeys(labels)),
    ),
    "exact_sum": Restated(
        "(select exact_sum(x) from (select unnest($1::double[]) as x))",
        st.tuples(st.lists(st.floats(-1000, 1000), min_size=1)),
        lambda values: sum(units(value) for value in values),
    ),
    "expected_rating": Restated(
        "expected_rating($1::double[])",
        st.tuples(distribution),
        lambda p: float(sum(level * Fraction(x) for level, x in enumerate(p))),
        exactly=False,
    ),
    "first_top_index": Restated(
        "first_top_index($1::double[])",
        st.tuples(distribution),
        lambda p: p.index(max(p)),
    ),
    "is_rescaled": Restated(
        "is_rescaled($1::double[])", st.tuples(distribution), is_rescaled
    ),
    "is_top_tied": Restated(
        "is_top_tied($1::double[])",
        st.tuples(distribution),
        lambda p: p.count(max(p)) > 1,
    ),
    "index_weight": Restated(
        "index_weight($1::varchar, $2::varchar, 0.5e0, 0.25e0, 0.125e0)",
        st.tuples(
            st.sampled_from(["intelligence", "calibration"]),
            st.sampled_from(["choice", "noul", "score"]),
        ),
        lambda metric, kind: (
            1.0
            if metric == "calibration"
            else {"choice": 0.5, "noul": 0.25, "score": 0.125}[kind]
        ),
    ),
    "item_digest": Restated(
        "item_digest($1::varchar, $2::varchar, $3::varchar, $4::varchar, $5::varchar, "
        "$6::varchar, $7::varchar[], $8::json, $9::integer, $10::varchar[], "
        "$11::double[], $12::varchar, $13::double[], $14::varchar)",
        st.tuples(
            *(plain, plain, plain, facts, facts, facts, st.lists(plain)),
            st.sampled_from([None, '{"a": 1}']),
            *(maybe_count, some_labels, eighths, facts, eighths, facts),
        ),
        # The last columns are in the array only where there is one of them.
        lambda *row: json_sha256(
            *(row[:11] if row[11:] == (None,) * 3 else row[:12])
            if row[12:] == (None,) * 2
            else row
        ),
    ),
    "labels_text": Restated("labels_text($1::varchar[])", st.tuples(labels), ", ".join),
    "largest_rating_error": Restated(
        "largest_rating_error($1::bigint, $2::integer)",
        levels(),
        lambda k, gold: max(abs(level - gold) for level in range(k)) / (k - 1),
    ),
    "level_in_text": Restated(
        "level_in_text($1::varchar)",
        st.tuples(
            st.one_of(
                st.from_regex(r"-?[0-9]{1,3}(\.[0-9]{1,3})?", fullmatch=True), plain
            )
        ),
        level_in_text,
    ),
    "mean_of_units": Restated(
        "mean_of_units($1::decimal(38, 0), $2::bigint)",
        st.tuples(st.integers(0, 2**80), counts),
        lambda total, n: None if n == 0 else float(Fraction(total, UNIT * n)),
        exactly=False,
    ),
    "nearest_level": Restated(
        "nearest_level($1::double)",
        st.tuples(st.integers(0, 64).map(lambda n: n / 8)),
        lambda rating: math.floor(rating) + (rating - math.floor(rating) > 0.5),
    ),
    "negative_log_likelihood": Restated(
        "negative_log_likelihood($1::double, 1e-15)",
        st.tuples(st.one_of(st.none(), fractions)),
        lambda p: None if p is None else -math.log(max(p, 1e-15)),
        exactly=False,
    ),
    "doublings": Restated(
        "doublings($1::double)",
        st.tuples(st.integers(1, 2**20).map(lambda n: n / 2**20)),
        lambda x: -math.frexp(x)[1] + (math.frexp(x)[0] == 0.5),
    ),
    "floored": Restated(
        "floored($1::double, 0.25e0)",
        st.tuples(st.one_of(st.none(), fractions)),
        lambda p: None if p is None else max(p, 0.25),
    ),
    "log_series": Restated(
        "log_series($1::double)",
        st.tuples(st.floats(-0.1715, 0.1715)),
        lambda s: 2 * math.atanh(s),
        exactly=False,
    ),
    "mantissa": Restated(
        "mantissa($1::double, $2::double)",
        st.tuples(st.floats(2.0**-1000, 2.0**-999), st.integers(0, 999)),
        math.ldexp,
    ),
    "negative_log": Restated(
        "negative_log($1::double, $2::double)",
        st.tuples(st.floats(0.5, 1), st.integers(0, 49)),
        lambda m, n: -math.log(math.ldexp(m, -n)),
        exactly=False,
    ),
    "normalised": Restated(
        "normalised($1::double[])",
        st.tuples(distribution),
        lambda p: [x / plain_sum(p) for x in p] if is_rescaled(p) else p,
    ),
    "null_reason": Restated(
        "null_reason($1::double, $2::bigint, $3::bigint, $4::bigint)",
        st.tuples(st.one_of(st.none(), fractions), *[maybe_count] * 3),
        reason,
    ),
    "prediction_digest": Restated(
        "prediction_digest($1::varchar, $2::varchar, $3::varchar, $4::integer, "
        "$5::varchar[], $6::double, $7::double[], $8::json, $9::double[], $10::double, "
        "$11::bigint, $12::bigint, $13::double, $14::varchar, $15::json)",
        st.tuples(
            *(plain, plain, facts, maybe_count, some_labels, quarter, eighths),
            st.sampled_from([None, '{"no": 0.5}']),
            *(eighths, quarter, maybe_count, maybe_count, quarter, facts),
            st.sampled_from([None, '{"b": []}']),
        ),
        json_sha256,
    ),
    "probability_at": Restated(
        "probability_at($1::double[], $2::integer)", placed(), lambda p, place: p[place]
    ),
    "probability_sum": Restated(
        "probability_sum($1::double[])", st.tuples(distribution), plain_sum
    ),
    "ranked_probability_score": Restated(
        "ranked_probability_score($1::double[], $2::integer)",
        placed(),
        rps,
        exactly=False,
    ),
    "repeated_digest": Restated(
        "repeated_digest($1::integer, $2::varchar)",
        st.tuples(st.integers(0, 3), plain),
        lambda repeat, digest: json_sha256(repeat, digest) if repeat else digest,
    ),
    "run_digest": Restated(
        "run_digest($1::varchar, $2::varchar, $3::varchar, $4::varchar, $5::varchar[], "
        "$6::varchar)",
        st.tuples(plain, plain, facts, facts, st.lists(plain, max_size=3), plain),
        json_sha256,
    ),
    "same_set": Restated(
        "same_set($1::varchar[], $2::varchar[])",
        st.tuples(labels, labels) | labels.map(lambda each: (each, each[::-1] * 2)),
        lambda picked, gold: set(picked) == set(gold),
    ),
    "set_f1": Restated(
        "set_f1($1::varchar[], $2::varchar[])", st.tuples(labels, labels), f1
    ),
    "squared_error": Restated(
        "squared_error($1::double[], $2::integer)", placed(), brier, exactly=False
    ),
    "suite_area_weight": Restated(
        "suite_area_weight($1::json, $2::varchar)",
        st.tuples(
            st.sampled_from(["{}", '{"areas": {"a": 2.5}}', '{"areas": {"b": 0}}']),
            st.sampled_from(["a", "b", "c"]),
        ),
        lambda text, area: json.loads(text).get("areas", {}).get(area, 1.0),
    ),
    "suite_rounded": Restated(
        "suite_rounded($1::double, $2::integer)",
        st.tuples(st.integers(0, 4000).map(lambda n: n / 32), st.integers(0, 2)),
        # n / 32 is exact, and so is what is half-way between two: it goes up.
        lambda x, digits: (
            x
            if digits == 0
            else float(math.floor(Fraction(x) * 10**digits + Fraction(1, 2)))
            / 10**digits
        ),
    ),
    "supported_count": Restated(
        "supported_count($1::bigint, $2::varchar[], $3::varchar)",
        st.tuples(
            maybe_count,
            st.lists(st.sampled_from(oracle.TYPES)),
            st.sampled_from(oracle.TYPES),
        ),
        lambda n, declared, kind: (
            n if n is not None else 0 if kind in declared else None
        ),
    ),
    "threshold_right": Restated(
        "threshold_right($1::double, $2::boolean, 0.2e0, 0.8e0)",
        st.tuples(
            st.one_of(fractions, st.sampled_from([0.2, 0.8])),
            st.booleans(),
        ),
        lambda p_yes, is_yes: p_yes >= 0.8 if is_yes else p_yes <= 0.2,
    ),
    "tied_top_index": Restated(
        "tied_top_index($1::varchar[], $2::double[])",
        labelled().map(lambda given: given[:2]),
        lambda names, values: names.index(
            min(n for n, p in zip(names, values, strict=True) if p == max(values))
        ),
    ),
    "top_index": Restated(
        "top_index($1::varchar[], $2::double[], $3::boolean)", labelled(), top_index
    ),
    "top_probability": Restated(
        "top_probability($1::double[])", st.tuples(distribution), max
    ),
    "total_variation": Restated(
        "total_variation($1::double[], $2::double[])",
        pairs(),
        lambda p, q: float(
            sum(abs(Fraction(a) - Fraction(b)) for a, b in zip(p, q, strict=True)) / 2
        ),
        exactly=False,
    ),
    "cumulated": Restated(
        "cumulated($1::double[])",
        st.tuples(distribution),
        lambda p: [plain_sum(p[: n + 1]) for n in range(len(p))],
    ),
    "mean_value": Restated(
        "mean_value($1::double[], $2::double[])",
        pairs(),
        lambda p, v: float(
            sum(Fraction(a) * Fraction(b) for a, b in zip(p, v, strict=True))
        ),
        exactly=False,
    ),
    "option_set": Restated(
        "option_set($1::varchar[], $2::boolean)",
        st.tuples(st.lists(plain, unique=True), st.booleans()),
        lambda options, is_ordered: json.dumps(
            options if is_ordered else sorted(options),
            ensure_ascii=False,
            separators=(",", ":"),
        ),
    ),
    "ranked_distance": Restated(
        "ranked_distance($1::double[], $2::double[])",
        pairs(),
        lambda p, q: float(
            sum(
                sum(
                    Fraction(a) - Fraction(b) for a, b in zip(p[:n], q[:n], strict=True)
                )
                ** 2
                for n in range(1, len(p))
            )
            / (len(p) - 1)
        ),
        exactly=False,
    ),
    "scaled_values": Restated(
        "scaled_values($1::double[], $2::bigint)",
        st.tuples(
            st.one_of(
                st.none(),
                st.lists(st.integers(-9, 9), min_size=3, max_size=3, unique=True).map(
                    lambda values: [n / 2 for n in sorted(values)]
                ),
            ),
            st.just(3),
        ),
        lambda values, k: [
            (v - (values or range(k))[0])
            / ((values or range(k))[-1] - (values or [0])[0])
            for v in values or range(k)
        ],
    ),
    "squared_distance": Restated(
        "squared_distance($1::double[], $2::double[])",
        pairs(),
        lambda p, q: float(
            sum((Fraction(a) - Fraction(b)) ** 2 for a, b in zip(p, q, strict=True))
        ),
        exactly=False,
    ),
    "tallies_digest": Restated(
        "tallies_digest($2::bigint[], $1::varchar[], $2::bigint[], "
        "$3::decimal(38, 0)[])",
        st.tuples(
            st.lists(facts, max_size=3),
            st.lists(counts, max_size=3),
            st.lists(st.none() | st.integers(-(2**70), 2**70), max_size=3),
        ),
        tallies_sha256,
    ),
    "target_of": Restated(
        "target_of($1::double[], $2::integer, 3)",
        st.tuples(st.one_of(st.none(), st.just([0.5, 0.25, 0.25])), st.integers(0, 2)),
        lambda given, gold: given or [float(place == gold) for place in range(3)],
    ),
    "uniform_distribution": Restated(
        "uniform_distribution($1::bigint)",
        st.tuples(st.integers(2, 9)),
        lambda k: [1 / k] * k,
    ),
    "value_of_target": Restated(
        "value_of_target($1::double[], $2::integer, [0e0, 0.25e0, 1e0])",
        st.tuples(st.one_of(st.none(), st.just([0.5, 0.25, 0.25])), st.integers(0, 2)),
        lambda given, gold: 0.3125 if given else [0.0, 0.25, 1.0][gold],
    ),
    "value_said": Restated(
        "value_said($1::double[], $2::double, [0e0, 0.25e0, 1e0])",
        st.tuples(
            st.one_of(st.none(), st.just([0.5, 0.25, 0.25])),
            st.integers(0, 16).map(lambda n: n / 8),
        ),
        lambda given, rating: (
            0.3125
            if given
            else rating / 4
            if rating <= 1
            else 0.25 + 0.75 * (rating - 1)
        ),
    ),
    "units": Restated("units($1::double)", st.tuples(wide), units),
}
MACROS = [item for item in program() if item.kind == "macro"]


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """A database with the macros and nothing else."""
    with duckdb.connect() as opened:
        for macro in MACROS:
            for statement in macro.statements:
                opened.execute(statement)
        yield opened


def test_every_macro_is_restated():
    assert {macro.name for macro in MACROS} == REGISTRY.keys()


def test_a_sum_is_held_to_its_bound_in_option_order(
    connection: duckdb.DuckDBPyConnection,
):
    # 0.999 - 1e-9 is kept, a ten-billionth less is divided: 1e-9 is to spare.
    sums = [0.999 - 0.9e-9, 0.999 - 1.1e-9, 1.001 + 0.9e-9, 1.001 + 1.1e-9]
    found = connection.execute(
        "select is_rescaled([x - 0.25e0, 0.25e0]) from (select unnest($1) as x)", [sums]
    ).fetchall()
    assert [flag for (flag,) in found] == [False, True, False, True]


def test_logarithm_is_the_same_on_every_platform(
    connection: duckdb.DuckDBPyConnection,
):
    """Python's + - * / are IEEE's: the same steps in them give the same bits."""
    dice = random.Random(7)
    halves = [2.0**-n for n in range(50)]
    edges = [math.sqrt(0.5), *(math.nextafter(x, 0) for x in halves), *halves]
    values = [*edges, *(dice.random() ** dice.choice([1, 9]) for _ in range(500))]
    found = connection.execute(
        "select negative_log_likelihood(x, 1e-15) from (select unnest($1) as x)",
        [values],
    ).fetchall()
    assert [value for (value,) in found] == [*map(negative_log, values)]
    assert found[values.index(1.0)] == (0.0,)
    # Within 3 units of the last place of the true value.
    for x, (value,) in zip(values, found, strict=True):
        exact = -Decimal(max(x, 1e-15)).ln()
        assert abs(Decimal(value) - exact) <= 3 * Decimal(math.ulp(value))


def negative_log(probability: float) -> float:
    fraction, exponent = math.frexp(max(probability, 1e-15))
    if fraction < 0.7071067811865476:
        fraction, exponent = 2 * fraction, exponent - 1
    s = (fraction - 1) / (fraction + 1)
    total = 0.0
    for term in LOG_TERMS:
        total = term + s * s * total
    return -exponent * 0.6931471805599453 - s * (2 + s * s * total)


LOG_TERMS = (
    *(0.1479819860511658591, 0.1531383769920937332, 0.1818357216161805012),
    *(0.2222219843214978396, 0.2857142874366239149, 0.3999999999940941908),
    0.6666666666666735130,
)
"""fdlibm e_log.c: Lg7 to Lg1."""


@pytest.mark.parametrize("name", REGISTRY)
@settings(max_examples=30, deadline=None, derandomize=True)
@given(data=st.data())
def test_macro(connection: duckdb.DuckDBPyConnection, name: str, data: st.DataObject):
    restated = REGISTRY[name]
    arguments = data.draw(restated.given)
    found = connection.execute(f"select {restated.call}", list(arguments)).fetchall()
    expected = restated.python(*arguments)
    if not restated.exactly and expected is not None:
        expected = pytest.approx(expected, rel=1e-15, abs=1e-12)
    assert found == [(expected,)]
