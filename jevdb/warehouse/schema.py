"""The tables of a warehouse, as SQLAlchemy Core metadata.

Every table is insert-only: what changes is a new gold revision or a row in
``run_events`` or ``name_events``. Every row carries ``seq`` (the ingest that stored it)
or hangs under a row that does. Foreign keys and secondary indexes are left out on
purpose; the queries in ``sql/checks`` find orphans. The migrations are written by hand;
a test holds both equal. What is computed of these and kept (``kept_tallies``) is of no
ingest.
"""

from __future__ import annotations

import sqlalchemy as sa

from jevdb.warehouse.schema_words import (
    FAILED_DISTRIBUTIONS,
    FAILED_RATINGS,
    MAIN_ECES,
    MODALITIES,
    NOUL_HALVES,
    REFERENCE_RULES,
    STATUSES,
    TIE_RULES,
    TIER_RULES,
    TIERS,
    TYPES,
)

metadata = sa.MetaData()

KEY = "key"
"""Where a table that declares no key says what would be one."""
COMPUTED = "computed"
"""What a table says that holds what follows from the others, and can be made anew."""
INGEST_KINDS = (
    "seed",
    "items",
    "run",
    "event",
    "results",
    "method",
    "scope",
    "snapshot",
    "suite",
    "edition",
)
RUN_EVENTS = (
    *("superseded", "reinstated", "withdrawn", "relabelled"),
    *("private", "public", "baseline_set", "baseline_cleared"),
)
NAMED_KINDS = ("model", "benchmark")
NAME_EVENTS = ("renamed", "retired", "restored")


def _text(name: str, *, required: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String, nullable=not required)


def _number(name: str) -> sa.Column[float]:
    return sa.Column(name, sa.DOUBLE)


def _count(name: str, *, required: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger, nullable=not required, autoincrement=False)


def _index(name: str, *, required: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=not required, autoincrement=False)


def _flag(name: str, *, required: bool = False) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean, nullable=not required)


def _json(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.JSON)


def _texts(name: str, *, required: bool = False) -> sa.Column[list[str]]:
    return sa.Column(name, sa.ARRAY(sa.String), nullable=not required)


def _numbers(name: str) -> sa.Column[list[float]]:
    return sa.Column(name, sa.ARRAY(sa.DOUBLE))


def _one_of(column: str, values: tuple[str, ...]) -> sa.CheckConstraint:
    listed = ", ".join(f"'{value}'" for value in values)
    return sa.CheckConstraint(f"{column} in ({listed})")


def key_of(table: sa.Table) -> list[str]:
    """Return the columns of which a table has no two rows alike, declared or not."""
    return list(table.info.get(KEY) or table.primary_key.columns.keys())


def stored_tables() -> dict[str, sa.Table]:
    """Return the tables of what was stored, by name: not of what is computed of it."""
    return {
        name: table
        for name, table in metadata.tables.items()
        if COMPUTED not in table.info
    }


def _key(*columns: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*columns)


ingests = sa.Table(
    "ingests",
    metadata,
    _count("seq", required=True),
    _text("ingest_id", required=True),
    sa.Column("ingested_at", sa.TIMESTAMP, nullable=False),
    _text("kind", required=True),
    _text("jevdb_version", required=True),
    _text("content_sha256"),
    _key("seq"),
    _one_of("kind", INGEST_KINDS),
    comment="one row per thing stored; times are UTC and never run backwards",
)

benchmarks = sa.Table(
    "benchmarks",
    metadata,
    _text("benchmark_id", required=True),
    _text("name", required=True),
    _text("version"),
    _text("source"),
    _text("scoring", required=True),
    _count("seq", required=True),
    _key("benchmark_id"),
    comment="one row per benchmark; scoring names its scope view",
)

