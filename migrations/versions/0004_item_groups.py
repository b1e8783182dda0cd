"""Which items belong together: those of one passage, image or source."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.get_bind().exec_driver_sql('alter table items add column "group" varchar')


def downgrade() -> None:
    op.get_bind().exec_driver_sql('alter table items drop column "group"')
