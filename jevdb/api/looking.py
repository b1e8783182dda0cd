"""A gate's verdict, and the look that it is: stored, where the file can be written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import duckdb

from jevdb.api.base import Base
from jevdb.base.errors import JevdbError, ReadOnlyError, UsageError

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.comparison.gates.verdict import Verdict
    from jevdb.suites.gate import SuiteVerdict

    Found = TypeVar("Found", Verdict, SuiteVerdict)


class Looking(Base):
    """Gates whose looks are counted over the life of a baseline."""

    def _recorded(
        self, verdict: Found, judge: Callable[[Connection, int], Found]
    ) -> Found:
        """Store the look of a verdict; judge again if others looked meanwhile.

        Where it cannot be stored that is said, and nothing fails.
        """
        from jevdb.comparison.gates.looks import recorded

        look = verdict.look
        if look is None or look.approval is None or look.is_recorded:
            return verdict
        try:
            stored = self._write(lambda connection: recorded(connection, look))
        except (ReadOnlyError, OSError, duckdb.Error) as error:
            self._notify(f"look not recorded: {error}")
            return verdict
        except UsageError:
            raise
        except JevdbError as error:
            self._notify(f"look not recorded: {error}")
            return verdict
        if stored.number == look.number:
            return replace(verdict, look=stored)
        with self._reader() as connection:
            return judge(connection, stored.number)