items = sa.Table(
    "items",
    metadata,
    _text("benchmark_id", required=True),
    _text("item_id", required=True),
    _text("type", required=True),
    _text("modality", required=True),
    _text("tier"),
    _text("family"),
    _text("domain"),
    _texts("options", required=True),
    _json("meta"),
    _count("seq", required=True),
    _text("group"),
    _numbers("level_values"),
    _text("positive"),
    _key("benchmark_id", "item_id"),
    _one_of("type", TYPES),
    _one_of("modality", MODALITIES),
    _one_of("tier", TIERS),
    comment="one row per question; options in order, for score the levels upwards",
)

gold_revisions = sa.Table(
    "gold_revisions",
    metadata,
    _text("benchmark_id", required=True),
    _index("gold_revision", required=True),
    _text("reason"),
    _count("seq", required=True),
    _key("benchmark_id", "gold_revision"),
    sa.CheckConstraint("gold_revision >= 1"),
    comment="one row per revision of a benchmark's gold, with its reason",
)

golds = sa.Table(
    "golds",
    metadata,
    _text("benchmark_id", required=True),
    _index("gold_revision", required=True),
    _text("item_id", required=True),
    _index("label_index"),
    _texts("labels"),
    _numbers("reference"),
    _count("seq", required=True),
    _key("benchmark_id", "gold_revision", "item_id"),
    sa.CheckConstraint("label_index >= 0"),
    sa.CheckConstraint("(label_index is null) <> (labels is null)"),
    comment="one row per item and revision that set its gold, counted from 0",
)

models = sa.Table(
    "models",
    metadata,
    _text("model_id", required=True),
    _text("name", required=True),
    _text("revision"),
    _text("provider"),
    _flag("open_weights"),
    _count("parameters"),
    _text("requested_name"),
    _text("resolved_name"),
    _json("meta"),
    _count("seq", required=True),
    _key("model_id"),
    comment="one row per model as described at an ingest; model_id is its SHA-256",
)

runs = sa.Table(
    "runs",
    metadata,
    _text("run_id", required=True),
    _text("benchmark_id", required=True),
    _text("model_id", required=True),
    _text("label"),
    sa.Column("started_at", sa.TIMESTAMP),
    _json("settings"),
    _json("source_files"),
    _texts("unsupported_types", required=True),
    _count("n_rows", required=True),
    _count("n_ok", required=True),
    _count("n_invalid", required=True),
    _count("n_unsupported", required=True),
    _count("n_error", required=True),
    _count("n_duplicate", required=True),
    _count("n_rejected", required=True),
    _text("rows_sha256", required=True),
    _count("seq", required=True),
    sa.Column("n_repeats", sa.Integer, nullable=False, server_default=sa.text("1")),
    _key("run_id"),
    sa.CheckConstraint("n_rows = n_ok + n_invalid + n_unsupported + n_error"),
    comment="one row per model answering one benchmark; run_id is a content hash",
)

run_events = sa.Table(
    "run_events",
    metadata,
    _count("seq", required=True),
    _text("run_id", required=True),
    _text("event", required=True),
    _text("value"),
    _text("reason"),
    _key("seq", "run_id"),
    _one_of("event", RUN_EVENTS),
    comment="one row per thing that happened to a run after, or with, its ingest",
)

name_events = sa.Table(
    "name_events",
    metadata,
    _count("seq", required=True),
    _text("kind", required=True),
    _text("name", required=True),
    _text("event", required=True),
    _text("value"),
    _text("reason"),
    _key("seq", "kind", "name"),
    _one_of("kind", NAMED_KINDS),
    _one_of("event", NAME_EVENTS),
    sa.CheckConstraint("(event = 'renamed') = (value is not null)"),
    comment="one row per name of a model or benchmark that is changed or retired",
)

