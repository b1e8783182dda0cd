"""An independent restatement of the scoring rules, in plain Python over plain records.

Written from METRICS.md and SCORING.md alone: it shares nothing with the program or its
SQL, so that the two can be held against each other. Sums are exact rationals of the
stored doubles; what the rules ask for in double arithmetic (a row's sum, its
renormalisation, the bin of a confidence) is done in doubles.

An item is a dict: ``item_id``, ``type``, ``modality``, ``tier``, ``options`` (noul may
leave them out), ``gold`` (a label; for score the level; for multi_select a list) and
``reference`` (a list in option order, or None). A prediction is a dict: ``item_id``,
``status``, ``answer`` (as gold; for score also a fraction) and ``probabilities`` (a
list in option order, or None).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

Record = Mapping[str, Any]
SINGLE = ("choice", "noul", "score")
TYPES = (*SINGLE, "multi_select")
TIER_WEIGHTS = {
    "easy": Fraction(10, 100),
    "standard": Fraction(20, 100),
    "judge": Fraction(30, 100),
    "hard": Fraction(40, 100),
}
EQUAL = dict.fromkeys(SINGLE, Fraction(1))
FROZEN = {"choice": Fraction(2, 4), "noul": Fraction(1, 4), "score": Fraction(1, 4)}


class Method(NamedTuple):
    """What tells the three scoring methods apart."""

    noul_is_chance_corrected: bool
    type_weights: Mapping[str, Fraction]


METHODS = {
    "metrics-md": Method(False, EQUAL),
    "jevbench-v1.5": Method(True, EQUAL),
    "jevbench-v1.5-frozen": Method(True, FROZEN),
}


class Value(NamedTuple):
    """A metric's value, or the reason for its absence."""

    value: Fraction | float | None
    n: int
    n_scope: int
    reason: str | None


Metrics = dict[tuple[str, str], Value]


# --- From a stored prediction to a scored row: section 2 ------------------------------


@dataclass(frozen=True)
class Row:
    """An item and what a run answered to it."""

    item: Record
    status: str
    distribution: list[float] | None
    top: int | None
    expected: Fraction | float | None
    right: bool

    @property
    def type(self) -> str:
        return str(self.item["type"])

    @property
    def tier(self) -> str | None:
        return self.item.get("tier")

    @property
    def k(self) -> int:
        return len(options_of(self.item))

    @property
    def gold(self) -> int:
        return gold_index(self.item)

    @property
    def stated(self) -> list[Fraction]:
        """The distribution as exact rationals; only of a row that has one."""
        assert self.distribution is not None
        return [Fraction(p) for p in self.distribution]


def options_of(item: Record) -> list[str]:
    return list(item.get("options") or ["no", "yes"])


def gold_index(item: Record) -> int:
    gold = item["gold"]
    return gold if item["type"] == "score" else options_of(item).index(gold)


def valid_distribution(values: Sequence[float], k: int) -> list[float] | None:
    """The distribution as it is scored, or None when it is the model's fault."""
    if len(values) != k or not all(0 <= p <= 1 for p in values):
        return None
    total = 0.0
    for p in values:
        total += p
    if abs(total - 1) <= 0.001 + 1e-9:
        return list(values)
    if abs(total - 1) <= 0.02 + 1e-9:
        return [p / total for p in values]
    return None


def top_of(item: Record, distribution: Sequence[float]) -> int:
    """The largest probability; ties to the smallest label, of ratings the lowest."""
    best = max(distribution)
    tied = [index for index, p in enumerate(distribution) if p == best]
    if item["type"] == "score":
        return min(tied)
    return min(tied, key=lambda index: options_of(item)[index])


def answer_is_possible(item: Record, answer: Any) -> bool:
    if item["type"] == "multi_select":
        return set(answer) <= set(options_of(item))
    if item["type"] == "score":
        return 0 <= answer <= len(options_of(item)) - 1
    return answer in options_of(item)


