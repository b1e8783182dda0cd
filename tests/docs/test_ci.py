"""The CI examples do what docs/ci.md says: they let good candidates through alone."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from pages import CHECKOUT, DOCS, Reader, blocks_of

EXAMPLES = DOCS / "examples"
PAGE = DOCS / "ci.md"
EXPRESSION = re.compile(r"\$\{\{ ([\w.-]+)(?: == '(\w+)')? \}\}")
INSTALLS = "pip install 'jevdb-warehouse @ git+https://git.example/jevdb'"
CANDIDATES = pytest.mark.parametrize(
    ("candidate", "expected"), [("candidate", 0), ("worse", 5)]
)


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory, warm_jevdb: Path) -> Reader:
    """Somebody who has followed the page."""
    folder = tmp_path_factory.mktemp("ci") / "repository"
    folder.mkdir()
    reader = Reader(folder, None, warm_jevdb)
    reader.follow(blocks_of(PAGE))
    return reader


@pytest.fixture
def cloned(reader: Reader, tmp_path: Path) -> Path:
    """The repository of the page, in another place."""
    shutil.copytree(reader.folder / "ci", tmp_path / "ci")
    return tmp_path


@pytest.mark.parametrize(
    ("title", "example"),
    [("ci/gate.sh", "gate.sh"), ("gate.yml", "github-actions.yml")],
)
def test_the_files_of_the_page_are_the_examples(title: str, example: str):
    [block] = [each for each in blocks_of(PAGE) if each.title == title]
    assert block.text == (EXAMPLES / example).read_text(encoding="utf-8")


def test_the_scripts_can_be_run():
    for script in (EXAMPLES / "gate.sh", *(CHECKOUT / "action").glob("*.sh")):
        assert os.access(script, os.X_OK), script


@pytest.mark.long
def test_the_reports_tell_the_verdict(reader: Reader):
    """They are those of the last candidate of the page, which failed."""
    assert "failed" in (reader.folder / "gate.md").read_text()
    suite = ElementTree.parse(reader.folder / "gate.xml").getroot()
    assert len(suite.findall(".//failure")) == 4


class Runner:
    """What GitHub's runner does with a composite action, as far as ours needs it."""

    def __init__(self, folder: Path, environment: Mapping[str, str]):
        self.folder = folder
        self.temp = folder / "temp"
        self.temp.mkdir()
        self.said: dict[str, str] = {
            "github.action_path": str(CHECKOUT),
            "github.sha": "0f" * 20,
            "github.token": "secret",
        }
        self.environment = {
            **environment,
            "RUNNER_TEMP": str(self.temp),
            "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        }
        self.ran: list[str] = []

    def filled(self, text: object) -> str:
        """Return a value with its expressions filled in; a condition as a word."""

        def value(match: re.Match[str]) -> str:
            found = self.said.get(match[1], "")
            return found if match[2] is None else str(found == match[2])

        return EXPRESSION.sub(value, str(text))

    def run(self, action: Mapping[str, object], given: Mapping[str, str]) -> int:
        """Do the steps until one fails; return its exit code."""
        for name, told in action["inputs"].items():
            assert name in given or "default" in told, f"{name} is required"
            self.said[f"inputs.{name}"] = self.filled(
                given.get(name, told.get("default"))
            )
        assert given.keys() <= action["inputs"].keys()
        for step in action["runs"]["steps"]:
            if self.filled(step.get("if", "True")) != "True":
                continue
            assert "${{" not in step["run"], "an input could be a script of its own"
            self.ran.append(step["name"])
            code = self.do(step)
            if code:
                return code
        return 0

    def do(self, step: Mapping[str, object]) -> int:
        """Run a step and take its outputs."""
        output = self.temp / "output"
        output.write_text("")
        told = {k: self.filled(v) for k, v in step.get("env", {}).items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.folder,
            env={**self.environment, **told, "GITHUB_OUTPUT": str(output)},
            capture_output=True,
            text=True,
            check=False,
        )
        for line in output.read_text().splitlines():
            name, _, value = line.partition("=")
            self.said[f"steps.{step['id']}.outputs.{name}"] = value
        return done.returncode


@pytest.mark.long
@CANDIDATES
def test_the_action_gates(reader: Reader, cloned: Path, candidate: str, expected: int):
    """The example's step, done as a runner would."""
    workflow = yaml.safe_load((EXAMPLES / "github-actions.yml").read_text())
    [step] = [s for s in workflow["jobs"]["gate"]["steps"] if s.get("id") == "gate"]
    assert step["uses"].startswith("OWNER/jevdb@")
    shutil.copyfile(reader.folder / f"{candidate}.jsonl", cloned / "candidate.jsonl")
    action = yaml.safe_load((CHECKOUT / "action.yml").read_text())
    runner = Runner(cloned, reader.environment)
    given = {**step["with"], "install": "false", "comment": "false"}
    assert runner.run(action, given) == expected
    assert runner.ran == ["Gate", "Verdict"]
    summary = (cloned / "summary.md").read_text()
    word = "failed" if expected else "passed"
    assert summary.startswith(f"### jevdb gate: {word}\n")
    outputs = {
        name: runner.filled(told["value"]) for name, told in action["outputs"].items()
    }
    assert outputs["outcome"] == word
    assert Path(outputs["markdown"]).read_text() == summary
    assert ElementTree.parse(outputs["junit"]).getroot().tag == "testsuites"
    assert re.fullmatch("[0-9a-f]{64}", outputs["run"])


@pytest.mark.long
@CANDIDATES
def test_the_job_of_gitlab_gates(
    reader: Reader, cloned: Path, candidate: str, expected: int
):
    job = yaml.safe_load((EXAMPLES / "gitlab-ci.yml").read_text())["gate"]
    shutil.copyfile(reader.folder / f"{candidate}.jsonl", cloned / "candidate.jsonl")
    assert job["script"][0] == INSTALLS
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(job["script"][1:])],
        cwd=cloned,
        env={**reader.environment, **job["variables"], "CI_COMMIT_SHA": "0f" * 20},
        check=False,
    )
    assert done.returncode == expected
    for name in (*job["artifacts"]["paths"], job["artifacts"]["reports"]["junit"]):
        assert (cloned / name).exists()


