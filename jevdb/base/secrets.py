"""Passwords in what a person typed: they are used, and never shown."""

from __future__ import annotations

import re

HIDDEN = "***"
PASSWORD_WORD = re.compile(
    r"(\b\w*(?:passw(?:or)?d|pwd)\s*[=:]\s*)('(?:[^'\\]|\\.)*'|[^\s;&]+)",
    re.IGNORECASE,
)
WORD = re.compile(r"\S+")
USER_OF_URL = re.compile(r"(?<![\w.+-])[\w.+-]+:/{1,3}[^:/?#@]*:")
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
BEFORE_HOST = re.compile(rf"^({SCHEME.pattern})?.*(@)", re.DOTALL)


def redacted(text: str) -> str:
    """Return *text* with every password of a connection string or URL hidden.

    Examples
    --------
    >>> redacted("no answer from postgres://me:hunter2@db/lake")
    'no answer from postgres://me:***@db/lake'
    >>> redacted("host=db password='hunter 2' dbname=lake")
    'host=db password=*** dbname=lake'
    """
    if "@" not in text and "=" not in text and ":" not in text:
        return text
    hidden = PASSWORD_WORD.sub(rf"\g<1>{HIDDEN}", text)
    return WORD.sub(_without_password, hidden) if "@" in hidden else hidden


def _without_password(word: re.Match[str]) -> str:
    """Return a word, of megabytes maybe, with the password of a URL in it hidden."""
    before, _, host = word[0].rpartition("@")
    if user := USER_OF_URL.search(before):
        return f"{before[: user.end()]}{HIDDEN}@{host}"
    return word[0]


def redacted_address(text: str) -> str:
    """Return what should be an address, and may be none, with its password hidden.

    In a mistyped one nothing says what is the password: of all that stands before the
    host only the scheme is shown.

    Examples
    --------
    >>> redacted_address("postgres:me:hunter2@db/lake")
    'postgres:***@db/lake'
    """
    hidden = redacted(text)
    return hidden if HIDDEN in hidden else BEFORE_HOST.sub(rf"\1{HIDDEN}\2", hidden)


def is_address(text: str) -> bool:
    """Whether a name begins with a scheme, or has a password, as a URL does."""
    has_password = "@" in text.partition(":")[2] or PASSWORD_WORD.search(text)
    return bool(SCHEME.match(text) or has_password)
