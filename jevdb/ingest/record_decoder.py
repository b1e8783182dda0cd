"""Records of a file, decoded strictly and turned into canonical columns."""

from __future__ import annotations

import msgspec

from jevdb.base.errors import Problem, UsageError
from jevdb.base.wording import option
from jevdb.ingest.decode.decoding import Columns, LineBatch, Problems
from jevdb.ingest.decode.paths import find, parse_path
from jevdb.ingest.decode.record_fields import Fields as Canonical
from jevdb.ingest.decode.record_fields import key_bounds, keys_in
from jevdb.ingest.decode.rows import (
    Context,
    Fields,
    Gathered,
    Known,
    RecordLayout,
    Row,
    WrongRecord,
    as_text,
)
from jevdb.ingest.decode.strict import Fault, diagnose, log_record
from jevdb.ingest.files.documents import Anything


class RecordDecoder:
    """Decodes the records of one file and turns them into canonical columns."""

    def __init__(
        self,
        layout: RecordLayout,
        source: str,
        problems: Problems,
        known: Known,
        gathered: Gathered,
        is_text: bool,
    ):
        self._layout = layout
        self._source = source
        self._problems = problems
        self._gathered = gathered
        self._context = Context(
            known.items,
            is_text,
            gathered.skipped,
            self._is_wanted,
            known.reading.allow,
        )
        self._where = [(parse_path(path), text) for path, text in known.where.items()]
        self._decode = msgspec.json.Decoder(dict[str, object]).decode
        self.ignored: set[str] = set()

    def columns(self, batch: LineBatch) -> Columns:
        """Return the rows of the records without a fault; note the faults."""
        rows: list[Row] = []
        numbers: list[int] = []
        for line, number in zip(batch.lines, batch.numbers, strict=True):
            record = self._record(line, number)
            if record is None:
                continue
            if not (self._layout.is_log or self._is_wanted(record)):
                continue
            self.ignored |= self._layout.unread_keys(record)
            found = self._rows(record, number)
            rows += found
            numbers += [number] * len(found)
        return Columns(numbers, self._by_field(rows))

    def _record(self, line: bytes, number: int) -> dict[str, object] | None:
        record = None
        try:
            record = self._decode(line)
            if b"\\u0000" not in line and keys_in([record]) in key_bounds(line):
                return record
        except (msgspec.MsgspecError, RecursionError):
            if self._problems.is_full:
                self._fault(number, Fault(None, "not looked at"))
                return None
        if self._layout.is_log and (logged := log_record(line)) is not None:
            return logged
        faults = diagnose(line, Anything)
        for fault in faults:
            self._fault(number, fault)
        return None if faults else record

    def _is_wanted(self, record: Fields) -> bool:
        return all(
            as_text(find(record, path)) == wanted for path, wanted in self._where
        )

    def _rows(self, record: Fields, number: int) -> list[Row]:
        key = self._layout.replaces(record)
        if key is not None:
            self._gathered.note_written(key, self._source, number)
        try:
            rows = list(self._layout.rows(record, self._context))
        except WrongRecord as error:
            for fault in error.faults:
                self._fault(number, fault)
            self._layout.note_keys(record)
            return []
        for row in rows:
            self._note_facts(row.pop("facts", {}), number)
        return rows

    def _note_facts(self, facts: object, number: int) -> None:
        assert isinstance(facts, dict)
        for name, value in facts.items():
            values = self._gathered.facts.setdefault(name, set())
            is_second = len(values) == 1 and value not in values
            if is_second and name in self._layout.exclusive:
                message = (
                    f"{name} {value!r} after {name} {min(values)!r}: each is a run of "
                    f"its own; take one with {option('where')} {name}={min(values)}"
                )
                self._fault(number, Fault(f"$.{name}", message))
                if self._problems.keeps_all:
                    continue
            values.add(value)

    def _fault(self, number: int, fault: Fault) -> None:
        self._problems.add(Problem(self._source, number, fault.field, fault.message))

    def _by_field(self, rows: list[Row]) -> Canonical:
        fields: Canonical = {}
        for name in self._layout.row_fields:
            column = [row.get(name) for row in rows]
            fields[name] = column if any(name in row for row in rows) else None
        return fields


def require_records(known: Known, layout_name: str) -> None:
    """Refuse a selection of records in a layout that has one row per item."""
    if known.where:
        raise UsageError(
            f"{option('where')} does not go with the format {layout_name!r}: "
            "it holds one row an item"
        )
