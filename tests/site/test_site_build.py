"""The pages say what the commands say, are whole, and lead where they point."""

from __future__ import annotations

import gzip
import html.parser
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote, urlsplit

import pytest
from building import add_benchmark, add_run
from commandline import COMMAND, add_event, jevdb
from hypothesis import given
from hypothesis import strategies as st
from site_world import (
    BENCHMARK,
    CONTENT_POLICY,
    EMPTY,
    HOSTILE_ITEM,
    SECRET,
    WITHDRAWN,
    World,
    make_site,
)

import jevdb as jevdb_api
from jevdb.base.errors import ConflictError
from jevdb.base.installing import to_install
from jevdb.comparison.standing import Standing
from jevdb.numerics.binomial import Bounds
from jevdb.site import rendering
from jevdb.site.addresses import short_names, slug
from jevdb.site.boards import Cell, Row, Table
from jevdb.site.fronts import answer
from jevdb.site.rendering import MANIFEST
from jevdb.warehouse.database import open_reader, open_writer

METHODS = ("metrics-md", "jevbench-v1.5", "jevbench-v1.5-frozen")
SCRIPTS = r"(^|/)(assets/(site|rows)|items)\.js$"
READER = """
import json, sys
import duckdb

connection = duckdb.connect(sys.argv[1], read_only=True)
rows = connection.execute(open(sys.argv[2], encoding="utf-8").read()).fetchall()
print(json.dumps(rows))
"""


class Page(html.parser.HTMLParser):
    """A page's tags, links, anchors and text, as a browser without a script has it."""

    def __init__(self, path: Path):
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.words: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        self.tags.append((tag, known))
        self.links += [
            value for name in ("href", "src") if (value := known.get(name)) is not None
        ]
        if known.get("id"):
            self.anchors.add(str(known["id"]))

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in sorted(site.rglob("*.html"))}


@pytest.fixture(scope="module")
def parsed(world: World) -> dict[Path, Page]:
    return pages(world.site)


def files_of(site: Path) -> dict[str, bytes]:
    return {
        path.relative_to(site).as_posix(): path.read_bytes()
        for path in site.rglob("*")
        if path.is_file()
    }


def run_folder(world: World, model: str) -> Path:
    return world.site / "run" / world.runs[model][:12]


def test_every_link_leads_to_a_page_and_a_place_in_it(parsed: dict[Path, Page]):
    n_places = 0
    for path, page in parsed.items():
        for link in page.links:
            target = urlsplit(link)
            assert not target.scheme and not target.netloc, link
            found = (path.parent / unquote(target.path)).resolve()
            if target.path:
                assert found.is_file(), (path, link)
            other = parsed.get(found, page)
            if target.fragment and "=" not in target.fragment:
                assert target.fragment in other.anchors, (path, link)
                n_places += 1
    assert n_places > 500


def test_every_page_has_the_policy_a_title_one_heading_and_no_inline_code(
    parsed: dict[Path, Page],
):
    for path, page in parsed.items():
        policies = [
            known["content"]
            for tag, known in page.tags
            if known.get("http-equiv") == "Content-Security-Policy"
        ]
        assert policies == [CONTENT_POLICY], path
        assert [tag for tag, _ in page.tags].count("h1") == 1, path
        for tag, known in page.tags:
            assert tag != "style" and "style" not in known, (path, tag)
            assert not [name for name in known if name.startswith("on")], (path, tag)
            if tag == "script" and "src" in known:
                assert re.search(SCRIPTS, str(known["src"])), path
            elif tag == "script":
                assert known == {"type": "application/json", "id": "rows-data"}, path


def test_a_page_spells_an_abbreviation_out_where_it_is_first(world: World):
    found = set()
    for page in sorted(world.site.rglob("*.html")):
        text = page.read_text(encoding="utf-8")
        kept = re.sub(rf"<({rendering.UNTOUCHED})\b.*?</\1>", "", text, flags=re.DOTALL)
        plain = re.sub(r"<[^>]*>", " ", kept)
        for word, long in rendering.LONG.items():
            said = text.count(f'<abbr title="{long}">{word}</abbr>')
            assert said <= 1, page
            assert said or not re.search(rf"\b{word}s?\b", plain), (page, word)
            found |= {word} if said else set()
    assert found >= {"ECE", "TVD", "RPS", "NLL"}


