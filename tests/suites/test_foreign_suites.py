"""Suites and editions in somebody else's file: text that says anything at all.

Each of the corpus has the digest of what it says, as its maker would have given it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from building import open_for_a_test
from commandline import jevdb
from suite_world import member, store, toml

from jevdb.base.errors import InputError, JevdbError
from jevdb.site.rendering import Pages
from jevdb.suites.document import completed, problems
from jevdb.suites.edition_verify import verify_file
from jevdb.suites.editions import freeze, stored_editions
from jevdb.suites.roster import Request
from jevdb.suites.storing import add_suite, find_suite, stored_suites

Row = tuple[str, str]
"""The document of a suite, or of an edition and its content."""
NO_SUITE = "its document is no suite: "
NOT_STORED = "its document is not what jevdb stores of a suite"
NO_EDITION = "its document is no edition's: "
NO_BOARD = "its content is no board: "


def changed(document: dict[str, Any], **keys: Any) -> str:
    return canonical({**document, **keys})


def canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def suites_of(sound: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield names, documents of nobody's suites, and what is said of them."""
    [first] = sound["member"]

    def own(name: str, **keys: Any) -> str:
        return changed(sound, name=name, **keys)

    def of_member(name: str, **keys: Any) -> str:
        return own(name, member=[{**first, **keys}])

    yield "text", "not json", NOT_STORED
    yield "list", "[]", NOT_STORED
    yield "nothing", "{}", NO_SUITE + "name: missing"
    yield "deep", "[" * 100_000, NOT_STORED
    yield "members", own("members", member=7), NO_SUITE + "member: expected a [[memb"
    yield "numbers", own("numbers", member=[1]), NO_SUITE + "member[1]: expected a tab"
    for key, value, said in (
        ("weight", "x", "expected a number above 0"),
        ("round", 2**40, "expected a whole number from 0 to 15"),
        ("exclude", "x", "expected a list of item ids"),
        ("clip", "maybe", "expected true or false"),
        ("metric", "run', 'x", "unknown metric"),
    ):
        yield key, of_member(key, **{key: value}), f"{NO_SUITE}member[1].{key}: {said}"
    yield "tie", own("tie", tie="x"), NO_SUITE + "tie: expected a number of at least 0"
    yield "areas", own("areas", areas=[1]), NO_SUITE + "areas: expected a table"
    yield "more", own("more", more="k" * 10**6), NO_SUITE + "more: no key of a suite"
    yield "other", own("another"), "its document is of another suite"
    yield "spaced", json.dumps({**sound, "name": "spaced"}), NOT_STORED
    yield (
        "infinite",
        own("infinite").replace('"scale":100.0', '"scale":1e999'),
        NO_SUITE + "scale: expected a number above 0",
    )
    yield "twice", own("twice").replace("{", '{"tie":"x",', 1), NOT_STORED


def editions_of(
    recipe: dict[str, Any], board: dict[str, Any]
) -> Iterator[tuple[str, Row, str]]:
    def own(name: str, **keys: Any) -> str:
        return changed(recipe, edition=name, **keys)

    sound = canonical(board)
    yield "text", ("x", sound), NO_EDITION
    yield "nothing", ("{}", sound), NO_EDITION + "Object missing required field"
    yield "deep", ("[" * 100_000, sound), NO_EDITION
    yield "moment", (own("moment", seq="9; --"), sound), NO_EDITION + "Expected `int`"
    yield "huge", (own("huge", seq=2**64), sound), NO_EDITION
    yield "entrants", (own("entrants", entrants=3), sound), NO_EDITION
    runs = [{"entrant": "x", "runs": [{}], "reported": []}]
    yield "runs", (own("runs", entrants=runs), sound), NO_EDITION
    yield "program", (own("program", program=7), sound), NO_EDITION
    yield "name", (own("another"), sound), NO_EDITION + "it is of another name"
    yield "words", (own("words"), "y"), NO_BOARD
    empty = canonical({**board, "entrants": [{}]})
    yield "empty", (own("empty"), empty), NO_BOARD + "Object missing required field"
    one, other = board["entrants"]
    fewer = canonical({**board, "entrants": [one, {**other, "members": []}]})
    yield "fewer", (own("fewer"), fewer), NO_BOARD + "its entrants are not of one board"
    nan = sound.replace('"raw":0.75', '"raw":NaN')
    assert nan != sound
    yield "nan", (own("nan"), nan), NO_BOARD


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class Theirs:
    """A file with a sound suite and edition, ``small`` and ``may``, and many others."""

    def __init__(self, path: Path, folder: Path):
        self.path = path
        self.suites: dict[str, str] = {}
        self.editions: dict[str, str] = {}
        with open_for_a_test(path) as connection:
            store(connection, {"b": {"x": "+++-", "y": "++--"}})
            suite, _ = add_suite(connection, toml(folder / "s.toml", [member("b")]))
            edition, _ = freeze(connection, "may", Request(suite))
            self.board = edition.board
            [[seq]] = connection.execute("select max(seq) from ingests").fetchall()
            for name, document, said in suites_of(dict(suite.document)):
                self.suites[name] = said
                row = [name, "1", document, digest(document), seq]
                connection.execute("insert into suites values (?, ?, ?, ?, ?)", row)
            for name, texts, said in editions_of(edition.document, edition.board):
                self.editions[name] = said
                cells = [cell for text in texts for cell in (text, digest(text))]
                connection.execute(
                    "insert into editions values (?, ?, ?, ?, ?, ?)",
                    [name, *cells, seq],
                )


