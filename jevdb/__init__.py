"""jevdb: a results warehouse for decision models.

    import jevdb

    with jevdb.open("warehouse.duckdb") as warehouse:
        warehouse.report()

Names are imported when they are first used: ``import jevdb`` alone is light.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jevdb.base.version import __version__

if TYPE_CHECKING:
    from jevdb import plots
    from jevdb.api.keeping import restore
    from jevdb.api.warehouse import Warehouse
    from jevdb.api.warehouse import open_warehouse as open
    from jevdb.base.errors import (
        BusyError,
        CheckError,
        ClosedError,
        ConflictError,
        InputError,
        Interrupted,
        JevdbError,
        Problem,
        ReadOnlyError,
        SchemaError,
        UnknownNameError,
        UsageError,
    )
    from jevdb.base.tabular import Listing, Records
    from jevdb.comparison.board import Leaderboard
    from jevdb.comparison.boards import Leaderboards
    from jevdb.comparison.compared import Comparison
    from jevdb.comparison.gates.verdict import Verdict
    from jevdb.comparison.history import History
    from jevdb.comparison.method_effects import MethodRanks
    from jevdb.diagnosing.diagnosed import Diagnosed
    from jevdb.exports.exported import Export
    from jevdb.exports.verify.verify import Verification
    from jevdb.ingest.items.summary import ItemsSummary
    from jevdb.ingest.runs.summary import RunSummary
    from jevdb.plots.picture import Picture
    from jevdb.scoring.calibration_depths import Calibration
    from jevdb.scoring.explain.explanation import Explanation
    from jevdb.scoring.repeats import Repeats
    from jevdb.scoring.report_text import Report
    from jevdb.scoring.revision_effects import Revisions
    from jevdb.scoring.run_listing import Runs
    from jevdb.scoring.runs import Run
    from jevdb.scoring.scored import Scored
    from jevdb.suites.board import SuiteBoard
    from jevdb.suites.edition_diff import EditionDiff
    from jevdb.suites.report import SuiteReport
    from jevdb.warehouse.checks import Integrity

__all__ = [
    "BusyError",
    "Calibration",
    "CheckError",
    "ClosedError",
    "Comparison",
    "ConflictError",
    "Diagnosed",
    "EditionDiff",
    "Explanation",
    "Export",
    "History",
    "InputError",
    "Integrity",
    "Interrupted",
    "ItemsSummary",
    "JevdbError",
    "Leaderboard",
    "Leaderboards",
    "Listing",
    "MethodRanks",
    "Picture",
    "Problem",
    "ReadOnlyError",
    "Records",
    "Repeats",
    "Report",
    "Revisions",
    "Run",
    "RunSummary",
    "Runs",
    "SchemaError",
    "Scored",
    "SuiteBoard",
    "SuiteReport",
    "UnknownNameError",
    "UsageError",
    "Verdict",
    "Verification",
    "Warehouse",
    "__version__",
    "open",
    "plots",
    "restore",
]

_MODULES = {
    "jevdb.api.keeping": ("restore",),
    "jevdb.api.warehouse": ("Warehouse",),
    "jevdb.comparison.compared": ("Comparison",),
    "jevdb.comparison.board": ("Leaderboard",),
    "jevdb.comparison.boards": ("Leaderboards",),
    "jevdb.comparison.history": ("History",),
    "jevdb.comparison.method_effects": ("MethodRanks",),
    "jevdb.diagnosing.diagnosed": ("Diagnosed",),
    "jevdb.exports.exported": ("Export",),
    "jevdb.exports.verify.verify": ("Verification",),
    "jevdb.scoring.calibration_depths": ("Calibration",),
    "jevdb.scoring.repeats": ("Repeats",),
    "jevdb.scoring.report_text": ("Report",),
    "jevdb.scoring.revision_effects": ("Revisions",),
    "jevdb.scoring.run_listing": ("Runs",),
    "jevdb.suites.board": ("SuiteBoard",),
    "jevdb.suites.edition_diff": ("EditionDiff",),
    "jevdb.suites.report": ("SuiteReport",),
    "jevdb.warehouse.checks": ("Integrity",),
    "jevdb.base.errors": (
        *("BusyError", "CheckError", "ClosedError", "ConflictError", "InputError"),
        *("Interrupted", "JevdbError", "Problem", "ReadOnlyError", "SchemaError"),
        *("UnknownNameError", "UsageError"),
    ),
    "jevdb.scoring.explain.explanation": ("Explanation",),
    "jevdb.comparison.gates.verdict": ("Verdict",),
    "jevdb.ingest.items.summary": ("ItemsSummary",),
    "jevdb.ingest.runs.summary": ("RunSummary",),
    "jevdb.plots.picture": ("Picture",),
    "jevdb.scoring.runs": ("Run",),
    "jevdb.scoring.scored": ("Scored",),
    "jevdb.base.tabular": ("Listing", "Records"),
}
_PLACES = {
    "open": ("jevdb.api.warehouse", "open_warehouse"),
    "plots": ("jevdb", "plots"),
    **{name: (module, name) for module, names in _MODULES.items() for name in names},
}


def __getattr__(name: str) -> object:
    """Import a public name where it is first used."""
    from importlib import import_module

    if name == "plots":
        return import_module("jevdb.plots")
    if name not in _PLACES:
        raise AttributeError(f"module 'jevdb' has no attribute {name!r}")
    module, inside = _PLACES[name]
    found: object = getattr(import_module(module), inside)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
