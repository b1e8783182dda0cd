"""What models and benchmarks are called now, and were called before.

A stored name stays as it was stored: a model's in ``models``, a benchmark's id wherever
it stands. An event says of a name what it is called from then on, or that it is
retired. So the names of then are those of the events up to then, and an old name still
finds what it named.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

from jevdb.base.errors import UnknownNameError
from jevdb.base.wording import command

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

Named = Literal["model", "benchmark"]
STORED = {
    "model": "select distinct name from models",
    "benchmark": "select benchmark_id from benchmarks",
}
STATES = "select name, shown, is_retired from name_states where kind = $kind"


class NameChange(NamedTuple):
    """What it is called now, what it was called, and whether anything was to do."""

    name: str
    was: str
    is_new: bool


class State(NamedTuple):
    """What the events made of a name; ``shown`` is null where it is its own."""

    shown: str | None
    is_retired: bool


class Names(NamedTuple):
    """The names of a kind: those stored, and those that events are about."""

    kind: Named
    stored: frozenset[str]
    states: Mapping[str, State]

    def shown(self, name: str) -> str:
        """Return what a stored or former name is called now; others are their own."""
        state = self.states.get(name)
        return name if state is None else state.shown or name

    @property
    def shown_names(self) -> set[str]:
        """What there is, by the names of now."""
        return {self.shown(name) for name in self.stored}

    def meant(self, name: str) -> str:
        """Return what the thing that a name of now or of before names is called now.

        Raises
        ------
        UnknownNameError
            Nothing is or was called this.
        """
        known = self.shown_names
        found = name if name in known else self.shown(name)
        if found not in known:
            raise UnknownNameError(self.kind, name, known)
        return found

    def alike(self, shown: str) -> set[str]:
        """Return every name that is called *shown* now, itself among them."""
        known = self.stored | self.states.keys()
        return {name for name in known if self.shown(name) == shown} | {shown}

    def is_retired(self, shown: str) -> bool:
        """Whether what is called *shown* is retired."""
        return any(
            self.states[name].is_retired
            for name in self.alike(shown) & self.states.keys()
        )


def names_of(connection: Connection, kind: Named) -> Names:
    """Return the names of models or benchmarks, as they are now."""
    stored = connection.execute(STORED[kind]).fetchall()
    states = connection.execute(STATES, {"kind": kind}).fetchall()
    return Names(
        kind,
        frozenset(name for (name,) in stored),
        {name: State(shown, is_retired) for name, shown, is_retired in states},
    )


def now_called(kind: Named, old: str, new: str) -> str:
    """Return the word that goes with what was found by a name of before."""
    return f"{kind} {old} is now called {new}"


def restoring(kind: Named, name: str) -> str:
    """Return what takes back that something is retired."""
    return command(f"restore_{kind}", f"{kind}s restore {name}")
