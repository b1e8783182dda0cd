"""Explore: what its copy holds, what its queries give, and it in Chromium."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from building import add_benchmark, add_run, insert, next_seq
from commandline import add_event, jevdb
from making import made_once
from needed import find_npm, need
from playwright.sync_api import Browser, Page, expect
from site_world import BENCHMARK, SECRET, WITHDRAWN, World
from test_browser import Watch, browser

from jevdb.site.building import build_site
from jevdb.site.explore import engine
from jevdb.site.explore.public_copy import ALIKE, PUBLISHED, digests, write_copy
from jevdb.site.rendering import EXPLORE_POLICY
from jevdb.site.serving import SiteServer
from jevdb.warehouse.database import open_reader, open_writer

__all__ = ["browser"]

MARK = "not-for-the-public"
KEPT_BACK = {
    "items": ("meta",),
    "models": ("requested_name", "resolved_name", "meta"),
    "runs": ("settings", "source_files"),
    "predictions": ("error", "source_file", "meta"),
    "gold_revisions": ("reason",),
    "ingests": ("content_sha256",),
}
"""Columns that may hold a path, a name or a note; the copy has none of them."""
JSON = {"meta", "settings", "source_files"}
SCALARS = (
    *("intelligence.all", "calibration.all", "accuracy.all", "ece.pooled"),
    *("brier.choice", "nll.all", "multi_select_f1.multi_select", "coverage.all"),
)


def fake_engine(folder: Path, patch: pytest.MonkeyPatch) -> Path:
    """Return a folder with files of the engine's names, known by their digests."""
    folder.mkdir()
    known = {}
    for name in engine.DIGESTS:
        (folder / name).write_bytes(name.encode())
        known[name] = hashlib.sha256(name.encode()).hexdigest()
    patch.setattr(engine, "DIGESTS", known)
    return folder


def test_the_copy_holds_nothing_that_is_not_public(
    warehouse_path: Path, tmp_path: Path
):
    items = [{"item_id": "c", "type": "choice", "options": ["a", "b"], "gold": "a"}]
    rows = [{"item_id": "c", "probabilities": [0.75, 0.25]}]
    with open_writer(warehouse_path) as connection:
        add_benchmark(connection, items, benchmark_id="shown")
        add_benchmark(connection, items, benchmark_id=f"{MARK}-benchmark")
        shown = add_run(connection, "shown", rows, model="public")
        hidden = add_run(connection, "shown", rows, model=f"{MARK}-model")
        add_event(connection, hidden, "private")
        add_run(connection, f"{MARK}-benchmark", rows, model="public")
        for table, columns in KEPT_BACK.items():
            for column in columns:
                value = json.dumps(MARK) if column in JSON else MARK
                connection.execute(
                    f"update {table} set {column} = $value", {"value": value}
                )
        seq = next_seq(connection, "results")
        insert(
            connection, "snapshots",
            [{"name": MARK, "content": "{}", "content_sha256": MARK, "seq": seq}],
        )  # fmt: skip
        insert(
            connection, "rejects",
            [{"ingest_id": "x", "source_file": MARK, "line": 1, "field": MARK,
              "reason": MARK, "text": MARK}],
        )  # fmt: skip
    copy = tmp_path / "public.duckdb"
    write_copy(warehouse_path, copy, ["shown"], [shown])
    with open_reader(copy) as connection:
        tables = [
            name
            for (name,) in connection.execute(
                "select table_name from duckdb_tables() where not internal"
            ).fetchall()
        ]
        filled = set()
        for table in tables:
            found = connection.execute(f'select * from main."{table}"').fetchall()
            assert MARK not in repr(found), table
            if found:
                filled.add(table)
        [(value,)] = connection.execute(
            "select distinct value from metric_accuracy where kind = 'all'"
        ).fetchall()
        run_ids = connection.execute("select run_id from runs").fetchall()
    assert value == 1.0
    assert run_ids == [(shown,)]
    assert filled <= {*PUBLISHED, *ALIKE, "report_rows", "alembic_version"}
    # Nor in what the file holds beside its rows.
    assert MARK.encode() not in copy.read_bytes()
    again = tmp_path / "again.duckdb"
    write_copy(warehouse_path, again, ["shown"], [shown])
    assert digests(copy) == digests(again)


