"""The CI examples do what docs/ci.md says: they let good candidates through alone."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from pages import DOCS, Reader, blocks_of

pytestmark = pytest.mark.long

EXAMPLES = DOCS / "examples"
PAGE = DOCS / "ci.md"
INSTALLED = "pip install 'jevdb-warehouse @ git+https://git.example/jevdb'"


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory, warm_jevdb: Path) -> Reader:
    """Somebody who has followed the page."""
    folder = tmp_path_factory.mktemp("ci") / "repository"
    folder.mkdir()
    reader = Reader(folder, None, warm_jevdb)
    reader.follow(blocks_of(PAGE))
    return reader


def test_the_script_of_the_page_is_the_example():
    [block] = [each for each in blocks_of(PAGE) if each.title == "ci/gate.sh"]
    assert block.text == (EXAMPLES / "gate.sh").read_text(encoding="utf-8")
    assert os.access(EXAMPLES / "gate.sh", os.X_OK)


def test_the_reports_tell_the_verdict(reader: Reader):
    """They are those of the last candidate of the page, which failed."""
    assert "failed" in (reader.folder / "gate.md").read_text()
    suite = ElementTree.parse(reader.folder / "gate.xml").getroot()
    assert len(suite.findall(".//failure")) == 4


def steps_of(workflow: Path) -> list[dict[str, str]]:
    jobs = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"]
    [job] = jobs.values()
    return [{**step, "env": job["env"]} for step in job["steps"]]


@pytest.mark.parametrize(("candidate", "expected"), [("candidate", 0), ("worse", 5)])
def test_the_workflow_gates(
    reader: Reader, tmp_path: Path, candidate: str, expected: int
):
    """Each step that runs something is run, as a runner would: stop at a failure."""
    shutil.copytree(reader.folder / "ci", tmp_path / "ci")
    shutil.copyfile(reader.folder / f"{candidate}.jsonl", tmp_path / "candidate.jsonl")
    summary = tmp_path / "summary.md"
    failed = 0
    ran = []
    for step in steps_of(EXAMPLES / "github-actions.yml"):
        if "run" not in step or step["run"] == INSTALLED:
            continue
        if failed and step.get("if") != "always()":
            continue
        environment = {
            **reader.environment,
            **step["env"],
            "GITHUB_SHA": "0f" * 20,
            "GITHUB_STEP_SUMMARY": str(summary),
        }
        done = subprocess.run(
            ["bash", "-e", "-c", step["run"]],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        failed = failed or done.returncode
        ran.append(step["name"])
    assert failed == expected
    assert ran == ["Restore the warehouse", "Gate", "Show the verdict"]
    assert ("failed" in summary.read_text()) == bool(expected)
    assert (tmp_path / "gate.xml").exists()


def test_the_workflow_installs_what_this_project_is_called():
    steps = steps_of(EXAMPLES / "github-actions.yml")
    assert INSTALLED in [step.get("run") for step in steps]
    uses = [step["uses"] for step in steps if "uses" in step]
    assert all(action.startswith("actions/") for action in uses)
