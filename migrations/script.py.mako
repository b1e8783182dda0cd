"""${message}."""

from alembic import op

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.get_bind().exec_driver_sql("")


def downgrade() -> None:
    op.get_bind().exec_driver_sql("")
