"""Two editions: what changed between them, and which change moved whom by how much.

The move of an entrant in both is taken apart one change at a time, in this order: the
suite, the gold, the rows. What is left of it belongs to the last.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from jevdb.base.output import Rows
from jevdb.base.tabular import Tabular
from jevdb.suites.editions import Edition, entries_of, find_edition, request_of
from jevdb.suites.scores import read_scores
from jevdb.suites.storing import find_suite

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.suites.document import Suite


class Move(NamedTuple):
    """An entrant's score in both editions, and its move in points by cause.

    Null where a step has no score.
    """

    entrant: str
    before: float | None
    after: float | None
    suite: float | None
    gold: float | None
    rows: float | None

    @property
    def move(self) -> float | None:
        """The whole move."""
        return _gap(self.before, self.after)


@dataclass(frozen=True, slots=True, repr=False)
class EditionDiff(Tabular):
    """What changed from one edition to another; rows are the moves."""

    before: Edition
    after: Edition
    moves: list[Move]
    new: list[str]
    gone: list[str]
    changes: list[str]

    def rows(self) -> Rows:
        """Return a row per entrant of both editions, full precision."""
        return Rows(
            ("entrant", "before", "after", "move", "suite", "gold", "rows"),
            [[m.entrant, m.before, m.after, m.move, *m[3:]] for m in self.moves],
        )

    def people_rows(self) -> Rows:
        """Return the moves as people read them, in points to two decimals."""
        rows = self.rows()
        return Rows(
            rows.columns,
            [
                [row[0], *(_shown(value) for value in row[1:3]), *map(_signed, row[3:])]
                for row in rows.rows
            ],
        )

    def heading(self) -> list[str]:
        """Return what changed besides the moves."""
        lines = [f"from {self.before.name} to {self.after.name}", *self.changes]
        if self.new:
            lines.append(f"new: {', '.join(self.new)}")
        if self.gone:
            lines.append(f"gone: {', '.join(self.gone)}")
        return lines


def diff_editions(connection: Connection, before: str, after: str) -> EditionDiff:
    """Return what changed between two editions.

    Raises
    ------
    UnknownNameError
        There is no such edition.
    """
    old, new = find_edition(connection, before), find_edition(connection, after)
    names = [{e["entrant"] for e in each.document["entrants"]} for each in (old, new)]
    first, second = names
    return EditionDiff(
        before=old,
        after=new,
        moves=list(_moves(connection, old, new, sorted(first & second))),
        new=sorted(second - first),
        gone=sorted(first - second),
        changes=list(_changes(connection, old, new)),
    )


def _suite(connection: Connection, edition: Edition) -> Suite:
    document = edition.document
    return find_suite(connection, f"{document['suite']}@{document['version']}")


def _moves(
    connection: Connection, old: Edition, new: Edition, shared: list[str]
) -> Iterator[Move]:
    suite, seq = _suite(connection, new), new.document["seq"]
    own = entries_of(connection, old, suite)
    steps = [
        request_of(connection, old),
        request_of(connection, old, suite=suite, entries=own),
        request_of(connection, old, suite=suite, entries=own, as_of=seq),
        request_of(connection, new),
    ]
    scores = [
        {entrant.name: score.score for entrant, score in found.scores.items()}
        for found in (read_scores(connection, request) for request in steps)
    ]
    for name in shared:
        values = [each.get(name) for each in scores]
        gaps = [_gap(*pair) for pair in itertools.pairwise(values)]
        yield Move(name, values[0], values[-1], *gaps)


def _changes(connection: Connection, old: Edition, new: Edition) -> Iterator[str]:
    yield from _suite_changes(_suite(connection, old), _suite(connection, new))
    before = {each["id"]: each for each in old.document["benchmarks"]}
    after = {each["id"]: each for each in new.document["benchmarks"]}
    for name in sorted(before.keys() & after.keys()):
        one, other = before[name], after[name]
        if one["items_sha256"] != other["items_sha256"]:
            yield (
                f"gold of {name}: revision {one['gold_revision']}, then "
                f"{other['gold_revision']}"
            )
        if one["scope_sha256"] != other["scope_sha256"]:
            yield f"scoring of {name}: its scopes are others"


def _suite_changes(old: Suite, new: Suite) -> Iterator[str]:
    if old.sha256 == new.sha256:
        return
    yield f"suite {old.id}, then {new.id}"
    for key in sorted(old.document.keys() - {"member", "version"}):
        if old.document[key] != new.document[key]:
            yield f"{key}: {old.document[key]}, then {new.document[key]}"
    before, after = _by_name(old), _by_name(new)
    for name in sorted(before.keys() - after.keys()):
        yield f"member gone: {name}"
    for name in sorted(after.keys() - before.keys()):
        yield f"new member: {name}"
    for name in sorted(before.keys() & after.keys()):
        for key, value in before[name].items():
            if value != after[name][key]:
                yield f"{name}: {key} {value}, then {after[name][key]}"


def _by_name(suite: Suite) -> dict[str, Any]:
    return {
        " ".join(
            str(member[key])
            for key in ("benchmark", "row", "metric", "kind")
            if member[key] is not None
        ): member
        for member in suite.members
    }


def _gap(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else after - before


def _shown(value: object) -> str | None:
    return f"{value:.2f}" if isinstance(value, float) else None


def _signed(value: object) -> str | None:
    return f"{value:+z.2f}" if isinstance(value, float) else None
