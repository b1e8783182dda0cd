"""Several answers of a run to an item: predictions are numbered, and have no key.

The key cost more than half of an insert and of the file. What it held is asserted where
rows are stored (sql/queries/ingest/stored_twice.sql), and found by `jevdb check`.
"""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

COLUMNS = """
    run_id varchar not null,
    item_id varchar not null,
    {repeat}status varchar not null,
    reason varchar,
    label_index integer,
    labels varchar[],
    "level" double,
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
    {key}check (status in ('ok', 'invalid', 'unsupported', 'error')),
    check (attempts >= 1){last}
"""
NEW = COLUMNS.format(
    repeat="repeat integer not null default 0,\n    ",
    key="",
    last=",\n    check (repeat >= 0)",
)
OLD = COLUMNS.format(repeat="", key="primary key (run_id, item_id),\n    ", last="")


def upgrade() -> None:
    _rebuild(NEW)
    execute = op.get_bind().exec_driver_sql
    execute("alter table runs add column n_repeats integer default 1")
    execute("alter table runs alter column n_repeats set not null")


def downgrade() -> None:
    execute = op.get_bind().exec_driver_sql
    execute("delete from predictions where repeat > 0")
    execute("alter table predictions drop column repeat")
    _rebuild(OLD)
    execute("alter table runs drop column n_repeats")


def _rebuild(columns: str) -> None:
    """Fill a table with these columns in the place of predictions, in their order."""
    execute = op.get_bind().exec_driver_sql
    execute(f"create table predictions_new ({columns})")
    execute("insert into predictions_new by name from predictions")
    execute("drop table predictions")
    execute("alter table predictions_new rename to predictions")
