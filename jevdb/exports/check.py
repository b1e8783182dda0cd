"""Whether a results file still recomputes from the warehouse, byte for byte."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from jevdb.base.documents import Json
from jevdb.base.errors import CheckError, JevdbError, UnknownNameError
from jevdb.base.text import counted
from jevdb.exports.results_file import Request, document, to_bytes
from jevdb.scoring.runs import all_runs

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

DIFFERENCES_SHOWN = 20
SHOWN_CHARACTERS = 60
MISSING = object()


def check_file(
    connection: Connection, path: Path, gold_revision: int | None = None
) -> int:
    """Recompute the runs of the file by its method; return how many there are.

    Raises
    ------
    CheckError
        The bytes differ; the message has the JSON paths of the first differences.
    """
    data = _read(path)
    published = _parsed(path, data)
    try:
        request = _request(connection, path, published, gold_revision)
        fresh = document(connection, request)
    except UnknownNameError as error:
        raise CheckError(f"{path}: {error}") from error
    if to_bytes(fresh) == data:
        return len(request.runs)
    found = list(differences(published, json.loads(to_bytes(fresh))))
    if not found:
        raise CheckError(f"{path}: the values recompute, but the file is laid out anew")
    lines = [
        f"{path}: {counted(len(found), 'difference')}",
        *islice(found, DIFFERENCES_SHOWN),
    ]
    if len(found) > DIFFERENCES_SHOWN:
        lines.append(f"... and {len(found) - DIFFERENCES_SHOWN} more")
    raise CheckError("\n".join(lines))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise JevdbError(f"{path}: cannot read: {error.strerror or error}") from error


def _parsed(path: Path, data: bytes) -> Json:
    try:
        published = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise JevdbError(f"{path}: not JSON: {error}") from error
    if not isinstance(published, dict):
        raise JevdbError(f"{path}: not an evaluation_results.json: no object")
    return published


def _request(
    connection: Connection, path: Path, published: Json, gold_revision: int | None
) -> Request:
    method = published.get("method")
    runs = published.get("runs")
    method_id = method.get("method_id") if isinstance(method, dict) else None
    if not isinstance(method_id, str) or not isinstance(runs, list):
        raise JevdbError(
            f"{path}: not an evaluation_results.json: it names no method or no runs"
        )
    wanted = [run.get("run_id") if isinstance(run, dict) else None for run in runs]
    known = all_runs(connection)
    missing = {str(run_id) for run_id in wanted} - {run.run_id for run in known}
    if missing:
        raise CheckError(
            f"{path}: not in this warehouse: runs {', '.join(sorted(missing)[:5])}"
        )
    return Request(
        [run for run in known if run.run_id in wanted], method_id, gold_revision
    )


def differences(published: object, fresh: object, path: str = "$") -> Iterator[str]:
    """Yield ``path: published in the file, fresh here`` for every leaf that differs."""
    if isinstance(published, dict) and isinstance(fresh, dict):
        for key in sorted(published.keys() | fresh.keys()):
            yield from differences(
                published.get(key, MISSING), fresh.get(key, MISSING), f"{path}.{key}"
            )
    elif isinstance(published, list) and isinstance(fresh, list):
        for i in range(max(len(published), len(fresh))):
            yield from differences(_at(published, i), _at(fresh, i), f"{path}[{i}]")
    elif type(published) is not type(fresh) or published != fresh:
        yield f"{path}: {_shown(published)} in the file, {_shown(fresh)} here"


def _at(values: list[object], i: int) -> object:
    return values[i] if i < len(values) else MISSING


def _shown(value: object) -> str:
    if value is MISSING:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "..."
