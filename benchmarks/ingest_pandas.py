"""An alternative: pandas reads the lines and writes them to SQLite."""

from __future__ import annotations

import json
import sqlite3
import sys
from pathlib import Path

import pandas as pd


def main(source: str, target: str) -> None:
    """Load *source* into a fresh table."""
    Path(target).unlink(missing_ok=True)
    frame = pd.read_json(source, lines=True)
    frame["probabilities"] = frame["probabilities"].map(json.dumps)
    with sqlite3.connect(target) as connection:
        frame.to_sql("predictions", connection, index=False)


if __name__ == "__main__":
    main(*sys.argv[1:3])
