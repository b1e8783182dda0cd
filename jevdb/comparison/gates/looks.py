"""How often a baseline was looked at: an error shared out over its candidates.

A baseline that meets many candidates fails a good one some day, unless every look has
less than the one before. The k-th different candidate has 0.05 / (k (k + 1)), which add
up to 0.05 for ever; or each of L looks has 0.05 / L.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import UsageError
from jevdb.base.output import to_json
from jevdb.base.wording import option
from jevdb.comparison.gates.baselines import APPROVING, read_baselines
from jevdb.numerics.discordant import LEVEL
from jevdb.warehouse.database import transaction
from jevdb.warehouse.ledger import insert_row, record
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

FIRST_LEVEL = LEVEL / 2
"""The one-sided error of a single gate; ordinary evidence is p at most this."""


class Require(StrEnum):
    """What a gate asks: no evidence of harm, or evidence that there is none."""

    NOT_WORSE = "not-worse"
    NON_INFERIOR = "non-inferior"


def spent(look: int, looks: int | None = None) -> float:
    """Return the one-sided error that a look may make.

    Parameters
    ----------
    look : int, at least 1
        Which one it is, over the life of the approval.
    looks : int, optional
        For how many the error is shared out evenly; later ones have none.

    References
    ----------
    Foster and Stine (2008), J. R. Statist. Soc. B 70, 429-444; Tian and Ramdas (2021),
    Stat. Methods Med. Res. 30, 1057-1074. INFERENCE.md §6.2.

    Examples
    --------
    >>> [round(spent(look), 6) for look in (1, 2, 3, 12)]
    [0.025, 0.008333, 0.004167, 0.000321]
    >>> spent(10, looks=10), spent(11, looks=10)
    (0.005, 0.0)
    """
    if looks is None:
        return LEVEL / (look * (look + 1))
    return LEVEL / looks if look <= looks else 0.0


class Look(NamedTuple):
    """The ``number``-th different candidate that an approval meets, in one mode.

    ``approval`` is the ledger number of the baseline's approval, null where the
    baseline has none: then every gate is a first look. ``looks`` is for how many the
    error is shared out, null for ever.
    """

    number: int
    is_recorded: bool
    approval: int | None
    looks: int | None
    run_id: str
    report_row: str
    method_id: str
    require: Require
    metrics: Sequence[str]

    @property
    def level(self) -> float:
        """The one-sided error of this look, for all metrics together."""
        return spent(self.number, self.looks)


def numbered(connection: Connection, look: Look) -> Look:
    """Return a look with the number that it has, or would have."""
    if look.approval is None:
        return look
    found = connection.execute(
        query("comparison/gate_looks_known"),
        {
            "approval": look.approval,
            "run_id": look.run_id,
            "report_row": look.report_row,
            "method_id": look.method_id,
            "require": look.require.value,
        },
    ).fetchall()
    same = [number for number, is_same in found if is_same]
    if same:
        return look._replace(number=same[0], is_recorded=True)
    last = max((number for number, _ in found), default=0)
    return look._replace(number=last + 1, is_recorded=False)


def recorded(connection: Connection, look: Look) -> Look:
    """Store a look, unless the candidate was met before; return it as it stands.

    Raises
    ------
    UsageError
        The approval does not stand any more.
    """
    with transaction(connection):
        approvals = {known.approval for known in read_baselines(connection)}
        if look.approval not in approvals:
            raise UsageError(
                "the baseline's approval was taken back meanwhile; name one with "
                f"{option('baseline')}, or approve one with {APPROVING}"
            )
        standing = numbered(connection, look)
        if standing.is_recorded:
            return standing
        row: dict[str, object] = {
            "approval": look.approval,
            "run_id": look.run_id,
            "report_row": look.report_row,
            "method_id": look.method_id,
            "require": look.require.value,
            "metrics": list(look.metrics),
            "look": standing.number,
        }
        digest = hashlib.sha256(to_json(["look", *row.values()]).encode()).hexdigest()
        seq = record(connection, "event", digest)
        insert_row(connection, "gate_looks", {"seq": seq, **row})
    return standing._replace(is_recorded=True)


def require_looks(looks: int | None) -> None:
    """Refuse a number of looks that is none: UsageError."""
    if looks is not None and looks < 1:
        raise UsageError(f"{option('looks')} is a number of gates from 1, not {looks}")