predictions = sa.Table(
    "predictions",
    metadata,
    _text("run_id", required=True),
    _text("item_id", required=True),
    sa.Column("repeat", sa.Integer, nullable=False, server_default=sa.text("0")),
    _text("status", required=True),
    _text("reason"),
    _index("label_index"),
    _texts("labels"),
    _number("level"),
    _numbers("probabilities"),
    _json("returned"),
    _numbers("step_probabilities"),
    _flag("renormalized", required=True),
    _flag("answer_mismatch", required=True),
    _number("latency_s"),
    _count("input_tokens"),
    _count("output_tokens"),
    _number("cost_usd"),
    _text("error"),
    _index("attempts", required=True),
    _text("source_file"),
    _count("source_line"),
    _json("meta"),
    _one_of("status", STATUSES),
    sa.CheckConstraint("attempts >= 1"),
    sa.CheckConstraint("repeat >= 0"),
    info={KEY: ("run_id", "item_id", "repeat")},
    comment="one row per run, item and repeat, of which there is no key: storing and "
    "`jevdb check` see to it; probabilities as returned, in the item's option order",
)

methods = sa.Table(
    "methods",
    metadata,
    _text("method_id", required=True),
    _text("document", required=True),
    sa.Column("noul_low", sa.DOUBLE, nullable=False),
    sa.Column("noul_high", sa.DOUBLE, nullable=False),
    _flag("noul_chance_corrected", required=True),
    sa.Column("choice_weight", sa.DOUBLE, nullable=False),
    sa.Column("noul_weight", sa.DOUBLE, nullable=False),
    sa.Column("score_weight", sa.DOUBLE, nullable=False),
    _index("bins", required=True),
    sa.Column("probability_floor", sa.DOUBLE, nullable=False),
    _text("tie_rule", required=True),
    _text("failed_rating", required=True),
    _count("seq", required=True),
    _text("noul_half"),
    _text("failed_distribution"),
    _key("method_id"),
    sa.CheckConstraint("0 <= noul_low and noul_low <= noul_high and noul_high <= 1"),
    sa.CheckConstraint("choice_weight > 0 and noul_weight > 0 and score_weight > 0"),
    sa.CheckConstraint("bins between 1 and 100"),
    sa.CheckConstraint("probability_floor > 0 and probability_floor < 1"),
    _one_of("tie_rule", TIE_RULES),
    _one_of("failed_rating", FAILED_RATINGS),
    _one_of("noul_half", NOUL_HALVES),
    _one_of("failed_distribution", FAILED_DISTRIBUTIONS),
    comment="one row per scoring method: its parameters and their document",
)

tier_weights = sa.Table(
    "tier_weights",
    metadata,
    _text("method_id", required=True),
    _text("tier", required=True),
    sa.Column("weight", sa.DOUBLE, nullable=False),
    _count("seq", required=True),
    _key("method_id", "tier"),
    _one_of("tier", TIERS),
    sa.CheckConstraint("weight > 0"),
    comment="one row per method and tier; renormalised per type over the tiers present",
)

report_rows = sa.Table(
    "report_rows",
    metadata,
    _text("benchmark_id", required=True),
    _text("report_row", required=True),
    _text("subset", required=True),
    _text("kind", required=True),
    _count("n_expected", required=True),
    _count("seq", required=True),
    _key("benchmark_id", "report_row", "subset", "kind"),
    comment="item counts METRICS.md states for the seeded benchmarks",
)

scorings = sa.Table(
    "scorings",
    metadata,
    _text("scoring", required=True),
    _text("title", required=True),
    _text("reference_rule", required=True),
    _text("tier_rule", required=True),
    _texts("tvd_types", required=True),
    _text("main_ece", required=True),
    _texts("item_types", required=True),
    _count("seq", required=True),
    _key("scoring"),
    _one_of("reference_rule", REFERENCE_RULES),
    _one_of("tier_rule", TIER_RULES),
    _one_of("main_ece", MAIN_ECES),
    comment="one row per scoring that comes with jevdb: what it is besides its scopes",
)

rejects = sa.Table(
    "rejects",
    metadata,
    _text("ingest_id", required=True),
    _text("source_file", required=True),
    _count("line", required=True),
    _text("field"),
    _text("reason", required=True),
    _text("text"),
    _key("ingest_id", "source_file", "line"),
    comment="one row per line that an ingest refused and was asked to keep",
)

