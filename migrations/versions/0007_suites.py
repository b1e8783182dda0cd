"""Suites, which make one score of many benchmarks, and the boards frozen from them."""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

SUITES = """
    create table suites (
        suite varchar not null,
        version varchar not null,
        document varchar not null,
        sha256 varchar not null,
        seq bigint not null,
        primary key (suite, version)
    )
"""
EDITIONS = """
    create table editions (
        name varchar not null,
        document varchar not null,
        document_sha256 varchar not null,
        content varchar not null,
        content_sha256 varchar not null,
        seq bigint not null,
        primary key (name)
    )
"""
INGESTS = """
    create table ingests_new (
        seq bigint not null,
        ingest_id varchar not null,
        ingested_at timestamp not null,
        kind varchar not null,
        jevdb_version varchar not null,
        content_sha256 varchar,
        primary key (seq),
        check (kind in ({kinds}))
    )
"""
OLD = "'seed', 'items', 'run', 'event', 'results', 'method', 'scope', 'snapshot'"


def upgrade() -> None:
    execute = op.get_bind().exec_driver_sql
    execute(SUITES)
    execute(EDITIONS)
    _rebuild_ingests(f"{OLD}, 'suite', 'edition'")


def downgrade() -> None:
    execute = op.get_bind().exec_driver_sql
    execute("drop table editions")
    execute("drop table suites")
    execute(
        "update ingests set kind = case kind when 'suite' then 'method' "
        "else 'snapshot' end where kind in ('suite', 'edition')"
    )
    _rebuild_ingests(OLD)


def _rebuild_ingests(kinds: str) -> None:
    """DuckDB changes no constraint of a table: make it anew, with the same rows."""
    execute = op.get_bind().exec_driver_sql
    execute(INGESTS.format(kinds=kinds))
    execute("insert into ingests_new from ingests order by seq")
    execute("drop table ingests")
    execute("alter table ingests_new rename to ingests")