def test_hostile_names_are_text_in_every_page(parsed: dict[Path, Page]):
    allowed = {"script", "svg", "path", "circle", "text", "link", "meta"}
    seen_name = seen_item = False
    for path, page in parsed.items():
        words = "".join(page.words)
        seen_name |= "<img src=x" in words
        seen_item |= HOSTILE_ITEM in words
        tags = {tag for tag, _ in page.tags}
        forbidden = {"iframe", "object", "embed", "base", "img", "foreignobject"}
        assert allowed >= tags & {"script", "svg", *forbidden}
        assert "\u202e" not in words, path
    assert seen_name and seen_item


def test_a_file_is_named_by_words_alone(world: World):
    for name in files_of(world.site):
        assert re.fullmatch(r"[a-zA-Z0-9_./-]+", name), name
        assert ".." not in name


def test_data_is_what_export_and_leaderboard_give(world: World):
    exported = jevdb(world.path, "export", "--method", METHODS[0], "--out", "-")
    found = world.site / "data" / f"evaluation_results--{METHODS[0]}.json.gz"
    assert gzip.decompress(found.read_bytes()).decode() == exported.stdout
    board = jevdb(
        *(world.path, "leaderboard", "--benchmark", BENCHMARK, "--format", "json")
    )
    found = world.site / "benchmark" / BENCHMARK / "index.json"
    assert found.read_text(encoding="utf-8") == board.stdout


def shown_numbers(path: Path, metric: str) -> list[str]:
    """Return the numbers of a metric that a board shows, in the order of its rows."""
    text = path.read_text(encoding="utf-8")
    _, _, table = text.partition("<table")
    table = table.partition("</table>")[0]
    return re.findall(rf"#{metric}\.[a-z]+>([-0-9.]+|N/A)</a>", table)


def test_every_board_shows_the_numbers_of_its_command(world: World):
    boards = [
        ("index", ()),
        ("shared--text--jevbench-v1.5", ("--row", "text", "--method", METHODS[1])),
        ("own--overall--metrics-md", ("--cohort", "own")),
        (
            "shared-probability-text--overall--metrics-md",
            ("--cohort", "shared-probability", "--modality", "text"),
        ),
    ]
    for name, options in boards:
        board = jevdb(
            *(world.path, "leaderboard", "--benchmark", BENCHMARK),
            *(*options, "--format", "json"),
        )
        rows = json.loads(board.stdout)
        path = world.site / "benchmark" / BENCHMARK / f"{name}.html"
        for metric, digits in (("intelligence", 2), ("accuracy", 4)):
            assert shown_numbers(path, metric) == [
                "N/A" if row[column] is None else f"{row[column]:.{digits}f}"
                for row in rows
                for column in ("value" if metric == "intelligence" else metric,)
            ], (name, metric)
        words = "".join(Page(path).words)
        for row in rows:
            low, high = f"{row['low']:.2f}", f"{row['high']:.2f}"
            assert f"{low} to {high}" in words, name


def test_published_results_stand_beside_every_board_and_have_no_rank(world: World):
    folder = world.site / "benchmark" / BENCHMARK
    listed = jevdb(
        *(world.path, "leaderboard", "--benchmark", BENCHMARK),
        *("--reported", "--format", "json"),
    )
    reported = [row for row in json.loads(listed.stdout) if row["origin"] == "reported"]
    assert [row["value"] for row in reported] == [98.76, None]
    names = [
        path.name
        for path in folder.glob("*.html")
        if not path.name.startswith(("part--", "items-"))
    ]
    assert len(names) > 20
    for name in sorted({*names} - {"published.html"}):
        text = (folder / name).read_text(encoding="utf-8")
        _, _, table = text.partition('<table class="interactive reported">')
        table = table.partition("</table>")[0]
        assert re.findall(r"data-v=([0-9.]+)><a", table) == [
            *("98.76", "0.5125", "0.8", "0.5125", "0.8")
        ], name
        assert "as reported, not ranked" in table
        assert "rank" not in re.sub("not ranked", "", table)
        assert "11.11" not in text, name
    assert '"reported"' not in (folder / "index.json").read_text()


def test_the_page_of_published_results_has_definitions_views_and_sources(
    world: World,
):
    page = Page(world.site / "benchmark" / BENCHMARK / "published.html")
    words = " ".join("".join(page.words).split())
    for metric in ("intelligence", "primary_accuracy", "accuracy", "ece"):
        assert f"metric-{metric}" in page.anchors
        assert f"{metric} as they define it </script>" in words
    assert "result-2c2c2c2c2c2c" in page.anchors
    assert "result-1c1c1c1c1c1c" not in page.anchors  # superseded
    assert "50 asked for: 40 ok, 6 unsupported, 4 failed" in words
    assert "0.7188 partial" in words  # of the view family:trees
    assert "2026-09-01T10:00:00" in words


