"""SVG, PNG and HTML: whole, said in words, escaped, offline, the same bytes again."""

from __future__ import annotations

import hashlib
import html
import json
import os
import re
import struct
import subprocess
import sys
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import altair
import pytest
from commandline import jevdb
from made_up import NAMES, PICTURES, measured
from needed import need

from jevdb.base.errors import JevdbError
from jevdb.base.installing import to_install
from jevdb.plots import Picture, indices
from jevdb.plots.rendering import boxed
from jevdb.plots.theme import (
    DARK,
    INK,
    MUTED,
    PAPER,
    SERIES,
    SHAPES,
    dark_rules,
    darkened,
)

SVG = "{http://www.w3.org/2000/svg}"
HERE = Path(__file__).parent


KINDS = sorted(PICTURES.keys() - {"reliability", "indices-apart"})


@pytest.fixture(scope="module", params=KINDS)
def picture(request: pytest.FixtureRequest) -> Picture:
    return PICTURES[request.param](2)


_drawn: dict[tuple[str, str], str] = {}


def drawn_as(picture: Picture, theme: str) -> str:
    """Return the SVG of a picture, drawn once for all tests."""
    key = (picture.kind, theme)
    if key not in _drawn:
        _drawn[key] = picture.svg(theme)
    return _drawn[key]


def test_svg_is_xml_with_a_title_a_description_and_a_role(picture: Picture):
    root = ElementTree.fromstring(drawn_as(picture, "auto"))
    assert (root.tag, root.get("role")) == (f"{SVG}svg", "img")
    assert root.get("aria-label") == picture.title
    title, description, style = list(root)[:3]
    assert (title.tag, title.text) == (f"{SVG}title", picture.title)
    assert (description.tag, description.text) == (f"{SVG}desc", picture.description)
    assert style.tag == f"{SVG}style"


def test_nothing_in_an_svg_runs_or_fetches(picture: Picture):
    for theme in ("light", "dark", "auto"):
        root = ElementTree.fromstring(drawn_as(picture, theme))
        for element in root.iter():
            assert element.tag.removeprefix(SVG) not in ("script", "image", "use")
            for name, value in element.attrib.items():
                assert not name.endswith("href")
                assert name != "id"
                assert not name.startswith("on")
                assert "url(" not in value


def test_an_svg_that_follows_the_reader_has_a_partner_for_every_colour(
    picture: Picture,
):
    drawn = drawn_as(picture, "auto")
    used = re.findall(r'(?:fill|stroke)="(#[0-9a-f]+)"', drawn.partition("<g")[2])
    assert DARK.keys() >= set(used)
    for attribute, colour in re.findall(r'(fill|stroke)="(#[0-9a-f]+)"', drawn):
        rule = f'.jevdb-plot [{attribute}="{colour}"]{{{attribute}:{DARK[colour]}}}'
        assert rule in drawn
    assert "<style>" not in drawn_as(picture, "light")
    dark = drawn_as(picture, "dark")
    assert set(re.findall(r'(?:fill|stroke)="(#[0-9a-f]+)"', dark)) <= {*DARK.values()}


