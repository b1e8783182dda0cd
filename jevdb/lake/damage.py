"""Which run a damaged data file holds, as the catalog knows it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from jevdb.base.errors import JevdbError
from jevdb.base.text import short_id
from jevdb.lake.failures import Moved
from jevdb.warehouse.sqlfiles import quoted

if TYPE_CHECKING:
    from jevdb.lake.catalog import Catalog, Row

OWNERS = """\
select t.table_name, s.min_value, s.max_value
from ducklake_data_file f
join ducklake_table t using (table_id)
left join ducklake_column c
    on c.table_id = f.table_id and c.column_name = 'run_id' and c.end_snapshot is null
left join ducklake_file_column_stats s
    on s.data_file_id = f.data_file_id and s.column_id = c.column_id
where f.path = {name} or f.path like {ending}"""


def damage(lake: Catalog, path: str, said: str) -> JevdbError:
    """Return the error for a data file that cannot be read: whose it is, what to do."""
    return JevdbError(
        f"{lake.target.name}: warehouse damaged: {owner(lake, path)}: file {path}: "
        f"{said}; restore the file from a backup of the lake's storage"
    )


def owner(lake: Catalog, path: str) -> str:
    """Return what a file holds: ``run ...``, several runs, or a table."""
    name = PurePosixPath(path).name
    found: Sequence[Row] = ()
    # The lake's own connection may be in a transaction that this fault has ended.
    with suppress(JevdbError, Moved), lake.beside() as other:
        found = other.catalog_rows(
            OWNERS.format(name=quoted(name), ending=quoted(f"%/{name}"))
        )
    if not found:
        return "a file the catalog does not know"
    table, first, last = found[0]
    if first is None:
        return f"table {table}"
    if first == last:
        return f"run {short_id(str(first))} in {table}"
    return f"runs from {short_id(str(first))} to {short_id(str(last))} in {table}"