@pytest.fixture(scope="module")
def theirs(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Theirs:
    folder = tmp_path_factory.mktemp("theirs")
    path = folder / "theirs.duckdb"
    path.write_bytes(template.read_bytes())
    return Theirs(path, folder)


def test_each_is_told_and_none_is_used(theirs: Theirs):
    with open_for_a_test(theirs.path) as connection:
        for stored in stored_suites(connection):
            if stored.suite == "small":
                continue
            with pytest.raises(JevdbError) as refused:
                find_suite(connection, stored.id)
            said = str(refused.value)
            assert theirs.suites[stored.suite] in said
            assert said.startswith(f"suite {stored.id}: ") and len(said) < 500
        for frozen in stored_editions(connection):
            if frozen.name == "may":
                continue
            with pytest.raises(JevdbError) as refused:
                frozen.opened()
            said = str(refused.value)
            assert theirs.editions[frozen.name] in said
            assert said.startswith(f"edition {frozen.name}: ") and len(said) < 500


def test_the_sound_ones_beside_them_are_read(theirs: Theirs):
    """3/4 of x, 2/4 of y: 75 and 50 points."""
    board = jevdb(theirs.path, "leaderboard", "--suite", "small", "--format", "json")
    found = [(row["entrant"], row["score"]) for row in json.loads(board.stdout)]
    assert found == [("x", 75.0), ("y", 50.0)]
    listed = jevdb(theirs.path, "suites", "--format", "json")
    counts = {row["suite"]: row["n_members"] for row in json.loads(listed.stdout)}
    assert counts.keys() == {"small", *theirs.suites} and counts["small"] == 1
    listed = jevdb(theirs.path, "editions", "--format", "json")
    moments = {row["name"]: row["as_of"] for row in json.loads(listed.stdout)}
    assert moments.keys() == {"may", *theirs.editions} and moments["moment"] is None
    assert jevdb(theirs.path, "editions", "check", "may").exit_code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("suites", "show", "weight"),
        ("leaderboard", "--suite", "metric"),
        ("report", "--suite", "deep"),
        ("export", "--suite", "text", "--out", "-"),
        ("editions", "show", "words"),
        ("editions", "check", "moment"),
        ("editions", "diff", "may", "runs"),
    ],
)
def test_a_command_ends_with_a_line(theirs: Theirs, arguments: tuple[str, ...]):
    done = jevdb(theirs.path, *arguments)
    assert (done.exit_code, done.stdout) == (1, "")
    [line] = done.stderr.splitlines()
    assert line.startswith(("error: suite ", "error: edition "))
    assert line.endswith("see `jevdb check`")


def test_check_names_all_of_them(theirs: Theirs):
    done = jevdb(theirs.path, "check", "--format", "json")
    assert done.exit_code == 1
    n = len(theirs.suites) + len(theirs.editions)
    assert f"unsound_suites {n}" in done.stderr


def test_a_site_leaves_them_out(theirs: Theirs, tmp_path: Path):
    from jevdb.base.defaults import DEFAULT_METHOD
    from jevdb.site.contents import read_contents
    from jevdb.site.suite_pages import write_suites

    told: list[str] = []
    with open_for_a_test(theirs.path) as connection:
        contents = read_contents(connection, DEFAULT_METHOD, False)
        pages = Pages(tmp_path, [], has_explore=False)
        links = write_suites(connection, contents, pages, told.append)
    assert [link.name for link in links] == ["small@1"]
    assert len(told) == len(theirs.suites) + len(theirs.editions)
    assert all(line.startswith("left out: ") for line in told)


def test_a_boards_file_is_held_to_its_form(theirs: Theirs, tmp_path: Path):
    file = tmp_path / "board.json"
    lacking = json.loads(canonical(theirs.board))
    del lacking["entrants"][0]["members"][0]["run_id"]
    shorter = json.loads(canonical(theirs.board))
    for entrant in shorter["entrants"]:
        entrant["members"] = []
    with open_for_a_test(theirs.path) as connection:
        for text in ("[" * 100_000, canonical(lacking), canonical({}), "[]"):
            file.write_text(text)
            with pytest.raises(InputError, match=r"board\.json: no board of a suite"):
                verify_file(connection, file)
        file.write_text(canonical(shorter))
        with pytest.raises(JevdbError, match="0 members, where small@1 has 1"):
            verify_file(connection, file)


@pytest.mark.parametrize("name", ["jevals-0.1", "s1mb-english-1", "decision-index-0.3"])
def test_what_jevdb_stores_is_sound(name: str):
    """Every default filled in, a document says what its file said."""
    import tomllib

    from jevdb.suites.stored_forms import StoredSuite
    from jevdb.warehouse.assets import file_or_shipped

    given = tomllib.loads(file_or_shipped(Path(name), "suites", "suite").read_text())
    assert list(problems(given, None)) == []
    document = completed(given)
    text = canonical(document)
    stored = StoredSuite(document["name"], document["version"], text, digest(text))
    assert list(stored.problems()) == []