def chunks(data: bytes) -> list[tuple[str, bytes]]:
    """Return the chunks of a PNG, their checksums checked."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    found, at = [], 8
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        (checksum,) = struct.unpack(">I", data[at + 8 + size : at + 12 + size])
        assert checksum == zlib.crc32(kind + body)
        found.append((kind.decode(), body))
        at += 12 + size
    return found


def png_texts(data: bytes) -> dict[str, str]:
    texts = {}
    for kind, body in chunks(data):
        key, _, rest = body.partition(b"\0")
        if kind == "tEXt":
            texts[key.decode()] = rest.decode("latin-1")
        if kind == "iTXt":
            texts[key.decode()] = rest[4:].decode()
    return texts


def test_png_holds_its_title_and_description(picture: Picture):
    data = picture.png(scale=1)
    assert png_texts(data) == {
        "Title": picture.title,
        "Description": picture.description,
    }
    kinds = [kind for kind, _ in chunks(data)]
    assert kinds[0] == "IHDR" and kinds[-1] == "IEND"
    size = re.findall(r'width="(\d+)" height="(\d+)"', drawn_as(picture, "auto"))[0]
    assert struct.unpack(">II", chunks(data)[0][1][:8]) == tuple(map(int, size))


class Page(HTMLParser):
    """What a page would fetch, and what it says."""

    def __init__(self, text: str):
        super().__init__()
        self.fetches: list[tuple[str, str | None]] = []
        self.tags: list[str] = []
        self.policy = ""
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        found = dict(attrs)
        for name in ("src", "href", "data", "action", "srcset", "poster", "xlink:href"):
            if name in found:
                self.fetches.append((tag, found[name]))
        if found.get("http-equiv") == "Content-Security-Policy":
            self.policy = str(found["content"])

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_html_fetches_nothing_and_says_everything(picture: Picture):
    page = Page(picture.html())
    assert page.fetches == []
    assert page.policy == (
        "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; "
        "style-src 'unsafe-inline'"
    )
    words = "".join(page.words)
    assert picture.description in words
    assert page.tags.count("table") == 1
    assert page.tags.count("tr") == 1 + len(list(picture.table.rows))
    # The three of the page: the specification, the bundle, the few lines that draw.
    assert page.tags.count("script") == 3


def test_the_specification_is_what_altair_knows(picture: Picture):
    chart = picture.chart()
    assert isinstance(chart, altair.TopLevelMixin)
    chart.to_dict()


def test_data_cannot_become_markup():
    picture = PICTURES["indices"](8)
    bold = next(name for name in NAMES if name.startswith("<b>"))
    assert bold in picture.description
    for text in (picture.svg(), picture.html()):
        assert "<b>" not in text
    root = ElementTree.fromstring(picture.svg())
    assert any(bold in str(element.text) for element in root.iter())


def test_a_run_named_like_a_colour_keeps_its_name():
    picture = PICTURES["indices"](8)
    assert "#0072b2@r0" in picture.svg("dark")
    assert darkened({"text": INK, "values": [{"run": INK, "colour": INK}]}) == {
        "text": INK,
        "values": [{"run": INK, "colour": DARK[INK]}],
    }


def test_control_characters_are_written_as_escapes():
    found = measured(2)
    name = "evil\x1b[2J\u202e\x07"
    runs = [run._replace(model=name) for run in found.runs]
    picture = indices(replace(found, runs=runs))
    for text in (picture.alt, picture.description, picture.svg()):
        assert "\x1b" not in text and "\x07" not in text and "\u202e" not in text
    assert r"evil\x1b[2J" in picture.description
    ElementTree.fromstring(picture.svg())


def text_alone(text: str) -> dict[str, object]:
    return {
        "data": {"values": [{"text": text}]},
        "mark": "text",
        "encoding": {"text": {"field": "text", "type": "nominal"}},
    }


def test_no_mark_names_a_colour_that_its_fill_and_stroke_replace():
    """Of one that does, the script of a page warns in the reader's console."""
    found: list[dict[str, object]] = []

    def visit(part: object) -> None:
        if isinstance(part, dict):
            if isinstance(part.get("mark"), dict):
                found.append(part["mark"])
            for inner in part.values():
                visit(inner)
        if isinstance(part, list):
            for inner in part:
                visit(inner)

    for kind in KINDS:
        visit(PICTURES[kind](3).spec)
    assert len(found) > len(KINDS)
    assert [mark for mark in found if {"color", "fill", "stroke"} <= mark.keys()] == []


def test_what_no_font_has_is_found():
    """U+0378 and U+0379 are no characters yet: no font has them."""
    assert boxed(text_alone("a \u0378 & <b>\u0379\u0378")) == "\u0378\u0379"
    assert boxed(text_alone("a & <b> 0.5")) == ""


