"""How many items of a data set have how many options, where that is known."""

from __future__ import annotations

import json
from functools import cache
from typing import NamedTuple

from jevdb.warehouse.assets import asset_folder

FILE = "decision_bench_option_counts.json"


class OptionCounts(NamedTuple):
    """Items of one data set revision by their number of options, and who says so."""

    items_by_option_count: dict[int, int]
    source: str


@cache
def _known() -> dict[tuple[str, str], OptionCounts]:
    text = (asset_folder("seeds") / FILE).read_text(encoding="utf-8")
    return {
        (row["dataset_repo"], row["dataset_revision"]): OptionCounts(
            {int(k): n for k, n in row["items_by_option_count"].items()}, row["source"]
        )
        for row in json.loads(text)
    }


def option_counts(dataset_repo: str, dataset_revision: str) -> OptionCounts | None:
    """Return the counts of a data set revision, None if nothing is known of it."""
    return _known().get((dataset_repo, dataset_revision))
