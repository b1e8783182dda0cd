"""The folder that the examples of the help are typed in.

Names are those the examples use: the demo's runs, `de-1` in two revisions, a small
benchmark `support-routing`, and a file of each kind.
"""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Iterable
from pathlib import Path

from pages import CHECKOUT, Reader

DATA = CHECKOUT / "tests" / "data"
SEEDS = CHECKOUT / "seeds"
RESULTS = DATA / "decision_bench_results"
OPTIONS = ["refund", "exchange", "neither"]
ITEMS = [
    {"item_id": f"t{n}", "type": "choice", "options": OPTIONS, "gold": OPTIONS[n % 3]}
    for n in range(6)
]
ROWS = [
    {"item_id": f"t{n}", "probabilities": [0.2 + n / 10, 0.5 - n / 20, 0.3 - n / 20]}
    for n in range(6)
]
EMOTION = [
    {"item_id": "e1", "type": "choice", "options": ["joy", "fear"], "gold": "joy"}
]

METHOD = (SEEDS.parent / "docs" / "recipes.md").read_text(encoding="utf-8")
ACME = METHOD.split('```toml title="strict.toml"\n')[1].split("```")[0]
CARD = "| Model | Row | I |\n|---|---|---|\n| de-1 | public_231 | 71.24 |\n"
CARD_MAP = """\
method = "metrics-md"

[table]
run = "Model"
row = "Row"

[[column]]
name = "I"
metric = "intelligence"
"""
PREPARED = """\
jevdb runs dump de-1 --out dumped.jsonl
for revision in r1 r2; do
    jevdb ingest run dumped.jsonl --benchmark jevbench-public-231 --model de-1 \\
        --revision $revision
done
jevdb ingest items items.jsonl --benchmark support-routing
jevdb ingest items items.jsonl --benchmark my-questions
jevdb ingest items emotion.jsonl --benchmark emotion
jevdb ingest run rows.jsonl --benchmark my-questions --model my-model
jevdb ingest items fixed.jsonl --benchmark my-questions --revise --reason corrected
"""


def lines(path: Path, records: Iterable[object]) -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def make_world(folder: Path, demo: Path, jevdb: Path) -> Reader:
    """Fill *folder* with what the examples name, and give somebody to type them."""
    folder.mkdir()
    shutil.copyfile(demo, folder / "jevdb.duckdb")
    lines(folder / "items.jsonl", ITEMS)
    lines(folder / "fixed.jsonl", [{**ITEMS[0], "gold": "neither"}])
    lines(folder / "emotion.jsonl", EMOTION)
    lines(folder / "rows.jsonl", ROWS)
    answers = lines(folder / "answers.jsonl", ROWS)
    (folder / "answers.jsonl.gz").write_bytes(gzip.compress(answers.read_bytes()))
    (folder / "answers.csv").write_text("item_id,answer\nt1,refund\n")
    (folder / "rows.csv").write_text("example,predicted,ms\ne1,joy,210\n")
    for tier in ("easy", "standard", "hard"):
        shutil.copy(SEEDS / "demo" / "jevbench" / "de-1" / f"{tier}.jsonl", folder)
    shutil.copy(SEEDS / "demo" / "jevbench" / "de-1" / "published.json", folder)
    shutil.copytree(DATA / "decision_bench" / "run", folder / "runs" / "nimble")
    shutil.copytree(RESULTS, folder / "decision-bench-results" / "results")
    whole = RESULTS / "typesafe__jev-1.13"
    shutil.copy(next(whole.rglob("DecisionBench.json")), folder)
    compact = RESULTS / "convaiinnovations__laya"
    for name in ("DecisionBench--compact.json", "model_meta.json"):
        shutil.copy(next(compact.rglob(name)), folder)
    shutil.copy(DATA / "inspect_ai" / "mmlu-summary-choices.eval", folder / "log.eval")
    (folder / "acme.toml").write_text(ACME.replace('"strict"', '"acme"'))
    (folder / "card.md").write_text(CARD)
    (folder / "mine.toml").write_text(CARD_MAP)
    (folder / "my.toml").write_text(
        '[fields]\nitem_id = "example"\nanswer = "predicted"\n'
    )
    (folder / "question.sql").write_text("select count(*) as runs from run_states\n")
    reader = Reader(folder, None, jevdb)
    reader.bash(PREPARED, 0)
    lines(folder / "rows.jsonl", [{"example": "e1", "predicted": "joy"}])
    return reader
