"""Each statistic against a published value or arithmetic shown beside it."""

from __future__ import annotations

import doctest
import json
import math
from importlib import import_module
from pathlib import Path

import pytest
from commandline import jevdb
from hypothesis import given, settings
from hypothesis import strategies as st

from jevdb import numerics
from jevdb.base.errors import UsageError
from jevdb.numerics.binomial import clopper_pearson
from jevdb.numerics.discordant import mcnemar_exact
from jevdb.numerics.multiplicity import holm
from jevdb.numerics.statistics import (
    SQL_FUNCTIONS,
    paired_interval,
    wilson_interval,
)

LAWS = settings(deadline=None, derandomize=True, max_examples=100)


@pytest.mark.parametrize(
    "module", [path.stem for path in Path(numerics.__path__[0]).glob("[a-z]*.py")]
)
def test_examples_in_the_docstrings(module):
    found = doctest.testmod(import_module(f"jevdb.numerics.{module}"))
    assert found.failed == 0


@pytest.mark.parametrize(
    ("only_a", "only_b", "p"),
    [
        # SCORING.md section 8.
        (30, 12, 0.007915897334896727),
        (12, 30, 0.007915897334896727),
        (0, 0, 1.0),
        # 2 x (1/2)^1 = 1; 2 x (1/2)^5 = 1/16; 2 x (1 + 6) / 2^6 = 14/64.
        (1, 0, 1.0),
        (5, 0, 0.0625),
        (5, 1, 0.21875),
        # An even split: 2 x (1 + 4 + 6) / 16 = 1.375, a probability is at most 1.
        (2, 2, 1.0),
    ],
)
def test_mcnemar(only_a: int, only_b: int, p: float):
    assert mcnemar_exact(only_a, only_b) == p


def test_mcnemar_of_many_pairs_stays_a_probability():
    # (1/2)^2000 is below the smallest double; the exact form still works.
    assert mcnemar_exact(2000, 0) == 0.0
    assert 0.99 < mcnemar_exact(10_000, 10_000) <= 1.0


def test_mcnemar_refuses_negative_counts():
    with pytest.raises(UsageError, match="negative"):
        mcnemar_exact(-1, 2)


def test_wilson_of_a_published_example():
    # Newcombe (1998), Statistics in Medicine 17, 857-872, table I, method 3: 81 of 263
    # gives 0.2553 to 0.3662; 0 of 20 gives 0.0000 to 0.1611; 15 of 148 gives 0.0624 to
    # 0.1605; 1 of 29 gives 0.0061 to 0.1718.
    published = {
        (81, 263): (0.2553, 0.3662),
        (0, 20): (0.0, 0.1611),
        (15, 148): (0.0624, 0.1605),
        (1, 29): (0.0061, 0.1718),
    }
    for (k, n), expected in published.items():
        assert wilson_interval(k, n) == pytest.approx(expected, abs=5e-5)


def test_wilson_ends_are_exact_at_none_and_all():
    assert wilson_interval(0, 7).low == 0.0
    assert wilson_interval(7, 7).high == 1.0


@pytest.mark.parametrize(("k", "n"), [(3, 2), (-1, 2), (0, 0)])
def test_wilson_refuses_what_is_no_share(k: int, n: int):
    with pytest.raises(UsageError, match="no share"):
        wilson_interval(k, n)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 1.5])
def test_a_confidence_is_between_0_and_1(confidence: float):
    with pytest.raises(UsageError, match="confidence"):
        wilson_interval(1, 2, confidence)


@LAWS
@given(n=st.integers(1, 500), data=st.data())
def test_wilson_solves_its_own_equation(n: int, data: st.DataObject):
    """Both ends are the shares p with abs(k/n - p) = z sqrt(p (1 - p) / n)."""
    k = data.draw(st.integers(0, n))
    z = 1.959963984540054
    for p in wilson_interval(k, n):
        if 0 < p < 1:
            half = z * math.sqrt(p * (1 - p) / n)
            assert abs(k / n - p) == pytest.approx(half, abs=1e-12)


