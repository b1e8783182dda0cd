"""The program's macros and views in a database that holds no tables of its own.

For a file whose views are not to be used: its tables are attached, and everything that
is read of them is this program's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from jevdb.warehouse.scope_views import install
from jevdb.warehouse.sqlfiles import identifier, program
from jevdb.warehouse.writing_out import each_alone

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

ATTACHED = "the attached file"
"""What the file is called beside the program's views."""


def create_over_attached(
    connection: Connection, tables: Iterable[str], left_out: Collection[str]
) -> None:
    """Create a view over every table of the attached file, and the program over these.

    *tables* are names of jevdb's own; *left_out* are users' scorings that get no view.
    """
    for name in tables:
        source = f"{identifier(ATTACHED)}.main.{identifier(name)}"
        connection.execute(f"create view {identifier(name)} as from {source}")
    connection.execute(each_alone(program()))
    install(connection.execute, left_out)
