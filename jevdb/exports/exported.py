"""An export: the bytes of its document, and of the results table if asked for."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jevdb.base.text import counted
from jevdb.exports.results_file import (
    Request,
    exporting,
    selected_document,
    to_bytes,
)
from jevdb.exports.results_markdown import results_markdown
from jevdb.exports.snapshots import keep
from jevdb.scoring.methods import method_json
from jevdb.scoring.report import Request as ReportRequest
from jevdb.scoring.report import selected_lines
from jevdb.warehouse.files import write_whole

if TYPE_CHECKING:
    from os import PathLike

    from jevdb.base.connection import Connection
    from jevdb.scoring.runs import Run


@dataclass(frozen=True, slots=True)
class Export:
    """An ``evaluation_results.json``: its bytes, and the results table if asked for.

    ``is_new`` says whether a snapshot was not kept already; null where none is kept.
    """

    runs: Sequence[Run]
    results: bytes
    table: bytes | None
    is_new: bool | None

    def to_json(self) -> dict[str, object]:
        """Return the document."""
        document: dict[str, object] = json.loads(self.results)
        return document

    def write(self, path: str | PathLike[str]) -> None:
        """Write the document to a file, whole or not at all."""
        write_whole(Path(path), self.results)

    def __len__(self) -> int:
        return len(self.runs)

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, place: int) -> Run:
        return self.runs[place]

    def __repr__(self) -> str:
        size = counted(len(self.results), "byte", form=",")
        return f"<Export of {counted(len(self.runs), 'run')}, {size}>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(repr(self))}</pre>"


def export(
    connection: Connection,
    request: Request,
    *,
    with_table: bool = False,
    snapshot: str | None = None,
) -> Export:
    """Return what *request* asks for; keep its bytes under a name, if one is given.

    Raises
    ------
    ConflictError
        The snapshot of that name holds other bytes.
    """
    table = None
    with exporting(connection, request):
        made = to_bytes(selected_document(connection, request))
        if with_table:
            asked = ReportRequest(request.runs, (request.method,))
            lines = selected_lines(connection, asked)
            method = method_json(connection, request.method)
            table = results_markdown(lines, method).encode()
    is_new = keep(connection, snapshot, made) if snapshot else None
    return Export(request.runs, made, table, is_new)
