"""Pictures of what is in a warehouse: SVG, PNG or an offline HTML page.

Each kind has two functions: ``read_...`` takes the numbers from the reports, and the
other draws them and returns a `Picture`. Nothing is computed while drawing.

>>> from jevdb.plots import reliability, read_depths
"""

from jevdb.plots.asking import Scored
from jevdb.plots.depths import read_depths
from jevdb.plots.history_numbers import read_history
from jevdb.plots.indices_plane import indices
from jevdb.plots.latency_cost import read_usage, usage
from jevdb.plots.measures import read_measures
from jevdb.plots.picture import Picture
from jevdb.plots.profile_numbers import read_profile
from jevdb.plots.reliability_diagram import reliability
from jevdb.plots.risk_curves import risk_coverage
from jevdb.plots.run_history import history
from jevdb.plots.run_profile import profile
from jevdb.plots.theme import Theme
from jevdb.plots.won_lost_items import won_lost
from jevdb.plots.won_lost_numbers import read_won_lost

__all__ = [
    "Picture",
    "Scored",
    "Theme",
    "history",
    "indices",
    "profile",
    "read_depths",
    "read_history",
    "read_measures",
    "read_profile",
    "read_usage",
    "read_won_lost",
    "reliability",
    "risk_coverage",
    "usage",
    "won_lost",
]
