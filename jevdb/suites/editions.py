"""Editions: what a board said, by what, kept for ever and made again from the rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from jevdb.base.documents import Json, objects
from jevdb.base.errors import ConflictError, JevdbError, UnknownNameError, UsageError
from jevdb.base.text import short_id
from jevdb.base.version import __version__
from jevdb.ingest.decode.records import canonical_json
from jevdb.ingest.names import check_name
from jevdb.scoring.as_of import then
from jevdb.scoring.methods import method_json
from jevdb.suites.exported import to_bytes
from jevdb.suites.leaderboard import leaderboard
from jevdb.suites.roster import REPORTED, ROWS, Entrant, Entry, Request, read_roster
from jevdb.suites.stored_forms import StoredEdition
from jevdb.suites.storing import find_suite
from jevdb.warehouse.database import transaction
from jevdb.warehouse.ledger import insert_row, record
from jevdb.warehouse.scope_views import program_scorings, view_name
from jevdb.warehouse.sqlfiles import program, program_sha256, query
from jevdb.warehouse.versions import head_revision

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.suites.board import SuiteBoard
    from jevdb.suites.document import Suite


class Edition(NamedTuple):
    """A frozen board: the recipe, and the bytes that it was published as."""

    name: str
    document: dict[str, Any]
    content: bytes

    @property
    def board(self) -> dict[str, Any]:
        """The board as it was."""
        found: dict[str, Any] = json.loads(self.content)
        return found


def freeze(
    connection: Connection, name: str, request: Request, note: str | None = None
) -> tuple[Edition, bool]:
    """Keep the board of a request under a name; return it, and whether it is new.

    Private runs are never in it. *request* has the moment, or is of now.

    Raises
    ------
    UsageError
        A name that is none, a private run that was pinned, or nobody takes part.
    ConflictError
        The name holds another board.
    """
    _check_edition_name(name)
    with transaction(connection):
        seq = request.as_of
        if seq is None:
            [[seq]] = connection.execute("select max(seq) from ingests").fetchall()
        request = request._replace(as_of=seq)
        entries = _public(connection, request)
        if not entries:
            raise UsageError(
                f"nobody takes part in {request.suite.id}: nothing to freeze"
            )
        board = leaderboard(connection, request._replace(fixed=entries))
        document = _document(connection, name, request, board, note)
        edition = Edition(name, document, to_bytes(board))
        return edition, _store(connection, edition)


def _check_edition_name(name: str) -> None:
    if not name.strip() or name != name.strip() or not name.isprintable():
        raise UsageError("an edition needs a name: a text of one line")


def _public(connection: Connection, request: Request) -> list[Entry]:
    with then(connection, request.as_of):
        entries = read_roster(connection, request).entries
    private = {
        str(run_id)
        for (run_id,) in connection.execute(
            "select run_id from run_states where is_private"
        ).fetchall()
    }
    hidden = [each for each in entries if each.run_id in private]
    if hidden and request.runs:
        names = ", ".join(sorted({each.entrant.name for each in hidden}))
        raise UsageError(f"private, never in an edition: a run of {names}")
    return [each for each in entries if each.run_id not in private]


def _store(connection: Connection, edition: Edition) -> bool:
    text, content = canonical_json(edition.document), edition.content.decode()
    digest = hashlib.sha256(edition.content).hexdigest()
    found = connection.execute(
        "select content_sha256 from editions where name = $name", {"name": edition.name}
    ).fetchall()
    if found and found[0][0] == digest:
        return False
    if found:
        raise ConflictError(
            f"edition {edition.name!r} is frozen with another board (SHA-256 "
            f"{found[0][0]}); a name is for ever: choose another"
        )
    insert_row(
        connection,
        "editions",
        {
            "name": edition.name,
            "document": text,
            "document_sha256": hashlib.sha256(text.encode()).hexdigest(),
            "content": content,
            "content_sha256": digest,
            "seq": record(connection, "edition", digest),
        },
    )
    return True


def _document(
    connection: Connection,
    name: str,
    request: Request,
    board: SuiteBoard,
    note: str | None,
) -> dict[str, Any]:
    suite = request.suite
    method = canonical_json(method_json(connection, suite.method))
    members = board.scores.members
    benchmarks = sorted({member.benchmark_id for member in members})
    [[engine]] = connection.execute(
        "select library_version from pragma_version()"
    ).fetchall()
    return {
        "edition": name,
        "note": note,
        "suite": suite.name,
        "version": suite.version,
        "suite_sha256": suite.sha256,
        "method": suite.method,
        "method_sha256": hashlib.sha256(method.encode()).hexdigest(),
        "seq": request.as_of,
        "benchmarks": list(_benchmarks(connection, benchmarks, request.as_of)),
        "entrants": list(_entrants(board)),
        "exclusions": [
            {
                "benchmark": member.benchmark_id,
                "item": item,
                "reason": member.exclude_reason,
            }
            for member in members
            for item in member.excluded
        ],
        "program": {**program_now(), "duckdb": str(engine)},
    }


def program_now() -> dict[str, str]:
    """Return what today's program is told by."""
    return {
        "jevdb": __version__,
        "schema_revision": head_revision(),
        "sql_sha256": program_sha256(),
    }


