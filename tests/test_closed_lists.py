"""What is listed in two places is the same in both; a second list cannot go astray.

The layouts of files are in `tests/formats/test_formats_cli.py`, the metrics in the test
of their registry.
"""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

import jevdb
import jevdb.api
import jevdb.commands
from jevdb import cli, plots
from jevdb.api.base import Base
from jevdb.api.warehouse import Warehouse
from jevdb.base.defaults import DEFAULT_METHOD
from jevdb.commands.plot import plot_app
from jevdb.ingest.decode.records import PredictionRecord
from jevdb.plots import Picture
from jevdb.scoring.selection import DATED_TABLES
from jevdb.warehouse.assets import asset_folder
from jevdb.warehouse.schema import metadata
from jevdb.warehouse.sqlfiles import program, query

HOUSE = Path(jevdb.__file__).parent
SCORED_AS_TODAY = {
    *("methods", "tier_weights", "report_rows"),
    *("scorings", "scope_versions", "suites"),
}
"""Tables with a sequence that an as-of shows whole: rows are scored as today."""
OF_THE_LEDGER = {"ingests", "snapshots", "gate_looks", "editions"}
"""Tables with a sequence that no view of the scores reads."""
NOT_CONTENT = {
    *("run_id", "repeat", "renormalized", "answer_mismatch"),
    *("attempts", "source_file", "source_line"),
}
"""Columns of a prediction outside its digest: see the header of the macro, and for the
repeat `repeated_digest`."""
CASTS = {"cast", "as", "varchar"}
PREDICTION = [column.name for column in metadata.tables["predictions"].columns]


def modules_of(package: object) -> list[str]:
    return [each.name for each in iter_modules(package.__path__)]  # type: ignore[attr-defined]


def test_every_module_of_commands_is_in_a_panel_of_the_help():
    with_commands = {
        name
        for name in modules_of(jevdb.commands)
        if hasattr(import_module(f"jevdb.commands.{name}"), "register")
    }
    listed = [name for names in cli.COMMANDS.values() for name in names]
    assert sorted(listed) == sorted(with_commands)
    assert {group.rich_help_panel for group in cli.app.registered_groups} | {
        command.rich_help_panel for command in cli.app.registered_commands
    } == set(cli.COMMANDS)


def test_every_group_of_methods_is_part_of_the_warehouse():
    groups = {
        found
        for name in modules_of(jevdb.api)
        for found in vars(import_module(f"jevdb.api.{name}")).values()
        if isinstance(found, type) and issubclass(found, Base)
    } - {Base, Warehouse}
    # A group may stand on another, which is then part of the warehouse through it.
    assert groups == set(Warehouse.__mro__) - {Base, Warehouse, object}


def test_every_picture_is_a_function_a_method_and_a_command():
    drawing = {
        name
        for name in plots.__all__
        if getattr(plots, name).__annotations__.get("return") == Picture.__name__
    }
    methods = {
        name.removeprefix("plot_")
        for name in dir(Warehouse)
        if name.startswith("plot_")
    }
    commands = {
        each.name or each.callback.__name__  # type: ignore[union-attr]
        for each in plot_app.registered_commands
    }
    assert drawing == methods == {name.replace("-", "_") for name in commands}


def test_the_public_names_are_those_that_type_checkers_see():
    tree = ast.parse((HOUSE / "__init__.py").read_text("utf-8"))
    [block] = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {
        each.asname or each.name: (node.module, each.name)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for each in node.names
    }
    assert seen == jevdb._PLACES
    assert sorted(jevdb.__all__) == sorted([*seen, "__version__"])


def test_the_default_method_is_named_once():
    naming = [
        path.relative_to(HOUSE).as_posix()
        for path in HOUSE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Constant) and node.value == DEFAULT_METHOD
    ]
    assert naming == ["base/defaults.py"]


def test_an_as_of_knows_every_table_with_a_sequence():
    dated = {table.name for table in metadata.tables.values() if "seq" in table.columns}
    assert not SCORED_AS_TODAY & OF_THE_LEDGER
    assert set(DATED_TABLES) == dated - SCORED_AS_TODAY - OF_THE_LEDGER


def selected(statement: str) -> list[str]:
    """The names of the columns that the last select of a query gives, one a line."""
    *_, last = statement.split("\nselect\n")
    listed, _, _ = last.removeprefix("select\n").partition("\nfrom ")
    columns = re.split(r",\n {4}(?! )", listed.strip())
    return [re.split(r" as |[.\s]", column)[-1] for column in columns]


def test_a_prediction_is_judged_and_stored_with_every_column():
    judged, stored = selected(query("ingest/judged")), query("ingest/predictions")
    assert set(judged) >= set(PREDICTION) - {"run_id"}
    assert selected(stored.partition("by name\n")[2]) == PREDICTION


def test_a_prediction_as_a_record_has_every_field_of_one():
    fields = PredictionRecord.__struct_fields__
    assert sorted(selected(query("bundles/run_rows"))) == sorted(fields)


def names(text: str) -> list[str]:
    return [name for name in re.findall(r"[a-z_]+", text) if name not in CASTS]


def digested() -> tuple[list[str], list[str]]:
    """What the macro of the digest takes, and what it makes the digest of."""
    [macro] = [item for item in program() if item.name == "prediction_digest"]
    head, _, body = macro.body.partition("json_array(")
    return names(head.partition("(")[2].partition(")")[0]), names(body)


def test_the_digest_of_a_prediction_is_of_all_its_content():
    taken, used = digested()
    assert taken == used
    assert sorted(taken) == sorted(set(PREDICTION) - NOT_CONTENT)


@pytest.mark.parametrize(
    "path",
    [
        path
        for path in sorted(asset_folder("sql").rglob("*.sql"))
        if "prediction_digest(" in path.read_text("utf-8")
        and path.stem != "prediction_digest"
    ],
    ids=lambda path: path.stem,
)
def test_the_digest_is_asked_for_in_its_order(path: Path):
    taken, _ = digested()
    for call in re.findall(r"prediction_digest\(([^)]*)\)", path.read_text("utf-8")):
        assert names(call) == taken
