"""Tallies kept under all that they follow from."""

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

KEPT_TALLIES = """
    create table kept_tallies (
        run_id varchar not null,
        sheet_sha256 varchar not null,
        rule_sha256 varchar not null,
        judging_sha256 varchar not null,
        sealed_by varchar not null,
        seal varchar not null,
        sizes bigint[] not null,
        keys varchar[] not null,
        counts bigint[] not null,
        sums decimal(38, 0)[] not null,
        cells_sha256 varchar not null
    )
"""


def upgrade() -> None:
    op.get_bind().exec_driver_sql(KEPT_TALLIES)


def downgrade() -> None:
    op.get_bind().exec_driver_sql("drop table kept_tallies")