def test_a_number_on_a_board_leads_to_itself_in_full(world: World):
    folder = world.site / "benchmark" / BENCHMARK
    rows = json.loads((folder / "index.json").read_text())
    text = (folder / "index.html").read_text(encoding="utf-8")
    links = re.findall(r"class=main href=([^>]+)>([^<]+)<", text)
    assert [shown for _, shown in links] == [f"{row['value']:.2f}" for row in rows]
    for row, (link, _) in zip(rows, links, strict=True):
        explained = (folder / urlsplit(link).path).resolve()
        _, _, line = explained.read_text(encoding="utf-8").partition(
            "<tr id=intelligence.all>"
        )
        assert repr(row["value"]) in line.partition("<tr")[0]


def test_the_first_page_says_who_leads_and_of_what(world: World):
    words = " ".join("".join(Page(world.site / "index.html").words).split())
    board = json.loads(
        (world.site / "benchmark" / BENCHMARK / "index.json").read_text()
    )
    first = board[0]
    assert {row["title"] for row in board} == {"joint leader"}
    assert (
        f"{first['model']} has the highest I, {first['value']:.1f} "
        f"({first['low']:.1f} to {first['high']:.1f}); none of the 3 other runs can "
        "be told from it." in words
    )
    # The board is on 43 of 44 items, for gamma failed one.
    assert "43 of 44 items (1: a run has no answer to them)" in words
    assert "made-up" not in words


def board_of(*rows: tuple[str, float, str | None]) -> Table:
    """Return a board of runs by name, I and title; intervals are 2 wide each way."""
    return Table(
        [],
        [
            Row(
                run=SimpleNamespace(name=name),  # type: ignore[arg-type]
                origin=None,  # type: ignore[arg-type]
                standing=Standing(rank, title),
                note=None,
                coverage=1.0,
                strip="",
                cells=[Cell(value, "intelligence", "", Bounds(value - 2, value + 2))],
            )
            for rank, (name, value, title) in enumerate(rows, start=1)
        ],
        None,
    )


def test_the_answer_names_who_may_lead_and_says_no_more():
    joint = "joint leader"
    said = {
        "one": board_of(("X", 81.7, None)),
        "first": board_of(("X", 81.7, "#1"), ("Y", 70.2, None), ("Z", 60.0, None)),
        "three": board_of(("X", 81.7, joint), ("Y", 80.0, joint), ("Z", 79.0, joint),
                          ("W", 50.0, None)),
        "untested": board_of(("X", 81.7, None), ("Y", 80.0, None)),
    }  # fmt: skip
    assert {name: " ".join(answer(board)) for name, board in said.items()} == {
        "one": "Only X is ranked: I 81.7 (79.7 to 83.7).",
        "first": "X leads I with 81.7 (79.7 to 83.7): it is above every other run, "
        "11.5 above Y.",
        "three": "X has the highest I, 81.7 (79.7 to 83.7); Y and Z can't be told "
        "from it.",
        "untested": "X has the highest I, 81.7 (79.7 to 83.7); no two runs can be "
        "tested, so that nobody leads.",
    }


def test_a_comparison_says_what_compare_says(world: World):
    # What gamma lacks, the whole board lacks: the two share the items of the board.
    alpha, gamma = world.runs["alpha"], world.runs["gamma"]
    with jevdb_api.open(world.path) as warehouse:
        compared = warehouse.compare(alpha, gamma)
    path = world.site / "compare" / f"{alpha[:12]}--{gamma[:12]}.html"
    words = " ".join("".join(Page(path).words).split())
    [sentence] = compared.sentences()
    assert sentence in words
    [accuracy] = [
        line
        for line in compared.lines
        if line.key[:1] + line.key[2:] == ("overall", "accuracy", "all")
    ]
    assert accuracy.difference is not None and accuracy.interval is not None
    low, high = accuracy.interval
    difference = f"{100 * accuracy.difference:+.1f}"
    assert f"{difference} ({100 * low:+.1f} to {100 * high:+.1f})" in words
    items = jevdb(world.path, "compare", alpha, gamma, "--items", "--format", "json")
    listed = {row["item_id"] for row in json.loads(items.stdout)}
    named = {
        unquote(urlsplit(link).fragment)
        for link in Page(path).links
        if "items-" in link
    }
    assert len(named) == len(listed) > 5