def test_names_in_chinese_have_a_font_on_each_kind_of_machine():
    """That of Linux distributions, of macOS and of Windows, after Arial."""
    picture = PICTURES["indices"](2)
    svg = drawn_as(picture, "auto")
    [drawn] = set(re.findall(r'font-family="([^"]+)"', svg))
    assert [name.strip("' ") for name in html.unescape(drawn).split(",")] == [
        *("Arial", "Liberation Sans", "Helvetica"),
        *("Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", "sans-serif"),
    ]
    assert f"font: 15px/1.5 {html.unescape(drawn)};" in picture.html()


def test_a_png_with_boxes_says_so(
    demo_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(Picture, "boxed", lambda _: "\u65e5\u672c" + "x" * 30)
    said = {}
    for suffix in ("png", "svg"):
        out = str(tmp_path / f"p.{suffix}")
        command = ("plot", "reliability", "de-1", "--kind", "noul", "--out", out)
        said[suffix] = jevdb(demo_path, *command).output
    lacking = f"No font of this machine has \u65e5\u672c{'x' * 18}...: empty boxes"
    assert lacking in said["png"] and "in p.png." in said["png"]
    assert "No font" not in said["svg"]


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2, definitions)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_marks_and_text_stand_out_on_both_papers():
    for colour in SERIES:
        assert contrast(colour, PAPER) >= 3
        assert contrast(DARK[colour], DARK[PAPER]) >= 3
    for colour in (INK, MUTED):
        assert contrast(colour, PAPER) >= 4.5
        assert contrast(DARK[colour], DARK[PAPER]) >= 4.5


def test_no_two_runs_look_alike():
    assert len(set(SERIES)) == len(set(SHAPES)) == len(SERIES)
    assert len(set(DARK.values())) == len(DARK)
    assert len(list(dark_rules("x"))) == 2 * len(DARK)


def digests() -> list[str]:
    """Return the digests of pictures drawn just now."""
    history, curves = PICTURES["history"](2), PICTURES["risk-coverage"](2)
    drawn = (
        *(history.svg().encode(), history.png(scale=1), history.html().encode()),
        *(curves.svg("dark").encode(), curves.png("dark", scale=1)),
    )
    return [hashlib.sha256(data).hexdigest() for data in drawn]


def test_the_same_data_give_the_same_bytes_in_another_process():
    code = "import test_rendering; print(*test_rendering.digests())"
    places = os.pathsep.join([str(HERE), str(HERE.parent)])
    found = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=HERE,
        env={
            **os.environ,
            "PYTHONHASHSEED": "7",
            "PYTHONPATH": places,
        },
    )
    first = digests()
    assert len(set(first)) == 5
    assert found.stdout.split() == first


@pytest.mark.parametrize("module", ["vl_convert", "altair"])
def test_a_missing_extra_says_what_to_install(
    module: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, module, None)
    picture = PICTURES["indices"](2)
    draw = {"vl_convert": picture.svg, "altair": picture.chart}[module]
    with pytest.raises(JevdbError, match=re.escape(to_install("plot"))):
        draw()


def test_a_browser_shows_the_page_and_asks_the_network_for_nothing(tmp_path: Path):
    from playwright.sync_api import sync_playwright

    program = need("browser")
    path = tmp_path / "picture.html"
    path.write_text(PICTURES["indices"](8).html())
    asked: list[str] = []
    said: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox"]
        )
        page = browser.new_page(color_scheme="dark")
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(path.as_uri())
        page.wait_for_selector("#picture > div svg.jevdb-plot")
        paper = page.eval_on_selector(
            "#picture svg", "svg => getComputedStyle(svg).backgroundColor"
        )
        browser.close()
    assert (asked, said) == ([path.as_uri()], [])
    red, green, blue = (int(DARK[PAPER][at : at + 2], 16) for at in (1, 3, 5))
    assert paper == f"rgb({red}, {green}, {blue})"


def test_the_specification_is_json(picture: Picture):
    assert json.loads(json.dumps(picture.spec, allow_nan=False)) == picture.spec
