"""What the doctor saw, as a result: its findings as rows, all of it as text."""

from __future__ import annotations

from dataclasses import dataclass

from jevdb.base.output import Rows
from jevdb.base.tabular import Told
from jevdb.diagnosing.doctor import Diagnosis
from jevdb.diagnosing.told import diagnosis_json, diagnosis_text


@dataclass(frozen=True, slots=True, repr=False)
class Diagnosed(Told):
    """A diagnosis; ``exit_code`` is 0 if all is well, 6 if another holds the file."""

    seen: Diagnosis

    @property
    def exit_code(self) -> int:
        """What the command ends with."""
        return self.seen.exit_code

    def rows(self) -> Rows:
        """Return a row per finding: what it is, and what to do."""
        return Rows(
            ("level", "exit_code", "what", "remedy"),
            [
                (each.level, each.exit_code, each.what, each.remedy)
                for each in self.seen.findings
            ],
        )

    def text(self) -> str:
        """Return what the doctor saw, line by line, and what is wrong at the end."""
        return diagnosis_text(self.seen)

    def to_json(self) -> dict[str, object]:
        """Return all of it as one JSON object."""
        return diagnosis_json(self.seen)
