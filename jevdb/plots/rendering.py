"""From a specification to SVG, PNG or HTML: the same bytes for the same data.

Drawing is done by vl-convert, offline. What it lacks is added here: the text
alternative, the dark colours, and an HTML page that may not reach the network.
"""

from __future__ import annotations

import functools
import html
import json
import re
import struct
import zlib
from collections.abc import Iterator, Mapping
from types import ModuleType

from jevdb.base.errors import JevdbError
from jevdb.base.installing import to_install
from jevdb.base.memory import DRAWING, require
from jevdb.plots.theme import DARK, FONT, PAPER, Theme, dark_rules, darkened

CSS_CLASS = "jevdb-plot"
FIRST_TAG = re.compile(r'<svg ([^>]*?)class="marks"([^>]*)>')
NOISE = re.compile(
    r' (?:role|aria-roledescription|aria-hidden|pointer-events)="[^"]*"'
    r'|(?<=<g) class="[^"]*"|(?<=<path) class="[^"]*"| opacity="1"'
    r'|<path [^>]*display="none"/>'
)
"""What Vega says of each mark; the whole is one image, and says so itself."""
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
LATIN = 0x100
DRAWN_TEXT = re.compile(r"<(?:text|tspan)[^>]*>([^<]+)<")
NO_CHARACTER = "\U0010ffff"
ALONE = '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32">'

Spec = Mapping[str, object]


def missing(name: str) -> JevdbError:
    """Return the error that says what brings a module that pictures need."""
    return JevdbError(f"pictures need {name}: {to_install('plot')}")


def vl_convert() -> ModuleType:
    """Return vl-convert.

    Raises
    ------
    JevdbError
        It is not installed, or a limit of the address space is too low for it.
    """
    require(DRAWING, "drawing")
    try:
        import vl_convert as module
    except ImportError as error:
        raise missing("vl-convert") from error
    return module


def svg(spec: Spec, title: str, description: str, theme: Theme) -> str:
    """Return a picture as SVG text with its title, description and colours."""
    shown = darkened(spec) if theme is Theme.DARK else spec
    drawn = NOISE.sub("", str(vl_convert().vegalite_to_svg(json.dumps(shown))))
    head = f"<title>{html.escape(title)}</title><desc>{html.escape(description)}</desc>"
    if theme is Theme.AUTO:
        head += f"<style>{auto_style(drawn)}</style>"
    label = html.escape(title)
    opening = (
        rf'<svg \1class="{CSS_CLASS}" role="img" aria-label="{_literal(label)}"\2>'
    )
    return FIRST_TAG.sub(opening + _literal(head), drawn, count=1) + "\n"


def _literal(text: str) -> str:
    """Return *text* as it must stand in a replacement of `re.sub`."""
    return text.replace("\\", "\\\\")


def auto_style(drawn: str) -> str:
    """Return the style rules that a drawn picture needs to follow the reader."""
    used = [rule for rule in dark_rules(f".{CSS_CLASS}") if _selector(rule) in drawn]
    return f"@media (prefers-color-scheme:dark){{{''.join(used)}}}"


def _selector(rule: str) -> str:
    return rule.partition("[")[2].partition("]")[0]


def png(spec: Spec, title: str, description: str, theme: Theme, scale: float) -> bytes:
    """Return a picture as PNG bytes; ``auto`` is light, a PNG cannot follow anybody."""
    paper = Theme.DARK if theme is Theme.DARK else Theme.LIGHT
    drawn = vl_convert().svg_to_png(svg(spec, title, description, paper), scale=scale)
    return _with_texts(bytes(drawn), {"Title": title, "Description": description})


def boxed(spec: Spec) -> str:
    """Return the characters that a PNG made here shows as empty boxes, in order.

    No font of the machine has them: drawn alone they look like a code point that never
    will be a character.
    """
    drawn = str(vl_convert().vegalite_to_svg(json.dumps(spec)))
    texts = map(html.unescape, DRAWN_TEXT.findall(drawn))
    found = dict.fromkeys(char for char in "".join(texts) if not char.isspace())
    box = _drawn_alone(NO_CHARACTER)
    return "".join(char for char in found if _drawn_alone(char) == box)


def _drawn_alone(char: str) -> bytes:
    """Return a character as the PNG of a picture would have it."""
    text = f'<text x="4" y="24" font-size="20" font-family="{FONT}">'
    svg_text = f"{ALONE}{text}{html.escape(char)}</text></svg>"
    return bytes(vl_convert().svg_to_png(svg_text, scale=1))


def _with_texts(data: bytes, texts: Mapping[str, str]) -> bytes:
    """Return PNG bytes with text chunks behind their header."""
    header_end = len(PNG_SIGNATURE) + 25
    chunks = b"".join(_text_chunk(key, text) for key, text in texts.items())
    return data[:header_end] + chunks + data[header_end:]