def judged_status(item: Record, prediction: Record | None) -> str:
    if prediction is None:
        return "missing"
    status = prediction.get("status") or "ok"
    if status != "ok":
        return str(status)
    answer, stated = prediction.get("answer"), prediction.get("probabilities")
    if stated is not None:
        fits = valid_distribution(stated, len(options_of(item))) is not None
        return "ok" if fits else "invalid"
    if answer is None:
        return "invalid"
    return "ok" if answer_is_possible(item, answer) else "invalid"


def nearest_level(rating: float) -> int:
    """The level nearest to an expected rating; a half goes down."""
    return math.ceil(Fraction(rating) - Fraction(1, 2))


def scored(item: Record, prediction: Record | None) -> Row:
    status = judged_status(item, prediction)
    if status != "ok" or prediction is None:
        return Row(item, status, None, None, None, False)
    answer, stated = prediction.get("answer"), prediction.get("probabilities")
    if item["type"] == "multi_select":
        return Row(item, status, None, None, None, set(answer) == set(item["gold"]))
    if stated is not None:
        distribution = valid_distribution(stated, len(options_of(item)))
        assert distribution is not None
        top = top_of(item, distribution)
        expected = sum(
            (level * Fraction(p) for level, p in enumerate(distribution)), Fraction(0)
        )
        return Row(item, status, distribution, top, expected, top == gold_index(item))
    if item["type"] == "score":
        top = nearest_level(answer)
        return Row(item, status, None, top, Fraction(answer), top == gold_index(item))
    top = options_of(item).index(answer)
    return Row(item, status, None, top, None, top == gold_index(item))


# --- Scopes: section 6 ----------------------------------------------------------------


def report_rows(scoring: str, rows: list[Row]) -> dict[str, list[Row]]:
    def of(*modalities: str) -> list[Row]:
        return [row for row in rows if row.item.get("modality", "text") in modalities]

    if scoring == "cmdb-1500":
        return {"overall": rows, "text": of("text"), "image": of("image")}
    if scoring == "jevbench":
        hard = [row for row in rows if row.tier == "hard"]
        return {"public_231": rows, "hard_111": hard}
    if scoring == "decision-bench":
        origin = of("text_rendered")
        return {"overall": rows, "text": of("text"), "image_origin": origin}
    present = sorted({row.item.get("modality", "text") for row in rows})
    several = {modality: of(modality) for modality in present if len(present) > 1}
    return {"overall": rows, **several}


def has_tier_weights(scoring: str, rows: list[Row]) -> bool:
    if scoring == "generic":
        return all(row.tier is not None for row in rows)
    return scoring == "jevbench"


# --- Metrics: section 3 ---------------------------------------------------------------


def mean(values: Iterable[Fraction | int]) -> Fraction:
    listed = [Fraction(value) for value in values]
    return sum(listed, Fraction(0)) / len(listed)


def one_hot(row: Row) -> list[Fraction]:
    return [Fraction(index == row.gold) for index in range(row.k)]


