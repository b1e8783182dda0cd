"""Methods and scorings of a user's own: checked, stored for good, side by side."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest
from building import add_benchmark, add_run, open_to_fill
from commandline import FIRST, METHOD, fill, jevdb, rows_of

from jevdb.base.metrics import Number
from jevdb.scoring.explain.explain import explain
from jevdb.scoring.explain.number_place import Asked
from jevdb.scoring.runs import all_runs
from jevdb.warehouse.database import open_reader, upgrade

SEEDED = 5
"""Methods that come with every warehouse."""
TIERS = "\n[tier_weights]\neasy = 1\nstandard = 1\njudge = 1\nhard = 3\n"

SCOPE = """\
-- acme: one row per report row, subset and item; only text counts.
select
    benchmark_id,
    'core' as report_row,
    subset,
    item_id
from golden_items
cross join (values ('all'), ('index'), ('ece_choice')) as subsets (subset)
where
    scoring = 'acme'
    and type = 'choice'
"""
ITEMS = [
    {"item_id": f"c{i}", "type": "choice", "options": ["a", "b"], "gold": "a"}
    for i in range(4)
]
ITEMS[3]["domain"] = "other"


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


def test_a_method_of_ones_own(warehouse_path: Path, tmp_path: Path):
    fill(warehouse_path)
    file = write(tmp_path, "m.toml", METHOD)
    assert jevdb(warehouse_path, "methods", "add", file).exit_code == 0
    named = ["--run", FIRST, "--method", "metrics-md", "--method", "strict"]
    main, strict = rows_of(warehouse_path, "report", *named)
    # commandline.WORKED: choice 0, noul 100, score 75. P(yes) 0.875 is below 0.9, so
    # noul is 100 (0 - 1/2) / (1/2) = -100; weights 2, 1, 1.
    assert main["intelligence"] == pytest.approx(175 / 3, abs=1e-12)
    assert strict["intelligence"] == pytest.approx((0 * 2 - 100 + 75) / 4, abs=1e-12)
    # Five bins: 0.75 twice and 0.875 in two bins still: 2/3 x 1/4 + 1/3 x 1/8.
    assert strict["ece_pooled"] == pytest.approx(0.625 / 3, abs=1e-12)


def test_the_same_method_again_is_nothing_new(warehouse_path: Path, tmp_path: Path):
    fill(warehouse_path)
    file = write(tmp_path, "m.toml", METHOD + TIERS)
    assert jevdb(warehouse_path, "methods", "add", file).exit_code == 0
    (stored,) = [
        row
        for row in rows_of(warehouse_path, "methods")
        if row["method_id"] == "strict"
    ]
    assert stored["tier_weights"] == {
        **{"easy": 1.0, "standard": 1.0, "judge": 1.0},
        "hard": 3.0,
    }
    again = jevdb(warehouse_path, "methods", "add", file)
    assert again.exit_code == 0
    assert "is there already" in again.stderr
    other = write(tmp_path, "n.toml", METHOD.replace("bins = 5", "bins = 6"))
    conflict = jevdb(warehouse_path, "methods", "add", other)
    assert conflict.exit_code == 4
    assert "another bins, tier_weights" in conflict.stderr
    with open_reader(warehouse_path) as connection:
        kinds = connection.execute(
            "select kind from ingests where seq > 0 order by seq"
        ).fetchall()
    assert kinds.count(("method",)) == 1


def test_tier_weights_weigh(warehouse_path: Path, tmp_path: Path):
    """An easy item right and a hard one wrong: components 100 and -100."""
    with open_to_fill(warehouse_path) as connection:
        items = [{**ITEMS[0], "tier": "easy"}, {**ITEMS[1], "tier": "hard"}]
        add_benchmark(connection, items, benchmark_id="b")
        answers = [
            {"item_id": "c0", "answer": "a"},
            {"item_id": "c1", "answer": "b"},
        ]
        add_run(connection, "b", answers)
    file = write(tmp_path, "m.toml", METHOD + TIERS)
    assert jevdb(warehouse_path, "methods", "add", file).exit_code == 0
    (row,) = rows_of(warehouse_path, "report", "--method", "strict")
    # (1 x 100 - 3 x 100) / 4
    assert row["intelligence"] == -50.0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (METHOD.replace("bins = 5", ""), "bins: missing"),
        (METHOD + "noul_lo = 1", "noul_lo: no parameter of a method; did you mean"),
        (METHOD.replace("0.9", "1.5"), "noul_high: expected a number in [0, 1]"),
        (METHOD.replace("= 0.9", "= nan"), "noul_high: expected a number in [0, 1]"),
        (METHOD.replace("0.9", "0.05"), "noul_low: 0.1 is above noul_high 0.05"),
        (METHOD.replace("bins = 5", "bins = 5.0"), "bins: expected a whole number"),
        (METHOD.replace("bins = 5", "bins = true"), "bins: expected a whole number"),
        (METHOD.replace("= true", "= 1"), "noul_chance_corrected: expected true"),
        (METHOD.replace("= 2", "= 0"), "choice_weight: expected a number from"),
        (METHOD.replace("1e-9", "0"), "probability_floor: expected a number above 0"),
        (METHOD.replace('"lexicographic"', '"last"'), "tie_rule: expected lexi"),
        (METHOD.replace('"note 3"', '""'), "document: expected a text"),
        (METHOD + "[tier_weights]\neasy = 1", "tier_weights.hard: missing; weigh all"),
        (METHOD + TIERS + "top = 1", "tier_weights.top: no tier"),
        ("tier_weights = 3" + METHOD, "tier_weights: expected a table"),
        ("bins = = 5", "no TOML"),
    ],
)
def test_what_is_no_method(warehouse_path: Path, tmp_path: Path, text: str, words: str):
    done = jevdb(warehouse_path, "methods", "add", write(tmp_path, "method.toml", text))
    assert done.exit_code == 1
    assert f"method.toml: {words}" in done.stderr
    assert len(rows_of(warehouse_path, "methods")) == SEEDED


@pytest.fixture
def ranked(warehouse_path: Path, tmp_path: Path) -> Path:
    """Two runs of four noul items whose ranks depend on the method.

    Sure: three right and clear, one wrong. Shy: four right at 0.7, none clear.
    By metrics-md sure has 75 and shy 0; by lax (thresholds 0.5) 75 and 100.
    """
    items = [{"item_id": f"n{i}", "type": "noul", "gold": "yes"} for i in range(4)]
    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, items, benchmark_id="b")
        for model, stated in (("sure", (0.9, 0.9, 0.9, 0.1)), ("shy", (0.7,) * 4)):
            rows = [
                {"item_id": f"n{i}", "probabilities": [1 - yes, yes]}
                for i, yes in enumerate(stated)
            ]
            add_run(connection, "b", rows, model=model)
    text = METHOD.replace("0.1", "0.5").replace("0.9", "0.5").replace("true", "false")
    file = write(tmp_path, "lax.toml", text.replace("strict", "lax"))
    assert jevdb(warehouse_path, "methods", "add", file).exit_code == 0
    return warehouse_path


COMPARE = ["methods", "compare", "b", "--method", "metrics-md", "--method", "lax"]


def test_ranks_by_method(ranked: Path):
    rows = rows_of(ranked, *COMPARE)
    assert {
        (row["model"], row["method_id"]): (
            *(row["value"], row["rank"], row["rank_change"]),
        )
        for row in rows
    } == {
        ("sure", "metrics-md"): (75.0, 1, 0),
        ("shy", "metrics-md"): (0.0, 2, 0),
        ("sure", "lax"): (75.0, 2, 1),
        ("shy", "lax"): (100.0, 1, -1),
    }


def test_how_much_is_method_and_how_much_is_model(ranked: Path):
    value, rank = rows_of(ranked, *COMPARE, "--run", "sure", "--run", "shy")
    # From 75 to 100. Model: (0 - 75) and (100 - 75), mean -25; method: (75 - 75) and
    # (100 - 0), mean 50; together 25.
    assert (value["step"], value["model"], value["method"]) == (25.0, -25.0, 50.0)
    assert value["interaction"] == 100.0
    # Ranks: sure 1 then 2, shy 2 then 1. From 1 to 1: model (1) and (-1), mean 0.
    assert (rank["step"], rank["model"], rank["method"]) == (0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (COMPARE[:5], "name two methods"),
        ([*COMPARE, "--run", "shy"], "name two runs"),
        ([*COMPARE, "--metric", "brier"], "no report has brier"),
        ([*COMPARE, "--row", "text"], "unknown report row"),
    ],
)
def test_what_cannot_be_compared(ranked: Path, arguments: list[str], words: str):
    done = jevdb(ranked, *arguments)
    assert done.exit_code == 2
    assert words in done.stderr


@pytest.fixture
def scoped(warehouse_path: Path, tmp_path: Path) -> Path:
    """A scoring of one's own, in two versions, with a benchmark and a run.

    Three of four items right. Version 2 leaves out the item that is wrong.
    """
    file = write(tmp_path, "acme.sql", SCOPE)
    assert jevdb(warehouse_path, "scopes", "add", file).exit_code == 0
    items = "".join(json.dumps(item) + "\n" for item in ITEMS)
    done = jevdb(
        warehouse_path,
        *("ingest", "items", write(tmp_path, "items.jsonl", items)),
        *("--benchmark", "b", "--scoring", "acme"),
    )
    assert done.exit_code == 0, done.output
    rows = [
        {"item_id": f"c{i}", "probabilities": [0.75, 0.25] if i < 3 else [0.25, 0.75]}
        for i in range(4)
    ]
    answers = "".join(json.dumps(row) + "\n" for row in rows)
    done = jevdb(
        warehouse_path,
        *("ingest", "run", write(tmp_path, "run.jsonl", answers)),
        *("--benchmark", "b", "--model", "m"),
    )
    assert done.exit_code == 0, done.output
    write(tmp_path, "acme.sql", SCOPE + "    and domain is distinct from 'other'\n")
    done = jevdb(warehouse_path, "scopes", "add", file)
    assert "version 2, added" in done.stderr
    return warehouse_path


def test_the_newest_version_is_in_force(scoped: Path):
    (row,) = rows_of(scoped, "report")
    assert (row["report_row"], row["n"], row["accuracy"]) == ("core", 3, 1.0)
    (listed,) = [r for r in rows_of(scoped, "scopes") if r["scoring"] == "acme"]
    assert (listed["version"], listed["n_benchmarks"], listed["n_items"]) == (2, 1, 4)


def test_a_plain_client_reports_by_the_newest_version(scoped: Path):
    with duckdb.connect(str(scoped), read_only=True) as plain:
        shown = plain.sql(
            "select report_row, n, accuracy from report where method_id = 'metrics-md'"
        ).fetchall()
    assert shown == [("core", 3, 1.0)]


def test_versions_side_by_side(scoped: Path):
    versions = ["--scope-version", "1", "--scope-version", "2"]
    rows = rows_of(scoped, "report", *versions)
    assert [
        (row["report_row"], row["n"], row["accuracy"], row["intelligence"])
        for row in rows
    ] == [("core@1", 4, 0.75, 50.0), ("core@2", 3, 1.0, 100.0)]
    # abs(0.75 - 3/4) and abs(0.75 - 1)
    assert [row["ece_choice"] for row in rows] == [0.0, 0.25]


def test_no_such_version(scoped: Path):
    done = jevdb(scoped, "report", "--scope-version", "3")
    assert done.exit_code == 2
    assert "scored as acme, which has no version 3" in done.stderr
    explained = jevdb(scoped, "explain", "m", "I", "--scope-version", "3")
    assert explained.exit_code == 2
    assert "has no version 3" in explained.stderr


def test_slices_of_versions(scoped: Path):
    versions = ["--scope-version", "1", "--scope-version", "2"]
    rows = rows_of(scoped, "report", *versions, "--by", "domain")
    assert [(row["report_row"], row["n"], row["accuracy"]) for row in rows] == [
        ("core@1", 4, 0.75),
        # The item of domain other is the one that is wrong; version 2 leaves it out.
        ("core@1/other", 1, 0.0),
        ("core@2", 3, 1.0),
    ]


def test_a_number_of_an_older_version_is_explained(scoped: Path):
    told, query = (
        jevdb(scoped, "explain", "m", "I", "--scope-version", "1", *how).stdout
        for how in (["--format", "json"], ["--sql"])
    )
    found = json.loads(told)
    assert (found["report_row"], found["value"], found["n"]) == ("core@1", 50.0, 4)
    assert found["scope"]["sql"] == SCOPE.partition("\n")[2].strip()
    with duckdb.connect(scoped, read_only=True) as connection:
        assert connection.execute(query).fetchall() == [(50.0,)]
    sliced = ["--by", "domain", "--row", "core@1/other"]
    part = jevdb(
        *(scoped, "explain", "m", "accuracy", "--scope-version", "1", *sliced),
        *("--format", "json"),
    )
    assert json.loads(part.stdout)["value"] == 0.0


def test_a_rebuild_keeps_the_scorings_of_users(scoped: Path):
    before = rows_of(scoped, "report")
    with open_to_fill(scoped) as connection:
        upgrade(connection)
        comments = connection.execute(
            "select comment from duckdb_views() where view_name = 'scope_acme'"
        ).fetchall()
    assert comments == [
        ("acme: one row per report row, subset and item; only text counts.",)
    ]
    assert rows_of(scoped, "report") == before
    done = jevdb(scoped, "check")
    assert done.exit_code == 0, done.output


def test_a_scoring_that_calls_a_macro_goes_through_a_bundle(
    warehouse_path: Path, tmp_path: Path
):
    text = SCOPE + "    and len(distinct_labels(options)) >= 2\n"
    added = jevdb(warehouse_path, "scopes", "add", write(tmp_path, "acme.sql", text))
    assert added.exit_code == 0, added.output
    assert jevdb(warehouse_path, "backup", str(tmp_path / "bundle")).exit_code == 0
    restored = tmp_path / "restored.duckdb"
    done = jevdb(restored, "restore", str(tmp_path / "bundle"))
    assert done.exit_code == 0, done.output
    assert jevdb(restored, "scopes", "show", "acme").stdout == text


def test_a_number_under_ones_own_scoring_is_explained(scoped: Path):
    with open_reader(scoped) as connection:
        (run,) = all_runs(connection)
        number = Number("accuracy", "all")
        found = explain(connection, Asked(run, number, None, "metrics-md", None))
        shas = connection.execute(
            "select sql_sha256 from scope_versions where version = 2"
        ).fetchall()
    assert (found.value.value, found.value.n) == (1.0, 3)
    assert found.place.scope.sha256 == shas[0][0]
    assert "domain is distinct" in found.place.scope.body


def test_the_sql_of_a_scoring_is_printed(scoped: Path):
    first = jevdb(scoped, "scopes", "show", "acme", "--version", "1")
    assert first.stdout == SCOPE
    assert "'other'" in jevdb(scoped, "scopes", "show", "acme").stdout
    generic = jevdb(scoped, "scopes", "show", "generic").stdout
    assert generic.startswith("-- scope_generic: ")
    assert jevdb(scoped, "scopes", "show", "acne").exit_code == 2
    assert jevdb(scoped, "scopes", "show", "acme", "--version", "9").exit_code == 2


def test_a_scoring_that_covers_nothing(scoped: Path, tmp_path: Path):
    file = write(tmp_path, "acme.sql", SCOPE.replace("'choice'", "'choice' and false"))
    assert jevdb(scoped, "scopes", "add", file).exit_code == 0
    assert rows_of(scoped, "report") == []
    assert rows_of(scoped, "history", "m") == []
    done = jevdb(scoped, "explain", "m", "I")
    assert done.exit_code == 2
    assert "scope_acme covers no item of b" in done.stderr


def test_the_same_file_again_is_nothing_new(scoped: Path, tmp_path: Path):
    done = jevdb(scoped, "scopes", "add", str(tmp_path / "acme.sql"))
    assert done.exit_code == 0
    assert "version 2, is there already" in done.stderr


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (SCOPE.replace("-- acme", "select 1 --"), "no header"),
        ("-- acme: nothing.\n", "no select"),
        (SCOPE + ";\nselect 1", "one select at a time"),
        ("-- acme: one.\ndrop table items", "only a select"),
        ("-- acme: one.\nselect 1 from read_csv('/etc/passwd')", "does more than read"),
        ("-- acme: one.\nselect * from golden_item", "golden_item"),
        (SCOPE.replace("from golden_items", "from items"), "reads items"),
        (SCOPE.replace("from golden", "from main.golden"), "reads main.golden_items"),
        (
            SCOPE.replace("where", "join golden_items using (item_id)\nwhere"),
            "Ambiguous reference",
        ),
        (SCOPE.replace("'core' as report_row,\n", ""), "its columns are benchmark_id"),
        (SCOPE.replace("    scoring = 'acme'\n    and ", "    "), "of another scoring"),
        (SCOPE.replace("('index')", "('indx')"), "an unknown subset: indx"),
        (SCOPE.replace("'choice'", "'noul'"), "ece_choice holds a noul item"),
        (SCOPE.replace("('all'), ", ""), "holds an item that the subset all does not"),
        (SCOPE.replace("('all')", "('all'), ('all')"), "the same row twice"),
        (SCOPE.replace("'core'", "nullif(tier, 'easy')"), "a null"),
        (SCOPE.replace("'core'", "'a/b'"), "holds / or @"),
        (SCOPE.replace("    item_id\n", "    upper(item_id) as item_id\n"), "is not"),
    ],
)
def test_what_is_no_scope(warehouse_path: Path, tmp_path: Path, text: str, words: str):
    done = jevdb(warehouse_path, "scopes", "add", write(tmp_path, "acme.sql", text))
    assert done.exit_code == 1, done.output
    assert words in done.stderr
    assert "acme" not in {row["scoring"] for row in rows_of(warehouse_path, "scopes")}


@pytest.mark.parametrize(
    ("name", "code"),
    [("generic.sql", 4), ("scope_jevbench.sql", 4), ("Acme.sql", 1), ("a__b.sql", 1)],
)
def test_names_a_scope_cannot_have(
    warehouse_path: Path, tmp_path: Path, name: str, code: int
):
    done = jevdb(warehouse_path, "scopes", "add", write(tmp_path, name, SCOPE))
    assert done.exit_code == code
