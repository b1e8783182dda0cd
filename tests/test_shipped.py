"""What ships with jevdb and is taken by its name: maps, suites, mappings of claims."""

from __future__ import annotations

from pathlib import Path

import pytest

from jevdb.base.errors import UnknownNameError
from jevdb.warehouse.assets import asset_folder, file_or_shipped, shipped


@pytest.mark.parametrize("kind", ["maps", "suites", "verify"])
def test_everything_that_ships_has_a_name(kind: str):
    files = sorted((asset_folder("seeds") / kind).glob("*.toml"))
    assert files
    for path in files:
        name = path.name[: -len(".toml")]
        assert shipped(kind)[name] == path
        assert file_or_shipped(Path(name), kind, "mapping") == path


def test_a_file_comes_before_what_ships(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("jevals").touch()
    assert file_or_shipped(Path("jevals"), "maps", "mapping") == Path("jevals")


def test_a_bare_name_that_nothing_has_is_refused_with_the_near_one():
    with pytest.raises(UnknownNameError, match=r"'jevels'.*'jevals'"):
        file_or_shipped(Path("jevels"), "maps", "mapping")


@pytest.mark.parametrize("path", ["mine.toml", "folder/jevals"])
def test_a_path_that_is_not_there_is_left_to_whoever_reads_it(path: str):
    assert file_or_shipped(Path(path), "maps", "mapping") == Path(path)
