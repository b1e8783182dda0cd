"""Pages from templates: everything from data is escaped, in every page alike."""

from __future__ import annotations

import hashlib
import json
import shlex
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jevdb.base.errors import JevdbError
from jevdb.base.installing import to_install
from jevdb.base.metrics import REASONS, Number, decimals, signed
from jevdb.base.text import counted, short_id, visible
from jevdb.base.version import __version__
from jevdb.scoring.report_text import rounded
from jevdb.site.boards import heading
from jevdb.site.cells import bin_rows
from jevdb.site.pictures import Shown, shown

if TYPE_CHECKING:
    from jinja2 import Environment

    from jevdb.plots.picture import Picture

HERE = Path(__file__).parent
MANIFEST = "jevdb-site.json"
FORM = 1
"""The layout of a site; a program refuses to replace one that is newer."""

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)


class Pages:
    """A folder that fills with pages, and the list of what is in it."""

    def __init__(self, folder: Path, menu: list[tuple[str, str]]):
        self.folder = folder
        self.menu = menu
        self.written: dict[str, str] = {}
        self._environment = environment()

    def page(self, path: str, template: str, **context: object) -> None:
        """Render *template* to *path*; links in it start at ``root``."""
        text = self._environment.get_template(template).render(
            root="../" * path.count("/"), here=path, menu=self.menu, **context
        )
        self.file(path, text.encode())

    def file(self, path: str, data: bytes) -> None:
        """Write a file; no two pages have one path."""
        if path in self.written:
            raise JevdbError(f"two pages at {path}")
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        self.written[path] = hashlib.sha256(data).hexdigest()

    def picture(self, path: str, picture: Picture | None) -> Shown | None:
        """Write a picture, if there is one; return how a page shows it."""
        if picture is None:
            return None
        svg = picture.svg()
        self.file(path, svg.encode())
        return shown(picture, svg, path)

    def bare_picture(self, path: str, picture: Picture | None) -> Shown | None:
        """Write a picture without its heading, which the page says in words that wrap.

        Vega measures every letter of a picture; a third of its time went to headings.
        """
        if picture is None:
            return None
        spec = {key: part for key, part in picture.spec.items() if key != "title"}
        return self.picture(path, replace(picture, spec=spec))

    def assets(self) -> None:
        """Copy style, script and icon."""
        for asset in sorted((HERE / "assets").iterdir()):
            self.file(f"assets/{asset.name}", asset.read_bytes())

    def finish(self) -> None:
        """Write the list of all files and their digests: the mark of a site."""
        listed = {"form": FORM, "files": dict(sorted(self.written.items()))}
        text = json.dumps(listed, indent=1) + "\n"
        (self.folder / MANIFEST).write_text(text, encoding="utf-8")


@cache
def environment() -> Environment:
    """Return Jinja2 with autoescape on, undefined names refused."""
    try:
        import jinja2
        from markupsafe import Markup, escape
    except ImportError as error:
        raise JevdbError(f"pages need Jinja2: {to_install('site')}") from error

    def finalize(value: Any) -> Any:
        if isinstance(value, str) and not isinstance(value, Markup):
            return visible(value)
        return value

    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=finalize,
        auto_reload=False,
    )
    made.filters.update(
        bin_rows=bin_rows,
        counted=counted,
        exact=exact,
        heading=lambda key: heading(Number(key.metric, key.kind)),
        signed=signed,
        lines=escape,
        number=number,
        shell=shlex.quote,
        short=short_id,
        why=why,
        size=size,
        openness=openness,
    )
    made.globals.update(policy=CONTENT_POLICY, version=__version__)
    return made


def number(value: float | None, metric: str) -> str:
    """Return a number as people read it, with the decimals of its metric."""
    return rounded(value, decimals(metric))


def exact(value: float | None) -> str:
    """Return a number in full."""
    return "N/A" if value is None else repr(value)


def why(reason: str | None) -> str:
    """Return in words why a number is null."""
    return REASONS.get(reason, reason) if reason else ""


STEPS = ((10**12, "T"), (10**9, "B"), (10**6, "M"), (10**3, "k"))


def size(parameters: int | None) -> str:
    """Return a count of parameters as people write it: ``4B``, ``350M``."""
    if parameters is None:
        return ""
    for step, letter in STEPS:
        if parameters >= step:
            return f"{parameters / step:.3g}{letter}"
    return str(parameters)


def openness(is_open: bool | None) -> str:
    """Return whether the weights are open; nothing where nobody said."""
    return (
        {True: "open", False: "closed"}.get(is_open, "") if is_open is not None else ""
    )
