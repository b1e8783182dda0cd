"""Run the migrations on the connection that jevdb.warehouse.database opened."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    transactional_ddl=True,
    version_table_pk=False,
)
context.run_migrations()
