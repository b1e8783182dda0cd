"""What a file claims: its published numbers, with what each should be."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from jevdb.base.errors import JevdbError, UsageError
from jevdb.base.wording import option
from jevdb.exports.verify.mapping import (
    fitting_mapping,
    json_claims,
    read_mapping,
)
from jevdb.exports.verify.markdown import markdown_claims
from jevdb.exports.verify.results import is_results, results_claims
from jevdb.exports.verify.verify import TOLERANCE, Claim
from jevdb.warehouse.assets import shipped

if TYPE_CHECKING:
    from jevdb.base.connection import Connection


def claims_of(
    connection: Connection,
    file: Path,
    mapping: Path | None,
    run: str | None,
    tolerance: float | None,
    notify: Callable[[str], None],
) -> tuple[str | None, list[Claim]]:
    """Return the method that the file or its mapping names, and the claims.

    Raises
    ------
    UsageError
        The file needs a mapping and there is none.
    JevdbError
        It cannot be read, or is not what its ending says.
    """
    text = _read(file)
    if file.suffix.lower() in (".md", ".markdown"):
        mapped = read_mapping(_required(file, mapping))
        rows = connection.execute("select benchmark_id from benchmarks").fetchall()
        benchmarks = [str(row[0]) for row in rows]
        mapped = mapped._replace(run=run or mapped.run)
        return mapped.method, markdown_claims(text, mapped, tolerance, benchmarks)
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise JevdbError(f"{file}: not JSON: {error}") from error
    if is_results(document) and mapping is None:
        return results_claims(document, TOLERANCE if tolerance is None else tolerance)
    fitting = fitting_mapping(document) if mapping is None else None
    if fitting:
        notify(f"{file}: by the mapping {fitting.name}, which ships with jevdb")
    mapped = fitting or read_mapping(_required(file, mapping))
    mapped = mapped._replace(run=run or mapped.run)
    return mapped.method, json_claims(document, mapped, tolerance)


def _required(file: Path, mapping: Path | None) -> Path:
    if mapping is None:
        raise UsageError(
            f"{file} is no evaluation_results.json; say what its numbers "
            f"mean with {option('map', 'FILE.toml')}, or name a mapping that ships: "
            f"{', '.join(shipped('verify'))}"
        )
    return mapping


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise JevdbError(f"{file}: cannot read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise JevdbError(f"{file}: not UTF-8 text") from error
