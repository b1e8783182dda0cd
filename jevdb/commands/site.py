"""`jevdb site`: the warehouse as pages."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from jevdb.base.errors import UsageError
from jevdb.commands.common import examples
from jevdb.commands.patience import patience
from jevdb.commands.session import Session, say

site = typer.Typer(no_args_is_help=True, help="Pages of leaderboards, runs and rows.")

PrivateOption = Annotated[
    bool, typer.Option("--include-private", help="Private runs too.")
]


ExploreOption = Annotated[
    bool,
    typer.Option(
        "--explore", help="Also the page Explore: the warehouse in the browser."
    ),
]
EngineOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="The folder of Explore's engine. [fetched through npm, once]",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    site.command(
        epilog=examples(
            "jevdb site build pages",
            "jevdb site build pages --explore",
        )
    )(build)
    site.command(
        epilog=examples(
            "jevdb site serve",
            "jevdb site serve pages --port 8000",
        )
    )(serve)
    app.add_typer(site, name="site")


def build(
    context: typer.Context,
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The folder to write the site to.")
    ],
    include_private: PrivateOption = False,
    explore: ExploreOption = False,
    engine: EngineOption = None,
) -> None:
    """Write a static site: boards, runs, comparisons, every number explained.

    The site opens from the disk and asks no network. The same warehouse gives the same
    bytes. When the new site is whole, it replaces an older one at once. A folder that
    holds anything else is left alone (exit 4). Private runs are left out unless you ask
    for them.

    With --explore there is a page with a public copy of the warehouse and the engine
    (DuckDB-WASM) that reads it. Readers can recompute and ask everything in their
    browser, still without a server. jevdb fetches the engine through npm once.
    """
    _build(context.obj, folder, include_private, explore, engine)


def serve(
    context: typer.Context,
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="[DIR]", help="A site that was built. [a fresh one]"),
    ] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")
    ] = 0,
    include_private: PrivateOption = False,
) -> None:
    """Show a site in the browser: on this machine only, for reading only.

    Without a folder it builds the site first, and removes it afterwards. It prints the
    address on stdout. Ctrl-C ends it.
    """
    if folder is not None:
        if include_private:
            raise UsageError("--include-private is for a fresh site; leave DIR out")
        _serve(folder, port)
        return
    with TemporaryDirectory(prefix="jevdb-site-") as temporary:
        fresh = Path(temporary) / "site"
        _build(context.obj, fresh, include_private)
        _serve(fresh, port)


def _build(
    session: Session,
    folder: Path,
    include_private: bool,
    explore: bool = False,
    engine: Path | None = None,
) -> None:
    from jevdb.base.text import counted

    with patience("building the site"):
        built = session.reading().site(
            folder, include_private=include_private, explore=explore, engine=engine
        )
    say(
        f"wrote {folder}: {counted(built.n_files, 'file')} of "
        f"{counted(built.n_runs, 'run')}"
    )


def _serve(folder: Path, port: int) -> None:
    from jevdb.site.serving import SiteServer

    with SiteServer(folder, port) as server, suppress(KeyboardInterrupt):
        typer.echo(server.address)
        server.serve_forever()
