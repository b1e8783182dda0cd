"""`jevdb verify`: published numbers recompute, differ by how much, or lack data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commandline import fill, jevdb, rows_of

from jevdb.exports.verify.mapping import half_unit, read_mapping
from jevdb.exports.verify.markdown import tables
from jevdb.warehouse.assets import asset_folder

PUBLISHED = asset_folder("seeds") / "demo" / "jevbench"
MAPPING = """
run = "first"
[[field]]
at = "scores.*.acc"
row = "overall/*"
by = "family"
metric = "accuracy"
[[field]]
at = "i"
row = "overall"
metric = "I"
decimals = 1
[[field]]
at = "missed"
sql = "select count(*) from scored where not is_right"
[[field]]
at = "share_missed"
scale = 100
sql = "select avg(cast(not is_right as double)) from scored"
[[field]]
at = "f1"
row = "overall"
metric = "multi_select_f1"
[[lacks]]
at = "speed"
why = "no rule"
"""


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


def verdicts(path: Path, *arguments: str) -> dict[str, tuple[object, ...]]:
    done = jevdb(path, "verify", *arguments, "--format", "json")
    assert done.exit_code in (0, 1), done.output
    return {
        row["place"]: (row["verdict"], row["recomputed"], row["difference"])
        for row in json.loads(done.stdout)
    }


@pytest.mark.parametrize(
    ("name", "n_recomputed", "lacking"),
    [
        # Every number of the file but the TVD to references that are not public.
        ("de-1", 94, {"hard.mean_tvd_to_gold_10_items"}),
        ("gavel-decide-4b", 34, None),
    ],
)
def test_the_published_numbers_of_the_real_runs(
    demo_path: Path, name: str, n_recomputed: int, lacking: set[str] | None
):
    file = str(PUBLISHED / name / "published.json")
    done = jevdb(demo_path, "verify", file, "--format", "json")
    assert done.exit_code == 0, done.output
    # No other mapping accounts for every number of the file.
    assert f"by the mapping {name}," in done.stderr
    found = {row["place"]: [row["verdict"]] for row in json.loads(done.stdout)}
    kinds = [verdict for verdict, *_ in found.values()]
    assert kinds.count("recomputes") == n_recomputed
    assert kinds.count("differs") == 0
    if lacking is not None:
        assert {
            place for place, (kind, *_) in found.items() if kind == "lacks data"
        } == lacking


def test_a_flat_file_by_hand(warehouse_path: Path, tmp_path: Path):
    fill(warehouse_path)
    mapping = write(tmp_path, "m.toml", MAPPING)
    # commandline.WORKED: c1, n1, s1 right and c2 wrong; I is 58.333; tasks are c1 and
    # s1, facts c2 and n1.
    published = {
        "name": "first",
        "scores": {"tasks": {"acc": 1.0}, "facts": {"acc": 0.6}, "odd": {"acc": 1}},
        **{"i": 58.3, "missed": 1, "share_missed": 25, "speed": 3, "other": 4},
        "f1": 0.5,
    }
    file = write(tmp_path, "p.json", json.dumps(published))
    found = verdicts(warehouse_path, file, "--map", mapping)
    assert found == {
        "scores.tasks.acc": ("recomputes", 1.0, 0.0),
        "scores.facts.acc": ("differs", 0.5, pytest.approx(-0.1, abs=1e-12)),
        "scores.odd.acc": ("lacks data", None, None),
        "i": ("recomputes", pytest.approx(175 / 3), pytest.approx(0.1 / 3, abs=1e-9)),
        "missed": ("recomputes", 1.0, 0.0),
        "share_missed": ("recomputes", 25.0, 0.0),
        "speed": ("lacks data", None, None),
        "other": ("lacks data", None, None),
        "f1": ("lacks data", None, None),
    }
    done = jevdb(warehouse_path, "verify", file, "--map", mapping)
    assert done.exit_code == 1
    assert "4 recomputes, 1 differs, 4 lacks data" in done.stderr
    rows = rows_of_any(warehouse_path, file, mapping)
    assert rows["f1"]["why"] == "no_rows"
    assert rows["other"]["why"] == "not in the mapping"
    assert rows["scores.odd.acc"]["why"].startswith("no accuracy (all) in report row")
    assert rows["i"]["tolerance"] == 0.05
    lenient = jevdb(
        *(warehouse_path, "verify", file, "--map", mapping, "--tolerance", "0.2")
    )
    assert lenient.exit_code == 0


def rows_of_any(path: Path, file: str, mapping: str) -> dict[str, dict[str, object]]:
    done = jevdb(path, "verify", file, "--map", mapping, "--format", "json")
    return {row["place"]: row for row in json.loads(done.stdout)}


def test_our_own_results_file(warehouse_path: Path, tmp_path: Path):
    fill(warehouse_path)
    file = tmp_path / "evaluation_results.json"
    assert jevdb(warehouse_path, "export", "--out", str(file)).exit_code == 0
    done = jevdb(warehouse_path, "verify", str(file))
    assert done.exit_code == 0
    assert "0 differs, 0 lacks data" in done.stderr
    document = json.loads(file.read_text())
    row = document["runs"][0]["rows"]["overall"]
    row["intelligence"]["value"] += 0.5
    row["metrics"]["accuracy"]["all"]["n"] = 5
    document["runs"][1]["run_id"] = "f" * 64
    file.write_text(json.dumps(document))
    found = verdicts(warehouse_path, str(file))
    differing = {place: v for place, v in found.items() if v[0] == "differs"}
    assert sorted(place.partition(" overall ")[2] for place in differing) == [
        "accuracy all n",
        "intelligence all value",
    ]
    (wrong,) = [v for place, v in differing.items() if place.endswith("value")]
    assert wrong[2] == pytest.approx(-0.5, abs=1e-9)
    assert all(
        kind == "lacks data" or published is None
        for place, (kind, published, _) in found.items()
        if "ffffffffffff" in place
    )


def test_our_own_markdown(warehouse_path: Path, tmp_path: Path):
    fill(warehouse_path)
    file = tmp_path / "RESULTS.md"
    arguments = ["export", "--out", str(tmp_path / "r.json"), "--markdown", str(file)]
    assert jevdb(warehouse_path, *arguments).exit_code == 0
    done = jevdb(warehouse_path, "verify", str(file), "--map", "results-md")
    assert done.exit_code == 0, done.output
    # Two runs in one report row: n, I, C, accuracy, three ECEs, TVD, RPS, coverage.
    assert "20 recomputes, 0 differs" in done.stderr
    # commandline.WORKED: accuracy 0.75; 58.33 is I rounded.
    text = file.read_text().replace("| 0.7500 |", "| 0.7600 |")
    file.write_text(text.replace("| 58.33 |", "| 58.3 |"))
    found = verdicts(warehouse_path, str(file), "--map", "results-md")
    assert [place for place, v in found.items() if v[0] == "differs"] == [
        "first overall Accuracy"
    ]


def test_numbers_as_people_print_them(warehouse_path: Path, tmp_path: Path):
    fill(warehouse_path)
    mapping = 'run = "first"\n[[column]]\nname = "Acc."\nmetric = "accuracy"\n'
    mapping += '[table]\nrow = "Row"\n'
    text = "# Card\n\n| Row | Acc. |\n|---|---:|\n| `overall` * | **75 %** |\n"
    file = write(tmp_path, "card.md", text)
    found = rows_of_any(warehouse_path, file, write(tmp_path, "m.toml", mapping))
    (row,) = found.values()
    assert (row["published"], row["verdict"]) == (0.75, "recomputes")
    # Half of a whole percent.
    assert row["tolerance"] == pytest.approx(0.005, abs=1e-15)


def test_tables_of_a_markdown_text():
    text = (
        "## A\n|x|y|\n|-|:-:|\n|a\\|b| |\n\n| no | rule |\n| a | b |\n## B\n|z|\n|-|\n"
    )
    assert [tuple(table) for table in tables(text)] == [
        ("A", ["x", "y"], [["a|b", ""]]),
        ("B", ["z"], []),
    ]


def test_half_a_unit():
    assert [half_unit(decimals) for decimals in (0, 1, 4)] == [0.5, 0.05, 0.00005]


@pytest.mark.parametrize(
    "name", [path.stem for path in (asset_folder("seeds") / "verify").glob("*.toml")]
)
def test_mappings_that_ship_are_read(name: str):
    mapped = read_mapping(Path(name))
    assert mapped.method == "metrics-md"
    assert mapped.fields or mapped.columns


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ('[[field]]\nat = "x"', 1, "field[0]: has either a metric or sql"),
        ('[[field]]\nmetric = "I"', 1, "field[0].at: missing"),
        ('[[field]]\nat = "x"\nmetric = "I"\nrows = 1', 1, "field[0].rows: no key"),
        ('[[field]]\nat = "x"\nmetric = "I"\nby = "day"', 1, "field[0].by: expected"),
        ('[[field]]\nat = "x"\nmetric = "I"\nof = "m"', 1, "field[0].of: expected"),
        ('[[lacks]]\nat = "x"', 1, "lacks[0]: has exactly"),
        ("fields = 1", 1, "fields: no key of a mapping"),
        ("a = = 1", 1, "no TOML"),
        ('run = "de-1"\n[[field]]\nat = "x"\nmetric = "IQ"', 2, "unknown metric"),
        ('run = "de-1"\n[[field]]\nat = "x"\nsql = "drop table x"', 1, "only a select"),
        ('run = "de-1"\n[[field]]\nat = "x"\nsql = "select y"', 1, "select y"),
    ],
)
def test_what_is_no_mapping(
    demo_path: Path, tmp_path: Path, text: str, code: int, words: str
):
    file = write(tmp_path, "p.json", '{"x": 1}')
    mapping = write(tmp_path, "m.toml", text)
    done = jevdb(demo_path, "verify", file, "--map", mapping)
    assert done.exit_code == code
    assert words in done.stderr


def test_what_cannot_be_verified(demo_path: Path, tmp_path: Path):
    flat = write(tmp_path, "p.json", '{"x": 1}')
    unmapped = jevdb(demo_path, "verify", flat)
    assert unmapped.exit_code == 2
    assert "--map FILE.toml" in unmapped.stderr
    assert "that ships: de-1, gavel-decide-4b, results-md" in unmapped.stderr
    assert jevdb(demo_path, "verify", flat, "--map", "de-2").exit_code == 2
    assert jevdb(demo_path, "verify", str(tmp_path / "none.json")).exit_code == 1
    broken = write(tmp_path, "b.json", "{")
    assert "not JSON" in jevdb(demo_path, "verify", broken).stderr
    card = write(tmp_path, "card.md", "| a |\n|---|\n| 1 |\n")
    done = jevdb(demo_path, "verify", card, "--map", "results-md")
    assert done.exit_code == 2
    assert "no table has one of the mapped columns" in done.stderr


def test_the_run_may_have_another_name(demo_path: Path):
    file = str(PUBLISHED / "de-1" / "published.json")
    # Published for DE-1: 72 of 111; SCORING.md section 8 has gavel's 173 of 231.
    found = verdicts(demo_path, file, "--run", "gavel-decide-4b")
    assert found["hard.n"][0] == "recomputes"
    assert found["hard.n_correct"][0] == "differs"


def test_a_run_that_is_not_there_lacks_data(demo_path: Path, tmp_path: Path):
    file = write(tmp_path, "p.json", '{"x": 1}')
    text = 'run = "de-9"\n[[field]]\nat = "x"\nrow = "hard_111"\nmetric = "I"'
    mapping = write(tmp_path, "m.toml", text)
    rows = rows_of(demo_path, "verify", file, "--map", mapping)
    assert rows[0]["verdict"] == "lacks data"
    assert "unknown run 'de-9'" in rows[0]["why"]
