"""Rules over single items, such as ``min(p_gold) >= 0.8``: parsed, never evaluated.

    rule      = aggregate "(" quantity [comparison number] ")" comparison number ["%"]
    aggregate = "min" | "max" | "mean" | "median" | "share"

``share`` counts items: ``share(p_gold >= 0.8) >= 90%``, ``share(correct) >= 0.9``.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from jevdb.base.errors import UnknownNameError, UsageError
from jevdb.base.wording import option

Row = Mapping[str, object]

COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
    "!=": operator.ne,
}


def _mean(values: Sequence[float]) -> float:
    # fsum rounds once: the mean does not depend on the order of the items.
    return math.fsum(values) / len(values)


AGGREGATES: dict[str, Callable[[Sequence[float]], float]] = {
    "min": min,
    "max": max,
    "mean": _mean,
    "median": median,
    "share": _mean,
}

SINGLE = frozenset({"choice", "noul", "score"})
EVERY = SINGLE | {"multi_select"}
QUANTITIES = {
    "p_gold": SINGLE,
    "confidence": SINGLE,
    "correct": EVERY,
    "nll": SINGLE,
    "brier": SINGLE,
    "tvd": frozenset({"choice", "noul"}),
    "rps": frozenset({"score"}),
    "rating_error": frozenset({"score"}),
    "f1": frozenset({"multi_select"}),
    "latency_s": EVERY,
    "input_tokens": EVERY,
    "output_tokens": EVERY,
    "cost_usd": EVERY,
}
"""What a rule can be about, and the types of items that have it."""

NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
COMPARISON = ">=|<=|==|!=|>|<"
GIVEN = option("rules", shell="rule")
RULE = re.compile(
    rf"\s*(?P<aggregate>\w+)\s*\(\s*(?P<quantity>\w+)\s*"
    rf"(?:(?P<inner>{COMPARISON})\s*(?P<limit>{NUMBER})\s*)?\)\s*"
    rf"(?P<comparison>{COMPARISON})\s*(?P<bound>{NUMBER})\s*(?P<percent>%?)\s*"
)


class Outcome(NamedTuple):
    """What a rule found: the aggregate over ``n`` items; ``n_lacking`` have no value.

    ``worst`` is the item furthest on the wrong side.
    """

    value: float | None
    n: int
    n_lacking: int
    is_met: bool
    worst: str | None


class Rule(NamedTuple):
    """A parsed rule; with an inner comparison the quantity is 1 or 0 per item."""

    text: str
    aggregate: str
    quantity: str
    inner: tuple[str, float] | None
    comparison: str
    bound: float

    def judge(self, rows: Sequence[Row]) -> Outcome:
        """Return what the rule says of a run's rows.

        Items whose type has no such quantity are not asked; no value at all is not met.
        """
        asked = [row for row in rows if self._asks(row)]
        values = {
            str(row["item_id"]): self._value(row)
            for row in asked
            if row[self.quantity] is not None
        }
        n_lacking = len(asked) - len(values)
        if not values:
            return Outcome(None, 0, n_lacking, False, None)
        value = AGGREGATES[self.aggregate](list(values.values()))
        is_met = COMPARISONS[self.comparison](value, self.bound)
        pick = min if self.comparison.startswith(">") else max
        worst = pick(values, key=lambda item_id: (values[item_id], item_id))
        return Outcome(value, len(values), n_lacking, is_met, None if is_met else worst)

    def _asks(self, row: Row) -> bool:
        if self.quantity == "tvd" and not row["has_reference"]:
            return False
        return row["type"] in QUANTITIES[self.quantity]

    def _value(self, row: Row) -> float:
        value = float(str(row[self.quantity]))
        if self.inner is None:
            return value
        comparison, limit = self.inner
        return float(COMPARISONS[comparison](value, limit))


def parse_rule(text: str) -> Rule:
    """Return the rule written in *text*.

    Raises
    ------
    UsageError
        It is no rule, or a share of something that is not true or false.
    UnknownNameError
        No such aggregate or quantity.

    Examples
    --------
    >>> parse_rule("min(p_gold) >= 0.8").bound
    0.8
    >>> parse_rule("share(p_gold >= 0.8) >= 90%").bound
    0.9
    """
    match = RULE.fullmatch(text)
    if match is None:
        raise UsageError(
            f"{GIVEN} {text!r}: write AGGREGATE(QUANTITY) >= NUMBER, as in "
            "'min(p_gold) >= 0.8' or 'share(p_gold >= 0.8) >= 90%'"
        )
    aggregate, quantity = match["aggregate"], match["quantity"]
    if aggregate not in AGGREGATES:
        raise UnknownNameError("aggregate", aggregate, AGGREGATES)
    if quantity not in QUANTITIES:
        raise UnknownNameError("quantity", quantity, QUANTITIES)
    inner = (match["inner"], _number(match["limit"])) if match["inner"] else None
    if aggregate == "share" and inner is None and quantity != "correct":
        raise UsageError(
            f"{GIVEN} {text!r}: a share is of a condition: share({quantity} >= 0.8)"
        )
    bound = _number(match["bound"]) / (100 if match["percent"] else 1)
    return Rule(text.strip(), aggregate, quantity, inner, match["comparison"], bound)


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise UsageError(f"{GIVEN}: {text} is no number")
    return value
