"""Which cohorts a site has boards for, and which of them comes first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from jevdb.comparison.cohorts import Asked, Modality, Rule

if TYPE_CHECKING:
    from jevdb.comparison.leaderboard import Field
    from jevdb.site.answers import Item


class Cohort(NamedTuple):
    """A cohort by the word that stands for it in addresses, and in words."""

    key: str
    title: str
    words: str
    asked: Asked

    @property
    def options(self) -> str:
        """The options by which the command line makes the same board."""
        modality = f" --modality {self.asked.modality}" if self.asked.modality else ""
        return f"--cohort {self.asked.rule}{modality}"


SHARED = Cohort(
    "shared",
    "Shared items",
    "The items that every ranked run answered: like is compared with like.",
    Asked(Rule.SHARED),
)
SHARED_PROBABILITY = Cohort(
    "shared-probability",
    "Shared, with probabilities",
    "The items for which every ranked run gave a valid distribution.",
    Asked(Rule.SHARED_PROBABILITY),
)
TEXT = Cohort(
    "shared-probability-text",
    "Shared text, with probabilities",
    "The text items for which every ranked run gave a valid distribution: the cohort "
    "METRICS.md compares models on.",
    Asked(Rule.SHARED_PROBABILITY, Modality.TEXT),
)
OWN = Cohort(
    "own",
    "All items",
    "Every item of the benchmark; what a run lacks counts against it, as in its own "
    "report.",
    Asked(Rule.OWN),
)


def cohorts_of(items: Iterable[Item]) -> list[Cohort]:
    """Return the cohorts of a benchmark; that of text only where there is more."""
    modalities = {item.modality for item in items}
    has_text = "text" in modalities and len(modalities) > 1
    return [SHARED, SHARED_PROBABILITY, *([TEXT] if has_text else []), OWN]


def most_ranked(field: Field) -> bool:
    """Whether a cohort ranks at least half of the runs: else it is no first board."""
    return 2 * len(field.in_cohort) >= len(field.request.runs)