def _text_chunk(key: str, text: str) -> bytes:
    """Return a tEXt chunk, or an iTXt one where Latin-1 does not do."""
    keyword = key.encode("ascii")
    if all(ord(char) < LATIN for char in text):
        kind, body = b"tEXt", keyword + b"\0" + text.encode("latin-1")
    else:
        kind, body = b"iTXt", keyword + b"\0\0\0\0\0" + text.encode("utf-8")
    checksum = zlib.crc32(kind + body)
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", checksum)


@functools.cache
def script_bundle() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script that needs no network."""
    bundle = str(vl_convert().javascript_bundle())
    return bundle.replace("</script", "<\\/script").replace("<!--", "<\\!--")


PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
<figure>
<div id="picture" role="img" aria-label="{alt}" tabindex="0">
{svg}</div>
<figcaption>{alt}</figcaption>
</figure>
<details>
<summary>In words</summary>
<p>{description}</p>
</details>
<details>
<summary>The data</summary>
<div class="table" tabindex="0" role="region" aria-label="The data">
{table}
</div>
</details>
</main>
<script type="application/json" id="specification">{spec}</script>
<script>{bundle}</script>
<script>
const place = document.getElementById("picture");
const drawing = document.createElement("div");
const spec = JSON.parse(document.getElementById("specification").textContent);
const options = {{actions: false, mode: "vega-lite", renderer: "svg"}};
vegaEmbed(drawing, spec, options).then(() => {{
  drawing.querySelector("svg").classList.add("{css_class}");
  place.replaceChildren(drawing);
}});
</script>
</body>
</html>
"""
"""The drawn picture stands there until the live one, with tooltips, takes its place."""

STYLE = """\
:root {{ color-scheme: {scheme}; }}
body {{ margin: 0; background: {paper}; color: {ink};
  font: 15px/1.5 {font}; }}
main {{ max-width: 75rem; margin: 0 auto; padding: 1rem; }}
h1 {{ position: absolute; clip-path: inset(50%); white-space: nowrap; }}
figure {{ margin: 0; }}
#picture {{ overflow-x: auto; }}
svg.{css_class} {{ max-width: 100%; height: auto; }}
@media (max-width: 45rem) {{ svg.{css_class} {{ max-width: none; }} }}
figcaption, details p {{ max-width: 50rem; margin: 1rem 0; white-space: pre-line; }}
.table {{ overflow: auto; max-height: 30rem; }}
table {{ border-collapse: collapse; font-size: 13px; }}
th, td {{ padding: 2px 10px; text-align: left; border-bottom: 1px solid {grid}; }}
td.number {{ text-align: right; font-variant-numeric: tabular-nums; }}
#vg-tooltip-element {{ background: {paper}; color: {ink}; border: 1px solid {faint}; }}
{rules}"""


def page(
    spec: Spec, title: str, alt: str, description: str, table: str, theme: Theme
) -> str:
    """Return a page that works without network and, but for tooltips, without script.

    Its Content-Security-Policy forbids every request.
    """
    shown = darkened(spec) if theme is Theme.DARK else spec
    return PAGE.format(
        title=html.escape(title),
        alt=html.escape(alt),
        description=html.escape(description),
        style=_page_style(theme),
        svg=svg(spec, title, description, theme),
        table=table,
        spec=json.dumps(_embedded(shown)).replace("<", "\\u003c"),
        bundle=script_bundle(),
        css_class=CSS_CLASS,
    )


def _embedded(spec: object) -> object:
    """Return the specification without its version, on which the script remarks."""
    assert isinstance(spec, Mapping)
    return {key: part for key, part in spec.items() if key != "$schema"}


def _page_style(theme: Theme) -> str:
    from jevdb.plots import theme as colours

    named = {
        name: getattr(colours, name.upper()) for name in ("ink", "grid", "faint")
    } | {"paper": PAPER}
    if theme is Theme.DARK:
        named = {name: DARK[colour] for name, colour in named.items()}
    rules = "\n".join(_dark_page()) if theme is Theme.AUTO else ""
    scheme = {"auto": "light dark"}.get(theme.value, theme.value)
    return STYLE.format(
        **named, rules=rules, scheme=scheme, css_class=CSS_CLASS, font=FONT
    )


def _dark_page() -> Iterator[str]:
    from jevdb.plots.theme import FAINT, GRID, INK

    yield "@media (prefers-color-scheme: dark) {"
    paper, ink = DARK[PAPER], DARK[INK]
    yield f"body, #vg-tooltip-element {{ background: {paper}; color: {ink}; }}"
    yield f"th, td {{ border-color: {DARK[GRID]}; }}"
    yield f"#vg-tooltip-element {{ border-color: {DARK[FAINT]}; }}"
    yield f"svg.{CSS_CLASS} {{ background-color: {paper} !important; }}"
    yield from dark_rules(f"svg.{CSS_CLASS}")
    yield "}"
