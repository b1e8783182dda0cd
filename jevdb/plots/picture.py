"""A picture: what is drawn, what it says in words, and its numbers as a table."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jevdb.base.output import Rows
from jevdb.base.tabular import Tabular
from jevdb.base.text import markdown_text, visible
from jevdb.plots.rendering import Spec, boxed, missing, page, png, svg
from jevdb.plots.theme import Theme

if TYPE_CHECKING:
    import altair

PNG_SCALE = 2.0


@dataclass(frozen=True, slots=True, repr=False)
class Picture(Tabular):
    """A picture of one kind; the same data give the same bytes.

    ``spec`` is a Vega-Lite specification in light colours; ``alt`` says in a sentence
    or two what there is to see, ``description`` says all of it, a line per thing drawn;
    ``table`` holds every number drawn, in full precision.
    """

    kind: str
    title: str
    alt: str
    description: str
    spec: Spec
    table: Rows

    def __post_init__(self) -> None:
        # A name holding control characters must not break the XML, or a terminal.
        for field in ("title", "alt", "description"):
            lines = str(getattr(self, field)).split("\n")
            object.__setattr__(self, field, "\n".join(map(visible, lines)))

    def rows(self) -> Rows:
        """Return every number drawn."""
        return self.table

    def text(self) -> str:
        """Return what there is to see: the title, then a line per thing drawn."""
        return f"{self.title}\n\n{self.description}\n"

    def markdown(self) -> str:
        """Return the same as Markdown."""
        lines = [self.title, "", *self.description.split("\n")]
        return "\n".join(map(markdown_text, lines)) + "\n"

    def __repr__(self) -> str:
        return f"<Picture {self.kind}: {self.title}. {self.alt}>"

    def svg(self, theme: Theme | str = Theme.AUTO) -> str:
        """Return SVG text; ``auto`` follows the reader's light or dark setting."""
        return svg(self.spec, self.title, self.description, Theme(theme))

    def png(self, theme: Theme | str = Theme.LIGHT, scale: float = PNG_SCALE) -> bytes:
        """Return PNG bytes, *scale* pixels to each of the drawing's; auto is light."""
        return png(self.spec, self.title, self.description, Theme(theme), scale)

    def boxed(self) -> str:
        """Return the characters for which a PNG made on this machine has no font.

        They are empty boxes in it. An SVG or a page has the fonts of its reader.
        """
        return boxed(self.spec)

    def html(self, theme: Theme | str = Theme.AUTO) -> str:
        """Return a page of its own: the picture with tooltips, its data as a table."""
        return page(
            self.spec,
            self.title,
            self.alt,
            self.description,
            self.html_table(),
            Theme(theme),
        )

    def html_table(self) -> str:
        """Return the numbers as an HTML table; what is null is an empty cell."""
        return "\n".join(_html_table(self.table))

    def chart(self) -> altair.TopLevelMixin:
        """Return the picture as an Altair chart, to change it further.

        Raises
        ------
        JevdbError
            Altair is not installed.
        """
        try:
            import altair
        except ImportError as error:
            raise missing("altair") from error
        return altair.Chart.from_dict(json.loads(json.dumps(self.spec)))

    def _repr_html_(self) -> str:
        """Show the picture in a notebook."""
        return self.svg()


def _html_table(table: Rows) -> Iterator[str]:
    yield "<table>"
    heads = "".join(
        f'<th scope="col">{html.escape(name)}</th>' for name in table.columns
    )
    yield f"<thead><tr>{heads}</tr></thead>"
    yield "<tbody>"
    for row in table.plain():
        yield f"<tr>{''.join(map(_cell, row))}</tr>"
    yield "</tbody>"
    yield "</table>"


def _cell(value: object) -> str:
    if value is None:
        return "<td></td>"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f'<td class="number">{json.dumps(value)}</td>'
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"<td>{html.escape(text)}</td>"
