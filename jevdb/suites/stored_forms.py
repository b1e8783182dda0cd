"""Suites and editions as a warehouse holds them: text of whoever made the file.

Digests say that a text is the one that was stored; what it says is held here to what
`jevdb suites add` and `jevdb editions freeze` store.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, NamedTuple

import msgspec

from jevdb.base.errors import JevdbError
from jevdb.base.wording import command
from jevdb.ingest.decode.records import canonical_json
from jevdb.suites.document import (
    MEMBER_DEFAULTS,
    SUITE_DEFAULTS,
    Suite,
    completed,
    problems,
)
from jevdb.warehouse.contents import named

MOST_SHOWN = 300
Moment = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]


class StoredSuite(NamedTuple):
    """A row of the table of suites."""

    suite: str
    version: str
    document: str
    sha256: str

    @property
    def id(self) -> str:
        """``name@version``."""
        return f"{self.suite}@{self.version}"

    def opened(self) -> Suite:
        """Return the suite.

        Raises
        ------
        JevdbError
            The document is not the one that was stored, or none that jevdb stores.
        """
        what = f"suite {named(self.id)}"
        _require_digest(what, self.document, self.sha256, "its document does not give")
        for problem in self.problems():
            raise JevdbError(f"{what}: {problem}; see {command('check()', 'check')}")
        return Suite(json.loads(self.document))

    def problems(self) -> Iterator[str]:
        """Yield what keeps the document from being one that jevdb stores."""
        try:
            document = json.loads(self.document)
            given = _given(document)
            for field, message in problems(given, None):
                yield f"its document is no suite: {named(field)}: " + named(
                    message, MOST_SHOWN
                )
                return
            is_stored = canonical_json(completed(given)) == self.document
        except (ValueError, TypeError, AttributeError, RecursionError):
            is_stored = False
        if not is_stored:
            yield "its document is not what jevdb stores of a suite"
        elif (document["name"], document["version"]) != (self.suite, self.version):
            yield "its document is of another suite"


def _given(document: dict[str, Any]) -> dict[str, Any]:
    """Return a stored document as a file says it, without the defaults."""
    given = _without(document, SUITE_DEFAULTS)
    if not given.get("areas"):
        given.pop("areas", None)
    if isinstance(members := given.get("member"), list):
        given["member"] = [
            _given_member(each) if isinstance(each, dict) else each for each in members
        ]
    return given


def _without(said: dict[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: value
        for key, value in said.items()
        if not (key in defaults and value == defaults[key])
    }


def _given_member(member: dict[str, Any]) -> dict[str, Any]:
    given = _without(member, MEMBER_DEFAULTS)
    if given.get("transform", "none") == "none":
        # What is worth 1 stands there too where nothing is made of it.
        given.pop("best", None)
    return given


class _Run(msgspec.Struct):
    benchmark: str
    run_id: str


class _Entrant(msgspec.Struct):
    entrant: str
    runs: list[_Run]
    reported: list[str]


class _Benchmark(msgspec.Struct):
    id: str
    items_sha256: str | None
    gold_revision: int | None
    scope_sha256: str | None


class _Program(msgspec.Struct):
    jevdb: str
    schema_revision: str
    sql_sha256: str


class _Recipe(msgspec.Struct):
    """What of an edition's document is read."""

    edition: str
    note: str | None
    suite: str
    version: str
    suite_sha256: str
    seq: Moment
    benchmarks: list[_Benchmark]
    entrants: list[_Entrant]
    program: _Program


class _SuiteSaid(msgspec.Struct):
    name: str
    version: str
    sha256: str


class _Score(msgspec.Struct):
    value: float | None
    low: float | None
    high: float | None
    reason: str | None


class _Member(msgspec.Struct):
    benchmark: str
    area: str | None
    row: str | None
    metric: str
    kind: str
    origin: str | None
    run_id: str | None
    raw: float | None
    base: float | None
    value: float | None
    n: int
    answered: float | None
    reason: str | None


class _Placed(msgspec.Struct):
    model: str
    revision: str | None
    label: str | None
    rank: int | None
    published_rank: int | None
    score: _Score
    columns: dict[str, float | None]
    areas: dict[str, float | None]
    members: list[_Member]


class _Board(msgspec.Struct):
    """A suite's board as a file has it, or an edition."""

    schema_version: int
    suite: _SuiteSaid
    entrants: list[_Placed]


def board_of(content: bytes | str) -> dict[str, Any]:
    """Return a board that was written as JSON.

    Raises
    ------
    ValueError
        It is none: what is missing, or of another kind.
    """
    board = _decoded(content, _Board)
    placed = board["entrants"]
    columns = {tuple(sorted(each["columns"])) for each in placed}
    sizes = {len(each["members"]) for each in placed}
    names = {(each["model"], each["revision"], each["label"]) for each in placed}
    if len(columns) > 1 or len(sizes) > 1 or len(names) < len(placed):
        raise ValueError("its entrants are not of one board")
    return board


def _decoded(content: bytes | str, kind: type[msgspec.Struct]) -> dict[str, Any]:
    try:
        msgspec.json.decode(content, type=kind)
        found: dict[str, Any] = json.loads(content)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return found


class StoredEdition(NamedTuple):
    """A row of the table of editions."""

    name: str
    document: str
    document_sha256: str
    content: str
    content_sha256: str

    def opened(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the document and the board.

        Raises
        ------
        JevdbError
            They are not those that were frozen, or none that jevdb freezes.
        """
        what = f"edition {named(self.name)}"
        for text, digest in (
            (self.document, self.document_sha256),
            (self.content, self.content_sha256),
        ):
            _require_digest(what, text, digest, "its bytes do not give")
        try:
            return self.read()
        except ValueError as error:
            raise JevdbError(
                f"{what}: {error}; see {command('check()', 'check')}"
            ) from error

    def read(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the document and the board: ValueError, in words, where it is none."""
        try:
            recipe = _decoded(self.document, _Recipe)
            if recipe["edition"] != self.name:
                raise ValueError("it is of another name")
        except ValueError as error:
            why = named(str(error), MOST_SHOWN)
            raise ValueError(f"its document is no edition's: {why}") from error
        try:
            return recipe, board_of(self.content)
        except ValueError as error:
            why = named(str(error), MOST_SHOWN)
            raise ValueError(f"its content is no board: {why}") from error


def _require_digest(what: str, text: str, sha256: str, words: str) -> None:
    if hashlib.sha256(text.encode()).hexdigest() != sha256:
        raise JevdbError(
            f"{what}: {words} its digest; see {command('check()', 'check')}"
        )
