"""What a baseline met: one row per candidate that a gate held against an approval."""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

LOOKS = """
    create table gate_looks (
        seq bigint not null,
        approval bigint not null,
        run_id varchar not null,
        report_row varchar not null,
        method_id varchar not null,
        require varchar not null,
        metrics varchar[] not null,
        look bigint not null,
        primary key (seq),
        check (require in ('not-worse', 'non-inferior')),
        check (look >= 1)
    )
"""


def upgrade() -> None:
    op.get_bind().exec_driver_sql(LOOKS)


def downgrade() -> None:
    op.get_bind().exec_driver_sql("drop table gate_looks")
