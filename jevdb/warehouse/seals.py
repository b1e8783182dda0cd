"""Seals: what is computed and kept in a file is believed by who computed it alone.

Whoever can write a file can put numbers into it that its rows do not give. So what
jevdb keeps there carries a code made with a secret that is not in the file: one of this
user on this machine, or one that a group shares in ``JEVDB_TALLY_KEY``.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from dataclasses import dataclass

from jevdb.base.errors import UsageError
from jevdb.warehouse.kept import is_readable_by_others, keep, kept

VARIABLE = "JEVDB_TALLY_KEY"
LEAST = 16
NAME = "seal"
BYTES = 32
SHOWN = 16


@dataclass(frozen=True, slots=True, repr=False)
class Seal:
    """A secret, and the name by which a file says whose seal something has."""

    secret: bytes

    @property
    def name(self) -> str:
        """16 hex digits that say nothing of the secret."""
        return hashlib.sha256(b"name of " + self.secret).hexdigest()[:SHOWN]

    def of(self, *parts: object) -> str:
        """Return the HMAC-SHA256 (hex) of some parts, in this order."""
        text = "\n".join(map(str, parts))
        return hmac.new(self.secret, text.encode(), "sha256").hexdigest()

    def fits(self, code: str, *parts: object) -> bool:
        """Whether *code* is the seal of these parts."""
        return hmac.compare_digest(code.encode(), self.of(*parts).encode())


def known_seal() -> Seal | None:
    """Return the seal of this user, or of the group; None if there is none yet.

    Raises
    ------
    UsageError
        The group's key is too short to be a secret.
    """
    if given := os.environ.get(VARIABLE):
        if len(given) < LEAST:
            raise UsageError(
                f"{VARIABLE} has {len(given)} characters; a secret has {LEAST} at "
                "least, for instance those of `openssl rand -hex 32`"
            )
        return Seal(hashlib.sha256(b"jevdb tallies\n" + given.encode()).digest())
    found = kept(NAME)
    if found is None or len(found) != BYTES or is_readable_by_others(NAME):
        return None
    return Seal(found)


def own_seal() -> Seal:
    """Return the seal, made now if there is none.

    Raises
    ------
    UsageError
        The user's cache keeps no secret: there is no room, or others may look into it.
    """
    if (seal := known_seal()) is not None:
        return seal
    keep(NAME, secrets.token_bytes(BYTES))
    if (seal := known_seal()) is None:
        raise UsageError(
            "the user's cache keeps no secret, so that tallies could not be told from "
            f"others' later; set {VARIABLE}, or JEVDB_CACHE to a folder of your own"
        )
    return seal
