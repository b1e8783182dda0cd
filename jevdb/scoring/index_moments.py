"""The intervals of I read off the tallies: no single row is looked at.

They are those of `jevdb.scoring.evidence` where items vary independently.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from jevdb.numerics.cells import Addend, InestimableError, cells_of, plus_two
from jevdb.numerics.components import (
    Slopes,
    choice_slopes,
    noul_slopes,
    score_slopes,
)
from jevdb.numerics.estimates import Estimate
from jevdb.numerics.moments import Moments, added, moments_spread
from jevdb.scoring.differences import HIGHEST_INDEX, Alone, Unknown
from jevdb.scoring.index_parts import index_parts
from jevdb.scoring.terms import Block, Method, Place, Stratum, read_methods
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.numerics.cells import Cell


@dataclass(frozen=True, slots=True)
class IndexMoments:
    """The moments of some runs in the strata of I, by method and run.

    Each stratum stands at its own position: ``items`` holds that alone.
    """

    strata: list[Stratum]
    blocks: list[Block]
    methods: dict[str, Method]
    unsupported: dict[str, frozenset[str]]
    moments: dict[tuple[str, str], list[Moments]]
    _cells: dict[object, list[Cell] | Unknown] = field(default_factory=dict)

    def alone(
        self, report_row: str, method_id: str, run_id: str, value: float
    ) -> Alone:
        """Return the 95 % interval of one run's I, which is *value*."""
        method, mine = self.methods[method_id], self.moments[method_id, run_id]
        place = Place(report_row, "index")
        here = {each.type for each in self.strata if place in each.places}
        types = frozenset(here - self.unsupported[run_id])
        sizes = np.array([each.n for each in mine])
        addends = []
        for part in index_parts(self.strata, report_row, types, method):
            together = added(mine[position] for position in part.items.tolist())
            effect = abs(float(_slopes(part.type, method, together).value))
            addends.append(Addend(part.items, part.omega / together.n, effect))
        # Cells have weights and no effects: they are the same for every run.
        name = (report_row, method_id, types)
        if name not in self._cells:
            try:
                self._cells[name] = cells_of(self.blocks, addends, sizes=sizes)
            except InestimableError as error:
                self._cells[name] = Unknown(error.reason, error.about)
        cells = self._cells[name]
        if isinstance(cells, Unknown):
            return cells

        def slopes(position: int, together: Moments) -> Slopes:
            return _slopes(self.strata[position].type, method, together)

        spread = moments_spread(cells, mine, slopes, plus_two(addends, sizes))
        return Estimate(value, *spread).alone(HIGHEST_INDEX)


def _slopes(kind: str, method: Method, together: Moments) -> Slopes:
    if kind == "choice":
        return choice_slopes(together.mean_value, together.mean_chance)
    if kind == "noul":
        return noul_slopes(method.noul_chance_corrected)
    return score_slopes(together.mean_value, together.mean_chance)


def read_index_moments(connection: Connection) -> IndexMoments:
    """Return the moments of the selected runs; call it inside `selected`.

    The runs are of one benchmark.
    """
    strata, blocks = [], []
    found = connection.execute(query("scoring/moment_strata")).fetchall()
    for position, (kind, tier, modality, weighted, report_rows) in enumerate(found):
        places = frozenset(Place(report_row, "index") for report_row in report_rows)
        strata.append(Stratum(kind, weighted, places, np.array([position])))
        blocks.append((kind, tier, modality))
    declared = connection.execute("select run_id, unsupported_types from runs")
    unsupported = {run_id: frozenset(types) for run_id, types in declared.fetchall()}
    rows = connection.execute(query("scoring/moments")).fetchall()
    return IndexMoments(
        strata=strata,
        blocks=blocks,
        methods={method.method_id: method for method in read_methods(connection)},
        unsupported=unsupported,
        moments={
            name: [Moments._make(row[2:]) for row in group]
            for name, group in groupby(rows, key=lambda row: (row[0], row[1]))
        },
    )
