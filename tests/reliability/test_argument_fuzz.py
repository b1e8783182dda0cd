"""Any arguments at all give an answer or a clear error, and the warehouse stays whole.

Arguments are drawn for each command from its own options: values that fit, values that
almost do, and hostile ones. Nothing is known here about a command but what its parser
says, so that a command added later is tried as well.
"""

from __future__ import annotations

import shutil
from contextlib import chdir
from pathlib import Path

import click
import pytest
from commandline import ANSWERS, FAMILIES, commands, jevdb
from commandline import ITEMS as SMALL
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scenes import assert_whole, write_lines

EXIT_CODES = range(8)
SLOW = {("demo",): "makes a whole warehouse", ("site", "serve"): "does not end"}
FITTING = (
    *("small", "first", "se|cond", "se|cond@r1:greedy", "1a1a", "2b2b", "third"),
    *("all", "choice", "noul", "score", "easy", "jevbench-v1.5", "cmdb-1500"),
    *("accuracy", "ece", "intelligence", "calibration", "type", "family", "tier"),
    *("json", "csv", "jsonl", "markdown", "table", "1", "2", "0.5", "first=2", "yes"),
    *("2026-11-30", "select 1", "items.jsonl", "run.jsonl", "min(p_gold)>=0.8"),
)
HOSTILE = (
    *("", " ", "-", "--", ".", "..", "\n", "\x01", "\x7f", "'", '"', ";--", "%s", "{}"),
    *("-1", "0", "nan", "inf", "-0.0", "1e400", "9" * 40, "0x10", "1_0", "٣", "²"),
    *("' or 1=1 --", "main.runs", "*", "a" * 5000, "🙈", "e\u0301", "\u202e", "\ufeff"),
    *("missing", "missing/file.jsonl", "folder", "items.jsonl/x", "x" * 300, "null"),
    *("=", "a=b=c", "[", "\\", "$(x)", "drop table runs", "9999-99-99", "(" * 500),
)
ITEM = '{"item_id": "q1", "type": "noul", "gold": "yes"}\n'
ANSWER = '{"item_id": "q1", "probabilities": {"yes": 0.75, "no": 0.25}}\n'


def values() -> st.SearchStrategy[str]:
    """Values that fit somewhere, values that fit nowhere, and any text."""
    # No argument of a process holds a NUL.
    text = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
    return st.one_of(st.sampled_from(FITTING), st.sampled_from(HOSTILE), text)


@st.composite
def arguments(draw: st.DrawFn, command: click.Command) -> list[str]:
    """Return arguments as the command's parser reads them, with any values."""
    given: list[str] = []
    for parameter in command.params:
        is_option = parameter.param_type_name == "option"
        if is_option and draw(st.integers(0, 3)):
            continue
        times = draw(st.integers(1, 2)) if parameter.multiple else 1
        for _ in range(times if is_option else max(parameter.nargs, 1)):
            name = [draw(st.sampled_from(parameter.opts))] if is_option else []
            is_flag = bool(getattr(parameter, "is_flag", False))
            given += [*name, *([] if is_flag else [draw(values())])]
    return given


@pytest.fixture(scope="module")
def folder(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse with two runs of a small benchmark, all made by the commands."""
    folder = tmp_path_factory.mktemp("arguments")
    path = folder / "kept.duckdb"
    shutil.copy(template, path)
    items = [{**item, "family": FAMILIES[str(item["item_id"])]} for item in SMALL]
    small = ("--benchmark", "small")
    asked = write_lines(folder / "items.jsonl", items)
    assert jevdb(path, "ingest", "items", str(asked), *small).exit_code == 0
    for model, n_answers in (("first", 4), ("se|cond", 2)):
        answers = write_lines(folder / "run.jsonl", ANSWERS[:n_answers])
        made = jevdb(path, "ingest", "run", str(answers), *small, "--model", model)
        assert made.exit_code == 0, made.output
    assert_whole(path)
    return folder


def try_arguments(
    folder: Path, path: tuple[str, ...], command: click.Command, data: st.DataObject
) -> None:
    """Run the command with drawn arguments; hold it to an answer or an error."""
    given_ones = data.draw(arguments(command))
    place = folder / "place"
    shutil.rmtree(place, ignore_errors=True)
    (place / "folder").mkdir(parents=True)
    (place / "items.jsonl").write_text(ITEM)
    (place / "run.jsonl").write_text(ANSWER)
    warehouse = place / "w.duckdb"
    shutil.copy(folder / "kept.duckdb", warehouse)
    with chdir(place):
        result = jevdb(warehouse, *path, *given_ones)
    seen = f"{path} {given_ones}\n{result.output[-2000:]}"
    assert result.exception is None or isinstance(result.exception, SystemExit), seen
    assert result.exit_code in EXIT_CODES, seen
    assert "Traceback" not in result.output, seen
    if result.exit_code in (1, 2, 4, 6):
        assert "rror" in result.stderr or result.stdout, seen
    if warehouse.read_bytes() != (folder / "kept.duckdb").read_bytes():
        assert_whole(warehouse)


def drawn(examples: int) -> settings:
    """The same arguments in every run of the tests."""
    return settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


EACH_COMMAND = pytest.mark.parametrize(
    ("path", "command"),
    [
        pytest.param(path, command, id=" ".join(path))
        for path, command in commands()
        if command.callback and path not in SLOW
    ],
)


@EACH_COMMAND
@drawn(1)
@given(data=st.data())
def test_any_arguments_give_an_answer_or_an_error(
    folder: Path, path: tuple[str, ...], command: click.Command, data: st.DataObject
):
    try_arguments(folder, path, command, data)


@pytest.mark.long
@EACH_COMMAND
@drawn(60)
@given(data=st.data())
def test_any_of_many_arguments(
    folder: Path, path: tuple[str, ...], command: click.Command, data: st.DataObject
):
    try_arguments(folder, path, command, data)