def test_holm_by_hand():
    # Sorted 0.01, 0.015, 0.02, 0.5: times 4, 3, 2, 1 = 0.04, 0.045, 0.04, 0.5; none may
    # be below the one before.
    assert holm([0.5, 0.01, 0.02, 0.015]) == pytest.approx([0.5, 0.04, 0.045, 0.045])
    assert holm([]) == []
    assert holm([0.9, 0.8]) == [1.0, 1.0]


@LAWS
@given(st.lists(st.floats(0, 1), max_size=20))
def test_holm_raises_p_values_and_keeps_their_order(p_values: list[float]):
    adjusted = holm(p_values)
    pairs = sorted(zip(p_values, adjusted, strict=True))
    assert [a for _, a in pairs] == sorted(adjusted)
    assert all(p <= a <= 1 for p, a in pairs)


def test_paired_interval_by_hand():
    # Gaps 1 1 0 1 0: mean 0.6, variance 0.3, standard error sqrt(0.06); t(0.975; 4) =
    # 2.776445.
    half = 2.776445 * math.sqrt(0.06)
    found = paired_interval([0.0, 0, 1, 0, 0], [1.0, 1, 1, 1, 0])
    assert found == pytest.approx((0.6 - half, 0.6 + half), abs=1e-6)


def test_paired_interval_varies_within_blocks():
    # Within each block the gaps have variance 0.3 and 0.2, five items each of weight
    # 1/10: V = 5 (0.3 + 0.2) / 100; df = 0.5^2 / (0.3^2 / 4 + 0.2^2 / 4), so 7.
    gaps = [1.0, 1, 0, 1, 0, 0, 0, 0, 0, 1]
    found = paired_interval([0.0] * 10, gaps, ["a"] * 5 + ["b"] * 5)
    half = 2.364624 * math.sqrt(0.025)
    assert found == pytest.approx((0.4 - half, 0.4 + half), abs=1e-6)


def test_paired_interval_is_refused_where_there_is_none():
    with pytest.raises(UsageError, match="needs 5 items"):
        paired_interval([0.0] * 4, [1.0, 0, 0, 1])
    with pytest.raises(UsageError, match="vary"):
        paired_interval([1.0, 0, 1, 1, 0], [1.0, 0, 1, 1, 0])
    with pytest.raises(UsageError, match="NaN"):
        paired_interval([math.nan, 0, 1, 1, 0], [1.0, 0, 1, 1, 0])


@pytest.mark.parametrize(
    ("base", "other", "blocks"),
    [([1.0], [1.0, 2.0], None), ([1.0], [1.0], ["a", "b"]), ([], [], None)],
)
def test_paired_interval_refuses_unequal_lists(base, other, blocks):
    with pytest.raises(UsageError, match="paired interval"):
        paired_interval(base, other, blocks)


def test_sql_functions(warehouse_path: Path):
    query = (
        "select py_mcnemar_exact(30, 12) as p, py_wilson_interval(0, 20, 0.95) as w, "
        "py_holm([0.5, 0.01]) as h, py_mcnemar_exact(null, 1) as nothing, "
        "py_paired_interval([0, 0, 1, 0, 0], [1, 1, 1, 1, 0], []) as i, "
        "py_clopper_pearson(18, 20, 0.95) as c, "
        "(select py_wilson_interval(count_if(x > 19), count(*), 0.95) "
        "from range(20) as numbers (x)) as counted"
    )
    result = jevdb(warehouse_path, "sql", query, "--format", "json")
    assert result.exit_code == 0, result.output
    [row] = json.loads(result.stdout)
    assert row["p"] == 0.007915897334896727
    assert row["w"] == list(wilson_interval(0, 20))
    assert row["counted"] == row["w"]
    assert (row["h"], row["nothing"]) == ([0.5, 0.02], None)
    assert row["c"] == list(clopper_pearson(18, 20))
    assert row["i"] == list(paired_interval([0, 0, 1, 0, 0], [1, 1, 1, 1, 0]))


def test_a_fault_in_a_sql_function_is_one_line(warehouse_path: Path):
    result = jevdb(warehouse_path, "sql", "select py_wilson_interval(3, 0, 0.95)")
    assert result.exit_code == 1
    assert "3 of 0 is no share" in result.stderr


def test_sql_names_say_that_they_are_python():
    assert all(name.startswith("py_") for name, *_ in SQL_FUNCTIONS)
