"""The views of the scorings that users added, beside those of the program.

The text of every version is a row of ``scope_versions``; the newest of each scoring is
a view, made anew with the program's own, and `scopes` is over all of them; what their
headers state of rules is in `scoring_rules`, behind the rows of ``scorings``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from jevdb.base.errors import JevdbError, UnknownNameError, UsageError
from jevdb.base.wording import command
from jevdb.warehouse.assets import asset_folder
from jevdb.warehouse.column_words import comment_columns
from jevdb.warehouse.scope_rules import column_faults, run_faults, text_faults
from jevdb.warehouse.scoring_rules import Rules, Stated, restated, stated
from jevdb.warehouse.sqlfiles import (
    SqlObject,
    parse_text,
    program,
    program_view,
    quoted,
)
from jevdb.warehouse.writing_out import UNIONS

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

PREFIX = "scope_"
SEE = f"see {command('scorings', 'scopes')}"
NEWEST = """\
select scoring, max_by(sql, version)
from scope_versions
group by scoring
order by scoring"""
COLUMNS = "benchmark_id, report_row, subset, item_id"
PROGRAM_COMMENT = (
    "one row per view and macro of jevdb in this file, with the SHA-256 of the SQL "
    "file it was made from"
)


class _Cursor(Protocol):
    def fetchall(self) -> Sequence[Sequence[object]]: ...


Execute = Callable[[str], _Cursor]


class ScopeVersion(NamedTuple):
    """A version of a user's scoring, and the SQL it came with."""

    scoring: str
    version: int
    sql: str


def view_name(scoring: str) -> str:
    """Return the name of a scoring's scope view."""
    return PREFIX + scoring.replace("-", "_")


def scoring_name(view: str) -> str:
    """Return the scoring that a scope view, or its file, is named after."""
    return view.removeprefix(PREFIX).replace("_", "-")


def program_scorings() -> set[str]:
    """Return the scorings that come with the program."""
    names = [item.name for item in program() if item.layer == "scopes"]
    return {scoring_name(name) for name in names}


def scope_view(connection: Connection, scoring: str) -> SqlObject:
    """Return the view that says which items the scoring's rows and metrics cover."""
    name = view_name(scoring)
    views = [*program(), *_parsed(_texts(connection.execute))]
    return next(item for item in views if item.name == name)


def install(execute: Execute, left_out: Collection[str] = ()) -> None:
    """Create the users' scope views, the unions over all, and the record of it all.

    Scorings that are not to be run (`unfit`) are left out, and those of *left_out*.
    """
    without = {*left_out, *unfit(execute)}
    texts = {
        scoring: text
        for scoring, text in _texts(execute).items()
        if scoring not in without
    }
    stored = _parsed(texts)
    for view in stored:
        for statement in view.statements:
            execute(statement)
    scopes = [placed(scoring) for scoring in texts]
    rules = [rules_select(scoring, text) for scoring, text in texts.items()]
    for name, parts in zip(UNIONS, (rules, scopes), strict=True):
        for statement in _joined(name, parts).statements:
            execute(statement)
    execute(program_view(stored))
    execute(f"comment on view program is '{PROGRAM_COMMENT}'")
    names = [*(view.name for view in stored), *UNIONS, "program"]
    comment_columns(execute, names)


def _joined(name: str, parts: Sequence[str]) -> SqlObject:
    """Return a view of the program over the users' scorings too."""
    view = next(item for item in program() if item.name == name)
    return view._replace(body="\nunion all\n".join([view.body, *parts]))


def placed(scoring: str) -> str:
    """Return the select of what a user's scoring places among its own benchmarks.

    An item of another benchmark is none of its: it changes nothing, and is a fault that
    `jevdb check` finds.
    """
    return (
        f"select {COLUMNS}\nfrom {view_name(scoring)}\nwhere benchmark_id in (\n"
        "    select benchmark_id from benchmarks\n"
        f"    where scoring = {quoted(scoring)}\n)"
    )


def unfit(execute: Execute) -> dict[str, str]:
    """Return the users' scorings whose newest text is not to be run, and why not."""
    found = {}
    for scoring, text in _texts(execute).items():
        body = parse_text("scopes", "", text).body
        faults = text_faults(execute, scoring, body) or column_faults(execute, body)
        if scoring in program_scorings():
            faults = ["it has the name of a scoring that comes with jevdb"]
        try:
            rules_select(scoring, text)
        except JevdbError as error:
            faults.append(str(error).splitlines()[0])
        if faults:
            found[scoring] = faults[0]
    return found


def _texts(execute: Execute) -> dict[str, str]:
    return {str(scoring): str(sql) for scoring, sql in execute(NEWEST).fetchall()}


def _parsed(texts: Mapping[str, str]) -> list[SqlObject]:
    return [
        parse_text("scopes", view_name(scoring), text)
        for scoring, text in texts.items()
    ]


def rules_select(scoring: str, text: str) -> str:
    """Return the row of `scoring_rules` that the text of a user's scoring states."""
    title, rules = stated(text, f"{view_name(scoring)}.sql")
    return rules.select(scoring, title or scoring)


