"""Which options of reading would make rows fit, found by trying them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jevdb.base.wording import how_together
from jevdb.ingest.converting.converter import Converter, RowFault
from jevdb.ingest.decode.decoding import Problems
from jevdb.ingest.decode.rows import AskedItems
from jevdb.ingest.judge.strays import Stray
from jevdb.ingest.reading_options import ReadingOptions, reading_options

NAMES = ("labels", "answer_style", "levels", "partial")
Remedy = dict[str, str | bool]

REMEDIES: tuple[Remedy, ...] = (
    {"labels": "fold"},
    {"answer_style": "letter"},
    {"answer_style": "letter", "labels": "fold"},
    {"answer_style": "index0"},
    {"answer_style": "index1"},
    {"levels": "from=1"},
    {"levels": "from=0"},
    {"levels": "names"},
    {"partial": True},
    {"partial": True, "labels": "fold"},
    {"answer_style": "letter", "partial": True},
    {"answer_style": "letter", "partial": True, "labels": "fold"},
    {"answer_style": "index0", "partial": True},
    {"answer_style": "index1", "partial": True},
    {"levels": "from=1", "partial": True},
)
"""What is tried, the plainer before the more involved."""


def fits(remedy: Remedy, strays: Iterable[Stray], scale: str | None = None) -> bool:
    """Whether every stray names options of its item under a remedy."""
    return n_fitting(remedy, list(strays), scale, all_of_them=True) > 0


def n_fitting(
    remedy: Remedy,
    strays: Sequence[Stray],
    scale: str | None = None,
    *,
    all_of_them: bool = False,
) -> int:
    """Return how many strays fit; with *all_of_them* 0 unless all do."""
    trial = reading_options({**remedy, **({"scale": scale} if scale else {})})
    converter = Converter(trial, AskedItems(), Problems())
    n = 0
    for stray in strays:
        if _fits(stray, converter):
            n += 1
        elif all_of_them:
            return 0
    return n


def _fits(stray: Stray, converter: Converter) -> bool:
    namer = converter.namer(stray.asked, False)
    place = (stray.source, stray.line)
    try:
        given = stray.distribution
        if given is not None:
            found = converter.distribution(given, namer, place)
            return isinstance(found, dict) and _is_whole(found, stray)
        answer = converter.answer(stray.answer, namer, place)
    except RowFault:
        return False
    if stray.type == "score":
        last = len(stray.options) - 1
        return isinstance(answer, int | float) and 0 <= answer <= last
    if stray.type == "multi_select":
        return isinstance(answer, list) and set(map(str, answer)) <= set(stray.options)
    return answer in stray.options


def _is_whole(given: dict[str, float], stray: Stray) -> bool:
    is_yes_alone = stray.type == "noul" and given.keys() == {"yes"}
    return is_yes_alone or given.keys() == set(stray.options)


def best(
    strays: Sequence[Stray], reading: ReadingOptions, scale: str | None = None
) -> Remedy | None:
    """Return the plainest remedy under which most strays fit; None: under none do."""
    sample = strays[:200]
    best_n, chosen = 0, None
    for remedy in unsaid(REMEDIES, reading):
        n = n_fitting(remedy, sample, scale)
        if n > best_n:
            best_n, chosen = n, remedy
    return chosen if 2 * best_n > len(sample) else None


def unsaid(remedies: Iterable[Remedy], reading: ReadingOptions) -> list[Remedy]:
    """Return the remedies that say nothing of what was said already."""
    said = {name for name in NAMES if getattr(reading, name)}
    return [each for each in remedies if said.isdisjoint(each)]


def in_words(remedy: Remedy) -> str:
    """Return a remedy as it is typed."""
    return how_together(remedy)
