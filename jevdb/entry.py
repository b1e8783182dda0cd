"""Where the command `jevdb` begins, before anything large is imported."""

from __future__ import annotations

from jevdb.base.starting import end_on_interrupts


def main() -> None:
    """Run the command line."""
    end_on_interrupts()
    from jevdb.cli import main as run

    run()
