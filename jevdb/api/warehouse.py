"""The `Warehouse`: everything that can be asked of a file, and stored in it.

Each group of methods is a class in a module of its own. A new group is one
more: a class derived from `Base`, and its name among the bases here.
"""

from __future__ import annotations

import os

from jevdb.api.changing import Changing
from jevdb.api.comparing import Comparing
from jevdb.api.editions import Editions
from jevdb.api.guessing import Guessing
from jevdb.api.judging import Judging
from jevdb.api.keeping import Keeping
from jevdb.api.listing import Listings
from jevdb.api.many_runs import ManyRuns
from jevdb.api.naming import Naming
from jevdb.api.picturing import Picturing
from jevdb.api.publishing import Publishing
from jevdb.api.querying import Querying
from jevdb.api.scoring import Scoring
from jevdb.api.tallying import Tallying
from jevdb.api.upkeep import Upkeep
from jevdb.warehouse.connecting import LOCK_TIMEOUT


class Warehouse(
    ManyRuns,
    Guessing,
    Changing,
    Naming,
    Listings,
    Scoring,
    Tallying,
    Comparing,
    Judging,
    Editions,
    Picturing,
    Publishing,
    Querying,
    Keeping,
    Upkeep,
):
    """A warehouse file: items, gold and runs go in, scores and comparisons come out.

    Made by `jevdb.open`. Each method opens the file, works and lets go of it, so other
    processes can use the file between two calls. As a context manager it refuses calls
    after the block.

    Wherever a run is asked for, a name will do: an id prefix, ``model``,
    ``model@revision`` or ``model@revision#label``; or a `Run` from `runs`.

    Parameters
    ----------
    path : str or path-like
        The file.
    read_only : bool
        Whether methods that store something refuse to.
    lock_timeout : float
        Seconds to wait while another process holds the file.
    notify : callable, optional
        Told in words what a person should know: that a call waits, or which of several
        runs a name was taken for. Without it, it goes to the logger ``jevdb``.
    """


def open_warehouse(
    path: str | os.PathLike[str],
    read_only: bool = True,
    *,
    lock_timeout: float = LOCK_TIMEOUT,
) -> Warehouse:
    """Open a warehouse file; this is `jevdb.open`.

    A file of an older jevdb is brought up to date first. Opened for storing, a file
    that is not there yet is created.

    Parameters
    ----------
    path : str or path-like
        The file.
    read_only : bool
        Whether methods that store something refuse to.
    lock_timeout : float
        Seconds to wait while another process holds the file.

    Returns
    -------
    Warehouse
        Usable at once, and as a context manager.

    Raises
    ------
    SchemaError
        There is no such file, it is no warehouse, or newer than this program.
    BusyError
        Another process held the file for longer than *lock_timeout*.

    Examples
    --------
    >>> import jevdb
    >>> with jevdb.open(path) as warehouse:
    ...     report = warehouse.report("de-1")
    >>> [(line.report_row, line.n) for line in report.lines]
    [('public_231', 231), ('hard_111', 111)]
    """
    warehouse = Warehouse(path, read_only=read_only, lock_timeout=lock_timeout)
    warehouse.prepare()
    return warehouse
