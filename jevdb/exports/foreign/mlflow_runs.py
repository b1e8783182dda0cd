"""Runs in MLflow: an experiment a benchmark, a run a run, each number a metric.

What MLflow has no place for is in the artefacts: ``evaluation_results.json`` with every
reason and count, and the table. A run that is there already, by the same method and
gold, is left as it is.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import JevdbError
from jevdb.base.installing import require_module

if TYPE_CHECKING:
    from mlflow import MlflowClient

    from jevdb.exports.foreign.reading import ExportedRun

DATABASE = "mlflow.db"
ARTEFACTS = "artefacts"
FOREIGN = re.compile(r"[^\w .:/-]")
MOST_PARAMETER = 500
"""Older servers take no longer values."""


class Place(NamedTuple):
    """An MLflow to write to, and where its artefacts go; None: as it is set up."""

    client: MlflowClient
    artefacts: str | None


def opened(folder: Path | None) -> Place:
    """Return the MLflow of a folder, else the one that ``MLFLOW_TRACKING_URI`` names.

    Raises
    ------
    JevdbError
        MLflow is not installed, or its store cannot be opened.
    """
    require_module("mlflow", "mlflow")
    from mlflow import MlflowClient
    from mlflow.exceptions import MlflowException

    try:
        if folder is None:
            return Place(MlflowClient(), None)
        folder.mkdir(parents=True, exist_ok=True)
        uri = f"sqlite:///{folder.resolve() / DATABASE}"
        artefacts = (folder.resolve() / ARTEFACTS).as_uri()
        return Place(MlflowClient(tracking_uri=uri), artefacts)
    except (MlflowException, OSError) as error:
        raise JevdbError(_words(error)) from error


def log_run(place: Place, exported: ExportedRun, files: dict[str, str]) -> bool:
    """Log a run with its artefacts; return False where it is there already.

    Raises
    ------
    JevdbError
        MLflow refuses something, or does not answer.
    """
    from mlflow.exceptions import MlflowException

    try:
        return _logged(place, exported, files)
    except MlflowException as error:
        raise JevdbError(_words(error)) from error


def _words(error: Exception) -> str:
    return f"MLflow: {' '.join(str(error).split())}"


def _named(name: str) -> str:
    """Return a name as MLflow takes it."""
    return FOREIGN.sub("_", name)


def _logged(place: Place, exported: ExportedRun, files: dict[str, str]) -> bool:
    client, run = place.client, exported.run
    known = client.get_experiment_by_name(run.benchmark_id)
    experiment = (
        known.experiment_id
        if known
        else client.create_experiment(run.benchmark_id, place.artefacts)
    )
    tags = {
        "jevdb.run_id": run.run_id,
        "jevdb.method": exported.method,
        "jevdb.gold_revision": str(exported.facts.gold_revision),
    }
    same = " and ".join(f"tags.`{name}` = '{value}'" for name, value in tags.items())
    # What was begun and not ended is logged anew.
    ended = f"{same} and attributes.status = 'FINISHED'"
    if client.search_runs([experiment], ended, max_results=1):
        return False
    named = {"model": run.model, "revision": run.revision, "label": run.label}
    made = client.create_run(experiment, run_name=run.name, tags=tags)
    for name, value in {**exported.settings, **named}.items():
        if value:
            client.log_param(made.info.run_id, _named(name), value[:MOST_PARAMETER])
    for stated in exported.values:
        client.log_metric(made.info.run_id, _named(stated.name), stated.value)
    for name, text in files.items():
        client.log_text(made.info.run_id, text, name)
    client.set_terminated(made.info.run_id)
    return True