def rules_of(connection: Connection, scoring: str) -> Stated:
    """Return the title and rules in force of a scoring; nobody's are the usual ones."""
    found = connection.execute(
        f"select title, {', '.join(Rules._fields)} from scoring_rules "
        f"where scoring = {quoted(scoring)}"
    ).fetchall()
    if not found:
        return Stated(None, Rules())
    title, *said = found[0]
    words: list[Any] = [
        tuple(each) if isinstance(each, list) else each for each in said
    ]
    return Stated(title, Rules(*words))


def scoring_rules_view(
    connection: Connection, scoring: str, version: int | None = None
) -> SqlObject:
    """Return `scoring_rules` with the one row of a scoring, or of a version of it."""
    view = next(item for item in program() if item.name == "scoring_rules")
    if version is not None:
        text = stored_sql(connection, scoring, version)
        return view._replace(body=rules_select(scoring, text))
    title, rules = rules_of(connection, scoring)
    return view._replace(body=rules.select(scoring, title or scoring))


def scope_versions(connection: Connection) -> list[ScopeVersion]:
    """Return every version of every user's scoring."""
    rows = connection.execute(
        "select scoring, version, sql from scope_versions order by all"
    ).fetchall()
    return [ScopeVersion(*row) for row in rows]


def versions_source(connection: Connection, versions: Sequence[int]) -> str:
    """Return the scopes of some versions side by side, as report rows ``row@version``.

    Raises
    ------
    UsageError
        No user's scoring has one of the versions.
    """
    stored = _of_versions(connection, versions)
    for each in stored:
        _require_runnable(connection, each)
    return "\nunion all\n".join(
        marked(parse_text("scopes", "", each.sql).body, each.version) for each in stored
    )


def _require_runnable(connection: Connection, version: ScopeVersion) -> None:
    """Refuse a version of a scoring, of whoever's file, that is not to be run."""
    body = parse_text("scopes", "", version.sql).body
    faults = text_faults(connection.execute, version.scoring, body)
    if faults := faults or list(run_faults(connection, body)):
        raise JevdbError(
            f"the scoring {version.scoring}, version {version.version}: {faults[0]}"
        )


def marked(body: str, version: int) -> str:
    """Return a scope view's statement with report rows named ``row@version``."""
    return (
        f"select benchmark_id, report_row || '@{version:d}' as report_row, "
        f"subset, item_id\nfrom (\n{body}\n)"
    )


def versions_rules(connection: Connection, versions: Sequence[int]) -> str:
    """Return the select that gives `scoring_rules` as of some versions.

    Where a scoring has several of them, their rules are the same (`require_versions`).

    Raises
    ------
    UsageError
        No user's scoring has one of the versions.
    """
    texts = {each.scoring: each.sql for each in _of_versions(connection, versions)}
    listed = ", ".join(map(quoted, texts))
    others = f"select * from main.scoring_rules where scoring not in ({listed})"
    rules = [rules_select(scoring, text) for scoring, text in texts.items()]
    return "\nunion all\n".join([others, *rules])


def _of_versions(connection: Connection, versions: Sequence[int]) -> list[ScopeVersion]:
    stored = [each for each in scope_versions(connection) if each.version in versions]
    missing = set(versions) - {each.version for each in stored}
    if missing:
        raise UsageError(f"no scoring has a version {min(missing)}; {SEE}")
    return stored


def require_versions(
    connection: Connection, versions: Sequence[int], benchmark_ids: Sequence[str]
) -> None:
    """Refuse versions that the scoring of one of the benchmarks does not have.

    So are versions with other rules than one another: they say of an item, not of a
    report row, what it is compared with and weighs.
    """
    known = {
        (each.scoring, each.version): stated(each.sql, each.scoring).rules
        for each in scope_versions(connection)
    }
    scorings = dict(
        connection.execute("select benchmark_id, scoring from benchmarks").fetchall()
    )
    for benchmark_id in dict.fromkeys(benchmark_ids):
        scoring = scorings[benchmark_id]
        for version in versions:
            if (scoring, version) not in known:
                raise UsageError(
                    f"{benchmark_id} is scored as {scoring}, which has no version "
                    f"{version}; {SEE}"
                )
        if len({known[scoring, version] for version in versions}) > 1:
            asked = " and ".join(map(str, versions))
            raise UsageError(
                f"the versions {asked} of {scoring} have other rules than one another; "
                "report them one at a time"
            )


def stored_sql(connection: Connection, scoring: str, version: int | None) -> str:
    """Return the SQL text of a scoring, the newest version unless one is given."""
    mine = [each for each in scope_versions(connection) if each.scoring == scoring]
    if not mine:
        if scoring not in program_scorings():
            names = {each.scoring for each in scope_versions(connection)}
            raise UnknownNameError("scoring", scoring, names | program_scorings())
        if version is not None:
            raise UsageError(f"{scoring} comes with jevdb and has no versions")
        path = asset_folder("sql") / "scopes" / f"{view_name(scoring)}.sql"
        rules = rules_of(connection, scoring).rules
        return restated(path.read_text(encoding="utf-8"), rules._asdict())
    wanted = version or mine[-1].version
    for each in mine:
        if each.version == wanted:
            return each.sql
    raise UsageError(f"{scoring} has no version {version}; its newest is {len(mine)}")
