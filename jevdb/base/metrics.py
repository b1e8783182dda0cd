"""Every metric there is: one row a metric, and everything that is known of it.

Reports, exports, explanations, comparisons, pictures and pages read it here; SQL reads
it in the view ``metric_kinds``, which is filled from it. A metric that is a mean over
rows needs no more than its row, its term in ``sql/scored/terms.sql`` and its view in
``sql/metrics`` (docs/contributing.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal, NamedTuple

from jevdb.base.errors import UnknownNameError, UsageError

TYPES = ("choice", "noul", "score")
EVERY_TYPE = (*TYPES, "multi_select")

REASONS = {
    "unsupported_type": "the run declared the type unsupported",
    "no_rows": "the row has no such items",
    "no_reference": "no item has a reference distribution",
    "no_repeats": "the run asked every item once, or no item has two ok answers",
    "no_common_options": "the items have different options",
    "no_positive": "the items name no positive class, or not the same",
    "one_class": "gold has one class alone",
    "no_headroom": "all targets are alike, so a constant is perfect",
    "no_probabilities": "no answer has a probability distribution",
}
"""Why a number has no value, the first that holds (SCORING.md §3), in words."""

DECIMALS = 4
TERM = "term_"
"""How the columns of ``terms`` begin that the tallies add up."""

Counted = Literal["items", "stated", "proper", "compared", "rated"]
Basis = Literal["top", "yes", "by type"]


class Scope(NamedTuple):
    """The items a number is about: a subset of the scope view, maybe of one type.

    Without a subset they are those of every type's own ECE. The ``basis`` is of what
    is binned: the top label's probability, P(yes), or each type's own.
    """

    subset: str | None
    type: str = "all"
    basis: Basis | None = None


class Metric(NamedTuple):
    """A metric: what it is called, which values it can have, and how it is made.

    Attributes
    ----------
    name : str
        As in ``report_metrics``, commands and exports.
    heading, long : str
        Over a column (``ECE``), and spelled out; an empty ``long`` says no more.
    title : str
        Its name in other people's formats, which show no heading beside it.
    unit : str
        What its values count: points, proportion, levels, ...
    bounds : tuple of float
        The least and the largest value it can have (SCORING.md §3, §4).
    is_higher_better : bool
    kinds : mapping of str to Scope
        The kinds it has a value for, in the order of the documents, with their items.
    term : str, optional
        The column of ``terms`` that it averages; None for what is no mean over rows.
    shows : str
        Of what is no mean over rows, the metric whose terms say how each row did.
    is_further : bool
        Whether it stands where all metrics stand and where it is asked for, not in
        comparisons of everything (SUITES.md §2, §3).
    counted : {'items', 'stated', 'proper', 'compared', 'rated'}
        Which items of its scope it averages: all of them, or those whose row has a
        distribution, one in proper scores (a method may take failed rows in), a
        distribution and a reference, a rating.
    is_from_means : bool
        Whether the view ``means`` gives it, and no view of its own adds anything.
    main_kind : str
        What it means without a kind; the first unless given.
    reported, paged : tuple of str
        The kinds that stand in the report, and those on a run's page of the site.
    decimals : int
        Shown with (SCORING.md §7).
    leaves_declared : bool
        Whether items of types that the run declared unsupported are left out of it.
    right_types : tuple of str
        The types whose term is 1 where the row is right, 0 where it is wrong.
    averaged_word : str
        What else is said of a row that it averages.
    parameters : tuple of str
        What of a method changes it.
    """

    name: str
    heading: str
    long: str
    title: str
    unit: str
    bounds: tuple[float, float]
    is_higher_better: bool
    kinds: Mapping[str, Scope]
    term: str | None = None
    shows: str = ""
    is_further: bool = False
    counted: Counted = "stated"
    is_from_means: bool = False
    main_kind: str = ""
    reported: tuple[str, ...] = ()
    paged: tuple[str, ...] = ()
    decimals: int = DECIMALS
    leaves_declared: bool = False
    right_types: tuple[str, ...] = ()
    averaged_word: str = "scored"
    parameters: tuple[str, ...] = ()

    @property
    def tally(self) -> str | None:
        """What the sum of its terms is called: ``n_right``, ``sum_squared_error``."""
        if self.term is None or not self.term.startswith(("is_", TERM)):
            return None
        return self.term.replace(TERM, "sum_", 1).replace("is_", "n_", 1)

    @property
    def row_term(self) -> str | None:
        """The column of ``terms`` that says how a row did, of what is no mean too."""
        return BY_NAME[self.shows].term if self.shows else self.term

    @property
    def is_index(self) -> bool:
        """Whether it is I or C, whose kinds are the components."""
        return self.name in INDICES


def _by_type(subset: str, types: tuple[str, ...] = TYPES) -> dict[str, Scope]:
    """Return the scopes of a metric over a subset, and over each of its types."""
    return {kind: Scope(subset, kind) for kind in ("all", *types)}


INDICES = ("intelligence", "calibration")
UNBOUNDED = math.inf
ANSWERS = ("tie_rule", "noul_half")
"""What of a method decides which label is on top."""
FAILED = ("failed_distribution",)
"""What of a method decides which answers a proper score is over."""

_BINNED = {
    "choice": Scope("ece_choice", basis="top"),
    "noul": Scope("ece_noul", basis="yes"),
    "score": Scope("ece_score", basis="top"),
}


def _of_repeats(name: str, heading: str, long: str) -> Metric:
    """Return a metric of runs that asked several times (SUITES.md §2)."""
    return Metric(
        name=name,
        heading=heading,
        long=long,
        title=long[0].lower() + long[1:],
        unit="proportion",
        bounds=(0.0, 1.0),
        is_higher_better=name in ("pass_all", "pass_any"),
        kinds=_by_type("all", EVERY_TYPE),
        is_further=True,
        counted="items",
        parameters=ANSWERS,
    )


def _of_classes(name: str, heading: str, long: str, title: str) -> Metric:
    """Return a metric of the labels that gold and the run say (SUITES.md §3)."""
    return Metric(
        name=name,
        heading=heading,
        long=long,
        title=title,
        unit="proportion",
        bounds=(0.0, 1.0),
        is_higher_better=True,
        kinds=_by_type("index"),
        shows="accuracy",
        is_further=True,
        counted="items",
        right_types=TYPES,
        parameters=ANSWERS,
    )


REGISTRY = (
    Metric(
        name="intelligence",
        heading="I",
        long="Intelligence",
        title="I (intelligence)",
        unit="points",
        bounds=(-UNBOUNDED, 100.0),
        is_higher_better=True,
        kinds=_by_type("index"),
        term="index_term",
        counted="items",
        reported=("all",),
        paged=("all",),
        decimals=2,
        leaves_declared=True,
        right_types=("choice", "noul"),
        parameters=(
            *("noul_low", "noul_high", "noul_chance_corrected", "type_weights"),
            *("tier_weights", "failed_rating", *ANSWERS),
        ),
    ),
    Metric(
        name="calibration",
        heading="C",
        long="Calibration",
        title="C (calibration)",
        unit="points",
        bounds=(0.0, 100.0),
        is_higher_better=True,
        kinds={"all": Scope(None, basis="by type"), **_BINNED},
        reported=("all",),
        paged=("all",),
        decimals=2,
        parameters=("bins", *ANSWERS, *FAILED),
    ),
    Metric(
        name="accuracy",
        heading="Accuracy",
        long="",
        title="accuracy",
        unit="proportion",
        bounds=(0.0, 1.0),
        is_higher_better=True,
        kinds=_by_type("all", EVERY_TYPE),
        term="is_right",
        counted="items",
        reported=("all",),
        paged=("all",),
        right_types=EVERY_TYPE,
        parameters=ANSWERS,
    ),
    Metric(
        name="ece",
        heading="ECE",
        long="Expected calibration error",
        title="expected calibration error",
        unit="proportion",
        bounds=(0.0, 1.0),
        is_higher_better=False,
        kinds={
            "all": Scope("index", basis="top"),
            **_BINNED,
            "pooled": Scope("pooled", basis="top"),
        },
        main_kind="pooled",
        reported=("choice", "noul", "score", "pooled"),
        paged=("choice", "noul", "score", "pooled"),
        parameters=("bins", *ANSWERS),
    ),
    Metric(
        name="tvd",
        heading="TVD",
        long="Total variation distance",
        title="total variation distance",
        unit="proportion",
        bounds=(0.0, 1.0),
        is_higher_better=False,
        kinds={"all": Scope("tvd")},
        term="term_total_variation",
        counted="compared",
        reported=("all",),
        paged=("all",),
    ),
    Metric(
        name="rps",
        heading="RPS",
        long="Ranked probability score",
        title="ranked probability score",
        unit="proportion",
        bounds=(0.0, 1.0),
        is_higher_better=False,
        kinds={"score": Scope("rps", "score")},
        term="term_ranked_probability",
        counted="proper",
        is_from_means=True,
        reported=("score",),
        paged=("score",),
        parameters=FAILED,
    ),
    Metric(
        name="brier",
        heading="Brier",
        long="Brier score",
        title="Brier score (over all options)",
        unit="score",
        bounds=(0.0, 2.0),
        is_higher_better=False,
        kinds=_by_type("index"),
        term="term_squared_error",
        counted="proper",
        is_from_means=True,
        paged=("all",),
        parameters=FAILED,
    ),
    Metric(
        name="nll",
        heading="NLL",
        long="Negative log-likelihood",
        title="negative log-likelihood",
        unit="nats",
        bounds=(0.0, UNBOUNDED),
        is_higher_better=False,
        kinds=_by_type("index"),
        term="term_likelihood",
        counted="proper",
        is_from_means=True,
        paged=("all",),
        parameters=("probability_floor", *FAILED),
    ),
    Metric(
        name="ordinal_mae",
        heading="Ordinal MAE",
        long="Mean error of the expected rating, in levels",
        title="mean absolute error",
        unit="levels",
        bounds=(0.0, UNBOUNDED),
        is_higher_better=False,
        kinds={"score": Scope("rps", "score")},
        term="term_rating_error",
        counted="rated",
        is_from_means=True,
        paged=("score",),
    ),
    Metric(
        name="coverage",
        heading="Coverage",
        long="",
        title="coverage (ok rows / items)",
        unit="proportion",
        bounds=(0.0, 1.0),
        is_higher_better=True,
        kinds={"all": Scope("all")},
        term="is_ok",
        counted="items",
        reported=("all",),
        paged=("all",),
        averaged_word="ok",
    ),
    Metric(
        name="multi_select_f1",
        heading="Multi-select F1",
        long="",
        title="multi-select F1",
        unit="proportion",
        bounds=(0.0, 1.0),
        is_higher_better=True,
        kinds={"multi_select": Scope("multi_select")},
        term="term_f1",
        counted="items",
        is_from_means=True,
        paged=("multi_select",),
        leaves_declared=True,
    ),
    _of_repeats("flip_rate", "Flip rate", "Share of items that are answered otherwise"),
    _of_repeats("pass_all", "Pass all", "Share of items right in every repeat"),
    _of_repeats("pass_any", "Pass any", "Share of items right in one repeat or more"),
    _of_repeats("accuracy_sd", "Accuracy sd", "Spread of the accuracies of repeats"),
    _of_repeats("disagreement", "Disagreement", "How often two answers differ"),
    Metric(
        name="soft_accuracy",
        heading="Soft accuracy",
        long="Target mass at the top label",
        title="soft accuracy",
        unit="proportion",
        bounds=(0.0, 1.0),
        is_higher_better=True,
        kinds=_by_type("all", EVERY_TYPE),
        term="term_target_mass",
        is_further=True,
        counted="items",
        parameters=ANSWERS,
    ),
    _of_classes(
        name="balanced_accuracy",
        heading="Balanced accuracy",
        long="Mean recall of the classes",
        title="balanced accuracy",
    ),
    _of_classes(
        name="macro_f1",
        heading="Macro F1",
        long="Mean F1 of the classes",
        title="macro F1",
    ),
    _of_classes(
        name="conservative_f1",
        heading="Conservative F1",
        long="Mean F1 of all classes, each charged with the answers that are not ok",
        title="conservative macro F1",
    ),
    _of_classes(
        name="f1",
        heading="F1",
        long="F1 of the positive class",
        title="F1 of the positive class",
    ),
    Metric(
        name="brier_skill",
        heading="Brier skill",
        long="Brier score against that of the mean target",
        title="Brier skill score",
        unit="proportion",
        bounds=(-UNBOUNDED, 1.0),
        is_higher_better=True,
        kinds=_by_type("index"),
        shows="soft_brier",
        counted="proper",
        is_further=True,
        parameters=FAILED,
    ),
    Metric(
        name="rps_skill",
        heading="RPS skill",
        long="RPS against that of the mean target",
        title="ranked probability skill score",
        unit="proportion",
        bounds=(-UNBOUNDED, 1.0),
        is_higher_better=True,
        kinds={"score": Scope("rps", "score")},
        shows="soft_rps",
        counted="proper",
        is_further=True,
        parameters=FAILED,
    ),
    Metric(
        name="soft_brier",
        heading="Soft Brier",
        long="Brier score against the target",
        title="Brier score against the target (over all options)",
        unit="score",
        bounds=(0.0, 2.0),
        is_higher_better=False,
        kinds=_by_type("index"),
        term="term_soft_squared_error",
        counted="proper",
        is_further=True,
        is_from_means=True,
        parameters=FAILED,
    ),
    Metric(
        name="soft_rps",
        heading="Soft RPS",
        long="RPS against the target",
        title="ranked probability score against the target",
        unit="proportion",
        bounds=(0.0, 1.0),
        is_higher_better=False,
        kinds={"score": Scope("rps", "score")},
        term="term_soft_ranked_probability",
        counted="proper",
        is_further=True,
        is_from_means=True,
        parameters=FAILED,
    ),
    Metric(
        name="value_mae",
        heading="Value MAE",
        long="Mean error of the expected value, of its range",
        title="mean absolute error of the expected value",
        unit="proportion",
        bounds=(0.0, 1.0),
        is_higher_better=False,
        kinds={"score": Scope("rps", "score")},
        term="term_value_error",
        counted="rated",
        is_further=True,
        is_from_means=True,
    ),
    Metric(
        name="mae_skill",
        heading="MAE skill",
        long="Value MAE against that of the median",
        title="skill of the expected value",
        unit="proportion",
        bounds=(-UNBOUNDED, 1.0),
        is_higher_better=True,
        kinds={"score": Scope("rps", "score")},
        shows="value_mae",
        counted="rated",
        is_further=True,
    ),
    Metric(
        name="chance",
        heading="Chance",
        long="What a policy gets that never looks at the question",
        title="chance accuracy",
        unit="proportion",
        bounds=(0.0, 1.0),
        is_higher_better=True,
        kinds={
            f"{policy}{ending}": Scope("index", kind)
            for policy in ("uniform", "best_fixed")
            for kind, ending in {
                "all": "",
                **{kind: f"_{kind}" for kind in TYPES},
            }.items()
        },
        is_further=True,
        counted="items",
        averaged_word="asked",
    ),
    # A metric that is added comes last.
)
"""The metrics, in the order of the documents."""

BY_NAME = {metric.name: metric for metric in REGISTRY}
SHORT = {"i": "intelligence", "c": "calibration"}
"""Other names that a command takes."""


class Number(NamedTuple):
    """A number of a report: its metric and kind, as the metric views have them."""

    metric: str
    kind: str

    @property
    def name(self) -> str:
        """``accuracy``, ``ece_choice``: the metric, and its kind if there are more."""
        if len(BY_NAME[self.metric].kinds) == 1 or self.kind == "all":
            return self.metric
        return f"{self.metric}_{self.kind}"

    @property
    def scope(self) -> Scope:
        """The items that the number is about."""
        return BY_NAME[self.metric].kinds[self.kind]

    @property
    def is_binned(self) -> bool:
        """Whether the bins of one ECE are behind the number."""
        return self.scope.basis in ("top", "yes")


NUMBERS = tuple(
    Number(metric.name, kind) for metric in REGISTRY for kind in metric.kinds
)
"""Every number of a report row, in the order of the documents."""

REPORTED = tuple(
    Number(metric.name, kind) for metric in REGISTRY for kind in metric.reported
)
"""The numbers that the report has a column for, in the order of the documents."""

REPORT_COLUMNS = tuple(sorted(REPORTED, key=lambda number: number.metric != "accuracy"))
"""The same as the report has them, accuracy beside its n."""


SUMMED = tuple(
    metric for metric in REGISTRY if metric.term and metric.term.startswith(TERM)
)
"""The metrics whose terms the tallies add up, in units of 2^-53."""


def number_named(text: str, kind: str | None = None) -> Number:
    """Return the number that a metric's name means, with or without a *kind*.

    Raises
    ------
    UnknownNameError
        No metric has this name.
    UsageError
        The metric has no such kind, or the name holds another one.
    """
    word = text.lower()
    name = SHORT.get(word, word)
    if name in BY_NAME:
        return Number(name, _kind(BY_NAME[name], kind))
    for metric in REGISTRY:
        inside = name.removeprefix(f"{metric.name}_")
        if inside != name and inside in metric.kinds:
            if kind not in (None, inside):
                raise UsageError(f"{text!r} is of kind {inside!r}, not {kind!r}")
            return Number(metric.name, inside)
    raise UnknownNameError("metric", text, ("I", "C", *BY_NAME))


def _kind(metric: Metric, kind: str | None) -> str:
    if kind is None:
        return metric.main_kind or next(iter(metric.kinds))
    if kind not in metric.kinds:
        raise UsageError(
            f"{metric.name} has no kind {kind!r}; it has {', '.join(metric.kinds)}"
        )
    return kind


def sign(metric: str) -> float:
    """Return 1 where higher is better, -1 where lower is."""
    return 1.0 if BY_NAME[metric].is_higher_better else -1.0


def signed(value: float, metric: str) -> str:
    """Return a difference as it is shown: always with a sign, never minus zero."""
    return f"{value:+z.{decimals(metric)}f}"


def decimals(metric: str) -> int:
    """Return how many decimals a metric is shown with (SCORING.md §7).

    Published numbers that are no metric of ours have as many as most.
    """
    return BY_NAME[metric].decimals if metric in BY_NAME else DECIMALS
