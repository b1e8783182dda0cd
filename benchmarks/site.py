"""Building a site of made-up runs, and opening its board from the disk in Chromium."""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import world
from benchmarks.measure import JEVDB, cost

RUNS = (30, 100)
AIM_SECONDS = 1.0
LOADS = 9
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--no-first-run")
COMPLETE = tuple(
    statement.replace("random() > 0.01", "random() > 0.0001").replace(
        "random() < 0.01 then 'error'", "random() < 0.0001 then 'error'"
    )
    for statement in world.STATEMENTS
)
"""Runs that lack little, so that all stand on one board."""


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="jevdb-bench-") as temporary:
        folder = Path(temporary)
        for runs in RUNS:
            warehouse, site = folder / f"{runs}.duckdb", folder / f"site-{runs}"
            world.build(warehouse, runs, COMPLETE)
            command = (*JEVDB, "--db", warehouse, "site", "build", site)
            print(f"\nsite of {runs} runs x 1,500 items\n  build {cost(command, 1)}")
            files = [path for path in site.rglob("*") if path.is_file()]
            size = sum(path.stat().st_size for path in files) / 2**20
            print(f"  {len(files)} files, {size:.0f} MB")
            _load(site)


def _load(site: Path) -> None:
    """Print how long the board takes from navigation to sorted and filterable."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("  no playwright: pip install -e '.[dev]'")
        return
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        print("  no Chromium: make browser")
        return
    board = next((site / "benchmark").glob("*/index.html")).as_uri()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=browser, args=list(ARGUMENTS)
        )
        taken = []
        for _ in range(LOADS):
            page = chromium.new_page()
            started = time.perf_counter()
            page.goto(board)
            page.locator("html[data-ready]").wait_for(state="attached")
            taken.append(time.perf_counter() - started)
            page.close()
        chromium.close()
    middle, worst = statistics.median(taken), max(taken)
    said = "met" if worst < AIM_SECONDS else "MISSED"
    print(f"  board from the disk: {middle:.2f} s, at most {worst:.2f} s ({said})")


if __name__ == "__main__":
    sys.exit(main())
