"""What DuckDB, DuckLake and PostgreSQL say when a lake fails, in words to act on.

Only the part after ``ERROR:`` is matched where one is: the rest quotes whole
statements, and with them data. No message shows a password.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from jevdb.base.errors import JevdbError, SchemaError
from jevdb.base.secrets import redacted
from jevdb.lake.target import Target

if TYPE_CHECKING:
    import duckdb

ANOTHER_FIRST = (
    'unique constraint "ducklake_snapshot_pkey"',
    "could not serialize",
    "deadlock detected",
)
CONFLICT = "Transaction conflict"
WORDS = 300
CONNECTION_LOST = (
    "server closed the connection",
    "terminating connection",
    "no connection to the server",
    "connection to the server has been lost",
    "connection not open",
    "could not receive data from server",
    "could not send data to server",
    "SSL connection has been closed",
    "Connection reset by peer",
    "Broken pipe",
    # What DuckDB says where the line broke while a result came, and of all that
    # follows in the transaction: its cause is gone.
    "fetch from an unsuccessful query result",
    "Current transaction is aborted",
)
UNREACHABLE = {
    "Connection refused": "connection refused; is PostgreSQL running?",
    "timeout expired": "no answer; is the host right, and reachable from here?",
    "could not translate host name": "no such host; check its name",
    "Network is unreachable": "the network is unreachable",
    "No route to host": "no route to the host",
    "no password supplied": "a password is asked for; put it into PGPASSFILE",
    "password authentication failed": "the password is wrong",
    "definition of service": "no such service in the service file",
    "if this was meant to be a path": "this user has no DuckDB secret of that name",
    "too many clients": "PostgreSQL has no connection left; try again",
}
SERVER = re.compile(r'connection to server at "([^"]+)"(?: \([^)]*\))?, port (\d+)')
SOCKET = re.compile(r'connection to server on socket "([^"]+)"')
FATAL = re.compile(r"FATAL:\s+([^\n]*)")
DENIED = re.compile(r"ERROR:\s+(permission denied[^\n]*)")
PARQUET = re.compile(r"[^\s\"']+\.parquet")
UNWRITABLE = re.compile(r'(?:Cannot open|Could not write) file "[^"]*": ([^"\n]*)')

NO_RIGHT = "Permission denied"
OF_A_GROUP = (
    "the lake's folder and those in it must be of a group that you are in, and "
    "writable to it (chgrp -R GROUP, chmod -R g+rwX; chmod g+s on folders)"
)


class Moved(Exception):
    """The lake is not as it was when this was prepared: pull, and prepare it again."""


class Refused(Moved):
    """Another commit came first."""


class CommitLost(Exception):
    """The connection broke while the commit was under way: it may stand, or not."""


class Disconnected(JevdbError):
    """The connection to the catalog broke before anything was changed."""


def failure(target: Target, error: duckdb.Error) -> JevdbError:
    """Return what went wrong with the lake as jevdb says it."""
    text = redacted(str(error))
    place = catalog_place(target, text)
    for sign, words in UNREACHABLE.items():
        if sign in text:
            return JevdbError(f"{place}: {words}")
    if is_lost(error):
        return Disconnected(f"{place}: the connection was lost; try again")
    if found := DENIED.search(text) or FATAL.search(text):
        return JevdbError(f"{place}: {found[1]}; ask the lake's keeper for it")
    if "does not exist - and creating a new DuckLake" in text:
        return not_a_lake(target)
    if "catalog version mismatch" in text:
        return _other_format(target, text)
    return JevdbError(f"{target.name}: {_first_line(text)}")


def catalog_place(target: Target, text: str = "") -> str:
    """Return ``lake catalog HOST:PORT/DATABASE``, as far as it is known."""
    if found := SERVER.search(text):
        where = f"{found[1]}:{found[2]}"
    elif found := SOCKET.search(text):
        where = found[1]
    else:
        return f"lake catalog of {target.name}"
    return f"lake catalog {where}" + (f"/{target.database}" if target.database else "")


def not_a_lake(target: Target) -> SchemaError:
    """Return the error for a catalog that holds no lake of jevdb."""
    return SchemaError(
        f"{target.name}: not a jevdb lake; run: jevdb --db {shlex.quote(target.name)} "
        "init --data PATH"
    )


def _other_format(target: Target, text: str) -> SchemaError:
    there, here, *_ = re.findall(r"\d+\.\d+", text.partition("mismatch")[2])
    return SchemaError(
        f"{target.name}: its DuckLake format is {there}, this extension's is {here}; "
        "use the versions that the lake's other users have (nothing was migrated)"
    )


def refused_storage(path: str, error: object) -> JevdbError:
    """Return the error for storage that did not take a file."""
    found = UNWRITABLE.search(str(error))
    reason = found[1] if found else first_line(error)
    told = f"; {OF_A_GROUP}" if NO_RIGHT in reason else ""
    return JevdbError(
        f"the lake's storage refused {path}: {reason.strip()}; nothing was published"
        f"{told}"
    )


def is_another_first(error: duckdb.Error) -> bool:
    """Whether a commit was refused because another came first."""
    text = str(error)
    said = text.rpartition("ERROR:")[2]
    # DuckLake's own words come before the statement that it quotes.
    return any(sign in said for sign in ANOTHER_FIRST) or CONFLICT in text[:WORDS]


def is_refusal(error: duckdb.Error) -> bool:
    """Whether a commit failed for certain: the catalog itself said no."""
    said_no = "ERROR:" in str(error) or is_another_first(error)
    return said_no and not is_lost(error)


def is_lost(error: duckdb.Error) -> bool:
    """Whether the connection to the catalog broke."""
    text = str(error)
    return any(sign in text for sign in CONNECTION_LOST)


def damaged_file(error: duckdb.Error) -> str | None:
    """Return the data file that could not be read, if that is what went wrong."""
    text = str(error)
    # The catalog's own errors may quote a statement that names files.
    if "ERROR:" in text or "ailed to commit" in text or is_lost(error):
        return None
    found = PARQUET.search(text)
    return found.group() if found else None


def first_line(error: object) -> str:
    """Return the first line of what was said, without passwords."""
    return _first_line(redacted(str(error)))


def _first_line(text: str) -> str:
    return (text.strip().splitlines() or [""])[0]
