"""A lake and the machines that use it, each with a cache of its own."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from commandline import jevdb
from servers import Postgres
from typer.testing import Result

from jevdb.ingest import ItemsOptions, ingest_items
from jevdb.lake import initialise, pull
from jevdb.lake.connecting import Lake
from jevdb.lake.target import Target, resolve
from jevdb.warehouse.database import open_writer

_numbers = count(1)
ONCE = """\
select
    (select count(*) - count(distinct run_id) from runs),
    (select count(*) - count(distinct model_id) from models),
    (select count(*) - count(distinct (name, revision)) from models),
    (select count(*) - count(distinct benchmark_id) from benchmarks),
    (select count(*) - count(distinct seq) from ingests),
    (select count(*) - 1 - max(seq) from ingests),
    (select count(*) - count(distinct (run_id, item_id)) from predictions),
    (select sum(n_rows) from runs) - (select count(*) from predictions)"""
OPTIONS = ["north", "east", "south", "west"]


def benchmark_rows(size: int) -> list[dict[str, Any]]:
    """Return items of one choice each; every fourth is gold."""
    return [
        {
            "item_id": f"q{number:05d}",
            "type": "choice",
            "options": OPTIONS,
            "gold": OPTIONS[number % 4],
        }
        for number in range(size)
    ]


def answer_rows(size: int, seed: str) -> list[dict[str, Any]]:
    """Return a model's answers, other ones for every seed."""
    dice = random.Random(seed)
    rows = []
    for number in range(size):
        weights = [dice.randrange(1, 64) for _ in OPTIONS]
        total = sum(weights)
        probabilities = [weight / total for weight in weights]
        rows.append({"item_id": f"q{number:05d}", "probabilities": probabilities})
    return rows


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


@dataclass(frozen=True)
class Place:
    """A lake: its server, its database, its data, and what its machines start from."""

    postgres: Postgres
    database: str
    data: Path
    mirror: Path
    folder: Path

    def dsn(self, port: int | None = None, role: str = "keeper") -> str:
        return (
            f"ducklake:postgres:host=127.0.0.1 port={port or self.postgres.port} "
            f"user={role} dbname={self.database}"
        )

    @property
    def target(self) -> Target:
        return resolve(self.dsn())

    def psql(self, sql: str) -> str:
        return self.postgres.psql(sql, self.database)

    def reading(self) -> Lake:
        return Lake(self.target, read_only=True)

    def forget_since(self, seq: int) -> None:
        """Make the lake one that never held the ingests from *seq* on, nor any run."""
        self.psql(
            "delete from ducklake_data_file where table_id in (select table_id from "
            "ducklake_table where table_name = 'predictions')"
        )
        for table in ("ingests", "runs", "models"):
            self.psql(
                "delete from ducklake_data_file where data_file_id in (select "
                "data_file_id from ducklake_file_column_stats s join ducklake_column c "
                "using (table_id, column_id) join ducklake_table t using (table_id) "
                f"where t.table_name = '{table}' and c.column_name = 'seq' and case "
                f"when c.column_name = 'seq' then s.min_value::bigint end >= {seq})"
            )

    def machine(self, name: str, target: Target | None = None) -> Machine:
        """Return a machine whose mirror holds the lake's first state."""
        cache = self.folder / f"cache-{name}"
        cache.mkdir(exist_ok=True)
        with caching(cache):
            shutil.copyfile(self.mirror, (target or self.target).mirror)
        return Machine(self, cache)


class Template(NamedTuple):
    """A lake that is only ever copied: database, data, the mirror of a machine."""

    database: str
    data: Path
    mirror: Path


def make_template(postgres: Postgres, fresh: Path, folder: Path, size: int) -> Template:
    """Make a lake with one benchmark of so many items."""
    file, data, database = folder / "file.duckdb", folder / "data", f"template_{size}"
    shutil.copyfile(fresh, file)
    postgres.psql(f"create database {database}")
    target = resolve(
        f"ducklake:postgres:host=127.0.0.1 port={postgres.port} user=keeper "
        f"dbname={database}"
    )
    with open_writer(file, outward=True) as warehouse:
        if size:
            items = write_rows(folder / "items.jsonl", benchmark_rows(size))
            ingest_items(warehouse, [items], ItemsOptions("small"))
        assert initialise(target, warehouse, data=str(data)) == "created"
    with caching(folder):
        return Template(database, data, pull(target).path)


def copied(postgres: Postgres, template: Template, folder: Path) -> Place:
    """Return a lake of its own that holds what the template does."""
    database = f"lake_{next(_numbers)}"
    data = folder / "data"
    folder.mkdir(exist_ok=True)
    shutil.copytree(template.data, data)
    postgres.psql(f"create database {database} template {template.database}")
    place = Place(postgres, database, data, template.mirror, folder)
    place.psql(
        f"update ducklake_metadata set value = '{data}/' where key = 'data_path'"
    )
    return place


@dataclass(frozen=True)
class Machine:
    """A machine: a cache folder."""

    place: Place
    cache: Path

    def jevdb(self, *arguments: str, stdin: str | None = None) -> Result:
        """Run a command against the lake."""
        with caching(self.cache):
            return jevdb(self.place.dsn(), *arguments, stdin=stdin)

    def ingest(self, model: str, seed: str = "0", *more: str) -> Result:
        """Publish a run of the small benchmark, its rows drawn with *seed*."""
        path = self.place.folder / f"rows-{seed}.jsonl"
        write_rows(path, answer_rows(20, seed))
        names = ("--benchmark", "small", "--model", model)
        return self.jevdb("ingest", "run", str(path), *names, *more)


@contextmanager
def caching(folder: Path):
    """Use *folder* for mirrors."""
    before = os.environ.get("JEVDB_CACHE")
    os.environ["JEVDB_CACHE"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["JEVDB_CACHE"]
        else:
            os.environ["JEVDB_CACHE"] = before


def assert_each_once(place: Place) -> None:
    """No run, model, benchmark, seq or row twice, no gap, and no row missing."""
    with Lake(place.target, read_only=True) as lake:
        assert lake.rows(ONCE) == [(0,) * 8]
        assert lake.holder() == "nobody"
    checked = place.machine("checking").jevdb("check")
    assert checked.exit_code == 0, checked.output
