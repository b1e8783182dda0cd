"""The pages of items: how every run answered each, and who alone got it right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from jevdb.site.addresses import slug
from jevdb.site.charts import bars

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.scoring.runs import Run
    from jevdb.site.answers import Answer, Answers, Item
    from jevdb.site.contents import Benchmark, Contents
    from jevdb.site.rendering import Pages

CHUNK = 100
"""Items on a page: one each would be mostly frames of pages."""
MOST_OPTIONS = 12
"""Options that are always shown; of more, those that matter."""
NOTABLE = 0.05
"""Least probability, of any run, of an option that matters."""


class Given(NamedTuple):
    """Who gave an answer, and how surely."""

    run: Run
    probability: float | None


MOST_NAMED = 12
"""Of more runs, those that gave an answer are told by their numbers in the list."""


class Option(NamedTuple):
    """A possible answer: what the reference gives it, who gave it, all runs' bars.

    ``numbers`` are the runs that gave it by their places in the list of all.
    """

    label: str
    is_gold: bool
    reference: float | None
    given: list[Given]
    bars: str
    numbers: str


class Shown(NamedTuple):
    """An item with everything that was answered to it."""

    item: Item
    anchor: str
    history: list[tuple[int, str]]
    options: list[Option]
    n_hidden: int
    failed: list[tuple[Run, str]]

    @property
    def agreement(self) -> float | None:
        """The share of the runs that gave the commonest answer."""
        counts = [len(option.given) for option in self.options]
        total = sum(counts) + len(self.failed)
        return max(counts) / total if total and counts and max(counts) else None

    @property
    def alone(self) -> str:
        """Who alone got it right, or wrong; nothing where nobody did.

        Nor where a run was asked several times: one answer of it is not the run.
        """
        answered = [g.run for option in self.options for g in option.given]
        failed = [run for run, _ in self.failed]
        if any(run.n_repeats > 1 for run in (*answered, *failed)):
            return ""
        right = [g.run.name for o in self.options if o.is_gold for g in o.given]
        n_runs = self.item.n_runs or 0
        if n_runs > 1 and self.item.n_right == 1 and len(right) == 1:
            return f"Only {right[0]} got it right."
        if n_runs > len("ab") and self.item.n_right == n_runs - 1:
            wrong = [
                *(g.run.name for o in self.options if not o.is_gold for g in o.given),
                *(run.name for run, _ in self.failed),
            ]
            return f"Only {wrong[0]} did not get it right." if len(wrong) == 1 else ""
        return ""


class ItemSite:
    """Writes the pages of a benchmark's items, some to a page."""

    def __init__(
        self,
        contents: Contents,
        benchmark: Benchmark,
        answers: Answers,
        runs: Sequence[Run],
    ):
        self.contents = contents
        self.benchmark = benchmark
        self.answers = answers
        self.runs = runs
        self._places = {item_id: n for n, item_id in enumerate(answers.items)}
        self._order = {run.run_id: n for n, run in enumerate(runs, start=1)}
        self._by_item: dict[str, list[tuple[Run, Answer]]] = {}
        for run in runs:
            for answer in answers.by_run.get(run.run_id, ()):
                self._by_item.setdefault(answer.item_id, []).append((run, answer))

    def href(self, item_id: str) -> str:
        """Return where an item is."""
        page = self.benchmark.pages.some_items(self._places[item_id] // CHUNK)
        return f"{page}#{slug(item_id)}"

    @property
    def pages(self) -> list[tuple[int, str]]:
        """The pages, each with the place of its first item."""
        firsts = range(0, len(self.answers.items), CHUNK)
        return [
            (first, self.benchmark.pages.some_items(first // CHUNK)) for first in firsts
        ]

    def write(self, connection: Connection, pages: Pages) -> None:
        """Write every page of items."""
        history = _golds(connection, self.benchmark.benchmark_id)
        listed = iter(self.answers.items.values())
        n_pages = len(self.pages)
        for number, (_, path) in enumerate(self.pages):
            pages.page(
                path,
                "item.html",
                benchmark=self.benchmark,
                runs=[(run, self.contents.pages(run).front) for run in self.runs],
                items=[
                    self._shown(item, history.get(item.item_id, []))
                    for item in islice(listed, CHUNK)
                ],
                number=number,
                n_pages=n_pages,
                page_of=self.benchmark.pages.some_items,
            )

    def _shown(self, item: Item, history: list[tuple[int, str]]) -> Shown:
        answered = self._by_item.get(item.item_id, [])
        given: dict[str, list[Given]] = {}
        failed = []
        for run, answer in answered:
            if answer.answer is None:
                words = ", ".join(filter(None, (answer.status, answer.reason)))
                failed.append((run, words))
            else:
                said = Given(run, _said(item, answer))
                given.setdefault(answer.answer, []).append(said)
        options = list(self._options(item, answered, given))
        shown = [
            option
            for place, option in enumerate(options)
            if len(options) <= MOST_OPTIONS or _matters(option, place, answered)
        ]
        return Shown(
            item=item,
            anchor=slug(item.item_id),
            history=history,
            options=shown,
            n_hidden=len(options) - len(shown),
            failed=failed,
        )

    def _options(
        self,
        item: Item,
        answered: Sequence[tuple[Run, Answer]],
        given: dict[str, list[Given]],
    ) -> Iterator[Option]:
        if item.type == "multi_select":
            counts = Counter({label: len(found) for label, found in given.items()})
            counts.setdefault(item.gold, 0)
            for label, _ in counts.most_common():
                yield Option(
                    label,
                    label == item.gold,
                    None,
                    given.get(label, []),
                    "",
                    self._numbers(given, label),
                )
            return
        stated = any(answer.probabilities for _, answer in answered)
        for place, label in enumerate(item.options):
            heights = [
                answer.probabilities[place] if answer.probabilities else None
                for _, answer in answered
            ]
            yield Option(
                label,
                label == item.gold,
                item.reference[place] if item.reference else None,
                given.get(label, []),
                bars(heights) if stated else "",
                self._numbers(given, label),
            )

    def _numbers(self, given: dict[str, list[Given]], label: str) -> str:
        """Return the places of the runs that gave an answer, neighbours as a range."""
        if len(self.runs) <= MOST_NAMED:
            return ""
        places = [self._order[each.run.run_id] for each in given.get(label, [])]
        return ranges(places)


def ranges(numbers: Iterable[int]) -> str:
    """Return whole numbers, neighbours as a range.

    Examples
    --------
    >>> ranges([1, 2, 3, 7, 9, 10])
    '1-3, 7, 9-10'
    """
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ", ".join(f"{a}-{b}" if a < b else str(a) for a, b in found)


def _said(item: Item, answer: Answer) -> float | None:
    """Return what the run gave to its answer."""
    if answer.probabilities is None or answer.answer not in item.options:
        return None
    return answer.probabilities[item.options.index(answer.answer)]


def _matters(
    option: Option, place: int, answered: Sequence[tuple[Run, Answer]]
) -> bool:
    """Whether an option of very many is shown: gold, given, expected, or likely."""
    return bool(
        option.is_gold
        or option.given
        or option.reference
        or any(
            answer.probabilities and answer.probabilities[place] >= NOTABLE
            for _, answer in answered
        )
    )


def _golds(
    connection: Connection, benchmark_id: str
) -> dict[str, list[tuple[int, str]]]:
    """Return the golds of the items that have had more than one, by revision."""
    rows = connection.execute(
        "select item_id, gold_revision, "
        "coalesce(array_to_string(golds.labels, ' + '), "
        "items.options[golds.label_index + 1]) "
        "from golds inner join items using (benchmark_id, item_id) "
        "where benchmark_id = $benchmark order by item_id, gold_revision",
        {"benchmark": benchmark_id},
    ).fetchall()
    found: dict[str, list[tuple[int, str]]] = {}
    for item_id, revision, label in rows:
        found.setdefault(item_id, []).append((revision, label))
    return {item_id: golds for item_id, golds in found.items() if len(golds) > 1}
