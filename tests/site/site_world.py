"""A small warehouse with everything that a page must cope with, and its site."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from building import add_benchmark, add_run, insert, next_seq

from jevdb.base.connection import Connection
from jevdb.site.building import build_site
from jevdb.warehouse.database import open_reader, open_writer

BENCHMARK = "arena"
EMPTY = "nobody"
HOSTILE = (
    "</script><script>document.title='owned'</script><img src=x "
    "onerror=\"document.title='owned'\">&amp;\"'`{{7*7}}{% x %} \u202e"
)
HOSTILE_ITEM = "</td></table><svg onload=\"document.title='owned'\">"
SECRET = "the-secret-model"
WITHDRAWN = "the-withdrawn-model"

SKILLS = {"alpha": 9, "beta": 8, "gamma": 6, HOSTILE: 5}
"""Of ten items, how many a model gets right."""
DESCRIBED = {
    "alpha": {"parameters": 4_000_000_000, "open_weights": True, "provider": "a lab"},
    "beta": {"parameters": 70_000_000_000, "open_weights": False},
    HOSTILE: {"provider": HOSTILE, "meta": json.dumps({HOSTILE: HOSTILE})},
}

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
"""A page fetches its site's own script, style and pictures, and sends nothing anywhere:
CSP Level 3, where a source that is not named is of `default-src`."""


PUBLISHED = ((HOSTILE, 11.11), (HOSTILE, 98.76), ("a published model", None))
"""Models that others published an I of, in the order of storing."""


class World(NamedTuple):
    """A warehouse, its site, and its runs by model."""

    path: Path
    site: Path
    runs: dict[str, str]


def items() -> list[dict[str, Any]]:
    """24 choice items (4 of them images), 10 yes/no, 6 ratings, 4 sets."""
    found: list[dict[str, Any]] = []
    for number in range(24):
        options = ["ash", "oak", "elm", HOSTILE if number == 0 else "fir"]
        item = {"type": "choice", "options": options, "gold": options[number % 4]}
        if number == 1:
            item["reference"] = [0.25, 0.5, 0.25, 0.0]
        if number >= 20:
            item["modality"] = "image"
        found.append(item)
    found += [{"type": "noul", "gold": ("no", "yes")[n % 2]} for n in range(10)]
    levels = ["low", "mid", "high"]
    found += [{"type": "score", "options": levels, "gold": n % 3} for n in range(6)]
    sets = [["a"], ["a", "b"], ["c"], ["b", "c"]]
    found += [
        {"type": "multi_select", "options": ["a", "b", "c"], "gold": gold}
        for gold in sets
    ]
    for number, item in enumerate(found):
        item["item_id"] = HOSTILE_ITEM if number == 3 else f"item-{number:02}"
        item["family"] = HOSTILE if number % 5 == 4 else f"family {number % 5}"
        item["tier"] = ("easy", "hard")[number % 2]
    return found


def answers(skill: int) -> Iterator[dict[str, Any]]:
    """Answers of which about *skill* in ten are right, surer where they are."""
    for number, item in enumerate(items()):
        is_right = (number * 7 + skill) % 10 < skill
        row: dict[str, Any] = {"item_id": item["item_id"]}
        if item["type"] == "multi_select":
            yield {**row, "answer": item["gold"] if is_right else ["a", "c"]}
            continue
        options = item.get("options") or ["no", "yes"]
        gold = item["gold"] if item["type"] == "score" else options.index(item["gold"])
        top = gold if is_right else (gold + 1) % len(options)
        sure = 0.5 + 0.4375 * ((number * 3 + skill) % 8) / 7
        rest = (1 - sure) / (len(options) - 1)
        yield {
            **row,
            "probabilities": [
                sure if place == top else rest for place in range(len(options))
            ],
        }


def store(connection: Connection) -> dict[str, str]:
    """Store the world; return the run ids by model."""
    add_benchmark(connection, items(), benchmark_id=BENCHMARK)
    add_benchmark(connection, items()[:2], benchmark_id=EMPTY)
    ids = {}
    for place, (model, skill) in enumerate(SKILLS.items()):
        rows = list(answers(skill))
        if model == "gamma":
            rows[5] = {"item_id": rows[5]["item_id"], "status": "error"}
        name = f"{place + 1:x}" * 64
        label = HOSTILE if model == HOSTILE else None
        add_run(connection, BENCHMARK, rows, model=model, label=label, run_id=name)
        ids[model] = name
    older = list(answers(4))
    add_run(connection, BENCHMARK, older, model="alpha", label="old", run_id="d" * 64)
    for name, model in (("e" * 64, SECRET), ("f" * 64, WITHDRAWN)):
        add_run(connection, BENCHMARK, answers(7), model=model, run_id=name)
    # The run with the name stands; its older sister has a label and gives way.
    connection.execute(
        "update runs set seq = seq + 100 where run_id = $id", {"id": ids["alpha"]}
    )
    connection.execute(
        "insert into ingests select seq + 100, 'late', ingested_at, kind, 'test', null "
        "from ingests where seq = (select seq - 100 from runs where run_id = $id)",
        {"id": ids["alpha"]},
    )
    _describe(connection)
    _publish(connection)
    for run_id, event in (("e" * 64, "private"), ("f" * 64, "withdrawn")):
        seq = next_seq(connection, "event")
        row = {"seq": seq, "run_id": run_id, "event": event, "reason": "a test"}
        insert(connection, "run_events", [row])
    return ids


def _describe(connection: Connection) -> None:
    for model, facts in DESCRIBED.items():
        for column, value in facts.items():
            connection.execute(
                f"update models set {column} = $value where name = $name",
                {"value": value, "name": model},
            )
    connection.execute(
        "update runs set settings = $settings, source_files = $files",
        {
            "settings": json.dumps({"temperature": 0, HOSTILE: HOSTILE}),
            "files": json.dumps([{"name": HOSTILE, "sha256": "ab" * 32}]),
        },
    )


def _publish(connection: Connection) -> None:
    """Store three results that others published; the second supersedes the first."""
    for place, (model, value) in enumerate(PUBLISHED):
        seq = next_seq(connection, "results")
        digest = f"{place + 1}c" * 32
        known = connection.execute(
            "select model_id from models where name = $name", {"name": model}
        ).fetchall()
        model_id = known[0][0] if known else f"published-{place}"
        if not known:
            row = {"model_id": model_id, "name": model, "seq": seq}
            insert(connection, "models", [row])
        result = {
            **{"result_sha256": digest, "benchmark_id": BENCHMARK},
            **{"model_id": model_id, "source_file": f"{HOSTILE}.json"},
            **{"source_sha256": "ab" * 32, "tags": [], "requested_rows": 50},
            **{"ok_rows": 40, "unsupported_rows": 6, "error_rows": 4},
            **{"submitted_at": "2026-09-01 10:00:00", "seq": seq},
            "meta": json.dumps({"dataset_repo": HOSTILE, "artifact": {HOSTILE: 7}}),
        }
        insert(connection, "reported_results", [result])
        numbers = {
            ("overall", "intelligence"): (value, 50, False),
            ("overall", "primary_accuracy"): (0.5125, 50, False),
            ("overall", "coverage"): (0.8, 50, False),
            ("overall", "accuracy"): (0.640625, 40, True),
            ("family:trees", "accuracy"): (0.71875, 32, True),
            ("family:trees", "ece"): (None, 32, True),
        }
        rows = [
            {
                **{"result_sha256": digest, "view": view, "metric": metric},
                **{"value": shown, "n": n, "is_partial": is_partial},
                "reason": "not_reported" if shown is None else None,
                "definition": f"{metric} as they define it {HOSTILE}",
            }
            for (view, metric), (shown, n, is_partial) in numbers.items()
        ]
        insert(connection, "reported_metrics", rows)


def make_world(path: Path) -> dict[str, str]:
    """Store the world in the empty warehouse at *path*."""
    with open_writer(path) as connection:
        return store(connection)


def make_site(path: Path, folder: Path, *, include_private: bool = False) -> Path:
    """Build the site of a warehouse."""
    with open_reader(path) as connection:
        build_site(connection, folder, include_private, lambda words: None)
    return folder
