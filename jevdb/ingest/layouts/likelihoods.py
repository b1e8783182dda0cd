"""What log-likelihoods of options say: the options' names, and probabilities."""

from __future__ import annotations

import math
from collections.abc import Sequence

from jevdb.ingest.decode.rows import Row, wrong
from jevdb.ingest.decode.strict import type_word

MEANING = "softmax of the options' log-likelihoods"


def option_names(given: Sequence[str], path: str) -> list[str]:
    """Return continuations as options: a leading space that all have is no part.

    Raises
    ------
    WrongRecord
        An option twice.
    """
    options = list(given)
    if all(option.startswith(" ") for option in options):
        options = [option[1:] for option in options]
    if len(set(options)) < len(options):
        twice = next(o for place, o in enumerate(options) if o in options[:place])
        raise wrong(path, f"{type_word(twice)} is an option twice")
    return options


def softmax(options: Sequence[str], logits: Sequence[float]) -> Row:
    """Return the distribution, to 12 digits: as far as all machines agree."""
    largest = max(logits)
    if largest == -math.inf:
        return {"status": "invalid", "error": "every log-likelihood is -inf"}
    weights = [math.exp(logit - largest) for logit in logits]
    total = math.fsum(weights)
    return {
        "probabilities": {
            option: float(f"{weight / total:.12g}")
            for option, weight in zip(options, weights, strict=True)
        }
    }