def _benchmarks(
    connection: Connection, names: Sequence[str], as_of: int | None
) -> Iterator[Json]:
    with then(connection, as_of):
        states = {
            row["id"]: row
            for row in objects(connection, query("suites/edition_benchmarks"))
        }
    sql = {item.name: item.sha256 for item in program()}
    for name in names:
        state = states[name]
        if state["scoring"] in program_scorings():
            state["scope_sha256"] = sql[view_name(str(state["scoring"]))]
        yield state


def _entrants(board: SuiteBoard) -> Iterator[Json]:
    for entry in sorted(board.entries, key=lambda each: each.entrant.name):
        runs = {
            member.benchmark_id: value.run_id
            for member, value in zip(board.scores.members, entry.values, strict=True)
            if value.run_id is not None
        }
        reported = {v.result_sha256 for v in entry.values if v.result_sha256}
        yield {
            "entrant": entry.entrant.name,
            "runs": [{"benchmark": b, "run_id": runs[b]} for b in sorted(runs)],
            "reported": sorted(map(str, reported)),
        }


def find_edition(connection: Connection, name: str) -> Edition:
    """Return the edition of a name.

    Raises
    ------
    UnknownNameError
        There is none.
    JevdbError
        Its bytes are not those that were frozen, or none that jevdb freezes.
    """
    found = {each.name: each for each in stored_editions(connection)}
    if name not in found:
        raise UnknownNameError("edition", name, found)
    return opened(found[name])


def stored_editions(connection: Connection) -> list[StoredEdition]:
    """Return every edition, unopened, in the order in which they were frozen."""
    rows = connection.execute(query("suites/editions")).fetchall()
    return [StoredEdition(*row) for row in rows]


def opened(stored: StoredEdition) -> Edition:
    """Return an edition of the file: JevdbError where it is none that jevdb freezes."""
    document, _ = stored.opened()
    return Edition(stored.name, document, stored.content.encode())


def notices(connection: Connection, edition: Edition) -> list[str]:
    """Return what became since of the runs in an edition, in words."""
    states = dict(
        (row[0], row[1:])
        for row in connection.execute(query("suites/edition_runs")).fetchall()
    )
    words = []
    for entrant in edition.document["entrants"]:
        for run in entrant["runs"]:
            found = states.get(run["run_id"], (None,) * 3)
            said = [
                word
                for word, holds in zip(
                    ("withdrawn", "superseded", "private"), found, strict=True
                )
                if holds
            ]
            if run["run_id"] not in states:
                said = ["not in this warehouse"]
            if said:
                words.append(
                    f"{entrant['entrant']} on {run['benchmark']}: run "
                    f"{short_id(run['run_id'])} is {' and '.join(said)} since"
                )
    return words


def request_of(
    connection: Connection,
    edition: Edition,
    *,
    suite: Suite | None = None,
    entries: Sequence[Entry] | None = None,
    as_of: int | None = None,
) -> Request:
    """Return the request that makes an edition again, or with other parts."""
    document = edition.document
    if suite is None:
        suite = find_suite(connection, f"{document['suite']}@{document['version']}")
        if suite.sha256 != document["suite_sha256"]:
            raise JevdbError(f"suite {suite.id} is not the one that was frozen")
    moment = document["seq"] if as_of is None else as_of
    fixed = entries_of(connection, edition, suite) if entries is None else entries
    return Request(suite, as_of=moment, fixed=fixed)


