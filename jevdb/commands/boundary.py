"""The error boundary of the command line: one message on stderr and an exit code."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext, suppress
from io import TextIOWrapper, UnsupportedOperation
from typing import Any

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from jevdb.base import memory
from jevdb.base.aligning import Room, room_of
from jevdb.base.errors import InputError, Interrupted, JevdbError, UsageError
from jevdb.base.secrets import redacted
from jevdb.base.starting import raise_interrupts
from jevdb.base.wording import for_shell
from jevdb.commands.arguments import arranged, asks_for_json
from jevdb.commands.completing import offer_names

FORMS_PAGE = "docs/canonical.md"
HELP = {"-h", "--help"}
CLOSED = (
    "error: standard output is closed; nothing was done (where nobody wants the output "
    "send it to /dev/null)"
)
LAST_STREAM = 2
"""The descriptor of stderr; files have higher ones."""
AS_JSON = "jevdb.json"
"""Where a call keeps that it was asked for JSON."""


class Boundary(TyperGroup):
    """A group of commands from which no traceback of a user's fault ever leaves."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take the root's options wherever they stand, before or after the command."""
        if ctx.resilient_parsing:
            offer_names(self)
        arguments = arranged(self, args)
        ctx.meta[AS_JSON] = asks_for_json(arguments)
        return super().parse_args(ctx, arguments)

    def invoke(self, ctx: Any) -> Any:
        """Run the command and turn what goes wrong into a message and an exit code."""
        raise_interrupts()
        try:
            words = [*ctx._protected_args, *ctx.args]
            _require_text([*ctx.params.values(), *words])
            if HELP.isdisjoint(words):
                memory.require()
            with _room() as room:
                result = super().invoke(ctx)
            # A full disk must show here, not when the interpreter ends.
            sys.stdout.flush()
            if room is not None and room.said:
                typer.echo(room.said, err=True)
        except KeyboardInterrupt as error:
            said = error if isinstance(error, Interrupted) else Interrupted(None)
            _drop_stdout()
            typer.echo(f"\n{said}", err=True)
            raise typer.Exit(Interrupted.exit_code) from error
        except TyperException as error:
            # What it says of an argument repeats the argument.
            if "message" in vars(error):
                vars(error)["message"] = redacted(str(vars(error)["message"]))
            raise
        except JevdbError as error:
            _say_no(error, as_json=ctx.meta.get(AS_JSON, False))
            raise typer.Exit(error.exit_code) from error
        except BrokenPipeError:
            # The reader of our output went away, as `| head` does.
            _drop_stdout()
            raise typer.Exit(0) from None
        except Exception as error:
            told = memory.told(error) or _of_system(error)
            if told is None:
                raise
            _drop_stdout()
            typer.echo(f"error: {redacted(told)}", err=True)
            raise typer.Exit(1) from error
        return result


def _room() -> AbstractContextManager[Room | None]:
    """Have tables fit the terminal that they are for; a file or pipe has room."""
    if not sys.stdout.isatty():
        return nullcontext()
    return room_of(shutil.get_terminal_size().columns)


def _of_system(error: Exception) -> str | None:
    """Return what the system says of a file or stream; None of another error."""
    if not isinstance(error, OSError):
        return None
    place = f"{error.filename}: " if error.filename else ""
    return f"{place}{error.strerror or error}"


def _say_no(error: JevdbError, *, as_json: bool) -> None:
    """Say what is wrong; what is wrong in files also one by one, if JSON is asked."""
    typer.echo(f"error: {error.in_shell}", err=True)
    if not isinstance(error, InputError):
        return
    if error.is_of_records:
        typer.echo(f"what a file may hold: {FORMS_PAGE}", err=True)
    if as_json:
        problems = [
            {
                "source": each.source,
                "line": each.line,
                "field": each.field,
                "message": redacted(for_shell(each.message)),
            }
            for each in error.raised
        ]
        typer.echo(json.dumps({"problems": problems, "total": error.total}))


def _require_text(arguments: Iterable[object]) -> None:
    """Refuse bytes that are not UTF-8, which nothing behind us could store."""
    for argument in arguments:
        try:
            str(argument).encode()
        except UnicodeEncodeError as error:
            raise UsageError(f"not UTF-8 text: {argument!r}") from error


def _drop_stdout() -> None:
    """Send what is still buffered nowhere; the interpreter would try again."""
    # A stream that only a program reads has no descriptor, and nothing to try again.
    with suppress(UnsupportedOperation):
        descriptor = sys.stdout.fileno()
        os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def prepare_streams() -> None:
    """Let characters that a stream cannot encode through as escapes.

    A stream that the caller closed is None. Words for a closed stderr go nowhere;
    where stdout is closed there is nothing to be done.

    Raises
    ------
    SystemExit
        Nobody can have the output.
    """
    _occupy_closed()
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    if sys.stdout is None:
        sys.stderr.write(f"{CLOSED}\n")
        raise SystemExit(1)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _occupy_closed() -> None:
    """Keep the places of closed streams from files: their bytes would go into one."""
    while (place := os.open(os.devnull, os.O_RDWR)) <= LAST_STREAM:
        pass
    os.close(place)
