"""`jevdb ingest runs`: many runs in one command."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jevdb.base.text import counted
from jevdb.commands.common import examples
from jevdb.commands.files import WhereOption
from jevdb.commands.ingest import (
    REJECTS_KEPT,
    AllowInvalidOption,
    DryRunOption,
    FieldOption,
    JsonOption,
    KeepRejectsOption,
    MapOption,
    OnDuplicate,
    OnDuplicateOption,
    RunFormat,
    UnsupportedOption,
    ingest_app,
)
from jevdb.commands.reading import takes_reading
from jevdb.commands.session import Session, say

if TYPE_CHECKING:
    from jevdb.api.many_runs import RunOutcome

RUNS_EXAMPLES = (
    "jevdb ingest runs answers/*.jsonl --benchmark support-routing --model '{stem}'",
    "jevdb ingest runs sweep/*.csv --benchmark support-routing --model my-model "
    "--label '{stem}' --setting temperature=0.7",
    "jevdb ingest runs runs.csv --benchmark support-routing",
    "jevdb ingest runs --manifest runs.toml --benchmark support-routing",
)


def register(app: typer.Typer) -> None:
    """Add the command to the group of ingests."""
    runs = takes_reading(ingest_runs)
    ingest_app.command("runs", epilog=examples(*RUNS_EXAMPLES))(runs)


def ingest_runs(
    context: typer.Context,
    benchmark: Annotated[
        str,
        typer.Option("--benchmark", metavar="ID", help="The benchmark answered."),
    ],
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE]...",
            help="A file for each run; without `--model` one manifest: CSV or TOML "
            "with file, model, revision, label, started.",
        ),
    ] = None,
    manifest: Annotated[
        Path | None,
        typer.Option(
            "--manifest", metavar="FILE", help="A manifest, in place of the files."
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The models that answered; {stem}, {name} and {folder} stand for "
            "parts of each file's name.",
        ),
    ] = None,
    revision: Annotated[
        str | None,
        typer.Option(help="The models' revisions; parts of names as for --model."),
    ] = None,
    label: Annotated[
        str | None,
        typer.Option(
            help="A name to tell runs of one model apart; parts of names as for "
            "--model."
        ),
    ] = None,
    form: Annotated[
        RunFormat | None,
        typer.Option(
            "--format", help="The files' layout, if their content does not show it."
        ),
    ] = None,
    started: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="When the runs began; with a manifest, those without a time of "
            "their own.",
        ),
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option(metavar="K=V", help="A setting of the runs; repeatable."),
    ] = None,
    on_duplicate: OnDuplicateOption = OnDuplicate.ERROR,
    unsupported: UnsupportedOption = None,
    keep_rejects: KeepRejectsOption = False,
    allow_invalid: AllowInvalidOption = False,
    private: Annotated[
        bool, typer.Option("--private", help="Leave the runs out of exports.")
    ] = False,
    supersede: Annotated[
        bool,
        typer.Option("--supersede", help="Supersede the runs of these names."),
    ] = False,
    map_file: MapOption = None,
    field: FieldOption = None,
    where: WhereOption = None,
    dry_run: DryRunOption = False,
    as_json: JsonOption = False,
    reading: Mapping[str, object] | None = None,
) -> None:
    """Store many runs: a file for each, or those that a manifest names.

    Each run is stored whole or not at all. If one is faulty, the others are stored all
    the same. The command names the faulty ones at the end, with exit code 1 (3 if only
    lines were refused and kept). It prints the runs' ids, in the order given.
    """
    from jevdb.ingest.progress import Progress
    from jevdb.ingest.run_options import read_settings

    session: Session = context.obj
    warehouse = session.reading() if dry_run else session.storing()
    with Progress() as progress:
        done = warehouse.ingest_runs(
            _files(paths, manifest),
            benchmark=benchmark,
            model=model,
            revision=revision,
            label=label,
            format=form,
            started=started,
            settings=read_settings(setting or []),
            on_duplicate=on_duplicate.value,
            unsupported=unsupported or (),
            keep_rejects=keep_rejects,
            allow_invalid=allow_invalid,
            private=private,
            supersede=supersede,
            map=map_file,
            fields=field,
            where=where,
            reading=reading,
            dry_run=dry_run,
            on_run=lambda n, of: progress.say(
                f"{n:,} of {counted(of, 'run', form=',')}"
            ),
        )
    _tell(done)
    if as_json:
        print(json.dumps([each.to_json() for each in done]))
    elif not dry_run:
        for each in done:
            if each.summary:
                print(each.summary.run_id)
    if any(each.error for each in done):
        raise typer.Exit(1)
    if any(each.summary and each.summary.rejected for each in done):
        raise typer.Exit(REJECTS_KEPT)


def _files(paths: list[Path] | None, manifest: Path | None) -> list[Path]:
    from jevdb.base.errors import UsageError

    if manifest is not None and paths:
        raise UsageError("--manifest names the files; leave FILE out")
    if manifest is None and not paths:
        raise UsageError("say the files of the runs, or a --manifest")
    return [manifest] if manifest is not None else list(paths or ())


def _tell(done: Sequence[RunOutcome]) -> None:
    """Say what became of each run, and of the refused ones at the end why."""
    for each in done:
        if each.summary:
            say(str(each.summary))
    refused = [each for each in done if each.error]
    for each in refused:
        assert each.error is not None
        say(f"error: {each.file} ({each.name}): {each.error.in_shell}")
    good = counted(len(done) - len(refused), "run")
    say(f"{good} done" + (f", {len(refused)} refused" if refused else ""))
