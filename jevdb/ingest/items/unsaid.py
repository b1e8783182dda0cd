"""What item files say in two ways, where nobody said which is meant."""

from __future__ import annotations

from collections.abc import Mapping

from jevdb.base.errors import Problem
from jevdb.base.wording import how
from jevdb.ingest.converting.naming import has_numeral_names
from jevdb.ingest.decode.decoding import Problems
from jevdb.ingest.decode.strict import Fault
from jevdb.ingest.items.rules import level_gold, level_ways
from jevdb.ingest.reading_options import ReadingOptions


class Unsaid:
    """Finds golds and distributions of items that may mean either of two things.

    A number for the gold of levels that are called by other numbers may be a name or a
    place; a 0 that is no name tells, for all files, that places from 0 are meant. A
    list of two for yes or no has an order only if the item has options.
    """

    def __init__(self, reading: ReadingOptions):
        self._reading = reading
        self._levels = Problems()
        self._is_from_0 = False

    def order_fault(self, given: Mapping[str, object]) -> Fault | None:
        """Return what is wrong with the order of a list for yes or no."""
        is_list = isinstance(given.get("gold_distribution"), list)
        if given["type"] != "noul" or not is_list:
            return None
        said = self._reading.noul_order
        if given.get("options") is None and not said:
            message = (
                "a list of two for yes or no does not say which is yes; "
                f"{how('noul_order', 'yes,no')} or {how('noul_order', 'no,yes')} "
                "says it"
            )
        elif given.get("options") is not None and said == "yes,no":
            message = (
                "the item's options say that no comes first, "
                f"{how('noul_order', said)} says otherwise; leave one out"
            )
        else:
            return None
        return Fault("$.gold_distribution", message)

    def note(
        self, given: Mapping[str, object], is_text: bool, source: str, line: int
    ) -> None:
        """Note an item whose gold level may be a name or a number."""
        options = given.get("options")
        if given["type"] != "score" or not isinstance(options, list):
            return
        number = level_gold(given.get("gold"), is_text)
        if self._reading.levels or number is None or not has_numeral_names(options):
            return
        if not 0 <= number < len(options):
            return  # What is no place is refused by itself.
        self._is_from_0 |= number == 0 and "0" not in options
        ways = level_ways(str(number), options)
        message = (
            f"the number {number} may be a level's name or its number; "
            f"{' or '.join(ways) or how('levels', 'names')} reads it"
        )
        self._levels.add(Problem(source, line, "$.gold", message))

    def add_to(self, problems: Problems) -> None:
        """Add what was noted, unless another item told what is meant."""
        if self._is_from_0:
            return
        for each in self._levels.listed:
            problems.add(each)
        problems.total += self._levels.total - len(self._levels.listed)
