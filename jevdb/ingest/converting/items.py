"""Items read as a user asked for it: ids, tiers, options and golds."""

from __future__ import annotations

from collections.abc import Mapping

from jevdb.ingest.converting.converter import Converter, RowFault
from jevdb.ingest.converting.ids import IdFault, whole_id
from jevdb.ingest.converting.splitting import split_text
from jevdb.ingest.converting.tally import Place, Tally
from jevdb.ingest.decode.decoding import Problems
from jevdb.ingest.decode.rows import Asked, AskedItems
from jevdb.ingest.decode.strict import Fault
from jevdb.ingest.reading_options import ReadingOptions

NOUL_OPTIONS = ["no", "yes"]


class ItemConverter:
    """Converts the items of files, one after the other.

    A gold is read like an answer, a gold distribution like a model's.
    """

    def __init__(self, reading: ReadingOptions):
        self._reading = reading
        self._answers = Converter(reading, AskedItems(), Problems())
        self._asked: dict[tuple[str, tuple[str, ...]], Asked] = {}
        self.labels: set[str] = set()
        """Every option met, where aliases have to name one."""

    def counted(self) -> Tally:
        """Return what was converted."""
        return self._answers.counted()

    def item(
        self, given: Mapping[str, object], place: Place, is_text: bool
    ) -> dict[str, object] | Fault:
        """Return an item converted, or what keeps it from being read so."""
        item = dict(given)
        self._answers.tally.n_rows += 1
        try:
            if self._reading.changes("ids"):
                item["item_id"] = self._id(item["item_id"], place)
            if item.get("tier") in self._reading.tier:
                item["tier"] = self._reading.tier[str(item["tier"])]
                self._answers.tally.note("tier", place)
            self._options(item, place)
            self._gold(item, place, is_text)
        except RowFault as fault:
            return Fault(fault.field, fault.message)
        return item

    def _id(self, value: object, place: Place) -> str:
        try:
            text = whole_id(value)
        except IdFault as fault:
            raise RowFault("$.item_id", str(fault)) from fault
        if text != value:
            self._answers.tally.note("ids", place)
        return text

    def _options(self, item: dict[str, object], place: Place) -> None:
        given = item.get("options")
        if not isinstance(given, str) or self._reading.split is None:
            return
        parts = split_text(given, self._reading.split)
        if parts is not None:
            item["options"] = parts
            self._answers.tally.note("split", place)

    def _gold(self, item: dict[str, object], place: Place, is_text: bool) -> None:
        kind, options = str(item["type"]), item.get("options")
        if kind == "noul":
            options = NOUL_OPTIONS
        if not isinstance(options, list) or not options:
            return
        if self._reading.alias:
            self.labels.update(options)
        asked = self._asked.setdefault((kind, tuple(options)), Asked(kind, options))
        namer = self._answers.namer(asked, is_text)
        gold = item.get("gold")
        try:
            if gold is not None:
                item["gold"] = self._answers.answer(gold, namer, place)
            reference = item.get("gold_distribution")
            if reference is not None:
                item["gold_distribution"] = self._answers.distribution(
                    reference, namer, place
                )
        except RowFault as fault:
            field = {"$.answer": "$.gold"}.get(fault.field, "$.gold_distribution")
            raise RowFault(field, fault.message) from fault
