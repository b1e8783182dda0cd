"""I and its components: what each item adds, by the exact linearisation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from jevdb.numerics import components
from jevdb.numerics.cells import Addend, InestimableError, Influence, plus_two
from jevdb.numerics.estimates import Estimate
from jevdb.numerics.repeats import variance_of_answers
from jevdb.scoring.differences import (
    HIGHEST_INDEX,
    Alone,
    Contrast,
    Difference,
    Unknown,
)
from jevdb.scoring.evidence_rows import UNIT, Layout, Rows
from jevdb.scoring.index_parts import index_parts
from jevdb.scoring.terms import Place

if TYPE_CHECKING:
    from jevdb.scoring.evidence_rows import Doubles, Integers
    from jevdb.scoring.keys import Key


class Indices(Rows):
    """What is known of I and its components."""

    def indices(self, key: Key, base: str, other: str, gap: float) -> Contrast:
        """Return what is known of the difference of two indices, which is *gap*."""
        supported = [self.supported(key, run_id) for run_id in (base, other)]
        if supported[0] != supported[1]:
            return Unknown("different_types")
        layout = self.index_layout(key, supported[0])
        return self.tested(layout, gap, self.scored(key, [base, other]))

    def index(self, key: Key, run_id: str, value: float) -> Alone:
        """Return the interval of one run's index."""
        layout = self.index_layout(key, self.supported(key, run_id))
        if isinstance(layout, Unknown):
            return layout
        influence = self.scored(key, [run_id])
        try:
            spread = layout.spread(lambda items: influence(items)[0])
        except InestimableError as error:
            return Unknown(error.reason, error.about)
        return Estimate(value, *spread).alone(HIGHEST_INDEX)

    def supported(self, key: Key, run_id: str) -> frozenset[str]:
        """Return the types that the index of a run averages, of those it is over."""
        terms = self.terms(key)
        types = {
            stratum.type
            for stratum in terms.items.strata
            if Place(key.report_row, "index") in stratum.places
            and key.kind in ("all", stratum.type)
        }
        return frozenset(types - terms.unsupported[self.place(run_id)])

    def scored(self, key: Key, run_ids: Sequence[str]) -> Influence:
        """Return the influences of some runs' rows on their components of I."""
        items = self._index_items(key, self.supported(key, run_ids[0]))
        terms, method = self.by_method[key.method_id]
        types = np.array([block[0] for block in terms.items.blocks])[items]

        def influence(places: Integers) -> Doubles:
            kind, mine = types[places[0]], items[places]
            if kind == "choice":
                right = self.column(key, "n_right", run_ids)[:, mine]
                return components.choice_influence(
                    right, self.item(key, "chance", mine)
                )
            if kind == "noul":
                clear = self.column(key, "n_clear", run_ids)[:, mine]
                return components.noul_influence(clear, method.noul_chance_corrected)
            error = self.column(key, "scaled_rating_error", run_ids)[:, mine]
            chance = self.item(key, "chance_rating_error", mine)
            return components.score_influence(error, chance)

        return influence

    def _index_items(self, key: Key, types: frozenset[str]) -> Integers:
        found = [self.positions(key.report_row, "index", kind) for kind in types]
        return np.sort(np.concatenate(found)) if found else np.array([], dtype=np.int64)

    def _index_addends(
        self, key: Key, types: frozenset[str], items: Integers
    ) -> list[Addend]:
        """Return the tiers of the types, by place among *items*, with their weights."""
        terms, method = self.by_method[key.method_id]
        return [
            Addend(
                np.searchsorted(items, part.items),
                part.omega / len(part.items),
                self._effect(key, part.type, part.items),
            )
            for part in index_parts(terms.items.strata, key.report_row, types, method)
        ]

    def _effect(self, key: Key, kind: str, items: Integers) -> float:
        if kind == "choice":
            return components.choice_effect(self.item(key, "chance", items))
        if kind == "noul":
            _, method = self.by_method[key.method_id]
            return components.noul_effect(method.noul_chance_corrected)
        chance = self.item(key, "chance_rating_error", items)
        return components.score_effect(chance)

    def scaled_indices(
        self, key: Key, base: str, other: str, scale: Doubles, gap: float
    ) -> Difference | Unknown:
        """Return what is known of other minus base, each times its *scale*."""
        supported = [self.supported(key, run_id) for run_id in (base, other)]
        if supported[0] != supported[1]:
            return Unknown("different_types")
        influence = self.scored(key, [base, other])
        return self.tested(
            self.index_layout(key, supported[0]),
            gap,
            lambda places: influence(places) * scale,
        )

    def index_again(self, key: Key, run_id: str) -> float | None:
        """Return the variance of an index if these very items were asked again.

        None where the run asked its items once.
        """
        terms, method = self.by_method[key.method_id]
        types = self.supported(key, run_id)
        answers: list[Sequence[float]] = []
        weights: list[float] = []
        for part in index_parts(terms.items.strata, key.report_row, types, method):
            effect = self._effect(key, part.type, part.items)
            answers += self._answers(key, run_id, part.type, part.items)
            weights += [part.omega * effect / len(part.items)] * len(part.items)
        return variance_of_answers(answers, weights)

    def _answers(
        self, key: Key, run_id: str, kind: str, items: Integers
    ) -> Sequence[Sequence[float]]:
        """Return what each answer adds to its item's mean in a component of I."""
        if kind != "score":
            counted = "n_right" if kind == "choice" else "n_clear"
            return self.marked(key, run_id, counted, items)
        terms, place = self.terms(key), self.place(run_id)
        repeats = int(terms.repeats[place])
        # Where all asked once there is no dimension of answers.
        found = terms.columns["rating_error_each"][place, items].reshape(len(items), -1)
        errors: list[list[float]] = (found[:, :repeats] * UNIT).tolist()
        return errors

    def index_layout(self, key: Key, types: frozenset[str]) -> Layout | Unknown:
        """Return the cells of an index over *types*."""
        name = (key, types)
        if name not in self.layouts:
            items = self._index_items(key, types)
            addends = self._index_addends(key, types, items)
            self.layouts[name] = self.laid_out(
                items, addends, plus_two(addends) if addends else 0.0
            )
        return self.layouts[name]
