"""Building the pages of 49 runs on three benchmarks, and sorting rows in Chromium."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import world
from benchmarks.measure import CHECKOUT, JEVDB
from jevdb.warehouse.database import open_writer, transaction

RUNS = 35
MORE = (("made-up-231", 231, 10, 100), ("made-up-44", 44, 4, 200))
"""Benchmarks that are parts of the first: name, items, runs, ingest."""
AIM_MB, AIM_CPU, AIM_NODES, AIM_SORT = 15, 15.0, 8000, 0.2
SORTS = 7
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--no-first-run")
COMPLETE = tuple(
    statement.replace("random() > 0.01", "random() > 0.0001").replace(
        "random() < 0.01 then 'error'", "random() < 0.0001 then 'error'"
    )
    for statement in world.STATEMENTS
)
"""Runs that lack little, so that all stand on one board."""
PART = (
    """insert into ingests select {seq}, 'part {seq}',
    timestamp '2026-01-02' + to_days({seq}), 'items', 'made up', null""",
    """insert into benchmarks by name select * replace
    ('{name}' as benchmark_id, '{name}' as name, 'generic' as scoring, {seq} as seq)
    from benchmarks where benchmark_id = '{whole}'""",
    """create temp table chosen as select item_id from items
    where benchmark_id = '{whole}' qualify
    row_number() over (order by item_id) % {step} = 0 order by item_id limit {items}""",
    """insert into items by name select * replace
    ('{name}' as benchmark_id, {seq} as seq) from items
    where benchmark_id = '{whole}' and item_id in (from chosen)""",
    """insert into gold_revisions by name
    select '{name}' as benchmark_id, 1 as gold_revision, {seq} as seq""",
    """insert into golds by name select * replace
    ('{name}' as benchmark_id, {seq} as seq) from golds
    where benchmark_id = '{whole}' and item_id in (from chosen)""",
    """insert into predictions by name select predictions.* replace
    (sha256(run_id || '{name}') as run_id) from predictions inner join runs
    using (run_id) where benchmark_id = '{whole}' and item_id in (from chosen)
    and cast(replace(model_id, 'model ', '') as integer) < {runs}""",
    """insert into runs by name select * replace (sha256(run_id || '{name}') as run_id,
    '{name}' as benchmark_id, {seq} as seq) from runs where benchmark_id = '{whole}'
    and cast(replace(model_id, 'model ', '') as integer) < {runs}""",
    "drop table chosen",
)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="jevdb-bench-") as temporary:
        warehouse, site = Path(temporary) / "w.duckdb", Path(temporary) / "site"
        build_world(warehouse)
        command = [*JEVDB, "--db", str(warehouse), "site", "build", str(site)]
        process = subprocess.Popen(
            command,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit("the site failed")
        cpu = usage.ru_utime + usage.ru_stime
        files = [path for path in site.rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files) / 2**20
        print("\nsite of 49 runs on 3 benchmarks (1,500, 231 and 44 items)")
        print(f"  {len(files)} files, {size:.1f} MB ({_said(size, AIM_MB)})")
        print(f"  {cpu:.1f} s of processor time ({_said(cpu, AIM_CPU)})")
        _sort(site)


def build_world(path: Path) -> None:
    """Write a warehouse of 35 runs over 1,500 items, 10 over 231, 4 over 44."""
    world.build(path, RUNS, COMPLETE)
    with open_writer(path) as connection, transaction(connection):
        for name, items, runs, seq in MORE:
            for statement in PART:
                named = {"name": name, "items": items, "runs": runs, "seq": seq}
                step = world.ITEMS // items
                connection.execute(
                    statement.format(whole=world.BENCHMARK, step=step, **named)
                )


def _said(value: float, aim: float) -> str:
    return "met" if value < aim else "MISSED"


def _sort(site: Path) -> None:
    """Print how long a page of 1,500 rows takes to sort, and its nodes."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("  no playwright: pip install -e '.[dev]'")
        return
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        print("  no Chromium: make browser")
        return
    rows = max(site.glob("run/*/rows.html"), key=lambda path: path.stat().st_size)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=browser, args=list(ARGUMENTS)
        )
        page = chromium.new_page()
        started = time.perf_counter()
        page.goto(rows.as_uri())
        page.locator("html[data-rows]").wait_for(state="attached")
        loaded = time.perf_counter() - started
        nodes = page.evaluate("document.querySelectorAll('*').length")
        taken = [
            page.evaluate(
                "() => { const heads = [...document.querySelectorAll('button.sort')];"
                "const head = heads.find((each) => each.textContent === 'P(gold)');"
                "const began = performance.now(); head.click();"
                "document.body.offsetHeight; return performance.now() - began; }"
            )
            / 1000
            for _ in range(SORTS)
        ]
        chromium.close()
    middle, worst = statistics.median(taken), max(taken)
    print(f"  rows: {nodes} nodes ({_said(nodes, AIM_NODES)}), open {loaded:.2f} s")
    print(
        f"  sorted in {middle:.3f} s, at most {worst:.3f} s ({_said(worst, AIM_SORT)})"
    )


if __name__ == "__main__":
    sys.exit(main())
