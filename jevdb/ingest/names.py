"""Names that a reader can take apart: ``model@revision#label``."""

from __future__ import annotations

from jevdb.base.errors import UsageError
from jevdb.base.wording import option


def check_name(name: str, what: str) -> None:
    """Refuse a name that cannot be told from another, or from its parts.

    *what* is the option that gives it: ``model``, ``revision``, ``label`` or
    ``benchmark``.

    Raises
    ------
    UsageError
        It is empty, holds @, # or a control character, or has a blank at an end.
    """
    if not name:
        raise UsageError(f"{option(what)} is empty")
    if name != name.strip():
        raise UsageError(
            f"{option(what)} {name!r} has a blank at its end; leave it out"
        )
    if any(ord(char) < ord(" ") or 0x7F <= ord(char) < 0xA0 for char in name):  # noqa: PLR2004
        raise UsageError(f"{option(what)} {name!r} has a control character")
    if "@" in name or "#" in name:
        raise UsageError(
            f"{option(what)} {name!r} has {'@' if '@' in name else '#'}, which sets "
            f"the parts of a run's name apart; {_parts(name, what)}"
        )


def _parts(name: str, what: str) -> str:
    """Return how a name of several parts is said."""
    if what != "model":
        return "choose a name without it"
    rest, _, label = name.partition("#")
    model, _, revision = rest.partition("@")
    given = (("model", model), ("revision", revision), ("label", label))
    return "say " + " ".join(
        option(part, value) for part, value in given if value and value.strip()
    )
