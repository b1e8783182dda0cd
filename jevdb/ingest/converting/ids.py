"""Item ids that went through a data frame: 1.0 where 1 was meant."""

from __future__ import annotations

import re

MOST_EXACT = 2**53 - 1
"""The largest whole number that no other is rounded to."""
WHOLE = re.compile(r"([+-]?\d+)(\.0*)?", re.ASCII)
NUMBER = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?", re.ASCII)


class IdFault(Exception):
    """A number that is the id of nothing."""


def whole_id(value: object) -> str:
    """Return an id as text, a whole number without its fraction of zeros.

    Examples
    --------
    >>> whole_id(1.0), whole_id("2.0"), whole_id("q7")
    ('1', '2', 'q7')
    """
    text = value if isinstance(value, str) else repr(value)
    found = WHOLE.fullmatch(text.strip())
    if found is None:
        if NUMBER.fullmatch(text.strip()):
            if float(text).is_integer():
                raise IdFault(f"{text} has an exponent; the digits of its id are lost")
            raise IdFault(f"{text} is no whole number, and an id is to be one")
        return text
    if found[2] is None:
        return text if isinstance(value, str) else str(value)
    if abs(int(found[1])) > MOST_EXACT:
        raise IdFault(
            f"{text} is beyond the numbers that a double tells apart; its id is lost"
        )
    return str(int(found[1]))
