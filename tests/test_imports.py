"""What a command does not import, however much is installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from commandline import FIRST, fill

PROGRAM = "from jevdb import cli; {}cli.main()"
AS_EVER = "cli.leave_out_unused = lambda: None; "


def test_pandas_stays_out_where_it_is_installed(warehouse_path: Path, tmp_path: Path):
    """DuckDB looks for it when a value is bound, pyarrow when a column is made."""
    fill(warehouse_path)
    seen = tmp_path / "seen"
    package = tmp_path / "pandas"
    package.mkdir()
    (package / "__init__.py").write_text(
        f"__version__ = '9'\nopen({str(seen)!r}, 'w').close()\n"
    )
    for before, is_seen in (("", False), (AS_EVER, True)):
        found = subprocess.run(
            [
                *(sys.executable, "-c", PROGRAM.format(before)),
                *("--db", str(warehouse_path), "calibration", FIRST),
            ],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            check=False,
        )
        assert FIRST[:12] in found.stdout or is_seen, found.stderr
        assert seen.exists() is is_seen