def ece(points: Sequence[tuple[float, bool]]) -> Fraction:
    """Sum over bins of share x abs(mean confidence - mean outcome)."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for confidence, outcome in points:
        index = min(math.floor(10 * confidence), 9)
        bins.setdefault(index, []).append((confidence, outcome))
    total = Fraction(0)
    for members in bins.values():
        gap = mean(Fraction(c) for c, _ in members) - mean(int(o) for _, o in members)
        total += Fraction(len(members), len(points)) * abs(gap)
    return total


def top_label_point(row: Row) -> tuple[float, bool]:
    assert row.distribution is not None and row.top is not None
    return row.distribution[row.top], row.right


def yes_point(row: Row) -> tuple[float, bool]:
    return probability_of_yes(row), row.item["gold"] == "yes"


def probability_of_yes(row: Row) -> float:
    assert row.distribution is not None
    return row.distribution[options_of(row.item).index("yes")]


def tvd_of(row: Row, reference: Sequence[float] | None) -> Fraction:
    """Half the L1 distance; against one-hot gold it is 1 - p(gold)."""
    if reference is None:
        return 1 - row.stated[row.gold]
    gaps = (abs(p - Fraction(q)) for p, q in zip(row.stated, reference, strict=True))
    return sum(gaps, Fraction(0)) / 2


def rps_of(row: Row) -> Fraction:
    total = Fraction(0)
    gap = Fraction(0)
    for p, truth in list(zip(row.stated, one_hot(row), strict=True))[:-1]:
        gap += p - truth
        total += gap * gap
    return total / (row.k - 1)


def brier_of(row: Row) -> Fraction:
    pairs = zip(row.stated, one_hot(row), strict=True)
    return sum(((p - truth) ** 2 for p, truth in pairs), Fraction(0))


def nll_of(row: Row) -> Fraction:
    assert row.distribution is not None
    return Fraction(-math.log(max(row.distribution[row.gold], 1e-15)))


def absolute_error_of(row: Row) -> Fraction:
    assert row.expected is not None
    return abs(Fraction(row.expected) - row.gold)


def f1_of(row: Row, answer: Any) -> Fraction:
    if row.status != "ok":
        return Fraction(0)
    given, gold = set(answer), set(row.item["gold"])
    if not given and not gold:
        return Fraction(1)
    return Fraction(2 * len(given & gold), len(given) + len(gold))


@dataclass(frozen=True)
class Scope:
    """One report row of one run: its scored rows and what the run declared."""

    scoring: str
    rows: list[Row]
    answers: Mapping[str, Any]
    unsupported: frozenset[str]
    weighted_by_tier: bool
    one_hot_references: bool

    def of(self, *types: str) -> list[Row]:
        return [row for row in self.rows if row.type in types]

    def is_unsupported(self, kind: str, members: list[Row]) -> bool:
        """Whether the metric's type, or every type it covers here, was declared so."""
        if kind in TYPES:
            return kind in self.unsupported
        types = {row.type for row in members}
        return bool(types) and types <= self.unsupported

    def averaged(
        self,
        kind: str,
        subset: list[Row],
        usable: Callable[[Row], bool],
        aggregate: Callable[[list[Row]], Fraction],
    ) -> Value:
        """The aggregate over the usable rows of a subset, or why there is none."""
        used = [row for row in subset if usable(row)]
        if self.is_unsupported(kind, subset):
            return Value(None, 0, len(subset), "unsupported_type")
        if not subset:
            return Value(None, 0, 0, "no_rows")
        if not used:
            return Value(None, 0, len(subset), "no_probabilities")
        return Value(aggregate(used), len(used), len(subset), None)


def has_distribution(row: Row) -> bool:
    return row.distribution is not None


def always(row: Row) -> bool:
    return True


def members_of(scope: Scope, kind: str) -> list[Row]:
    groups = {"all": SINGLE, "pooled": ("choice", "noul")}
    return scope.of(*groups.get(kind, (kind,)))


def accuracy(scope: Scope, kind: str) -> Value:
    rows = scope.rows if kind == "all" else scope.of(kind)
    if not rows:
        return Value(None, 0, 0, "no_rows")
    return Value(mean(row.right for row in rows), len(rows), len(rows), None)


def coverage(scope: Scope) -> Value:
    n = len(scope.rows)
    if not n:
        return Value(None, 0, 0, "no_rows")
    return Value(mean(row.status == "ok" for row in scope.rows), n, n, None)


def expected_calibration_error(scope: Scope, kind: str) -> Value:
    subset = members_of(scope, kind)
    if kind == "choice" and scope.scoring == "jevbench":
        subset = [row for row in subset if row.tier == "hard"]
    point = yes_point if kind == "noul" else top_label_point
    return scope.averaged(
        kind, subset, has_distribution, lambda used: ece([point(row) for row in used])
    )


