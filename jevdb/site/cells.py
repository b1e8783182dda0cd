"""The rows of the long tables, written without a template: there are very many.

Everything that comes from data goes through `text`, which escapes it; the rest is
written here, and numbers have no character that needs it.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from jevdb.base.text import visible

if TYPE_CHECKING:
    from jevdb.site.answers import Answer, Item
    from jevdb.site.numbers import Bin
    from jevdb.site.pairs import Decided

NOTHING = "<td></td>"


def text(value: str | None) -> str:
    """Return *value* as HTML shows it; nothing for null."""
    return "" if value is None else html.escape(visible(value))


def item_heads(items: Mapping[str, Item], properties: Sequence[str]) -> dict[str, str]:
    """Return, for each item, its id, properties and gold as cells."""
    return {
        item_id: (
            f"<th scope=row class=pin><bdi>{text(item_id)}</bdi></th>"
            + "".join(
                f"<td><bdi>{text(getattr(item, name))}</bdi></td>"
                for name in properties
            )
            + f"<td class=text><bdi>{text(item.gold)}</bdi></td>"
        )
        for item_id, item in items.items()
    }


def answer_rows(
    answers: Sequence[Answer],
    items: Mapping[str, Item],
    heads: Mapping[str, str],
    strata: Mapping[str, int],
    terms: Sequence[str],
) -> Iterator[str]:
    """Yield a table row per answer: item, status, answer, and *terms* as numbers."""
    for answer in answers:
        kind = items[answer.item_id].type
        cells = "".join(_number(getattr(answer, name)) for name in terms)
        yield (
            f"<tr data-s={strata[answer.stratum]} data-type={kind}>"
            f"{heads[answer.item_id]}{_status(answer)}"
            f"<td class=text><bdi>{text(answer.answer)}</bdi></td>"
            f"{_right(answer)}{cells}</tr>\n"
        )


def bin_rows(bins: Sequence[Bin]) -> str:
    """Return the rows of a table of bins: what each states, and what is true of it."""
    return "".join(map(_bin_row, bins))


def _bin_row(each: Bin) -> str:
    head = f"<th scope=row>{each.lower:.3g} to {each.upper:.3g}</th>"
    if each.mean_stated is None or each.share_true is None or each.adds is None:
        return f"<tr class=empty>{head}<td class=num>0</td>{NOTHING * 4}</tr>\n"
    bar, dot = 120 * each.share_true, 3 + 114 * each.mean_stated
    return (
        f"<tr>{head}<td class=num>{each.n}</td>"
        f"<td class=num>{each.mean_stated:z.4f}</td>"
        f"<td class=num>{each.share_true:z.4f}</td><td>"
        '<svg class=bar width=120 height=12 viewBox="0 0 120 12" aria-hidden=true '
        "focusable=false><rect class=track y=2 width=120 height=8 />"
        f"<rect class=fill y=2 width={bar:.4g} height=8 />"
        f"<circle class=dot cx={dot:.4g} cy=6 r=3 /></svg></td>"
        f"<td class=num>{each.adds:z.4f}</td></tr>\n"
    )


def decided_rows(decided: Sequence[Decided], heads: Mapping[str, str]) -> Iterator[str]:
    """Yield a table row per item that only one of two runs got right."""
    for each in decided:
        style = "right" if each.other.is_right else "wrong"
        yield (
            f"<tr>{heads[each.item.item_id]}<td class={style}>{each.outcome}</td>"
            f"{_given(each.base)}{_given(each.other)}</tr>\n"
        )


def _status(answer: Answer) -> str:
    if answer.reason is None:
        return f"<td>{answer.status}</td>"
    return f"<td data-g={answer.status}>{answer.status}, {text(answer.reason)}</td>"


def _right(answer: Answer) -> str:
    if answer.is_right:
        return "<td class=right data-v=1>right</td>"
    return "<td class=wrong data-v=0>wrong</td>"


def _given(answer: Answer) -> str:
    """Return what was answered, or the status where nothing was, and how surely."""
    style = "right" if answer.is_right else "wrong"
    given = answer.status if answer.answer is None else answer.answer
    return (
        f'<td class="text {style}"><bdi>{text(given)}</bdi></td>'
        f"{_number(answer.confidence)}"
    )


def _number(value: float | None) -> str:
    """Return a number of four decimals, and the digits that a mean of it needs."""
    if value is None:
        return NOTHING
    shown = f"{value:z.4f}"
    if float(shown) == value:
        return f"<td class=num>{shown}</td>"
    return f"<td class=num data-v={value:.8g}>{shown}</td>"
