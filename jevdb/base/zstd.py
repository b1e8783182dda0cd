"""Zstandard, and ZIP archives that may use it.

Both are in the standard library from Python 3.14 on; `backports.zstd` is that code for
the versions before.
"""

from __future__ import annotations

import sys

if sys.version_info >= (3, 14):
    import zipfile

    from compression import zstd
else:
    from backports import zstd
    from backports.zstd import zipfile

__all__ = ["zipfile", "zstd"]
