"""A shared lake: runs are published to it and pulled from it, and scored elsewhere.

Four verbs, and nothing else of jevdb knows more of a lake: `initialise` makes one,
`publish` stores into one what a command stores, `pull` brings this machine's mirror up
to date, and `maintain` keeps one in order. Scoring happens in the mirror, a plain file.
"""

from __future__ import annotations

from jevdb.lake import maintaining as maintain
from jevdb.lake.initialising import initialise
from jevdb.lake.publishing import publish
from jevdb.lake.pulling import pull

__all__ = ["initialise", "maintain", "publish", "pull"]