def entries_of(connection: Connection, edition: Edition, suite: Suite) -> list[Entry]:
    """Return the roster of an edition, for the members of a suite."""
    with then(connection, edition.document["seq"]):
        names = {"suite": suite.name, "version": suite.version}
        rows = connection.execute(query("suites/reported_entries"), names).fetchall()
    by_result: dict[str, list[int]] = {}
    for *_, member, _, _, result in rows:
        by_result.setdefault(str(result), []).append(member)
    return list(
        _roster(edition.document["entrants"], suite, lambda sha: by_result.get(sha, []))
    )


def _roster(
    entrants: Sequence[dict[str, Any]],
    suite: Suite,
    members_of: Callable[[str], list[int]],
) -> Iterator[Entry]:
    for each in entrants:
        entrant = parsed_entrant(each["entrant"])
        runs = {run["benchmark"]: run["run_id"] for run in each["runs"]}
        taken = set()
        for number, member in enumerate(suite.members, 1):
            if (run_id := runs.get(member["benchmark"])) is not None:
                taken.add(number)
                yield Entry(entrant, number, ROWS, run_id, None)
        for result in each["reported"]:
            for number in members_of(result):
                if number not in taken:
                    taken.add(number)
                    yield Entry(entrant, number, REPORTED, None, result)


def parsed_entrant(name: str) -> Entrant:
    """Return the entrant of a name: no part of one holds @ or #."""
    rest, hash_sign, label = name.partition("#")
    model, at_sign, revision = rest.partition("@")
    return Entrant(model, revision if at_sign else None, label if hash_sign else None)


class Difference(NamedTuple):
    """A number of an edition that is another now."""

    entrant: str
    member: str
    number: str
    then: object
    now: object


class Checked(NamedTuple):
    """What a check of an edition found.

    ``is_same`` is whether the bytes are; ``program`` what differs of the program.
    """

    is_same: bool
    differences: list[Difference]
    program: list[str]


def check_edition(connection: Connection, name: str) -> Checked:
    """Make an edition again from its recipe, by today's program, and compare."""
    edition = find_edition(connection, name)
    board = leaderboard(connection, request_of(connection, edition))
    made = to_bytes(board)
    frozen, now = edition.document["program"], program_now()
    changed = [
        f"{key} {frozen.get(key)}, now {now[key]}"
        for key in now
        if frozen.get(key) != now[key]
    ]
    is_same = made == edition.content
    found = [] if is_same else list(differences(edition.board, json.loads(made)))
    return Checked(is_same, found, changed)


def differences(old: dict[str, Any], new: dict[str, Any]) -> Iterator[Difference]:
    """Yield every number that two boards of the same suite say differently."""

    def by_name(board: dict[str, Any]) -> dict[str, dict[str, Any]]:
        return {
            Entrant(e["model"], e["revision"], e["label"]).name: e
            for e in board["entrants"]
        }

    before, after = by_name(old), by_name(new)
    for name in sorted(before.keys() | after.keys()):
        if name not in before or name not in after:
            yield Difference(name, "", "entrant", name in before, name in after)
            continue
        yield from _entrant_differences(name, before[name], after[name])


def _entrant_differences(
    name: str, old: dict[str, Any], new: dict[str, Any]
) -> Iterator[Difference]:
    for key in ("rank", "published_rank"):
        if old[key] != new[key]:
            yield Difference(name, "", key, old[key], new[key])
    for group in ("score", "columns", "areas"):
        for key in sorted(old[group].keys() | new[group].keys()):
            one, other = old[group].get(key), new[group].get(key)
            if one != other:
                label = key if group != "score" else f"score {key}"
                yield Difference(name, "", label, one, other)
    sizes = len(old["members"]), len(new["members"])
    if sizes[0] != sizes[1]:
        yield Difference(name, "", "members", *sizes)
        return
    for one, other in zip(old["members"], new["members"], strict=True):
        for key in sorted(one.keys() & other.keys()):
            if one[key] != other[key]:
                member = f"{one['benchmark']} {one['metric']}"
                yield Difference(name, member, key, one[key], other[key])


def require_names(request: Request) -> None:
    """Refuse joined names that could not be read back: UsageError."""
    for name, _ in request.joined:
        check_name(name, "entrant")
