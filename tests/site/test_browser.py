"""The pages in a real Chromium, from the disk: what a person does with them."""

from __future__ import annotations

import gzip
import json
import re
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Request,
    expect,
    sync_playwright,
)
from site_world import BENCHMARK, HOSTILE, World

from jevdb.base.text import visible
from jevdb.site.serving import SiteServer

ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update"),
    "--disable-sync",
)
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.fixture(scope="module")
def browser(chromium_path: Path) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=chromium_path, args=list(ARGUMENTS)
        )
        yield found
        found.close()


class Watch:
    """What a page said and asked for."""

    def __init__(self, context: BrowserContext, allowed: str):
        self.allowed = allowed
        self.faults: list[str] = []
        context.on("console", lambda message: self._said(message.type, message.text))
        context.on("weberror", lambda error: self.faults.append(str(error.error)))
        context.on("dialog", lambda dialog: self.faults.append(dialog.message))
        context.on("request", lambda request: self._asked(request.url))
        context.on("requestfailed", self._failed)

    def _said(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.faults.append(text)

    def _failed(self, request: Request) -> None:
        # What the next page interrupts is no fault.
        if request.failure != "net::ERR_ABORTED":
            self.faults.append(f"{request.url}: {request.failure}")

    def _asked(self, url: str) -> None:
        if not url.startswith(self.allowed):
            self.faults.append(f"asked for {url}")


@pytest.fixture
def page(browser: Browser, world: World) -> Iterator[Page]:
    """A page that may complain about nothing and ask for nothing outside."""
    context = browser.new_context()
    watch = Watch(context, world.site.as_uri())
    page = context.new_page()
    page.set_default_timeout(60_000)
    yield page
    context.close()
    assert watch.faults == []


def address(world: World, path: str) -> str:
    return f"{world.site.as_uri()}/{path}"


def board(world: World) -> str:
    return address(world, f"benchmark/{BENCHMARK}/index.html")


def run_path(world: World, model: str, name: str = "index.html") -> str:
    return f"run/{world.runs[model][:12]}/{name}"


def runs_shown(page: Page) -> list[str]:
    found = page.locator(".board tbody tr:not([hidden]) th a")
    return [text.strip() for text in found.all_inner_texts()]


def test_from_the_first_page_to_the_rows_behind_a_number(page: Page, world: World):
    page.goto(address(world, "index.html"))
    page.get_by_role("main").get_by_role("link", name=BENCHMARK, exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(BENCHMARK)
    exported = world.site / "data" / "evaluation_results--metrics-md.json.gz"
    [beta] = [
        run["rows"]["overall"]["metrics"]["accuracy"]["all"]["value"]
        for run in json.loads(gzip.decompress(exported.read_bytes()))["runs"]
        if run["run_id"] == world.runs["beta"]
    ]
    page.get_by_role("link", name="All items").click()
    row = page.locator("tbody tr", has=page.get_by_role("link", name="beta"))
    row.get_by_role("link", name=f"{beta:.4f}").first.click()
    line = page.locator("[id='accuracy.all']")
    expect(line).to_be_in_viewport()
    expect(line.locator("td").first).to_contain_text(repr(beta))
    line.get_by_role("link", name="rows of accuracy.all").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rows of beta")
    expect(page.locator("output.count")).to_contain_text("44 of 44 rows")
    assert f"{beta:.4f}" in page.locator("tfoot").inner_text()
    page.get_by_role("link", name="item-07").click()
    expect(page.locator("section:target h2")).to_have_text("item-07")
    assert page.locator("section:target tr.gold").count() == 1


@pytest.mark.parametrize(
    "places",
    [
        ["own--text"],
        pytest.param(["own--overall", "shared--overall"], marks=pytest.mark.long),
    ],
)
def test_a_number_leads_to_exactly_the_rows_it_averages(
    page: Page, world: World, places: Sequence[str]
):
    """Every number of a run, on all items and on those of a board."""
    for place in places:
        path = run_path(world, "gamma", f"{place}.html")
        page.goto(address(world, path))
        counts = {}
        for line in page.locator("table.numbers tbody tr").all():
            link = line.locator("td:nth-child(4) a")
            if link.count():
                words = link.inner_text().split()[0]
                counts[link.get_attribute("href")] = (words, line.inner_text())
        bins = page.locator("table[data-number='ece.choice'] td a")
        for link in bins.all():
            counts[link.get_attribute("href")] = (link.inner_text().split()[0], "bin")
        assert len(counts) > 30
        page.goto(address(world, run_path(world, "gamma", "rows.html")))
        for href, (n, words) in counts.items():
            assert href is not None
            page.evaluate("hash => { location.hash = hash }", href.partition("#")[2])
            expect(page.locator("output.count"), words).to_contain_text(
                re.compile(rf"^{n} of 44 rows")
            )


def test_a_board_sorts_by_click_and_by_key(page: Page, world: World):
    page.goto(board(world))
    first = runs_shown(page)
    assert first[:3] == ["alpha", "beta", "gamma"]
    page.get_by_role("button", name="Run", exact=True).click()
    head = page.get_by_role("columnheader", name="Run")
    expect(head).to_have_attribute("aria-sort", "ascending")
    assert runs_shown(page)[-1] == "gamma"
    ranked = page.locator(".board")
    ranked.get_by_role("button", name="Accuracy").focus()
    page.keyboard.press("Enter")
    accuracy = ranked.get_by_role("columnheader", name="Accuracy")
    expect(accuracy).to_have_attribute("aria-sort", "descending")
    expect(head).not_to_have_attribute("aria-sort", "ascending")
    assert runs_shown(page) == first
    page.keyboard.press("Enter")
    expect(accuracy).to_have_attribute("aria-sort", "ascending")
    assert runs_shown(page) == first[::-1]
    assert page.url.endswith("#sort=-accuracy")
    page.reload()
    assert runs_shown(page) == first[::-1]


def test_all_columns_are_a_link_away_with_and_without_script(
    browser: Browser, world: World
):
    for scripted in (True, False):
        context = browser.new_context(java_script_enabled=scripted)
        page = context.new_page()
        page.goto(board(world))
        ece = page.locator(".board").get_by_role("link", name="0.")
        before = ece.locator("visible=true").count()
        page.get_by_role("link", name="All columns").click()
        assert ece.locator("visible=true").count() > before
        assert page.url.endswith("#columns=all")
        context.close()


def test_a_board_filters_by_word_size_and_openness(page: Page, world: World):
    page.goto(board(world))
    page.get_by_label("Size").select_option("4B to 10B")
    assert runs_shown(page) == ["alpha"]
    expect(page.locator("output.count")).to_have_text("1 of 4 runs")
    page.get_by_role("button", name="Show all").click()
    page.get_by_label("Weights").select_option("closed")
    assert runs_shown(page) == ["beta"]
    page.get_by_role("link", name="jevbench-v1.5", exact=True).click()
    expect(page.get_by_label("Weights")).to_have_value("closed")
    assert runs_shown(page) == ["beta"]
    page.get_by_role("button", name="Show all").click()
    page.get_by_label("Find").fill("GAM")
    assert runs_shown(page) == ["gamma"]
    page.get_by_label("Find").fill("no such model")
    assert runs_shown(page) == []


def test_method_cohort_and_part_switch_the_numbers(page: Page, world: World):
    page.goto(board(world))
    number = page.locator("tbody a.main").first
    by_metrics_md = number.inner_text()
    page.get_by_role("link", name="jevbench-v1.5", exact=True).click()
    assert number.inner_text() != by_metrics_md
    page.get_by_role("link", name="All items").click()
    expect(page.locator(".lede")).to_contain_text("44 of 44 items")
    page.goto(board(world))
    expect(page.locator(".lede")).to_contain_text("43 of 44 items")
    page.get_by_role("link", name="by tier").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("by tier")
    expect(page.get_by_role("columnheader", name="hard").first).to_contain_text("21")
    page.get_by_role("link", name="beta, rows of hard").click()
    expect(page.locator("output.count")).to_have_text("21 of 44 rows")


def test_a_run_its_model_and_its_comparison_open(page: Page, world: World):
    page.goto(board(world))
    page.get_by_role("link", name="alpha", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("alpha")
    expect(page.locator(".lede")).to_contain_text("rank 1 of 4")
    assert page.get_by_role("img", name="Share true over probability").count() >= 3
    page.get_by_role("link", name="The model").click()
    # alpha has two runs: the older has a label.
    assert page.locator(".strips tbody tr").count() == 2
    page.go_back()
    page.get_by_role("link", name="with beta").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("beta against alpha")
    expect(page.locator(".sentence")).to_contain_text("accuracy")
    assert page.locator(".forest svg.strip").count() > 3
    page.locator("#lost ~ dl a").first.click()
    expect(page.locator("section:target h2")).to_be_visible()


def test_without_script_every_page_is_there(browser: Browser, world: World):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(board(world))
    assert len(runs_shown(page)) == 4
    assert page.locator("button, input, select").count() == 0
    page.goto(address(world, run_path(world, "gamma", "rows.html")))
    assert page.locator("tbody tr").count() == 44
    assert page.locator("tbody td", has_text=re.compile("^error$")).count() == 1
    page.get_by_role("link", name="item-05").click()
    section = page.locator("section:target")
    expect(section.get_by_role("heading")).to_have_text("item-05")
    # gamma failed it.
    expect(section).to_contain_text("No answer: gamma (error)")
    context.close()


def test_the_keyboard_reaches_everything(page: Page, world: World):
    page.goto(board(world))
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.textContent.trim()"))
    assert {
        "jevbench-v1.5",
        "All items",
        "alpha",
        "by tier",
    } <= reached
    page.get_by_role("region", name="Leaderboard").focus()
    expect(page.get_by_role("region", name="Leaderboard")).to_be_focused()


TEMPLATES = (
    *("index.html", "methods.html", f"benchmark/{BENCHMARK}/index.html"),
    *(f"benchmark/{BENCHMARK}/items.html", "benchmark/nobody/index.html"),
    f"benchmark/{BENCHMARK}/published.html",
    f"benchmark/{BENCHMARK}/part--shared--overall--tier.html",
    *(f"benchmark/{BENCHMARK}/items-0.html", "model/alpha.html"),
    *("run/{alpha}/index.html", "run/{alpha}/own--overall.html"),
    *("run/{alpha}/rows.html", "compare/{alpha}--{beta}.html"),
)


@pytest.mark.parametrize(
    ("scheme", "rules"),
    [
        ("light", {"type": "tag", "values": TAGS}),
        ("dark", {"type": "rule", "values": ["color-contrast"]}),
    ],
)
def test_axe_finds_nothing_serious(
    browser: Browser, world: World, scheme: str, rules: dict[str, object]
):
    """The dark scheme changes colours and nothing else."""
    context = browser.new_context(color_scheme=scheme)
    watch = Watch(context, world.site.as_uri())
    page = context.new_page()
    short = {model: run_id[:12] for model, run_id in world.runs.items()}
    found = []
    for template in TEMPLATES:
        page.goto(address(world, template.format(**short)))
        # Its preload fetches the style anew, which the policy forbids.
        options = {
            "runOnly": rules,
            "resultTypes": ["violations"],
            "preload": False,
        }
        for fault in Axe().run(page, options=options).response["violations"]:
            places = [node["html"][:90] for node in fault["nodes"][:2]]
            found.append((template, fault["id"], fault["impact"], places))
    assert not found, "\n".join(map(str, found))
    assert watch.faults == []
    context.close()


def test_hostile_names_are_shown_and_do_nothing(page: Page, world: World):
    for path in (
        f"benchmark/{BENCHMARK}/index.html",
        run_path(world, HOSTILE),
        run_path(world, HOSTILE, "rows.html"),
        run_path(world, HOSTILE, "own--overall.html"),
    ):
        page.goto(address(world, path))
        page.wait_for_timeout(50)
        assert "owned" not in page.title() or visible(HOSTILE) in page.title()
        inline = "script:not([src]):not([type='application/json'])"
        assert page.locator(f"[onerror], iframe, {inline}").count() == 0
        assert visible(HOSTILE) in page.locator("main").inner_text()


def test_a_script_that_got_in_would_not_run(browser: Browser, world: World):
    context = browser.new_context()
    said: list[str] = []
    context.on("console", lambda message: said.append(message.text))
    page = context.new_page()
    page.goto(board(world))
    page.evaluate(
        "() => { const script = document.createElement('script');"
        "script.textContent = 'document.title = \"owned\"';"
        "document.body.append(script); }"
    )
    assert page.title() != "owned"
    assert any("Content Security Policy" in text for text in said)
    context.close()


def test_no_page_is_wider_than_the_screen(page: Page, world: World):
    short = {model: run_id[:12] for model, run_id in world.runs.items()}
    for template in TEMPLATES:
        page.goto(address(world, template.format(**short)))
        for width in (375, 768, 1440):
            page.set_viewport_size({"width": width, "height": 800})
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, (template, wide)


def test_on_paper_no_table_is_cut_and_all_is_light(browser: Browser, world: World):
    # A4 across without its margins of 10 mm, at 96 pixels an inch.
    width = 1046
    context = browser.new_context(
        viewport={"width": width, "height": 720}, color_scheme="dark"
    )
    page = context.new_page()
    page.emulate_media(media="print")
    short = {model: run_id[:12] for model, run_id in world.runs.items()}
    for template in TEMPLATES:
        page.goto(address(world, template.format(**short)))
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, (template, wide)
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert colour == "rgb(255, 255, 255)"
        assert page.locator(".toolbar:visible, .switches:visible").count() == 0
    context.close()


def test_it_works_the_same_when_served(browser: Browser, world: World):
    with SiteServer(world.site, 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        context = browser.new_context()
        watch = Watch(context, server.address)
        page = context.new_page()
        response = page.goto(server.address)
        assert response is not None
        assert "default-src 'none'" in response.headers["content-security-policy"]
        assert response.headers["x-content-type-options"] == "nosniff"
        link = page.get_by_role("main").get_by_role("link", name=BENCHMARK, exact=True)
        link.click()
        page.locator(".board").get_by_role("button", name="Accuracy").click()
        assert runs_shown(page)[0] == "alpha"
        context.close()
        server.shutdown()
    assert watch.faults == []