@pytest.mark.parametrize(
    ("outcome", "inconclusive", "expected"),
    [
        *(("passed", "fail", 0), ("failed", "pass", 5)),
        *(("inconclusive", "fail", 7), ("inconclusive", "pass", 0)),
    ],
)
def test_the_job_ends_as_the_gate_did(outcome: str, inconclusive: str, expected: int):
    done = subprocess.run(
        [CHECKOUT / "action" / "verdict.sh"],
        env={**os.environ, "OUTCOME": outcome, "INCONCLUSIVE": inconclusive},
        check=False,
    )
    assert done.returncode == expected


def test_a_gate_that_cannot_be_held_ends_with_its_error(
    warm_jevdb: Path, tmp_path: Path
):
    """A warehouse that is not there is no verdict."""
    told = {"WAREHOUSE": "none.duckdb", "BENCHMARK": "b", "MODEL": "m"}
    done = subprocess.run(
        [CHECKOUT / "action" / "gate.sh"],
        cwd=tmp_path,
        env={
            **os.environ,
            **told,
            "PREDICTIONS": "p.jsonl",
            "PATH": f"{warm_jevdb.parent}{os.pathsep}{os.environ['PATH']}",
            "GITHUB_OUTPUT": str(tmp_path / "output"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "none.duckdb: no such warehouse" in done.stderr
    assert not (tmp_path / "output").exists()


@pytest.mark.long
def test_the_hook_of_pre_commit_tells_what_is_wrong(warm_jevdb: Path, tmp_path: Path):
    """As pre-commit calls it: the entry, then the files."""
    [hook] = yaml.safe_load((CHECKOUT / ".pre-commit-hooks.yaml").read_text())
    good, bad = tmp_path / "items.jsonl", tmp_path / "bad.items.jsonl"
    good.write_text('{"item_id": "q1", "type": "noul", "gold": "yes"}\n')
    bad.write_text('{"item_id": "q1", "type": "noul", "gold": "perhaps"}\n')
    assert all(re.search(hook["files"], str(path)) for path in (good, bad))
    done = subprocess.run(
        [*shlex.split(hook["entry"]), str(good), str(bad)],
        env={
            **os.environ,
            "PATH": f"{warm_jevdb.parent}{os.pathsep}{os.environ['PATH']}",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert f"error: {bad.name}:1: $.gold: " in done.stderr
    assert f"error: {good.name}" not in done.stderr


def test_the_action_is_python_alone():
    """A runner has Python and nothing of ours before it is installed."""
    code = (CHECKOUT / "action" / "comment.py").read_text()
    imported = set(re.findall(r"^(?:import|from) ([a-z_]+)", code, re.MULTILINE))
    assert imported <= sys.stdlib_module_names
