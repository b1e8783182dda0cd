"""Names that people give to fields: what a key that is unknown may be meant as.

It only words a remedy: nothing is read under such a name unless a mapping says so.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence

from jevdb.base.errors import NEAR
from jevdb.base.text import cut
from jevdb.base.wording import either, how

NAMES: Mapping[str, Sequence[str]] = {
    "item_id": (
        *("id", "qid", "question_id", "example_id", "custom_id", "doc_id"),
        *("sample_id", "item", "itemid", "uid"),
    ),
    "answer": (
        *("pred", "prediction", "predicted", "output", "response", "choice"),
        *("predicted_label", "pred_label", "model_answer", "label"),
    ),
    "probabilities": ("probs", "scores", "logprobs", "prob", "distribution"),
    "gold": (
        *("answer", "target", "label", "correct", "correct_answer", "expected"),
        *("gold_label", "ground_truth", "reference"),
    ),
    "options": ("choices", "labels", "candidates", "answers"),
    "repeat": ("epoch", "trial", "seed", "attempt", "sample", "run", "repetition"),
    "latency_s": ("latency", "seconds", "duration_s"),
}
"""The field's name in the canonical form, and names met for it elsewhere."""
NUMBERED = re.compile(r"((?:option|choice|opt|answer|candidate)_?)(?:[0-9]+|[A-Ja-j])")
"""Columns of options: ``option_1``, ``choiceA``."""
PREFIXES = ("prob_", "p_")
KINDS: Mapping[str, tuple[type, ...]] = {
    "item_id": (str, int),
    "repeat": (str, int),
    "answer": (str, int, float, bool, list),
    "probabilities": (dict, list),
    "gold": (str, int, bool, list),
    "options": (list, str),
    "latency_s": (int, float),
}


def meant_as(key: str, fields: Iterable[str]) -> str | None:
    """Return the field of a record that a key is likely meant as.

    Examples
    --------
    >>> fields = ["item_id", "answer", "probabilities"]
    >>> [meant_as(key, fields) for key in ("qid", "Prediction", "answr", "tokens")]
    ['item_id', 'answer', 'answer', None]
    """
    known = list(fields)
    plain = key.strip().lower().replace("-", "_").replace(" ", "_")
    if plain in known:
        return plain
    for field in known:
        if plain in NAMES.get(field, ()):
            return field
    near = difflib.get_close_matches(plain, known, n=1, cutoff=NEAR)
    return near[0] if near else None


def unknown_key(
    key: str, value: object, record: Iterable[str], fields: list[str]
) -> str:
    """Say of a key that means nothing how it could be read, or kept.

    A field that the record has already is not offered, nor one that never holds such
    a value.
    """
    if not key:
        return (
            f"unknown key without a name; name it, or keep it with {how('meta', '*')}"
        )
    given = set(record)
    kept = f"keep it with {how('meta', cut(key))}"
    if prefix := _prefix(key):
        if isinstance(value, int | float | str) and "probabilities" not in given:
            return f"unknown key; read it with {_star(prefix)}, or {kept}"
        return f"unknown key; {kept}"
    field = meant_as(key, [each for each in fields if each not in given])
    if field is None or not isinstance(value, KINDS.get(field, (object,))):
        return f"unknown key; {kept}"
    return f"unknown key; read it with {field_option(field, key)}, or {kept}"


def _prefix(key: str) -> str | None:
    return next((each for each in PREFIXES if key.lower().startswith(each)), None)


def field_option(field: str, path: str) -> str:
    """Return the option that reads a field at a path, for a shell and for Python."""
    quoted = f"'{field}={path}'" if not _is_plain(path) else f"{field}={path}"
    return either(f"fields={{{field!r}: {path!r}}}", f"--field {quoted}")


def _is_plain(path: str) -> bool:
    return path.replace("_", "").replace(".", "").replace("-", "").isalnum()


def _star(prefix: str) -> str:
    return field_option("probabilities.*", f"{prefix}*")


def _numbered(columns: Sequence[str]) -> str | None:
    """Return what columns that hold an option each begin with, if there are two."""
    heads = [found[1] for each in columns if (found := NUMBERED.fullmatch(each))]
    return next((head for head in heads if heads.count(head) > 1), None)


def table_remedy(columns: Sequence[str], fields: Sequence[str]) -> str | None:
    """Return the options that read columns by near names, if there are any."""
    found: dict[str, str] = {}
    for column in columns:
        field = meant_as(column, [each for each in fields if each not in found])
        if field is not None and field not in columns:
            found[field] = column
    numbered = _numbered(columns) if "options" in fields else None
    if numbered and found.get("options", numbered).startswith(numbered):
        found["options"] = f"{numbered}*"
    remedies = [field_option(field, column) for field, column in found.items()]
    prefixes = [prefix for column in columns if (prefix := _prefix(column))]
    if prefixes and "probabilities" in fields and "probabilities" not in found:
        remedies.append(_star(max(set(prefixes), key=prefixes.count)))
    return " ".join(remedies) or None
