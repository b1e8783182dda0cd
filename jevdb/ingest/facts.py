"""What the records of a run say of the whole run, beside what the user says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from jevdb.ingest.run_options import Model, RunOptions

NAMES = ("requested_name", "resolved_name")


def with_facts(options: RunOptions, facts: Mapping[str, set[str]]) -> RunOptions:
    """Return the options with what the records say; what the user said stands.

    One name of the model goes into its description; several are settings of the run.
    """
    settings: dict[str, object] = {
        f"{name}s" if name in NAMES else name: _one_or_all(values)
        for name, values in facts.items()
        if name not in NAMES or len(values) > 1
    }
    settings |= {f"where.{path}": value for path, value in options.where.items()}
    return replace(
        options,
        model=_named(options.model, facts),
        settings={**settings, **options.settings},
    )


def _one_or_all(values: set[str]) -> object:
    return min(values) if len(values) == 1 else sorted(values)


def _named(model: Model, facts: Mapping[str, set[str]]) -> Model:
    requested, resolved = (
        getattr(model, name) or (min(values) if len(values) == 1 else None)
        for name, values in ((name, facts.get(name, set())) for name in NAMES)
    )
    return replace(model, requested_name=requested, resolved_name=resolved)