reported_results = sa.Table(
    "reported_results",
    metadata,
    _text("result_sha256", required=True),
    _text("benchmark_id", required=True),
    _text("model_id", required=True),
    _text("source_file", required=True),
    _text("source_sha256", required=True),
    _texts("tags", required=True),
    _count("requested_rows", required=True),
    _count("ok_rows", required=True),
    _count("unsupported_rows", required=True),
    _count("error_rows", required=True),
    sa.Column("submitted_at", sa.TIMESTAMP),
    _json("meta"),
    _count("seq", required=True),
    _key("result_sha256", "seq"),
    sa.CheckConstraint("requested_rows = ok_rows + unsupported_rows + error_rows"),
    comment="one row per result that somebody else published, and per time it was "
    "given its name again; never mixed with runs",
)

reported_metrics = sa.Table(
    "reported_metrics",
    metadata,
    _text("result_sha256", required=True),
    _text("view", required=True),
    _text("metric", required=True),
    _number("value"),
    _count("n", required=True),
    _text("reason"),
    _text("definition", required=True),
    _flag("is_partial", required=True),
    _key("result_sha256", "view", "metric"),
    comment="one row per published number, under its publisher's definition",
)

snapshots = sa.Table(
    "snapshots",
    metadata,
    _text("name", required=True),
    _text("content", required=True),
    _text("content_sha256", required=True),
    _count("seq", required=True),
    _key("name"),
    comment="one row per export kept by name, with its bytes",
)

scope_versions = sa.Table(
    "scope_versions",
    metadata,
    _text("scoring", required=True),
    _index("version", required=True),
    _text("sql", required=True),
    _text("sql_sha256", required=True),
    _count("seq", required=True),
    _key("scoring", "version"),
    sa.CheckConstraint("version >= 1"),
    comment="one row per version of a scoring that a user added, with its SQL",
)

gate_looks = sa.Table(
    "gate_looks",
    metadata,
    _count("seq", required=True),
    _count("approval", required=True),
    _text("run_id", required=True),
    _text("report_row", required=True),
    _text("method_id", required=True),
    _text("require", required=True),
    _texts("metrics", required=True),
    _count("look", required=True),
    _key("seq"),
    _one_of("require", ("not-worse", "non-inferior")),
    sa.CheckConstraint("look >= 1"),
    comment="one row per candidate that a gate held against an approved baseline",
)

suites = sa.Table(
    "suites",
    metadata,
    _text("suite", required=True),
    _text("version", required=True),
    _text("document", required=True),
    _text("sha256", required=True),
    _count("seq", required=True),
    _key("suite", "version"),
    comment="one row per version of a suite, with its canonical document",
)

editions = sa.Table(
    "editions",
    metadata,
    _text("name", required=True),
    _text("document", required=True),
    _text("document_sha256", required=True),
    _text("content", required=True),
    _text("content_sha256", required=True),
    _count("seq", required=True),
    _key("name"),
    comment="one row per frozen board of a suite: what remakes it, and its bytes",
)

kept_tallies = sa.Table(
    "kept_tallies",
    metadata,
    _text("run_id", required=True),
    _text("sheet_sha256", required=True),
    _text("rule_sha256", required=True),
    _text("judging_sha256", required=True),
    _text("sealed_by", required=True),
    _text("seal", required=True),
    sa.Column("sizes", sa.ARRAY(sa.BigInteger), nullable=False),
    _texts("keys", required=True),
    sa.Column("counts", sa.ARRAY(sa.BigInteger), nullable=False),
    sa.Column("sums", sa.ARRAY(sa.Numeric(38, 0)), nullable=False),
    _text("cells_sha256", required=True),
    info={
        KEY: (
            *("run_id", "sheet_sha256", "rule_sha256", "judging_sha256"),
            *("sealed_by", "seal"),
        ),
        COMPUTED: True,
    },
    comment="one row per run and rule whose tallies `jevdb score` keeps, under digests "
    "of all that they follow from; of no ingest, in no bundle, and may be deleted",
)
