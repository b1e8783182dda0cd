"""The layouts there are, in the order in which they are asked; canonical comes last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jevdb.ingest.layouts import (
    canonical,
    decision_bench,
    decision_index,
    inspect_ai,
    jevbench,
    lm_eval,
    system_one,
)

if TYPE_CHECKING:
    from jevdb.ingest.layouts import AnyLayout

PREDICTIONS: tuple[AnyLayout, ...] = (
    jevbench.Runner(),
    decision_bench.Answers(),
    decision_index.Answers(),
    system_one.Recording(),
    system_one.Responses(),
    inspect_ai.Answers(),
    lm_eval.Answers(),
    lm_eval.NormalizedAnswers(),
    canonical.Predictions(),
)
ITEMS: tuple[AnyLayout, ...] = (
    jevbench.Items(),
    decision_bench.Items(),
    inspect_ai.Items(),
    lm_eval.Items(),
    canonical.Items(),
)
LOOSE: tuple[AnyLayout, ...] = (*PREDICTIONS[:-1], canonical.LoosePredictions())
LOOSE_ITEMS: tuple[AnyLayout, ...] = (*ITEMS[:-1], canonical.LooseItems())
"""The same where options of reading are to look at the values."""
RESUMED = frozenset({decision_bench.Answers.name})
"""Layouts that resume by appending: the last line of an item is its answer."""
