"""What a message says to install works where this jevdb came from; and its folders."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path

import pytest

from jevdb.base import installing
from jevdb.base.errors import JevdbError
from jevdb.base.installing import require_module, to_install
from jevdb.lake.target import lakes_file
from jevdb.warehouse.cache import cache_folder

GIT = {
    "url": "https://git.example/jevdb",
    "vcs_info": {"vcs": "git", "commit_id": "0f" * 20},
}
HERE = {"url": "file:///home/a%20b/jevdb", "dir_info": {"editable": True}}


class Noted:
    """A distribution whose installer noted where it came from."""

    def __init__(self, told: object):
        self.told = told

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return json.dumps(self.told) if self.told else None


@pytest.mark.parametrize(
    ("told", "receipt", "command"),
    [
        (None, None, "pip install 'jevdb-warehouse[plot]'"),
        (
            GIT,
            None,
            "pip install 'jevdb-warehouse[plot] @ git+https://git.example/jevdb'",
        ),
        (
            HERE,
            "uv-receipt.toml",
            "uv tool install --reinstall "
            "'jevdb-warehouse[plot] @ file:///home/a%20b/jevdb'",
        ),
        (
            None,
            "pipx_metadata.json",
            "pipx install --force 'jevdb-warehouse[plot]'",
        ),
    ],
)
def test_the_command_is_that_of_whoever_installed_it(
    told: object,
    receipt: str | None,
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(metadata, "distribution", lambda name: Noted(told))
    monkeypatch.setattr(installing, "PREFIX", tmp_path)
    if receipt:
        (tmp_path / receipt).touch()
    assert to_install("plot") == command


def test_a_checkout_that_nobody_installed(monkeypatch: pytest.MonkeyPatch):
    def missing(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", missing)
    assert f"@ {Path(__file__).parents[1].as_uri()}" in to_install("plot")


def test_a_module_that_is_missing():
    require_module("json", "formats")
    with pytest.raises(JevdbError, match=r"no_such_module is not installed: .*\[plot"):
        require_module("no_such_module", "plot")


def test_folders_are_those_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """By the XDG specification, on Linux; `platformdirs` knows the other systems."""
    for name in ("JEVDB_CACHE", "JEVDB_LAKES", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "jevdb" / "lakes"
    assert lakes_file() == tmp_path / ".config" / "jevdb" / "lakes.toml"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "c"))
    monkeypatch.setenv("JEVDB_LAKES", str(tmp_path / "l.toml"))
    assert cache_folder() == tmp_path / "c" / "jevdb" / "lakes"
    assert lakes_file() == tmp_path / "l.toml"
