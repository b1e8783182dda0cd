"""The first tables: benchmarks, items, golds, models, runs, predictions, methods."""

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TABLES = {
    "ingests": """
        create table ingests (
            seq bigint not null,
            ingest_id varchar not null,
            ingested_at timestamp not null,
            kind varchar not null,
            jevdb_version varchar not null,
            content_sha256 varchar,
            primary key (seq),
            check (kind in (
                'seed', 'items', 'run', 'event',
                'results', 'method', 'scope', 'snapshot'
            ))
        )
    """,
    "benchmarks": """
        create table benchmarks (
            benchmark_id varchar not null,
            name varchar not null,
            version varchar,
            source varchar,
            scoring varchar not null,
            seq bigint not null,
            primary key (benchmark_id)
        )
    """,
    "items": """
        create table items (
            benchmark_id varchar not null,
            item_id varchar not null,
            type varchar not null,
            modality varchar not null,
            tier varchar,
            family varchar,
            domain varchar,
            options varchar[] not null,
            meta json,
            seq bigint not null,
            primary key (benchmark_id, item_id),
            check (type in ('choice', 'noul', 'score', 'multi_select')),
            check (modality in ('text', 'image', 'text_rendered')),
            check (tier in ('easy', 'standard', 'judge', 'hard'))
        )
    """,
    "gold_revisions": """
        create table gold_revisions (
            benchmark_id varchar not null,
            gold_revision integer not null,
            reason varchar,
            seq bigint not null,
            primary key (benchmark_id, gold_revision),
            check (gold_revision >= 1)
        )
    """,
    "golds": """
        create table golds (
            benchmark_id varchar not null,
            gold_revision integer not null,
            item_id varchar not null,
            label_index integer,
            labels varchar[],
            reference double[],
            seq bigint not null,
            primary key (benchmark_id, gold_revision, item_id),
            check (label_index >= 0),
            check ((label_index is null) <> (labels is null))
        )
    """,
    "models": """
        create table models (
            model_id varchar not null,
            name varchar not null,
            revision varchar,
            provider varchar,
            open_weights boolean,
            parameters bigint,
            requested_name varchar,
            resolved_name varchar,
            meta json,
            seq bigint not null,
            primary key (model_id)
        )
    """,
    "runs": """
        create table runs (
            run_id varchar not null,
            benchmark_id varchar not null,
            model_id varchar not null,
            label varchar,
            started_at timestamp ,
            settings json,
            source_files json,
            unsupported_types varchar[] not null,
            n_rows bigint not null,
            n_ok bigint not null,
            n_invalid bigint not null,
            n_unsupported bigint not null,
            n_error bigint not null,
            n_duplicate bigint not null,
            n_rejected bigint not null,
            rows_sha256 varchar not null,
            seq bigint not null,
            primary key (run_id),
            check (n_rows = n_ok + n_invalid + n_unsupported + n_error)
        )
    """,
    "run_events": """
        create table run_events (
            seq bigint not null,
            run_id varchar not null,
            event varchar not null,
            value varchar,
            reason varchar,
            primary key (seq, run_id),
            check (event in (
                'superseded', 'reinstated', 'withdrawn', 'relabelled',
                'private', 'public', 'baseline_set', 'baseline_cleared'
            ))
        )
    """,
    "predictions": """
        create table predictions (
            run_id varchar not null,
            item_id varchar not null,
            status varchar not null,
            reason varchar,
            label_index integer,
            labels varchar[],
            level double,
            probabilities double[],
            returned json,
            step_probabilities double[],
            renormalized boolean not null,
            answer_mismatch boolean not null,
            latency_s double,
            input_tokens bigint,
            output_tokens bigint,
            cost_usd double,
            error varchar,
            attempts integer not null,
            source_file varchar,
            source_line bigint,
            meta json,
            primary key (run_id, item_id),
            check (status in ('ok', 'invalid', 'unsupported', 'error')),
            check (attempts >= 1)
        )
    """,
    "methods": """
        create table methods (
            method_id varchar not null,
            document varchar not null,
            noul_low double not null,
            noul_high double not null,
            noul_chance_corrected boolean not null,
            choice_weight double not null,
            noul_weight double not null,
            score_weight double not null,
            bins integer not null,
            probability_floor double not null,
            tie_rule varchar not null,
            failed_rating varchar not null,
            seq bigint not null,
            primary key (method_id),
            check (0 <= noul_low and noul_low <= noul_high and noul_high <= 1),
            check (choice_weight > 0 and noul_weight > 0 and score_weight > 0),
            check (bins between 1 and 100),
            check (probability_floor > 0 and probability_floor < 1),
            check (tie_rule in ('lexicographic')),
            check (failed_rating in ('largest_error'))
        )
    """,
    "tier_weights": """
        create table tier_weights (
            method_id varchar not null,
            tier varchar not null,
            weight double not null,
            seq bigint not null,
            primary key (method_id, tier),
            check (tier in ('easy', 'standard', 'judge', 'hard')),
            check (weight > 0)
        )
    """,
    "report_rows": """
        create table report_rows (
            benchmark_id varchar not null,
            report_row varchar not null,
            subset varchar not null,
            kind varchar not null,
            n_expected bigint not null,
            seq bigint not null,
            primary key (benchmark_id, report_row, subset, kind)
        )
    """,
}


def upgrade() -> None:
    for statement in TABLES.values():
        op.get_bind().exec_driver_sql(statement)


def downgrade() -> None:
    for table in reversed(TABLES):
        op.get_bind().exec_driver_sql(f"drop table {table}")
