"""Names of models and benchmarks as parts of paths: never a way out of a folder."""

from __future__ import annotations

import re
import uuid

UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
MAX_LENGTH = 100


def file_name(name: str) -> str:
    """Return *name* with ``_`` for what is no letter, digit, ``.``, ``_`` or ``-``."""
    return UNSAFE.sub("_", name).strip(".")[:MAX_LENGTH] or "_"


def stable_uuid(sha256: str) -> str:
    """Return a UUID that depends on a digest alone, in the shape of a random one."""
    return str(uuid.UUID(bytes=bytes.fromhex(sha256)[:16], version=4))
