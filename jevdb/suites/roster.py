"""Who takes part in a suite, and by which run or published result of each member."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import UnknownNameError, UsageError
from jevdb.base.text import short_id
from jevdb.base.wording import option
from jevdb.scoring.runs import all_runs, resolve
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.scoring.runs import Run
    from jevdb.suites.document import Suite

ROWS, REPORTED = "rows", "reported"


class Entrant(NamedTuple):
    """What is ranked: a model by its exact name, revision and label."""

    model: str
    revision: str | None = None
    label: str | None = None

    @property
    def name(self) -> str:
        """``model``, ``model@revision`` or ``model@revision#label``."""
        revision = "" if self.revision is None else f"@{self.revision}"
        label = "" if self.label is None else f"#{self.label}"
        return f"{self.model}{revision}{label}"


class Entry(NamedTuple):
    """What an entrant has for a member: a run's rows, or a published result."""

    entrant: Entrant
    member: int
    origin: str
    run_id: str | None
    result_sha256: str | None

    @property
    def source(self) -> str:
        """The run or the result."""
        return str(self.run_id or self.result_sha256)


class Request(NamedTuple):
    """A suite, and who takes part in it.

    ``runs`` are pinned, each for the members on its benchmark; ``joined`` maps names to
    the names that they stand for; ``dropped`` are left out. ``reported`` takes
    published results of entrants without a run, ``mixed`` also of those with some.
    ``fixed`` is a roster that is taken as it is.
    """

    suite: Suite
    runs: Sequence[str] = ()
    joined: Sequence[tuple[str, str]] = ()
    dropped: Sequence[str] = ()
    reported: bool = False
    mixed: bool = False
    as_of: int | None = None
    fixed: Sequence[Entry] | None = None


class Roster(NamedTuple):
    """The entries, by entrant and member, and what was done to get there, in words."""

    entries: Sequence[Entry]
    notes: Sequence[str] = ()

    @property
    def run_ids(self) -> list[str]:
        """The runs that take part."""
        return sorted({each.run_id for each in self.entries if each.run_id})

    @property
    def entrants(self) -> list[Entrant]:
        """The entrants, each once."""
        return list(dict.fromkeys(each.entrant for each in self.entries))


def read_roster(connection: Connection, request: Request) -> Roster:
    """Return who takes part; call it where the tables are those of its moment.

    Raises
    ------
    UnknownNameError
        A name to pin, join or drop is nobody's.
    UsageError
        Somebody is joined twice, or a joined entrant has two runs of one member.
    """
    if request.fixed is not None:
        return Roster(_ordered(request.fixed))
    names = {"suite": request.suite.name, "version": request.suite.version}
    own = _entries(connection, "suites/entries", names)
    own = _pinned(own, request, all_runs(connection))
    published = _entries(connection, "suites/reported_entries", names)
    if not (request.reported or request.mixed):
        published = []
    joined = _joins(request, [*own, *published])
    own = [_joined(each, joined) for each in own]
    published = [_joined(each, joined) for each in published]
    _refuse_two(own)
    _refuse_two(published)
    with_runs = {each.entrant for each in own}
    taken = {(each.entrant, each.member) for each in own}
    notes = []
    both = sorted({e.entrant.name for e in published if e.entrant in with_runs})
    if both and not request.mixed:
        notes.append(
            f"runs and published results of {', '.join(both)}: the runs count alone; "
            f"{option('mixed', value=True)} fills their gaps"
        )
    elif both:
        notes.append(f"mixed, published results beside runs: {', '.join(both)}")
    filling = [
        each
        for each in published
        if (each.entrant, each.member) not in taken
        and (request.mixed or each.entrant not in with_runs)
    ]
    kept = _dropped([*own, *filling], request.dropped)
    return Roster(_ordered(kept), notes)


def _ordered(entries: Iterable[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda each: (each.entrant.name, each.member))


def _entries(
    connection: Connection, name: str, parameters: dict[str, str]
) -> list[Entry]:
    found = connection.execute(query(name), parameters).fetchall()
    return [
        Entry(Entrant(model, revision, label), member, origin, run_id, result)
        for model, revision, label, member, origin, run_id, result in found
    ]


def _pinned(
    entries: Sequence[Entry], request: Request, runs: Sequence[Run]
) -> list[Entry]:
    """Return the entries with the runs that were named in the place of others."""
    pinned: dict[tuple[Entrant, int], Entry] = {}
    for name in request.runs:
        run = resolve(runs, name)
        entrant = Entrant(run.model, run.revision, run.label)
        places = [
            number
            for number, member in enumerate(request.suite.members, 1)
            if member["benchmark"] == run.benchmark_id
        ]
        if not places:
            raise UsageError(
                f"{option('run', name)} is of {run.benchmark_id}, which is no member "
                f"of {request.suite.id}"
            )
        for place in places:
            entry = Entry(entrant, place, ROWS, run.run_id, None)
            other = pinned.setdefault((entrant, place), entry)
            if other != entry:
                raise UsageError(
                    f"{entrant.name} is given two runs of {run.benchmark_id}: "
                    f"{short_id(other.source)} and {short_id(run.run_id)}"
                )
    kept = [each for each in entries if (each.entrant, each.member) not in pinned]
    return [*kept, *pinned.values()]


def _joins(request: Request, entries: Sequence[Entry]) -> dict[Entrant, Entrant]:
    known = {each.entrant.name: each.entrant for each in entries}
    found: dict[Entrant, Entrant] = {}
    for name, other in request.joined:
        if other not in known:
            raise UnknownNameError("entrant", other, known)
        entrant = known[other]
        if found.get(entrant, Entrant(name)) != Entrant(name):
            raise UsageError(
                f"{other} is joined twice: as {found[entrant].name} and as {name}"
            )
        found[entrant] = Entrant(name)
    return found


def _joined(entry: Entry, joined: Mapping[Entrant, Entrant]) -> Entry:
    return entry._replace(entrant=joined.get(entry.entrant, entry.entrant))


def _refuse_two(entries: Iterable[Entry]) -> None:
    first: dict[tuple[Entrant, int], Entry] = {}
    for each in entries:
        other = first.setdefault((each.entrant, each.member), each)
        if other != each:
            raise UsageError(
                f"{each.entrant.name} is joined of two that both have member "
                f"{each.member}: {short_id(other.source)} and {short_id(each.source)}"
            )


def _dropped(entries: Sequence[Entry], names: Sequence[str]) -> list[Entry]:
    known = {each.entrant.name for each in entries}
    models = {each.entrant.model for each in entries}
    for name in names:
        if name not in known | models:
            raise UnknownNameError("entrant", name, known)
    gone = set(names)

    def stays(entrant: Entrant) -> bool:
        if entrant.name in gone:
            return False
        # A model's name means its entrants where none has just this name.
        return not (entrant.model in gone and entrant.model not in known)

    return [each for each in entries if stays(each.entrant)]


def parsed_joins(given: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the two names of each ``NAME=MODEL[@REVISION][#LABEL]``.

    Raises
    ------
    UsageError
        One has no ``=``.
    """
    for text in given:
        name, sign, other = text.partition("=")
        if not (name and sign and other):
            raise UsageError(
                f"{option('entrant', text)}: expected NAME=MODEL[@REVISION][#LABEL]"
            )
        yield name, other
