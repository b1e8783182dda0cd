"""`jevdb init` and `jevdb ingest`: files into the warehouse."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jevdb.base.errors import UsageError
from jevdb.commands import results
from jevdb.commands.common import DataOption, examples
from jevdb.commands.files import WhereOption
from jevdb.commands.patience import patience
from jevdb.commands.reading import takes_reading
from jevdb.commands.session import Session, say

if TYPE_CHECKING:
    from jevdb.ingest.runs.summary import RunSummary

PathsArgument = Annotated[
    list[Path],
    typer.Argument(
        metavar="PATH...",
        help="JSONL or JSON (.gz, .zst, .xz), CSV, Parquet, an Inspect .eval, or a "
        "Decision Bench run folder; - is stdin.",
    ),
]
REJECTS_KEPT = 3
ingest_app = typer.Typer(
    no_args_is_help=True, help="Store items, gold, runs and results."
)
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print the whole summary as JSON.")
]
MapOption = Annotated[
    Path | None,
    typer.Option(
        "--map",
        metavar="FILE",
        help="TOML that says which field is where in the rows; or the name "
        "of a map of jevdb.",
    ),
]
FieldOption = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=PATH", help="Say where one field is; repeatable."),
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Say what would be stored, store nothing.")
]


class ItemsFormat(StrEnum):
    """The layouts of item files."""

    CANONICAL = "canonical"
    JEVBENCH = "jevbench"
    DECISION_BENCH = "decision-bench"
    INSPECT_AI = "inspect-ai"
    LM_EVAL = "lm-eval"


class RunFormat(StrEnum):
    """The layouts of prediction files."""

    CANONICAL = "canonical"
    JEVBENCH = "jevbench"
    DECISION_BENCH = "decision-bench"
    DECISION_INDEX = "decision-index"
    SYSTEM_ONE = "system-one"
    JEVL = "jevl"
    INSPECT_AI = "inspect-ai"
    LM_EVAL = "lm-eval"
    LM_EVAL_NORM = "lm-eval-norm"


class OnDuplicate(StrEnum):
    """What becomes of an item answered twice, differently."""

    ERROR = "error"
    LAST = "last"
    FIRST = "first"


OnDuplicateOption = Annotated[
    OnDuplicate,
    typer.Option(help="Which answer counts if an item has different ok answers."),
]
UnsupportedOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TYPE", help="An item type the model cannot take; repeatable."
    ),
]
KeepRejectsOption = Annotated[
    bool,
    typer.Option(
        "--keep-rejects",
        help="Store the good rows and keep faulty lines beside them; exit code 3.",
    ),
]
AllowInvalidOption = Annotated[
    bool,
    typer.Option("--allow-invalid", help="Another spelling of --allow invalid."),
]


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    app.command(epilog=examples(*INIT_EXAMPLES))(init)
    items, run = takes_reading(ingest_items), takes_reading(ingest_run)
    ingest_app.command("items", epilog=examples(*ITEMS_EXAMPLES))(items)
    ingest_app.command("run", epilog=examples(*RUN_EXAMPLES))(run)
    ingest_app.command("results", epilog=examples(*results.INGEST_EXAMPLES))(
        results.ingest_results
    )
    app.add_typer(ingest_app, name="ingest")


INIT_EXAMPLES = (
    "jevdb init",
    "jevdb --db team.duckdb init",
    "jevdb --db ducklake:postgres:service=evals init --data /mnt/evals",
    "jevdb --db lake:team init --data s3://evals/lake",
)
ITEMS_EXAMPLES = (
    "jevdb ingest items items.jsonl --benchmark support-routing",
    "jevdb ingest items text.jsonl images.parquet --benchmark cmdb-1500",
    "jevdb ingest items fixed.jsonl --benchmark support-routing "
    "--revise --reason 'two labels were wrong'",
    "jevdb ingest items runs/nimble --benchmark decision-bench",
)
RUN_EXAMPLES = (
    "jevdb ingest run answers.jsonl.gz --benchmark support-routing --model my-model",
    "jevdb ingest run easy.jsonl standard.jsonl hard.jsonl "
    "--benchmark jevbench-public-231 --model de-1 --revision 2026-09",
    "jevdb ingest run answers.csv --benchmark support-routing --model my-model "
    "--label greedy --setting temperature=0 --dry-run",
    "jevdb ingest run answers.jsonl --benchmark support-routing --model my-model "
    "--keep-rejects",
    "jevdb ingest run runs/nimble --benchmark decision-bench --model nimble-9b",
    "jevdb ingest run log.eval --benchmark mmlu --model gpt-4o --where epoch=1",
    "jevdb ingest run rows.jsonl --benchmark emotion --model jev --map my.toml",
    "jevdb ingest run rows.csv --benchmark emotion --model jev-2 --dry-run "
    "--field item_id=example --field answer=predicted --field latency_ms=ms",
)


def init(
    context: typer.Context,
    data: DataOption = None,
    upgrade: Annotated[
        bool,
        typer.Option("--upgrade", help="Bring an older lake to this version's schema."),
    ] = False,
) -> None:
    """Create the warehouse, or bring an older one to this version.

    To make a lake, give `--data`. Only `--upgrade` brings a lake to this version,
    because its other users need the same version from then on.
    """
    session: Session = context.obj
    if session.is_lake:
        from jevdb.commands.lake import initialise_fresh

        say(f"{session.name}: {initialise_fresh(session, data, upgrade)}")
        return
    if data is not None or upgrade:
        raise UsageError("--data and --upgrade go with a lake: --db lake:NAME")
    existed = session.path.exists()
    session.storing().prepare()
    say(f"{session.db}: {'is up to date' if existed else 'created'}")


def ingest_items(
    context: typer.Context,
    paths: PathsArgument,
    benchmark: Annotated[
        str, typer.Option(metavar="ID", help="The benchmark of the items.")
    ],
    scoring: Annotated[
        str | None,
        typer.Option(help="How a new benchmark is scored (default: generic)."),
    ] = None,
    form: Annotated[
        ItemsFormat | None,
        typer.Option(
            "--format", help="The files' layout, if their content does not show it."
        ),
    ] = None,
    revise: Annotated[
        bool, typer.Option("--revise", help="Store changed gold as a new revision.")
    ] = False,
    reason: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Why the gold changes.")
    ] = None,
    new: Annotated[
        bool,
        typer.Option(
            "--new", help="Make a benchmark whose name is near that of another."
        ),
    ] = False,
    map_file: MapOption = None,
    field: FieldOption = None,
    dry_run: DryRunOption = False,
    as_json: JsonOption = False,
    reading: Mapping[str, object] | None = None,
) -> None:
    """Store items and their gold.

    The same items again change nothing. An item keeps its type, options and facts for
    good. `--revise` corrects its gold, and keeps the gold before.
    """
    session: Session = context.obj
    warehouse = session.reading() if dry_run else session.storing()
    with patience("reading items"):
        summary = warehouse.ingest_items(
            paths,
            benchmark=benchmark,
            scoring=scoring,
            format=form,
            revise=revise,
            reason=reason,
            new=new,
            map=map_file,
            fields=field,
            reading=reading,
            dry_run=dry_run,
        )
    say(str(summary))
    print(json.dumps(summary.to_json()) if as_json else summary.benchmark_id)


def ingest_run(
    context: typer.Context,
    paths: PathsArgument,
    benchmark: Annotated[
        str, typer.Option(metavar="ID", help="The benchmark that was answered.")
    ],
    model: Annotated[
        str, typer.Option(metavar="NAME", help="The model that answered.")
    ],
    revision: Annotated[str | None, typer.Option(help="The model's revision.")] = None,
    label: Annotated[
        str | None,
        typer.Option(help="A name to tell runs of one model revision apart."),
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
            help="When the run began: ISO 8601 with Z or an offset; a date is "
            "midnight UTC.",
        ),
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option(metavar="K=V", help="A setting of the run; repeatable."),
    ] = None,
    model_meta: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="JSON: provider, open_weights, parameters, requested_name, "
            "resolved_name and anything else about the model.",
        ),
    ] = None,
    on_duplicate: OnDuplicateOption = OnDuplicate.ERROR,
    unsupported: UnsupportedOption = None,
    keep_rejects: KeepRejectsOption = False,
    allow_invalid: AllowInvalidOption = False,
    private: Annotated[
        bool, typer.Option("--private", help="Leave the run out of exports.")
    ] = False,
    supersede: Annotated[
        bool,
        typer.Option("--supersede", help="Supersede the run of that name."),
    ] = False,
    map_file: MapOption = None,
    field: FieldOption = None,
    where: WhereOption = None,
    dry_run: DryRunOption = False,
    as_json: JsonOption = False,
    reading: Mapping[str, object] | None = None,
) -> None:
    """Store one run: a model's answers to one benchmark, from one file or several.

    A run is stored whole or not at all. The same rows again, in any order or split over
    any files, are the same run, and add nothing. The command prints the run's id.

    With `--keep-rejects` it refuses faulty lines alone, and stores the others. `jevdb
    runs rejects` lists those lines, and their items count as missing. The exit code is
    3 whenever lines were refused, also if the run is there already.
    """
    from jevdb.ingest.progress import Progress
    from jevdb.ingest.run_options import read_settings

    session: Session = context.obj
    warehouse = session.reading() if dry_run else session.storing()
    with Progress() as progress:
        done = warehouse.ingest_run(
            paths,
            benchmark=benchmark,
            model=model,
            revision=revision,
            label=label,
            format=form,
            started=started,
            settings=read_settings(setting or []),
            model_meta=model_meta,
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
            on_rows=progress.show,
        )
    say(f"{done}{_preview(done)}")
    if as_json:
        print(json.dumps(done.to_json()))
    elif not dry_run:
        print(done.run_id)
    if done.rejected:
        raise typer.Exit(REJECTS_KEPT)


def _preview(done: RunSummary) -> str:
    """Return the first rows of a dry run, in lines of their own."""
    from jevdb.ingest.runs.preview import preview_in_words

    if done.first_rows is None:
        return ""
    return f"\n{preview_in_words(done.first_rows, done.expected - done.missing)}"
