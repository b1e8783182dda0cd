"""What models and benchmarks are called: a row per name that is changed or retired."""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

NAME_EVENTS = """
    create table name_events (
        seq bigint not null,
        kind varchar not null,
        name varchar not null,
        event varchar not null,
        value varchar,
        reason varchar,
        primary key (seq, kind, name),
        check (kind in ('model', 'benchmark')),
        check (event in ('renamed', 'retired', 'restored')),
        check ((event = 'renamed') = (value is not null))
    )
"""


def upgrade() -> None:
    op.get_bind().exec_driver_sql(NAME_EVENTS)


def downgrade() -> None:
    op.get_bind().exec_driver_sql("drop table name_events")
