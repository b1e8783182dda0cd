"""Runs in MLflow, held to a client that notes what it is told."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from commandline import FIRST, WORKED, fill, jevdb


class Client:
    """As much of MLflow's client as an export needs, for one test."""

    def __init__(self, tracking_uri: str | None = None):
        self.uri = tracking_uri
        self.experiments: dict[str, str | None] = {}
        self.runs: list[dict[str, Any]] = []

    def get_experiment_by_name(self, name: str) -> object:
        known = name in self.experiments
        return SimpleNamespace(experiment_id=name) if known else None

    def create_experiment(self, name: str, artefacts: str | None) -> str:
        self.experiments[name] = artefacts
        return name

    def search_runs(self, ids: list[str], filter: str, max_results: int) -> list[Any]:
        return [
            run
            for run in self.runs
            if run["ended"]
            and all(f"{k}` = '{v}'" in filter for k, v in run["tags"].items())
        ]

    def create_run(self, experiment: str, *, run_name: str, tags: dict[str, str]):
        parts = {"metrics": {}, "params": {}, "texts": {}, "ended": False}
        self.runs.append({"name": run_name, "tags": tags, **parts})
        return SimpleNamespace(info=SimpleNamespace(run_id=len(self.runs) - 1))

    def log_param(self, run: int, name: str, value: str) -> None:
        self.runs[run]["params"][name] = value

    def log_metric(self, run: int, name: str, value: float) -> None:
        self.runs[run]["metrics"][name] = value

    def log_text(self, run: int, text: str, name: str) -> None:
        self.runs[run]["texts"][name] = text

    def set_terminated(self, run: int) -> None:
        self.runs[run]["ended"] = True


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Client:
    """MLflow, whose every client is this one."""
    from importlib import util

    made = Client()

    def opened(tracking_uri: str | None = None) -> Client:
        made.uri = tracking_uri
        return made

    module, errors = ModuleType("mlflow"), ModuleType("mlflow.exceptions")
    module.MlflowClient = opened
    errors.MlflowException = RuntimeError
    monkeypatch.setitem(sys.modules, "mlflow", module)
    monkeypatch.setitem(sys.modules, "mlflow.exceptions", errors)
    monkeypatch.setattr(util, "find_spec", lambda name: name)
    return made


def test_a_run_is_logged_once(client: Client, warehouse_path: Path, tmp_path: Path):
    fill(warehouse_path)
    logged = ("export", "--as", "mlflow", "--out", str(tmp_path / "ml"))
    first, again = (jevdb(warehouse_path, *logged) for _ in range(2))
    assert (first.exit_code, again.exit_code) == (0, 0), first.output
    assert "2 runs logged, 0 there already" in first.stderr
    assert "0 runs logged, 2 there already" in again.stderr
    assert client.uri == f"sqlite:///{tmp_path}/ml/mlflow.db"
    assert list(client.experiments) == ["small"]
    run = next(run for run in client.runs if run["name"] == "first")
    assert run["tags"]["jevdb.run_id"] == FIRST
    assert run["params"] == {"model": "first"}
    assert run["metrics"]["overall.accuracy"] == WORKED["accuracy"]
    # There is no multi-select item: its accuracy is null, and so not logged.
    assert "overall.accuracy.multi_select" not in run["metrics"]
    document = json.loads(run["texts"]["evaluation_results.json"])
    assert [each["run_id"] for each in document["runs"]] == [FIRST]
    assert run["texts"]["RESULTS.md"].startswith("# Results")


def test_what_was_broken_off_is_logged_anew(client: Client, warehouse_path: Path):
    fill(warehouse_path)
    named = ("export", "--as", "mlflow", "--run", "first")
    assert jevdb(warehouse_path, *named).exit_code == 0
    assert client.uri is None  # as MLFLOW_TRACKING_URI says
    client.runs[0]["ended"] = False
    assert "1 run logged" in jevdb(warehouse_path, *named).stderr


def test_what_mlflow_refuses_is_one_error(
    client: Client, warehouse_path: Path, monkeypatch: pytest.MonkeyPatch
):
    fill(warehouse_path)

    def refuses(*given: object) -> None:
        raise RuntimeError("no\nconnection")

    monkeypatch.setattr(client, "get_experiment_by_name", refuses)
    result = jevdb(warehouse_path, "export", "--as", "mlflow")
    assert result.exit_code == 1
    assert "error: MLflow: no connection" in result.stderr


def test_without_mlflow_it_says_what_to_install(warehouse_path: Path):
    fill(warehouse_path)
    result = jevdb(warehouse_path, "export", "--as", "mlflow")
    assert result.exit_code == 1
    assert "mlflow is not installed: pip install 'jevdb-warehouse[mlflow]" in (
        result.stderr
    )
