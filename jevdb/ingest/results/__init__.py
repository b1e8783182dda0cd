"""Results that others published: aggregates without rows, kept as they were reported.

They go into ``reported_results`` and ``reported_metrics``, each number with its
definition, and never mix with numbers computed from a run's rows.
"""

from __future__ import annotations

from jevdb.ingest.results.outcomes import Outcome
from jevdb.ingest.results.reading import Published, read_published
from jevdb.ingest.results.storing import store_published

__all__ = ["Outcome", "Published", "read_published", "store_published"]
