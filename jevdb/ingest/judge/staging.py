"""Canonical columns as Arrow batches: the one shape that all layouts end in.

A distribution is a list of values and the number of its key set, since most rows share
a few sets of keys; without a number it was given as a list in option order. An answer
lies in the column of its JSON type.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, chain
from typing import TYPE_CHECKING, NamedTuple, cast

import msgspec

from jevdb.ingest.decode.records import PredictionRecord, canonical_json

if TYPE_CHECKING:
    import pyarrow as pa

    from jevdb.ingest.decode.decoding import Columns
    from jevdb.ingest.decode.record_fields import Column


class KeySets:
    """The sets of keys some distributions use, numbered as they are met."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, ...], int] = {}

    def numbered(self, keys: Iterable[tuple[str, ...]]) -> list[int]:
        """Return the number of each set of keys, in the order in which keys stand."""
        met = list(keys)
        numbers = list(map(self._numbers.get, met))
        if None in numbers:
            for each in dict.fromkeys(met):
                self._numbers.setdefault(each, len(self._numbers))
            numbers = list(map(self._numbers.get, met))
        return cast("list[int]", numbers)

    def table(self) -> pa.Table:
        """Return the key sets, a row each."""
        import pyarrow as pa

        return pa.table(
            {
                "key_set": pa.array(range(len(self._numbers)), pa.int32()),
                "keys": pa.array(map(list, self._numbers), pa.list_(pa.string())),
            }
        )


class Origin(NamedTuple):
    """Where a batch is from, and whether its levels come as text."""

    source: str
    start: int
    has_text_answers: bool


def stage(columns: Columns, origin: Origin, key_sets: KeySets) -> pa.RecordBatch:
    """Return the columns as Arrow, the rows numbered from the origin's start."""
    import pyarrow as pa

    fields = columns.fields
    count = len(columns.numbers)
    arrays = {
        "position": _counted(range(origin.start, origin.start + count)),
        "source_file": pa.repeat(pa.scalar(origin.source), count),
        "source_line": _counted(columns.numbers),
        "item_id": _array(fields["item_id"], count, pa.string()),
        "repeat": _array(_as_texts(fields.get("repeat")), count, pa.string()),
        "given_status": _array(fields["status"], count, pa.string()),
        **_distributions(fields["probabilities"], count, key_sets),
        **_answers(fields["answer"], count),
        "has_text_answer": pa.repeat(pa.scalar(origin.has_text_answers), count),
        "step_probabilities": _array(
            fields.get("step_probabilities"), count, pa.list_(pa.float64())
        ),
        "latency_s": _array(fields["latency_s"], count, pa.float64()),
        "input_tokens": _array(fields["input_tokens"], count, pa.int64()),
        "output_tokens": _array(fields["output_tokens"], count, pa.int64()),
        "cost_usd": _array(fields["cost_usd"], count, pa.float64()),
        "error": _array(fields["error"], count, pa.string()),
        "meta": _array(_as_json(fields["meta"]), count, pa.string()),
        "is_correct": _array(fields.get("is_correct"), count, pa.bool_()),
        "target": _array(_as_lists(fields.get("target")), count, pa.list_(pa.string())),
    }
    return pa.RecordBatch.from_pydict(arrays)


def _counted(numbers: Sequence[int]) -> pa.Array:
    import numpy as np
    import pyarrow as pa

    if isinstance(numbers, range):
        return pa.array(np.arange(numbers.start, numbers.stop, dtype=np.int64))
    return pa.array(numbers, pa.int64())


def _array(column: Column | None, count: int, kind: pa.DataType) -> pa.Array:
    import pyarrow as pa

    if column is None:
        return pa.nulls(count, kind)
    return pa.array(column, kind)


def _as_json(column: Column | None) -> Column | None:
    if column is None:
        return None
    return [
        canonical_json(value) if isinstance(value, dict) else None for value in column
    ]


def _as_texts(column: Column | None) -> Column | None:
    """Return names as text; numbers are told from text where all are known."""
    if column is None:
        return None
    return [None if value is None else str(value) for value in column]


def _as_lists(column: Column | None) -> Column | None:
    """Return golds as lists of labels: one label is a list of one."""
    if column is None:
        return None
    return [[value] if isinstance(value, str) else value for value in column]


def _distributions(
    column: Column | None, count: int, key_sets: KeySets
) -> dict[str, pa.Array]:
    import numpy as np
    import pyarrow as pa

    if column is None:
        return {
            "key_set": pa.nulls(count, pa.int32()),
            "given": pa.nulls(count, pa.list_(pa.float64())),
        }
    if set(map(type, column)) == {dict}:
        objects = cast("list[dict[str, float]]", column)
        numbers = key_sets.numbered(map(tuple, objects))
        # Arrow takes thrice as long over a list of numbers.
        offsets = np.fromiter(
            accumulate(map(len, objects), initial=0), np.int32, count + 1
        )
        flat = np.fromiter(
            chain.from_iterable(map(dict.values, objects)), np.float64, offsets[-1]
        )
        given = pa.ListArray.from_arrays(pa.array(offsets), pa.array(flat))
        return {"key_set": pa.array(numbers, pa.int32()), "given": given}
    values = [list(v.values()) if isinstance(v, dict) else v for v in column]
    keyed = [tuple(v) if isinstance(v, dict) else None for v in column]
    places = [None if keys is None else key_sets.numbered([keys])[0] for keys in keyed]
    return {
        "key_set": pa.array(places, pa.int32()),
        "given": pa.array(values, pa.list_(pa.float64())),
    }


def _answers(column: Column | None, count: int) -> dict[str, pa.Array]:
    import pyarrow as pa

    kinds = set() if column is None else set(map(type, column))

    def only(kind: type | tuple[type, ...], arrow: pa.DataType) -> pa.Array:
        wanted = kind if isinstance(kind, tuple) else (kind,)
        if column is None or kinds.isdisjoint(wanted):
            return pa.nulls(count, arrow)
        if kinds.issubset(wanted):
            return pa.array(column, arrow)
        return pa.array([v if type(v) in wanted else None for v in column], arrow)

    return {
        "answer_text": only(str, pa.string()),
        "answer_number": only((int, float), pa.float64()),
        "answer_flag": only(bool, pa.bool_()),
        "answer_labels": only(list, pa.list_(pa.string())),
    }


def empty_stage() -> tuple[pa.Table, pa.Table]:
    """Return a stage without rows: the types of its columns."""
    import pyarrow as pa

    from jevdb.ingest.decode.decoding import Columns

    names = msgspec.structs.fields(PredictionRecord)
    columns = Columns([], dict.fromkeys(field.name for field in names))
    rows = stage(columns, Origin("", 0, False), KeySets())
    return pa.Table.from_batches([rows]), KeySets().table()
