"""A suite has a page: its board, its members with their runs, its editions."""

from __future__ import annotations

import re
from pathlib import Path

from building import insert, next_seq, open_for_a_test
from suite_world import member, store, toml

from jevdb.site.building import build_site
from jevdb.suites.editions import freeze
from jevdb.suites.roster import Request
from jevdb.suites.storing import add_suite


def test_a_suite_has_a_page_that_links_and_marks(warehouse_path: Path, tmp_path: Path):
    with open_for_a_test(warehouse_path) as connection:
        runs = store(connection, {"b1": {"x": "+" * 9 + "-", "<b>": "+-" * 5}}, n=10)
        path = toml(tmp_path / "s.toml", [member("b1")])
        suite, _ = add_suite(connection, path)
        freeze(connection, "may <i>", Request(suite))
        seq = next_seq(connection, "event")
        event = {"seq": seq, "run_id": runs["b1", "x"], "event": "withdrawn"}
        insert(connection, "run_events", [event])
        build_site(connection, tmp_path / "site", False, lambda words: None)
    front = (tmp_path / "site" / "index.html").read_text("utf-8")
    [where] = re.findall(r"suite/[a-z0-9-]+\.html", front)
    page = (tmp_path / "site" / where).read_text("utf-8")
    # Nine of ten was withdrawn; five of ten is left, and the edition says so.
    assert "Only &lt;b&gt; is ranked by small@1." in page
    assert "<b>" not in page
    assert "0.5000" in page
    assert "may &lt;i&gt;" in page
    assert "is withdrawn since" in page
    [run] = set(re.findall(r"\.\./(run/[0-9a-f]+/index\.html)", page))
    assert (tmp_path / "site" / run).exists()
