"""What a scoring is besides its scope view: references, tiers, TVD, the main ECE."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

SCORINGS = """
    create table scorings (
        scoring varchar not null,
        title varchar not null,
        reference_rule varchar not null,
        tier_rule varchar not null,
        tvd_types varchar[] not null,
        main_ece varchar not null,
        item_types varchar[] not null,
        seq bigint not null,
        primary key (scoring),
        check (reference_rule in ('given', 'one_hot', 'given_or_one_hot')),
        check (tier_rule in ('always', 'if_all', 'never')),
        check (main_ece in ('by_type', 'pooled', 'choice', 'noul', 'score'))
    )
"""


def upgrade() -> None:
    op.get_bind().exec_driver_sql(SCORINGS)


def downgrade() -> None:
    op.get_bind().exec_driver_sql("drop table scorings")
