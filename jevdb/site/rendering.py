"""Pages from templates: everything from data is escaped, in every page alike."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jevdb.base.errors import JevdbError
from jevdb.base.installing import to_install
from jevdb.base.metrics import REASONS, Number, decimals, signed
from jevdb.base.text import counted, cut, short_id, visible
from jevdb.base.version import __version__
from jevdb.scoring.report_text import rounded
from jevdb.site.boards import heading
from jevdb.site.cells import bin_rows, text

if TYPE_CHECKING:
    from jinja2 import Environment


HERE = Path(__file__).parent
MANIFEST = "jevdb-site.json"
FORM = 1
"""The layout of a site; a program refuses to replace one that is newer."""

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)

EXPLORE_POLICY = CONTENT_POLICY.replace(
    "script-src 'self'; ",
    "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; "
    "connect-src 'self'; ",
)
"""Of the page Explore alone: it may compile the engine, and still ask nobody else."""


class Pages:
    """A folder that fills with pages, and the list of what is in it."""

    def __init__(
        self, folder: Path, menu: list[tuple[str, str]], has_explore: bool = False
    ):
        self.folder = folder
        self.menu = menu
        self.has_explore = has_explore
        self.written: dict[str, str] = {}
        self._environment = environment()

    def page(self, path: str, template: str, **context: object) -> None:
        """Render *template* to *path*; links in it start at ``root``."""
        text = self._environment.get_template(template).render(
            root="../" * path.count("/"),
            here=path,
            menu=self.menu,
            has_explore=self.has_explore,
            **{"policy": CONTENT_POLICY, **context},
        )
        self.file(path, compact(spelled(text), path).encode())

    def file(self, path: str, data: bytes) -> None:
        """Write a file; no two pages have one path."""
        if path in self.written:
            raise JevdbError(f"two pages at {path}")
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        self.written[path] = hashlib.sha256(data).hexdigest()

    def assets(self) -> None:
        """Copy style, script and icon."""
        for asset in sorted((HERE / "assets").iterdir()):
            if asset.name == "explore.js" and not self.has_explore:
                continue
            self.file(f"assets/{asset.name}", asset.read_bytes())

    def finish(self) -> None:
        """Write the list of all files and their digests: the mark of a site."""
        listed = {"form": FORM, "files": dict(sorted(self.written.items()))}
        text = json.dumps(listed, indent=1) + "\n"
        (self.folder / MANIFEST).write_text(text, encoding="utf-8")


LONG = {
    "ECE": "expected calibration error",
    "TVD": "total variation distance",
    "RPS": "ranked probability score",
    "NLL": "negative log-likelihood",
    "MAE": "mean absolute error",
}
"""What is said of an abbreviation where a page first has it."""
UNTOUCHED = "pre|code|script|style|svg|title|option|caption|abbr"
PIECE = re.compile(
    rf"<({UNTOUCHED})\b.*?</\1>|<[^>]*>|\b({'|'.join(LONG)})(?=s?\b)", re.DOTALL
)
OPTIONAL = re.compile(r"\s*</(?:td|th|tr|tbody|thead|tfoot|li|dd|dt)>\s*")
QUOTED = re.compile(r' (class|scope|href|id|role|tabindex|data-[vg])="([\w#/.:-]+)"')
BLANK = re.compile(r"\n\s*\n+")


def spelled(text: str) -> str:
    """Return a page that spells each abbreviation of the field out, where it is first.

    Examples
    --------
    >>> spelled('<th title="ECE">ECE choice</th><th>ECE noul</th>')
    '<th title="ECE"><abbr title="expected calibration error">ECE</abbr> choice</th>\
<th>ECE noul</th>'
    """
    waiting = {word for word in LONG if word in text}
    parts, end = [], 0
    for match in PIECE.finditer(text) if waiting else ():
        word = match[2]
        if word in waiting:
            waiting.remove(word)
            parts += [
                text[end : match.start()],
                f'<abbr title="{LONG[word]}">{word}</abbr>',
            ]
            end = match.end()
            if not waiting:
                break
    return "".join([*parts, text[end:]])


def compact(text: str, path: str) -> str:
    r"""Return a page without what HTML does not need: closed cells, quotes, detours.

    It is a tenth of a page of numbers. Nothing that comes from data is touched: in it
    ``<`` and quotes are escaped.

    Examples
    --------
    >>> compact('<td class="num"><a href="../../run/ab/rows.html">5</a></td></tr>',
    ...         "run/ab/index.html")
    '<td class=num><a href=rows.html>5</a>\n'
    """
    folder, _, _ = path.rpartition("/")
    if folder:
        here = f'"{"../" * path.count("/")}{folder}/'
        text = text.replace(f"href={here}", 'href="').replace(f"src={here}", 'src="')
    text = QUOTED.sub(r" \1=\2", OPTIONAL.sub("\n", text))
    return BLANK.sub("\n", text)


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
        cut=cut,
        exact=exact,
        isolated=isolated,
        heading=lambda key: heading(Number(key.metric, key.kind)),
        signed=signed,
        lines=escape,
        number=number,
        percent=percent,
        shell=shlex.quote,
        short=short_id,
        why=why,
        size=size,
        openness=openness,
    )
    made.globals.update(version=__version__)
    return made


def isolated(name: str) -> str:
    """Return a name as HTML that keeps its direction from its neighbours."""
    from markupsafe import Markup

    shown = text(name)
    return Markup(shown if name.isascii() else f"<bdi>{shown}</bdi>")


def number(value: float | None, metric: str) -> str:
    """Return a number as people read it, with the decimals of its metric."""
    return rounded(value, decimals(metric))


def percent(share: float) -> str:
    """Return a share as people read it; only a whole one is 100 %.

    Examples
    --------
    >>> percent(1.0), percent(0.99996), percent(0.9613), percent(0.0)
    ('100 %', '99.9 %', '96.1 %', '0 %')
    """
    if share in (0.0, 1.0):
        return f"{100 * share:.0f} %"
    return f"{min(max(100 * share, 0.1), 99.9):.1f} %"


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
