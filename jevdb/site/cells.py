"""The rows of the long tables, written without a template: there are very many.

Everything that comes from data goes through `text`, which escapes it; the rest is
written here, and numbers have no character that needs it.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING

from jevdb.base.text import visible

if TYPE_CHECKING:
    from jevdb.site.numbers import Bin


def text(value: str | None) -> str:
    """Return *value* as HTML shows it; nothing for null."""
    return "" if value is None else html.escape(visible(value))


def bin_rows(bins: Sequence[Bin]) -> str:
    """Return the rows of a table of bins: what each states, and what is true of it.

    Bins without rows are left out; a bin is named by its lower end.
    """
    return "".join(
        f"<tr><th>{each.lower:.3g}<td>{each.n}<td>{each.mean_stated:z.4f}<td>{each.share_true:z.4f}"
        f"<td>{each.adds:z.4f}\n"
        for each in bins
        if each.n
    )