def total_variation(scope: Scope) -> Value:
    """Section 6: against the references, or against one-hot gold."""
    if scope.scoring in ("jevbench", "decision-bench"):
        candidates = scope.of("choice")
    else:
        candidates = scope.of("choice", "noul")
    if scope.one_hot_references:
        subset = scope.of("choice")
    else:
        subset = [row for row in candidates if row.item.get("reference") is not None]
    if scope.scoring == "jevbench":
        subset = [row for row in subset if row.tier == "hard"]
    if scope.is_unsupported("all", candidates):
        return Value(None, 0, len(subset), "unsupported_type")
    if not candidates:
        return Value(None, 0, 0, "no_rows")
    if not subset:
        return Value(None, 0, 0, "no_reference")

    def distance(row: Row) -> Fraction:
        reference = None if scope.one_hot_references else row.item["reference"]
        return tvd_of(row, reference)

    return scope.averaged(
        "all", subset, has_distribution, lambda used: mean(map(distance, used))
    )


def mean_over(
    scope: Scope,
    kind: str,
    usable: Callable[[Row], bool],
    value: Callable[..., Fraction],
) -> Value:
    return scope.averaged(
        kind, members_of(scope, kind), usable, lambda used: mean(map(value, used))
    )


def multi_select_f1(scope: Scope) -> Value:
    def value(row: Row) -> Fraction:
        return f1_of(row, scope.answers.get(row.item["item_id"]))

    return mean_over(scope, "multi_select", always, value)


def has_expected_rating(row: Row) -> bool:
    return row.expected is not None


def metrics(scope: Scope) -> Metrics:
    from oracle_targets import further

    found: Metrics = {("coverage", "all"): coverage(scope)}
    for kind in ("all", *TYPES):
        found["accuracy", kind] = accuracy(scope, kind)
    for kind in (*SINGLE, "pooled", "all"):
        found["ece", kind] = expected_calibration_error(scope, kind)
    for kind in ("all", *SINGLE):
        found["brier", kind] = mean_over(scope, kind, has_distribution, brier_of)
        found["nll", kind] = mean_over(scope, kind, has_distribution, nll_of)
    found["tvd", "all"] = total_variation(scope)
    found["rps", "score"] = mean_over(scope, "score", has_distribution, rps_of)
    found["ordinal_mae", "score"] = mean_over(
        scope, "score", has_expected_rating, absolute_error_of
    )
    found["multi_select_f1", "multi_select"] = multi_select_f1(scope)
    return found | further(scope)


# --- I and C: section 4 ---------------------------------------------------------------


def choice_component(rows: list[Row], method: Method) -> Fraction:
    chance = mean(Fraction(1, row.k) for row in rows)
    return 100 * (mean(row.right for row in rows) - chance) / (1 - chance)


def passes_threshold(row: Row) -> bool:
    if row.distribution is None:
        return row.right
    p_yes = probability_of_yes(row)
    return p_yes >= 0.8 if row.item["gold"] == "yes" else p_yes <= 0.2


def noul_component(rows: list[Row], method: Method) -> Fraction:
    share = mean(passes_threshold(row) for row in rows)
    if method.noul_is_chance_corrected:
        return 100 * (share - Fraction(1, 2)) / Fraction(1, 2)
    return 100 * share


def rating_error(row: Row) -> Fraction:
    if row.expected is None:
        return Fraction(max(row.gold, row.k - 1 - row.gold), row.k - 1)
    return absolute_error_of(row) / (row.k - 1)


def chance_rating_error(row: Row) -> Fraction:
    gaps = (Fraction(abs(level - row.gold), row.k - 1) for level in range(row.k))
    return mean(gaps)


def score_component(rows: list[Row], method: Method) -> Fraction:
    chance = mean(map(chance_rating_error, rows))
    return 100 * (1 - mean(map(rating_error, rows)) / chance)


COMPONENTS = {
    "choice": choice_component,
    "noul": noul_component,
    "score": score_component,
}


def intelligence_component(scope: Scope, kind: str, method: Method) -> Value:
    rows = scope.of(kind)
    if kind in scope.unsupported:
        return Value(None, 0, len(rows), "unsupported_type")
    if not rows:
        return Value(None, 0, 0, "no_rows")
    component = COMPONENTS[kind]
    if not scope.weighted_by_tier:
        return Value(component(rows, method), len(rows), len(rows), None)
    tiers = {row.tier for row in rows if row.tier is not None}
    weight = sum((TIER_WEIGHTS[tier] for tier in tiers), Fraction(0))
    value = sum(
        (
            TIER_WEIGHTS[tier]
            * component([row for row in rows if row.tier == tier], method)
            for tier in tiers
        ),
        Fraction(0),
    )
    return Value(value / weight, len(rows), len(rows), None)


