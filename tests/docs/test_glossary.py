"""Every term of the field is said what it is where a page first has it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from commandline import commands
from pages import BLOCK, DOCS, pages


class Term(NamedTuple):
    """A term: its place in the glossary, how it stands in a text, its long form."""

    place: str
    word: str
    long: str | None = None


TERMS = [
    Term("ece", r"ECEs?", "expected calibration error"),
    Term("tvd", r"TVD", "total variation distance"),
    Term("rps", r"RPS", "ranked probability score"),
    Term("nll", r"NLL", "negative log-likelihood"),
    Term("mae", r"MAE", "mean absolute error"),
    Term("f1", r"F1", "harmonic mean"),
    Term("i", r"I(?= and C\b| \(int|/C\b)|(?<=by )I|(?<=of )I", "intelligence"),
    Term("c", r"(?<=I and )C|(?<=I/)C|(?<=of )C", "calibration"),
    Term("mcnemar", r"McNemar"),
    Term("noul", r"nouls?"),
    Term("gold", r"[Gg]old"),
    Term("cohort", r"[Cc]ohorts?"),
    Term("stratum", r"[Ss]trat(?:um|a)"),
    Term("brier", r"Brier"),
]
"""The list: a new term of the field is a line here, and one in the glossary."""
IN_HELP = [each for each in TERMS if each.long]
WRITTEN = {
    *("api.md", "commands.md", "tables.md"),
    *("rules-metrics.md", "rules-scoring.md"),
}
"""Pages that the program or somebody else wrote: they point to the glossary at top."""
CODE = re.compile(
    r"`[^`\n]*`|!\[[^\]]*\]|<[^>]*>|\]\([^)]*\)|\$[^$\n]*\$|^#.*$", re.MULTILINE
)
LINK = "glossary.md#{}"


def prose(text: str) -> str:
    """Return a text of the same length without what is code, a target or a heading."""

    def blank(match: re.Match[str]) -> str:
        return " " * len(match[0])

    return CODE.sub(blank, BLOCK.sub(blank, text))


def unsaid(text: str) -> Iterator[str]:
    """Yield the terms that a page has before it says, or links to, what they are."""
    words = prose(text)
    for place, word, long in TERMS:
        first = re.search(rf"(?<![\w.-])(?:{word})(?![\w-])", words)
        if first is None:
            continue
        link = text.find(LINK.format(place))
        said = -1 if long is None else words.lower().find(long)
        # The target of a link stands behind its word.
        ends = [at for at in (link - len("](docs/"), said) if at >= 0]
        if not ends or min(ends) > first.end() + len(f" ({long}, "):
            yield first[0]


@pytest.mark.parametrize(
    "page",
    [page for page in pages() if page.name not in {*WRITTEN, "glossary.md"}],
    ids=lambda page: page.name,
)
def test_a_page_says_what_its_terms_are(page: Path):
    assert list(unsaid(page.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_a_page_that_is_written_points_to_the_glossary(name: str):
    top = (DOCS / name).read_text(encoding="utf-8")[:500]
    assert "(glossary.md)" in top


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.place)
def test_the_glossary_has_the_term(term: Term):
    text = (DOCS / "glossary.md").read_text(encoding="utf-8")
    [line] = [line for line in text.splitlines() if f'id="{term.place}"' in line]
    assert re.search(rf"\*\*(?:{term.word.split('(?')[0]})", line)
    assert term.long is None or term.long in line.lower()


def test_help_says_what_an_abbreviation_is():
    found = []
    for words, command in commands():
        told = [command.help or ""]
        told += [getattr(each, "help", None) or "" for each in command.params]
        text = " ".join(told)
        for _, word, long in IN_HELP:
            first = re.search(rf"(?<![\w.-])(?:{word})(?![\w-])", text)
            if first and str(long) not in text.lower():
                found.append((" ".join(words), first[0]))
    assert found == []


def test_a_page_without_the_link_is_seen():
    assert list(unsaid("# P\n\nThe ECE of all.\n")) == ["ECE"]
    assert list(unsaid("The expected calibration error (ECE) of all.")) == []
    assert list(unsaid("The [ECE](glossary.md#ece) of all; `TVD`.")) == []
