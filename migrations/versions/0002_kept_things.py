"""What is kept beside runs: refused lines, published results, exports, own scopes."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

TABLES = {
    "rejects": """
        create table rejects (
            ingest_id varchar not null,
            source_file varchar not null,
            line bigint not null,
            field varchar,
            reason varchar not null,
            text varchar,
            primary key (ingest_id, source_file, line)
        )
    """,
    "reported_results": """
        create table reported_results (
            result_sha256 varchar not null,
            benchmark_id varchar not null,
            model_id varchar not null,
            source_file varchar not null,
            source_sha256 varchar not null,
            tags varchar[] not null,
            requested_rows bigint not null,
            ok_rows bigint not null,
            unsupported_rows bigint not null,
            error_rows bigint not null,
            submitted_at timestamp,
            meta json,
            seq bigint not null,
            primary key (result_sha256, seq),
            check (requested_rows = ok_rows + unsupported_rows + error_rows)
        )
    """,
    "reported_metrics": """
        create table reported_metrics (
            result_sha256 varchar not null,
            view varchar not null,
            metric varchar not null,
            value double,
            n bigint not null,
            reason varchar,
            definition varchar not null,
            is_partial boolean not null,
            primary key (result_sha256, view, metric)
        )
    """,
    "snapshots": """
        create table snapshots (
            name varchar not null,
            content varchar not null,
            content_sha256 varchar not null,
            seq bigint not null,
            primary key (name)
        )
    """,
    "scope_versions": """
        create table scope_versions (
            scoring varchar not null,
            version integer not null,
            sql varchar not null,
            sql_sha256 varchar not null,
            seq bigint not null,
            primary key (scoring, version),
            check (version >= 1)
        )
    """,
}


def upgrade() -> None:
    for statement in TABLES.values():
        op.get_bind().exec_driver_sql(statement)


def downgrade() -> None:
    for table in reversed(TABLES):
        op.get_bind().exec_driver_sql(f"drop table {table}")