def calibrated(error: Value) -> Fraction | None:
    if error.value is None:
        return None
    return max(Fraction(0), 100 * (1 - 2 * Fraction(error.value)))


def calibration_component(scope: Scope, kind: str, found: Metrics) -> Value:
    error = found["ece", kind]
    second = {"choice": ("tvd", "all"), "score": ("rps", "score")}.get(kind)
    if kind in scope.unsupported:
        return Value(None, 0, error.n_scope, "unsupported_type")
    if not scope.of(kind):
        return Value(None, 0, 0, "no_rows")
    parts = [error] if second is None else [error, found[second]]
    missing = [part.reason for part in parts if part.value is None]
    first = calibrated(error)
    if missing or first is None:
        return Value(None, error.n, error.n_scope, missing[0])
    if second is None:
        return Value(first, error.n, error.n_scope, None)
    distance = Fraction(found[second].value or 0)
    value = (first + 100 * (1 - distance)) / 2
    return Value(value, error.n, error.n_scope, None)


def index(
    scope: Scope, components: Mapping[str, Value], weights: Mapping[str, Fraction]
) -> Value:
    """The weighted mean over the supported types that the scope contains."""
    n = sum(component.n for component in components.values())
    n_scope = sum(component.n_scope for component in components.values())
    present = [kind for kind in SINGLE if scope.of(kind)]
    counted = [kind for kind in present if kind not in scope.unsupported]
    if not counted:
        reason = "unsupported_type" if present else "no_rows"
        return Value(None, n, n_scope, reason)
    for kind in counted:
        if components[kind].value is None:
            return Value(None, n, n_scope, components[kind].reason)
    total = sum(
        (weights[kind] * Fraction(components[kind].value or 0) for kind in counted),
        Fraction(0),
    )
    weight = sum((weights[kind] for kind in counted), Fraction(0))
    return Value(total / weight, n, n_scope, None)


def indices(scope: Scope, found: Metrics, method: Method) -> Metrics:
    intelligence = {
        kind: intelligence_component(scope, kind, method) for kind in SINGLE
    }
    calibration = {kind: calibration_component(scope, kind, found) for kind in SINGLE}
    alike = dict.fromkeys(SINGLE, Fraction(1))
    return {
        ("intelligence", "all"): index(scope, intelligence, method.type_weights),
        ("calibration", "all"): index(scope, calibration, alike),
        **{("intelligence", kind): value for kind, value in intelligence.items()},
        **{("calibration", kind): value for kind, value in calibration.items()},
    }


# --- The whole report -----------------------------------------------------------------


def report(
    scoring: str,
    items: Iterable[Record],
    predictions: Iterable[Record],
    *,
    method: str = "metrics-md",
    unsupported: Iterable[str] = (),
) -> dict[str, Metrics]:
    """Every metric of every report row of one run: (metric, kind) -> Value."""
    by_item = {prediction["item_id"]: prediction for prediction in predictions}
    rows = [scored(item, by_item.get(item["item_id"])) for item in items]
    declared = frozenset(unsupported)
    answers = {key: prediction.get("answer") for key, prediction in by_item.items()}
    has_reference = any(
        row.item.get("reference") is not None for row in rows if row.type in SINGLE[:2]
    )
    is_one_hot = scoring == "decision-bench" or (
        scoring == "generic" and not has_reference
    )
    weighted = has_tier_weights(scoring, rows)
    table: dict[str, Metrics] = {}
    for name, members in report_rows(scoring, rows).items():
        if not members:
            continue
        scope = Scope(scoring, members, answers, declared, weighted, is_one_hot)
        found = metrics(scope)
        found.update(indices(scope, found, METHODS[method]))
        table[name] = {
            key: value._replace(
                value=None if value.value is None else float(value.value)
            )
            for key, value in found.items()
        }
    return table
