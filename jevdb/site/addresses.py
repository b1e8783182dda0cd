"""Where every page of a site lies: plain words that no name can break out of."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import NamedTuple

LONGEST = 48
HASHED = 8
PLAIN = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*")
LEAST_PREFIX = 12

INDEX = "index.html"
METHODS = "methods.html"
EXPLORE = "explore.html"


def slug(name: str) -> str:
    """Return a word for *name* that is safe in a path and a fragment.

    A short lower-case name is its own; any other keeps what it can and gets a part of
    its digest, so that no two names share a word.
    """
    if (
        PLAIN.fullmatch(name)
        and len(name) <= LONGEST
        and not re.search(rf"(^|-)[0-9a-f]{{{HASHED}}}$", name)
    ):
        return name
    readable = re.sub(r"[^a-z0-9]+", "-", name.lower())[:LONGEST].strip("-")
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{readable}-{digest[:HASHED]}".lstrip("-")


def short_names(run_ids: Iterable[str]) -> dict[str, str]:
    """Return the shortest part of each id, of 12 or more, that is its own."""
    listed = sorted(set(run_ids))
    size = LEAST_PREFIX
    while len({run_id[:size] for run_id in listed}) < len(listed):
        size += 1
    return {run_id: run_id[:size] for run_id in listed}


class Switch(NamedTuple):
    """A choice: where it leads, and whether it is the one shown."""

    words: str
    path: str
    is_here: bool
    title: str = ""


class BenchmarkPages(NamedTuple):
    """The pages of a benchmark."""

    folder: str

    @classmethod
    def of(cls, benchmark_id: str) -> BenchmarkPages:
        """Return the pages of a benchmark by its id."""
        return cls(f"benchmark/{slug(benchmark_id)}")

    @property
    def front(self) -> str:
        """The board a visitor sees first."""
        return f"{self.folder}/{INDEX}"

    @property
    def items(self) -> str:
        """The benchmark itself: its scopes and items."""
        return f"{self.folder}/items.html"

    def some_items(self, number: int) -> str:
        """Return one of the pages with how every run answered each item."""
        return f"{self.folder}/items-{number}.html"

    @property
    def items_data(self) -> str:
        """The items as data that every page of rows shares."""
        return f"{self.folder}/items.js"

    @property
    def published(self) -> str:
        """What others published of it, as reported."""
        return f"{self.folder}/published.html"

    def board(self, cohort: str, report_row: str, method_id: str) -> str:
        """Return the board of a cohort, report row and method."""
        return f"{self.folder}/{cohort}--{slug(report_row)}--{slug(method_id)}.html"

    def part(self, cohort: str, report_row: str, dimension: str) -> str:
        """Return the page of a board by type, tier, family, ..."""
        return f"{self.folder}/part--{cohort}--{slug(report_row)}--{dimension}.html"

    def sql(self, cohort: str) -> str:
        """Return the query that gives every number of a cohort."""
        return f"{self.folder}/{cohort}.sql"


class RunPages(NamedTuple):
    """The pages of a run."""

    folder: str

    @property
    def front(self) -> str:
        """The run itself: report, profile, bins, provenance."""
        return f"{self.folder}/{INDEX}"

    @property
    def rows(self) -> str:
        """Every answer of the run."""
        return f"{self.folder}/rows.html"

    @property
    def table(self) -> str:
        """Every answer of the run, as a compressed CSV table."""
        return f"{self.folder}/rows.csv.gz"

    def numbers(self, cohort: str, report_row: str) -> str:
        """Return the page that explains every number of a report row."""
        return f"{self.folder}/{cohort}--{slug(report_row)}.html"

    def number(self, cohort: str, report_row: str, metric: str, kind: str) -> str:
        """Return where one number is explained."""
        return f"{self.numbers(cohort, report_row)}#{metric}.{kind}"


def model_page(name: str) -> str:
    """Return the page of a model, with all its revisions, by its name."""
    return f"model/{slug(name)}.html"


def suite_page(name: str) -> str:
    """Return the page of a version of a suite, by its id."""
    return f"suite/{slug(name)}.html"


def comparison_page(base: str, other: str) -> str:
    """Return the page that compares two runs, by their short names."""
    return f"compare/{base}--{other}.html"


def results_file(method_id: str) -> str:
    """Return the evaluation_results.json of every run by a method, compressed."""
    return f"data/evaluation_results--{slug(method_id)}.json.gz"
