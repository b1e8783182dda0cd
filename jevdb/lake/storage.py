"""What a lake's storage does not give: unreachable, refused or missing, not damaged."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from jevdb.base.errors import JevdbError
from jevdb.lake.damage import owner
from jevdb.lake.failures import damaged_file, first_line

if TYPE_CHECKING:
    import duckdb

    from jevdb.lake.catalog import Catalog

KEYS = (
    "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN and AWS_DEFAULT_REGION"
)
NO_ANSWER = re.compile(r"([\w ]+) error for HTTP \w+ to '(https?://[^/']+)")
STATUS = re.compile(r"HTTP Error: .*\bHTTP (\d{3})\b")
OF_DISK = re.compile(r'(?:Cannot|Could not) (?:open|read)[^"]*"[^"]*": ([^"\n]*)')
NO_FILE = "No files found that match the pattern"
NOT_THERE = "No such file or directory"
MISSING = 404
NO_RIGHT = (400, 401, 403)
UNSATISFIABLE = 416
"""The status of a file that is shorter than the catalog says: it is damaged."""


class MissingFile(JevdbError):
    """A data file is not where the lake has it; the storage itself answers."""


def not_given(lake: Catalog, error: duckdb.Error) -> JevdbError | None:
    """Return the error for storage that gave no bytes; None if it is another fault.

    Only bytes that were read and are wrong are damage. The catalog's own errors, which
    quote statements, are none of the storage's.
    """
    text = first_line(error)
    if "ERROR:" in str(error):
        return None
    if found := NO_ANSWER.search(text):
        reason = found[1].removeprefix("IO Error: ").strip()
        return JevdbError(
            f"{lake.target.name}: the object store {found[2]} cannot be reached: "
            f"{reason}; check the network and AWS_ENDPOINT_URL{_keys_missing()}"
        )
    if found := STATUS.search(text):
        return _refused(lake, error, int(found[1]))
    if NO_FILE in text:
        return _of_disk(lake, error, NOT_THERE)
    if found := OF_DISK.search(text):
        return _of_disk(lake, error, found[1].strip())
    return None


def _refused(lake: Catalog, error: duckdb.Error, status: int) -> JevdbError | None:
    if status == UNSATISFIABLE:
        return None
    if status == MISSING:
        return _missing(lake, error, "the bucket and path are the lake's")
    if status in NO_RIGHT:
        return JevdbError(
            f"{lake.target.name}: the object store refused to read {lake.data} (HTTP "
            f"{status}); check {KEYS}{_keys_missing()}"
        )
    return JevdbError(
        f"{lake.target.name}: the object store failed to read {lake.data} (HTTP "
        f"{status}); try again, or ask its keeper"
    )


def _of_disk(lake: Catalog, error: duckdb.Error, reason: str) -> JevdbError:
    # What is mounted elsewhere leaves an empty folder, or none, in its place.
    if "://" not in lake.data and not Path(lake.data, "main").is_dir():
        return JevdbError(
            f"{lake.target.name}: the lake's files are not at {lake.data}; check that "
            "the share is mounted there"
        )
    if reason == NOT_THERE:
        return _missing(lake, error, "the share is whole")
    path = damaged_file(error) or lake.data
    return JevdbError(
        f"{lake.target.name}: cannot read {path}: {reason}; "
        "check the share, and that your group may read it"
    )


def _missing(lake: Catalog, error: duckdb.Error, whether: str) -> MissingFile:
    path = damaged_file(error) or lake.data
    return MissingFile(
        f"{lake.target.name}: file missing: {owner(lake, path)}: file {path}; check "
        f"that {whether}; if somebody removed the file, put it back"
    )


def _keys_missing() -> str:
    return "" if os.environ.get("AWS_ACCESS_KEY_ID") else f"; no keys are given: {KEYS}"
