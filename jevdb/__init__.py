"""jevdb: a results warehouse for decision models.

    import jevdb

    with jevdb.open("warehouse.duckdb") as warehouse:
        warehouse.report()

Names are imported when they are first used: ``import jevdb`` alone is light.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from jevdb.api.keeping import restore
    from jevdb.api.results import (
        Calibration,
        Export,
        History,
        Integrity,
        MethodRanks,
        Report,
        Revisions,
        Runs,
        Verification,
    )
    from jevdb.api.warehouse import Warehouse
    from jevdb.api.warehouse import open_warehouse as open
    from jevdb.comparison.compare import Comparison
    from jevdb.comparison.leaderboard import Leaderboard
    from jevdb.errors import (
        BusyError,
        CheckError,
        ClosedError,
        ConflictError,
        InputError,
        JevdbError,
        Problem,
        ReadOnlyError,
        SchemaError,
        UnknownNameError,
        UsageError,
    )
    from jevdb.explaining.explain import Explanation
    from jevdb.gating.verdict import Verdict
    from jevdb.ingest.items import ItemsSummary
    from jevdb.ingest.summary import RunSummary
    from jevdb.plots.picture import Picture
    from jevdb.runs import Run
    from jevdb.tabular import Listing, Records

__all__ = [
    "BusyError",
    "Calibration",
    "CheckError",
    "ClosedError",
    "Comparison",
    "ConflictError",
    "Explanation",
    "Export",
    "History",
    "InputError",
    "Integrity",
    "ItemsSummary",
    "JevdbError",
    "Leaderboard",
    "Listing",
    "MethodRanks",
    "Picture",
    "Problem",
    "ReadOnlyError",
    "Records",
    "Report",
    "Revisions",
    "Run",
    "RunSummary",
    "Runs",
    "SchemaError",
    "UnknownNameError",
    "UsageError",
    "Verdict",
    "Verification",
    "Warehouse",
    "__version__",
    "open",
    "restore",
]

_MODULES = {
    "jevdb.api.results": (
        *("Calibration", "Export", "History", "Integrity", "MethodRanks"),
        *("Report", "Revisions", "Runs", "Verification"),
    ),
    "jevdb.api.keeping": ("restore",),
    "jevdb.api.warehouse": ("Warehouse",),
    "jevdb.comparison.compare": ("Comparison",),
    "jevdb.comparison.leaderboard": ("Leaderboard",),
    "jevdb.errors": (
        *("BusyError", "CheckError", "ClosedError", "ConflictError", "InputError"),
        *("JevdbError", "Problem", "ReadOnlyError", "SchemaError"),
        *("UnknownNameError", "UsageError"),
    ),
    "jevdb.explaining.explain": ("Explanation",),
    "jevdb.gating.verdict": ("Verdict",),
    "jevdb.ingest.items": ("ItemsSummary",),
    "jevdb.ingest.summary": ("RunSummary",),
    "jevdb.plots.picture": ("Picture",),
    "jevdb.runs": ("Run",),
    "jevdb.tabular": ("Listing", "Records"),
}
_PLACES = {
    "open": ("jevdb.api.warehouse", "open_warehouse"),
    **{name: (module, name) for module, names in _MODULES.items() for name in names},
}


def __getattr__(name: str) -> object:
    """Import a public name where it is first used."""
    from importlib import import_module

    if name not in _PLACES:
        raise AttributeError(f"module 'jevdb' has no attribute {name!r}")
    module, inside = _PLACES[name]
    found: object = getattr(import_module(module), inside)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