def test_parts_of_a_board_are_of_its_own_cohort_and_report_row(world: World):
    listed = jevdb(
        *(world.path, "report", "--benchmark", BENCHMARK, "--by", "tier"),
        *("--format", "json"),
    )
    report = {
        (row["run_id"], row["report_row"]): row
        for row in json.loads(listed.stdout)
        if row["method_id"] == METHODS[0]
    }
    folder = world.site / "benchmark" / BENCHMARK
    for row in ("overall", "text"):
        page = folder / f"part--own--{row}--tier.html"
        text = page.read_text(encoding="utf-8")
        assert f"Report row <bdi>{row}</bdi>" in text
        accuracy, intelligence = text.split("<tbody>")[1:]
        for line in accuracy.partition("</table>")[0].split("<tr>")[1:]:
            [short] = re.findall(r"run/([0-9a-f]+)/index", line)
            [run_id] = [each for each in world.runs.values() if each.startswith(short)]
            assert re.findall(r">([0-9.]{6})\s*(?=<|$)", line) == [
                f"{report[run_id, f'{row}/{tier}']['accuracy']:.4f}"
                for tier in ("easy", "hard")
            ]
        n_values = len(re.findall(r"<td>([-0-9.]+)\s*(?=<)", intelligence))
        assert n_values == 8  # four runs, two tiers
    # gamma failed item 5, which is hard: the shared cohort goes without it.
    whole = (folder / "part--own--overall--tier.html").read_text()
    shared = (folder / "part--shared--overall--tier.html").read_text()
    assert "22 items" in whole and "21 items" in shared
    board = Page(folder / "own--text--jevbench-v1.5.html")
    parts = [link for link in board.links if "part--" in link]
    assert parts and all("part--own--text--" in link for link in parts)


def test_the_query_of_all_items_gives_every_number_in_duckdb_alone(world: World):
    rows = _in_duckdb(world.path, world.site / "benchmark" / BENCHMARK / "own.sql")
    path = world.site / "data" / f"evaluation_results--{METHODS[0]}.json.gz"
    results = json.loads(gzip.decompress(path.read_bytes()))
    found = {tuple(row[:5]): row[5:] for row in rows if row[2] == METHODS[0]}
    n_checked = 0
    for run in results["runs"]:
        for report_row, numbers in run["rows"].items():
            for metric, kinds in numbers["metrics"].items():
                for kind, number in kinds.items():
                    if number["n_scope"]:
                        place = (run["run_id"], report_row, METHODS[0], metric, kind)
                        assert found[place][:3] == [
                            number[key] for key in ("value", "n", "n_scope")
                        ]
                        n_checked += 1
    assert n_checked > 200


def test_the_query_of_a_cohort_gives_the_numbers_of_its_board(world: World):
    folder = world.site / "benchmark" / BENCHMARK
    rows = _in_duckdb(world.path, folder / "shared.sql")
    board = json.loads((folder / "index.json").read_text())
    found = {tuple(row[:5]): row[5] for row in rows}
    for entry in board:
        key = (entry["run_id"], "overall", METHODS[0])
        assert found[*key, "intelligence", "all"] == entry["value"]
        assert found[*key, "accuracy", "all"] == entry["accuracy"]
    # I is over the 40 items that are not multi-select; of them gamma failed one.
    assert {entry["n"] for entry in board} == {39}


