"""`jevdb verify`: do published numbers recompute."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jevdb.commands.common import FormatOption, examples
from jevdb.commands.session import Session, say
from jevdb.errors import CheckError, JevdbError, UsageError
from jevdb.output import Format, write

if TYPE_CHECKING:
    from jevdb.verifying.verify import Claim
    from jevdb.warehouse.database import Connection

METHOD = "metrics-md"


def register(app: typer.Typer) -> None:
    """Add the command to *app*."""
    app.command(
        epilog=examples(
            "jevdb verify evaluation_results.json",
            "jevdb verify published.json --map de-1",
            "jevdb verify RESULTS.md --map results-md",
            "jevdb verify card.md --map mine.toml --tolerance 0.01 --format json",
        )
    )(verify)


def verify(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON or Markdown.")],
    mapping: Annotated[
        Path | None,
        typer.Option(
            "--map",
            metavar="FILE",
            help="What the numbers mean, in TOML; or the name of a mapping that ships.",
        ),
    ] = None,
    run: Annotated[
        str | None,
        typer.Option(
            metavar="RUN", help="The run meant, where the mapping names another."
        ),
    ] = None,
    tolerance: Annotated[
        float | None,
        typer.Option(
            min=0,
            help="How much a number may differ. [1e-9; rounded ones half a last digit]",
        ),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option("--method", help="Scoring method; the file's, or metrics-md."),
    ] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Recompute published numbers: which do, which do not and by how much, which lack.

    An `evaluation_results.json` needs no mapping, nor a file that a mapping of jevdb's
    fits. Any other JSON file or Markdown table needs one that says which run, report
    row and metric each number is; numbers that it leaves out are listed as lacking.
    Exit 1 if a number differs.
    """
    from jevdb.verifying.verify import DIFFERS, counts, verdict_rows
    from jevdb.verifying.verify import verify as verdicts_on

    session: Session = context.obj
    with session.reader() as connection:
        named, claims = _claims(connection, file, mapping, run, tolerance)
        verdicts = verdicts_on(connection, claims, method or named or METHOD)
    rows = verdict_rows(verdicts)
    is_for_people = form in (Format.TABLE, Format.MARKDOWN)
    write(rows.used() if is_for_people else rows, form, sys.stdout)
    found = counts(verdicts)
    words = ", ".join(f"{count} {verdict}" for verdict, count in found.items())
    if found[DIFFERS]:
        raise CheckError(f"{file}: {words}")
    say(f"{file}: {words}")


def _claims(
    connection: Connection,
    file: Path,
    mapping: Path | None,
    run: str | None,
    tolerance: float | None,
) -> tuple[str | None, list[Claim]]:
    """Return the method that the file or its mapping names, and the claims."""
    from jevdb.verifying.verify import TOLERANCE
    from jevdb.verifying.verify_map import fitting_mapping, json_claims, read_mapping
    from jevdb.verifying.verify_markdown import markdown_claims
    from jevdb.verifying.verify_results import is_results, results_claims

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
        say(f"{file}: by the mapping {fitting.name}, which ships with jevdb")
    mapped = fitting or read_mapping(_required(file, mapping))
    mapped = mapped._replace(run=run or mapped.run)
    return mapped.method, json_claims(document, mapped, tolerance)


def _required(file: Path, mapping: Path | None) -> Path:
    if mapping is None:
        raise UsageError(
            f"{file} is no evaluation_results.json; say what its numbers "
            "mean with --map FILE.toml"
        )
    return mapping


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise JevdbError(f"{file}: cannot read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise JevdbError(f"{file}: not UTF-8 text") from error
