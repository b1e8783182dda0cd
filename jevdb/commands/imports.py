"""What the command line does not import."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

UNUSED = "pandas"


class _Unused:
    """A finder that says of a module that no command uses that it is not installed."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Refuse the module; of others, others know."""
        if fullname == UNUSED:
            raise ModuleNotFoundError(f"{fullname} is not used", name=fullname)
        return None


def leave_out_unused() -> None:
    """Keep DuckDB and Arrow from importing pandas, which they do where it is installed.

    It takes a third of a second, and they do it to see whether a value is pandas' own.
    """
    sys.meta_path.insert(0, _Unused())