def _in_duckdb(path: Path, sql: Path) -> list[list[object]]:
    done = subprocess.run(
        [sys.executable, "-I", "-c", READER, str(path), str(sql)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    rows: list[list[object]] = json.loads(done.stdout)
    return rows


def test_the_same_warehouse_gives_the_same_bytes(world: World, tmp_path: Path):
    """Built with one thread, as all that tests build, and with four."""
    # Of what is read inward only, the settings are locked.
    with open_reader(world.path, outward=True) as connection:
        connection.execute("set threads = 4")
        from jevdb.site.building import build_site

        build_site(connection, tmp_path / "again", False, lambda words: None)
    assert files_of(tmp_path / "again") == files_of(world.site)


def test_private_withdrawn_and_superseded_runs_are_left_out(world: World):
    for name, data in files_of(world.site).items():
        assert SECRET.encode() not in data, name
        assert WITHDRAWN.encode() not in data, name
        assert b"e" * 64 not in data, name


def test_a_site_replaces_a_site_and_nothing_else(template: Path, tmp_path: Path):
    site = tmp_path / "site"
    site.mkdir()
    first = jevdb(template, "site", "build", str(site))
    assert first.exit_code == 0, first.stderr
    built = files_of(site)
    (site / "index.html").write_text("an old page")
    assert jevdb(template, "site", "build", str(site)).exit_code == 0
    assert files_of(site) == built
    (site / "notes.txt").write_text("mine")
    refused = jevdb(template, "site", "build", str(site))
    assert refused.exit_code == 4
    assert "notes.txt" in refused.stderr
    assert (site / "notes.txt").read_text() == "mine"
    for kind in ("folder", "file"):
        other = tmp_path / kind
        if kind == "folder":
            other.mkdir()
            (other / "thesis.txt").write_text("mine")
        else:
            other.write_text("mine")
        refused = jevdb(template, "site", "build", str(other))
        assert refused.exit_code == 4, refused.output
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("file", "folder", "site")
    ]


def test_a_build_that_fails_leaves_everything_as_it_was(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    site = tmp_path / "site"
    make_site(template, site)
    before = files_of(site)

    def full(self: rendering.Pages) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(rendering.Pages, "finish", full)
    failed = jevdb(template, "site", "build", str(site))
    assert failed.exit_code == 1
    assert "No space left on device" in failed.stderr
    assert files_of(site) == before
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_newer_site_is_not_replaced(template: Path, tmp_path: Path):
    site = make_site(template, tmp_path / "site")
    listed = json.loads((site / MANIFEST).read_text())
    (site / MANIFEST).write_text(json.dumps({**listed, "form": 99}))
    with pytest.raises(ConflictError, match="newer jevdb"):
        make_site(template, site)


def test_it_is_built_where_nobody_reads_what_is_said(template: Path, tmp_path: Path):
    """As with ``2>&1 | head -1``: the reader of stderr is gone."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*COMMAND, "--db", template, "site", "build", tmp_path / "site"],
        stderr=writing,
        stdout=subprocess.DEVNULL,
        check=False,
    )
    os.close(writing)
    assert done.returncode == 0
    assert (tmp_path / "site" / MANIFEST).is_file()


def test_an_empty_warehouse_has_a_site(template: Path, tmp_path: Path):
    site = make_site(template, tmp_path / "site")
    found = "".join(Page(site / "index.html").words)
    assert "no benchmark has items" in found


def test_a_benchmark_without_runs_has_its_items(world: World):
    folder = world.site / "benchmark" / EMPTY
    assert "No run can be ranked yet" in "".join(Page(folder / "index.html").words)
    assert "item-00" in "".join(Page(folder / "items.html").words)


def test_one_partial_private_run_stands_alone(warehouse_path: Path, tmp_path: Path):
    items = [
        {"item_id": "c", "type": "choice", "options": ["a", "b"], "gold": "a"},
        {"item_id": "n", "type": "noul", "gold": "yes"},
    ]
    with open_writer(warehouse_path) as connection:
        add_benchmark(connection, items, benchmark_id="two")
        run_id = add_run(
            connection,
            "two",
            [{"item_id": "c", "answer": "a"}],
            model="only",
            unsupported=["noul"],
        )
        add_event(connection, run_id, "private")
    site = make_site(warehouse_path, tmp_path / "site")
    assert not (site / "run").exists()
    make_site(warehouse_path, site, include_private=True)
    run = "".join(Page(site / "run" / run_id[:12] / "index.html").words)
    assert "Declared not to support noul" in run
    for page in pages(site).values():
        assert page.anchors


def test_without_the_extra_it_says_what_to_install(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    rendering.environment.cache_clear()
    monkeypatch.setitem(sys.modules, "jinja2", None)
    failed = jevdb(world.path, "site", "build", str(tmp_path / "site"))
    monkeypatch.undo()
    rendering.environment.cache_clear()
    assert failed.exit_code == 1
    assert to_install("site") in failed.stderr
    assert not (tmp_path / "site").exists()


@given(st.lists(st.text(), unique=True))
def test_no_two_names_share_a_word_that_could_leave_its_folder(names: list[str]):
    words = [slug(name) for name in names]
    assert len(set(words)) == len(names)
    for word in words:
        assert re.fullmatch(r"[a-z0-9]+([-_.][a-z0-9]+)*", word)


def test_words_that_look_like_a_digest_are_not_taken_for_one():
    name = "Two Words"
    word = slug(name)
    assert word.startswith("two-words-")
    assert slug(word) != word
    assert slug("jevbench-v1.5") == "jevbench-v1.5"
    assert slug("..") not in (".", "..", "")


def test_short_names_grow_until_they_differ():
    same = "ab" * 10
    ids = [same + "0" * 44, same + "1" * 44, "c" * 64]
    assert short_names(ids) == {
        ids[0]: same + "0",
        ids[1]: same + "1",
        ids[2]: "c" * 21,
    }
