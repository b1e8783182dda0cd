"""The version of the program, where a build and every room find it."""

from pathlib import Path

__version__ = "0.1.0"


def full_version() -> str:
    """Return the version, with the commit of the checkout it was built from.

    A build writes the commit (``hatch_build.py``); what runs in a checkout has none.
    """
    built = Path(__file__).parents[1] / "commit.txt"
    if not built.exists():
        return __version__
    commit, *changed = built.read_text(encoding="utf-8").strip().split(" ", 1)
    return " ".join([__version__, f"(commit {commit[:12]}", *changed]) + ")"
