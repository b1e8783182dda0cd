"""The data of the demo: real JevBench runs that ship with jevdb, and made-up ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from jevdb.demonstration import synthetic
from jevdb.demonstration.synthetic_models import MODELS, write_predictions
from jevdb.ingest import ItemsOptions, Model, RunOptions, ingest_items, ingest_run
from jevdb.ingest.items.summary import items_in_words
from jevdb.ingest.runs.summary import run_in_words
from jevdb.warehouse.assets import asset_folder

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

JEVBENCH_ID = "jevbench-public-231"

QUERIES = (
    "select model, report_row, round(intelligence, 2) as i, round(calibration, 2) as c "
    "from report where method_id = 'metrics-md' order by i desc",
    "select item_id, family, count(*) as wrong from scored "
    f"where benchmark_id = '{JEVBENCH_ID}' and not is_right group by all "
    "having wrong > 1 order by family, item_id",
    "select model, bin, n, mean_stated, share_true "
    "from report_bins join run_states using (run_id) "
    "where report_row = 'overall' and kind = 'pooled' and method_id = 'metrics-md' "
    "order by model, bin",
)
"""Three to try: the results, what every real run got wrong, reliability diagrams."""


class DemoRun(NamedTuple):
    """A run of the demo: its benchmark, who answered, and the files of the answers."""

    benchmark_id: str
    model: Model
    files: list[Path]


def store_demo(connection: Connection, on_words: Callable[[str], None]) -> None:
    """Store the benchmarks and runs of the demo; what is there already stays."""
    with TemporaryDirectory(prefix="jevdb-demo-") as folder:
        real = asset_folder("seeds") / "demo" / "jevbench"
        made_up = Path(folder)
        for path, options in _item_files(real, made_up):
            summary = ingest_items(connection, [path], options)
            on_words(f"{options.benchmark_id}: {items_in_words(summary)}")
        for run in (*_real_runs(real), *_synthetic_runs(made_up)):
            answers = RunOptions(run.benchmark_id, run.model)
            on_words(run_in_words(ingest_run(connection, run.files, answers)))


def _item_files(real: Path, made_up: Path) -> Iterator[tuple[Path, ItemsOptions]]:
    yield real / "public_231.items.jsonl", ItemsOptions(JEVBENCH_ID)
    options = ItemsOptions(synthetic.BENCHMARK_ID, synthetic.SCORING)
    yield synthetic.write_items(made_up), options


def _real_runs(folder: Path) -> Iterator[DemoRun]:
    tiers = ("easy", "standard", "hard")
    yield DemoRun(
        JEVBENCH_ID,
        Model("de-1", provider="shisa-ai", open_weights=True),
        [folder / "de-1" / f"{tier}.jsonl" for tier in tiers],
    )
    yield DemoRun(
        JEVBENCH_ID,
        Model("gavel-decide-4b", provider="syedsohailhussain1", open_weights=True),
        [folder / "gavel-decide-4b" / "public_231_results.jsonl"],
    )


def _synthetic_runs(folder: Path) -> Iterator[DemoRun]:
    for model in MODELS:
        described = Model(model.name, meta={"synthetic": True})
        files = [write_predictions(folder, model)]
        yield DemoRun(synthetic.BENCHMARK_ID, described, files)
