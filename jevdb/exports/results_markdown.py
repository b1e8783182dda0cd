"""``RESULTS.md``: the results table of a model card, with what its columns mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from jevdb.base.text import markdown_text
from jevdb.scoring.report_lines import Line
from jevdb.scoring.report_text import report_markdown

INTRODUCTION = """\
# Results

I (Intelligence) and C (Calibration) use a 0-100 scale; ECE, TVD, and RPS use 0-1. \
Higher I/C and lower ECE/TVD/RPS are better. Accuracy covers every question in each \
row; an answer that is missing or unusable counts as wrong.
"""

DEFINITIONS = """\
## Definitions

- **I:** mean of the components of the types present: chance-corrected Choice \
accuracy, Noul accuracy at the confidence thresholds, and the chance-corrected error \
of the expected rating (Score).
- **C:** mean of the components of the types present, from ECE and TVD (Choice), ECE \
(Noul), ECE and RPS (Score).
- **ECE:** {bins} equal-width confidence bins. Choice and Score use the top label's \
confidence, Noul uses `p(yes)`; the pooled ECE of CMDB takes Choice and Noul together \
by the top label's confidence.
- **TVD:** mean total variation distance from the reference distribution, one-hot \
where the benchmark has none.
- **RPS:** ranked probability score of ordinal ratings.
- **Method** `{method_id}` ({document}): a Noul answer counts in I when `p(yes)` is at \
least {noul_high} for yes or at most {noul_low} for no, {corrected}; type weights \
{type_weights}; tier weights {tier_weights}, where the benchmark has tiers.
"""


def results_markdown(lines: Sequence[Line], method: Mapping[str, object]) -> str:
    """Return the tables of *lines*, with the definitions and the method below them."""
    definitions = DEFINITIONS.format(
        bins=method["bins"],
        method_id=method["method_id"],
        document=markdown_text(str(method["document"])),
        noul_high=method["noul_high"],
        noul_low=method["noul_low"],
        corrected=(
            "chance-corrected"
            if method["noul_chance_corrected"]
            else "not chance-corrected"
        ),
        type_weights=_weights(method["type_weights"]),
        tier_weights=_weights(method["tier_weights"]),
    )
    tables = report_markdown(lines) if lines else "No runs.\n"
    return "\n".join([INTRODUCTION, tables, definitions])


def _weights(weights: object) -> str:
    named = cast(Mapping[str, float], weights) or {}
    return ", ".join(f"{name} {weight:g}" for name, weight in named.items()) or "none"
