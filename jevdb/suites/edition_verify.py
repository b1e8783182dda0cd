"""Somebody else's board of a suite, held to our rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jevdb.base.errors import InputError, JevdbError, Problem
from jevdb.base.text import counted
from jevdb.suites.editions import Checked, Difference, differences
from jevdb.suites.exported import SCHEMA_VERSION, document
from jevdb.suites.leaderboard import leaderboard
from jevdb.suites.roster import ROWS, Entrant, Entry, Request
from jevdb.suites.stored_forms import MOST_SHOWN, board_of
from jevdb.suites.storing import find_suite
from jevdb.warehouse.contents import named

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

NOT_HERE = "not here"


def verify_file(connection: Connection, path: Path) -> Checked:
    """Return which numbers of a file are others by our rows of the same runs.

    A run that is not here is named, and what depends on all entrants is then left out.

    Raises
    ------
    InputError
        The file is no board of a suite.
    UnknownNameError, JevdbError
        The suite is not here, or says something else here.
    """
    theirs = _read(path)
    said = theirs["suite"]
    suite = find_suite(connection, f"{said['name']}@{said['version']}")
    if suite.sha256 != said["sha256"]:
        raise JevdbError(f"{path.name}: suite {suite.id} says something else here")
    here = {
        str(run_id)
        for (run_id,) in connection.execute("select run_id from runs").fetchall()
    }
    entries, lacking = [], []
    for each in theirs["entrants"]:
        if len(each["members"]) != len(suite.members):
            raise JevdbError(
                f"{path.name}: {counted(len(each['members']), 'member')}, where "
                f"{suite.id} has {len(suite.members)}"
            )
        entrant = Entrant(each["model"], each["revision"], each["label"])
        for number, member in enumerate(each["members"], 1):
            run_id = member["run_id"]
            if run_id in here:
                entries.append(Entry(entrant, number, ROWS, run_id, None))
            elif member["origin"] is not None:
                name = f"{member['benchmark']} {member['metric']}"
                what = run_id or member["origin"]
                lacking.append(Difference(entrant.name, name, "rows", what, NOT_HERE))
    ours = document(leaderboard(connection, Request(suite, fixed=entries)))
    found = list(differences(theirs, json.loads(json.dumps(ours))))
    if lacking:
        gone = {(each.entrant, each.member) for each in lacking}
        found = [
            each
            for each in found
            if each.member and (each.entrant, each.member) not in gone
        ]
    return Checked(not found and not lacking, [*lacking, *found], [])


def _read(path: Path) -> dict[str, Any]:
    try:
        board = board_of(path.read_bytes())
        if board["schema_version"] != SCHEMA_VERSION:
            raise ValueError(f"its schema_version is not {SCHEMA_VERSION}")
    except OSError as error:
        raise JevdbError(f"{path}: cannot read: {error.strerror or error}") from error
    except ValueError as error:
        message = (
            "no board of a suite, as `jevdb export --suite` writes it: "
            f"{named(str(error), MOST_SHOWN)}"
        )
        raise InputError([Problem(path.name, None, None, message)]) from error
    return board