@pytest.fixture(scope="module")
def built(
    world: World,
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> tuple[Path, dict[str, Any]]:
    """The site with Explore, and the facts of its page; no engine runs it here.

    Without npm it is one whose engine is none.
    """

    def make(folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patch, open_reader(world.path) as opened:
            found = fake_engine(folder / "engine", patch)
            build_site(opened, folder / "site", False, lambda words: None, found)

    if find_npm():
        site = request.getfixturevalue("explore")
    else:
        site = made_once(tmp_path_factory, "without_engine", make) / "site"
    text = (site / "explore.html").read_text(encoding="utf-8")
    [facts] = re.findall(r"id=\"?explore-data\"?>(.*?)</script>", text, re.DOTALL)
    return site, json.loads(facts)


def test_the_queries_of_the_page_give_the_numbers_of_the_pages(
    built: tuple[Path, dict[str, Any]], world: World, tmp_path: Path
):
    """As the browser puts them together, on the copy, in DuckDB alone."""
    site, facts = built
    script = (site / "explore" / "data.js").read_text()
    packed = re.findall(r'"([^"]+)"', script)[0]
    copy = tmp_path / "copy.duckdb"
    copy.write_bytes(gzip.decompress(base64.b64decode(packed)))
    everything = "".join(
        path.read_text(encoding="utf-8") for path in site.glob("explore*/*.js*")
    )
    assert SECRET not in everything + json.dumps(facts)
    assert WITHDRAWN not in everything + json.dumps(facts)
    run_id = world.runs["gamma"]
    with duckdb.connect(str(copy), read_only=True) as connection:
        for cohort in ("own", "shared"):
            page = site / "run" / run_id[:12] / f"{cohort}--overall.html"
            text = page.read_text(encoding="utf-8")
            for number in SCALARS:
                ids = facts["queries"][f"{BENCHMARK}|{cohort}"][number]
                sql = "\n),\n\n".join(facts["blocks"][each] for each in ids)
                for name, value in (
                    ("RUN", run_id),
                    ("METHOD", "metrics-md"),
                    ("ROW", "overall"),
                ):
                    sql = sql.replace(f"{{{name}}}", value)
                [(value,)] = connection.execute(sql).fetchall()
                line = text.partition(f"<tr id={number}>")[2].partition("<tr")[0]
                shown = "N/A" if value is None else repr(value)
                assert shown in line, (cohort, number)


def test_explore_alone_may_compile_and_every_page_leads_to_it(
    built: tuple[Path, dict[str, Any]],
):
    site, _ = built
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        is_explore = path.name == "explore.html"
        assert ("wasm-unsafe-eval" in text) == is_explore, path
        assert "explore.html" in text
    # Nobody is asked but the site itself, by a name that is none outside it.
    assert "http" not in EXPLORE_POLICY
    assert "connect-src 'self'" in EXPLORE_POLICY
    assert (
        "explore.js"
        in json.loads((site / "jevdb-site.json").read_text())["files"][
            "assets/explore.js"
        ]
        or (site / "assets" / "explore.js").is_file()
    )


def test_without_npm_it_says_so_and_writes_nothing(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("JEVDB_CACHE", str(tmp_path / "cache" / "lakes"))
    monkeypatch.setattr(shutil, "which", lambda name: None)
    site = tmp_path / "site"
    failed = jevdb(world.path, "site", "build", str(site), "--explore")
    assert failed.exit_code == 1
    assert "needs npm" in failed.stderr and "without --explore" in failed.stderr
    empty = tmp_path / "empty"
    empty.mkdir()
    failed = jevdb(
        *(world.path, "site", "build", str(site), "--explore"),
        *("--engine", str(empty)),
    )
    assert failed.exit_code == 1
    assert "no duckdb-eh.wasm in it" in failed.stderr
    for name in engine.DIGESTS:
        (empty / name).write_text("another")
    failed = jevdb(
        *(world.path, "site", "build", str(site), "--explore"),
        *("--engine", str(empty)),
    )
    assert "its SHA-256 is another" in failed.stderr
    private = jevdb(
        *(world.path, "site", "build", str(site), "--explore", "--include-private")
    )
    assert private.exit_code == 2
    assert not site.exists()


def explored(path: Path, folder: Path) -> Path:
    """Build a site with the real engine."""
    found = engine.engine_folder(None, lambda words: None)
    with open_reader(path) as connection:
        build_site(connection, folder, False, lambda words: None, found)
    return folder


@pytest.fixture(scope="module")
def explore(world: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the world with Explore."""
    need("npm")
    return (
        made_once(
            tmp_path_factory,
            "explore",
            lambda folder: explored(world.path, folder / "site"),
        )
        / "site"
    )


@pytest.fixture
def page(browser: Browser, explore: Path) -> Iterator[Page]:
    """A page that may complain about nothing and ask for nothing outside."""
    context = browser.new_context()
    watch = Watch(context, explore.as_uri())
    page = context.new_page()
    page.set_default_timeout(90_000)
    # The engine starts in 3 to 8 seconds, more where many tests run.
    expect.set_options(timeout=90_000)
    yield page
    expect.set_options(timeout=5_000)
    context.close()
    assert [fault for fault in watch.faults if "asked for blob:" not in fault] == []


def test_a_number_is_checked_and_the_views_follow_each_other(
    page: Page, explore: Path, world: World
):
    page.goto(f"{explore.as_uri()}/run/{world.runs['gamma'][:12]}/shared--overall.html")
    page.locator("tr[id='intelligence.all'] a.check").click()
    checked = page.locator("#checked li[data-same]")
    expect(checked).to_contain_text("same digits")
    # An address with another value is found out.
    page.evaluate(
        "() => { location.hash = location.hash.replace(/value=[^&]+/, 'value=1') }"
    )
    expect(checked).to_contain_text("OTHER DIGITS")

    page.get_by_role("button", name="Load engine and data").click()
    expect(page.locator("#counted")).to_contain_text("44 rows")
    page.locator("#tiers").get_by_role("button", name="hard").click()
    expect(page.locator("#counted")).to_contain_text("22 rows")
    # A brush from the first bin of the upper half to the last.
    bins = page.locator("#reliability [role=button]")
    bins.nth(5).hover()
    page.mouse.down()
    bins.nth(9).hover()
    page.mouse.up()
    expect(page.locator("#reliability [aria-pressed=true]")).to_have_count(5)
    kept = page.locator("#counted").inner_text()
    assert re.search(r"[?&#]tier=hard", page.url) and "bins=5-9" in page.url
    address = page.url
    page.go_back()
    expect(page.locator("#counted")).to_contain_text("22 rows")
    page.goto("about:blank")
    page.goto(address)
    expect(page.locator("#counted")).to_have_text(kept)


def test_any_two_runs_and_sql(page: Page, explore: Path, world: World):
    alpha, beta = world.runs["alpha"], world.runs["beta"]
    page.goto(f"{explore.as_uri()}/explore.html#base={alpha[:12]}&other={beta[:12]}")
    page.get_by_role("button", name="Load engine and data").click()
    expect(page.locator("#counted")).to_contain_text("44 rows")
    page.get_by_role("button", name="Compare").click()
    compared = jevdb(world.path, "compare", alpha, beta, "--format", "json")
    [line] = [
        row
        for row in json.loads(compared.stdout)
        if (row["metric"], row["kind"], row["report_row"])
        == ("accuracy", "all", "overall")
        and row["method_id"] == "metrics-md"
    ]
    low, high = 100 * line["low"], 100 * line["high"]
    expect(page.locator("#pair-words")).to_contain_text(
        f"{100 * line['difference']:.1f} points ({low:.1f} to {high:.1f}), "
        f"exact p {line['p_value']:.3f}"
    )
    page.locator("#sql").fill("select 6 * 7 as answer, 'a,b' as words")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("#result tbody td").first).to_have_text("42")
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert download.value.path().read_text() == 'answer,words\n42,"a,b"'
    page.locator("#sql").fill("select * from no_such_table")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("#sql-words")).to_contain_text("no_such_table")


@pytest.mark.long
def test_every_number_of_the_demos_pages_has_the_same_digits_in_the_browser(
    browser: Browser, demo_path: Path, tmp_path: Path
):
    """Over loopback: about 900 numbers of 32 pages, each by its own query."""
    need("npm")
    site = explored(demo_path, tmp_path / "site")
    with SiteServer(site, 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        context = browser.new_context()
        watch = Watch(context, server.address)
        page, engine_page = context.new_page(), context.new_page()
        expect.set_options(timeout=90_000)
        engine_page.goto(f"{server.address}explore.html")
        n_checked = 0
        for path in sorted(site.glob("run/*/*--*.html")):
            page.goto(server.address + path.relative_to(site).as_posix())
            for link in page.locator("a.check").all():
                href = link.get_attribute("href")
                assert href is not None
                engine_page.evaluate(
                    "hash => { document.getElementById('checked').replaceChildren();"
                    "location.hash = hash }",
                    href.partition("#")[2],
                )
                item = engine_page.locator("#checked li[data-same]")
                expect(item, href).to_contain_text("same digits")
                n_checked += 1
        assert n_checked > 600
        expect.set_options(timeout=5_000)
        context.close()
        server.shutdown()
    assert [fault for fault in watch.faults if "asked for blob:" not in fault] == []
