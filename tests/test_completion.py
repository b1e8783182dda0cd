"""`jevdb --install-completion` works in the shells that are here."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

JEVDB = Path(sys.executable).with_name("jevdb")


def run(home: Path, *command: str, **more: str) -> str:
    """Run a command for somebody who lives in *home*, with jevdb on the path."""
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith("_")},
        "HOME": str(home),
        "ZDOTDIR": str(home),
        "PATH": f"{JEVDB.parent}{os.pathsep}{os.environ['PATH']}",
        **more,
    }
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, check=True, cwd=home
    )
    assert done.stderr == ""
    return done.stdout


BASH = """
source ~/.bashrc
COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
$(complete -p jevdb | sed 's/.*-F \\([^ ]*\\) .*/\\1/') jevdb
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("jevdb repo", {"report"}),
        ("jevdb runs rel", {"relabel"}),
        ("jevdb report --scope", {"--scope-version"}),
        ("jevdb report --format ''", {"table", "markdown", "json", "jsonl", "csv"}),
        ("jevdb calibration de-1 --kind p", {"pooled"}),
        ("jevdb leaderboard --metric ece_n", {"ece_noul"}),
        ("jevdb compare a b --by f", {"family"}),
        ("jevdb explain de-1 tv", {"tvd"}),
    ],
)
@pytest.mark.skipif(not shutil.which("bash"), reason="no bash here")
def test_bash_completes(tmp_path: Path, words: str, expected: set[str]):
    # It is told from the processes above, and a shell stays for what follows.
    told = run(tmp_path, "bash", "--norc", "-c", "jevdb --install-completion; echo")
    assert "bash completion installed" in told
    offered = run(tmp_path, "bash", "--norc", "-c", BASH.format(words=words))
    assert set(offered.split()) == expected


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_another_shell_completes(tmp_path: Path, shell: str):
    """Told which it is, for it may not be here; the script asks as we do below."""
    told = run(
        *(tmp_path, str(JEVDB), "--install-completion", shell),
        _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1",
    )
    assert f"{shell} completion installed" in told
    [script] = [
        path
        for path in tmp_path.rglob("*jevdb*")
        if path.is_file() and "complete" in path.read_text()
    ]
    offered = run(
        *(tmp_path, str(JEVDB)),
        **{
            "_JEVDB_COMPLETE": f"complete_{shell}",
            "_TYPER_COMPLETE_ARGS": "jevdb rep",
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        },
    )
    assert "report" in offered
    if found := shutil.which(shell):
        run(tmp_path, found, "--no-execute", str(script))
