"""Accuracies: exact where items are independent, else by their linearisation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jevdb.numerics import components
from jevdb.numerics.binomial import clopper_pearson
from jevdb.numerics.cells import InestimableError, Influence, plus_two
from jevdb.numerics.estimates import Estimate
from jevdb.numerics.repeats import variance_of_answers
from jevdb.scoring.differences import Alone, Contrast, Difference, Discordance, Unknown
from jevdb.scoring.evidence_rows import Layout, Rows, everything

if TYPE_CHECKING:
    from jevdb.scoring.evidence_rows import Doubles
    from jevdb.scoring.keys import Key


class Accuracies(Rows):
    """What is known of accuracies."""

    def discordance(self, key: Key, base: str, other: str) -> Discordance:
        """Return how many items both, one alone or neither got right."""
        items = self.positions(key.report_row, "all", key.kind)
        right = self.terms(key).columns["n_right"]
        first = right[self.place(base), items] > 0
        second = right[self.place(other), items] > 0
        counts = (first & second, first & ~second, ~first & second, ~first & ~second)
        return Discordance(*(int(one.sum()) for one in counts))

    def accuracies(self, key: Key, base: str, other: str, gap: float) -> Contrast:
        """Return what is known of the difference of two accuracies, which is *gap*."""
        layout = self.accuracy_layout(key)
        if self.is_repeated([base, other]):
            layout = self.shares_layout(key)
        if isinstance(layout, Unknown) or layout.cells:
            return self.tested(
                layout, gap, self.rights(key, [base, other]), (-1.0, 1.0)
            )
        return self.discordance(key, base, other)

    def accuracy(self, key: Key, run_id: str, value: float) -> Alone:
        """Return the interval of one run's accuracy."""
        layout = self.accuracy_layout(key)
        if isinstance(layout, Unknown):
            return layout
        shares = self.right(key, [run_id])
        is_shared = bool(((shares > 0) & (shares < 1)).any())
        n = len(layout.items)
        right = round(value * n)
        if layout.clusters is None and not is_shared:
            return clopper_pearson(right, n)
        if layout.clusters is not None and value in (0.0, 1.0):
            count = layout.clusters.n_clusters
            return clopper_pearson(0 if right == 0 else count, count)
        return self._by_log_odds(key, run_id, value)

    def _by_log_odds(self, key: Key, run_id: str, value: float) -> Alone:
        layout = self.shares_layout(key)
        if isinstance(layout, Unknown):
            return layout
        influence = self.rights(key, [run_id])
        # Of clusters the plain jackknife; shares of answers have the plus-two rule.
        fixed = 0.0 if layout.clusters is not None else None
        try:
            spread = layout.spread(lambda items: influence(items)[0], fixed)
        except InestimableError as error:
            return Unknown(error.reason, error.about)
        if spread.variance <= 0:
            return Unknown("no_variation")
        return Estimate(value, *spread).logit_interval()

    def right_again(self, key: Key, run_id: str) -> float | None:
        """Return the variance of an accuracy if these very items were asked again.

        None where the run asked its items once.
        """
        items = self.positions(key.report_row, "all", key.kind)
        answers = self.marked(key, run_id, "n_right", items)
        return variance_of_answers(answers, [1 / len(items)] * len(items))

    def right(self, key: Key, run_ids: Sequence[str]) -> Doubles:
        """Return whether each row is right, 0 or 1, shape (n_runs, n).

        Of a run that asked several times, the share of the item's answers that are.
        """
        items = self.positions(key.report_row, "all", key.kind)
        right: Doubles = self.column(key, "n_right", run_ids)[:, items]
        return right

    def rights(self, key: Key, run_ids: Sequence[str]) -> Influence:
        """Return the influences of some runs' rows on their accuracies."""
        right = self.right(key, run_ids)
        influence = components.mean_influence(right)
        return lambda places: influence[:, places]

    def scaled_accuracies(
        self, key: Key, base: str, other: str, scale: Doubles, gap: float
    ) -> Difference | Unknown:
        """Return what is known of other minus base, each times its *scale*."""
        influence = self.rights(key, [base, other])
        return self.tested(
            self.shares_layout(key), gap, lambda places: influence(places) * scale
        )

    def accuracy_layout(self, key: Key) -> Layout | Unknown:
        """Return the layout of an accuracy; independent items need no cells."""
        name = (key, "counts")
        if name not in self.layouts:
            items = self.positions(key.report_row, "all", key.kind)
            if self.belonging.of(items) is None:
                fixed = plus_two([everything(len(items))])
                self.layouts[name] = Layout(items, (), None, fixed)
            else:
                self.layouts[name] = self.shares_layout(key)
        return self.layouts[name]

    def shares_layout(self, key: Key) -> Layout | Unknown:
        """Return the layout of an accuracy whose items may be right in part."""
        name = (key, "shares")
        if name not in self.layouts:
            items = self.positions(key.report_row, "all", key.kind)
            addends = [everything(len(items))]
            self.layouts[name] = self.laid_out(
                items, addends, plus_two(addends), across_types=True
            )
        return self.layouts[name]
