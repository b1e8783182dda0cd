"""DuckDB for the browser: pinned, fetched through npm once, or taken from a folder.

It is of others (MIT) and 34 MB, and is not part of jevdb: who builds a site with
Explore fetches it, who reads or builds without needs neither it nor Node. What is taken
is known by its digests, wherever it comes from.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from jevdb.base.errors import JevdbError
from jevdb.warehouse.cache import cache_folder

HERE = Path(__file__).parent
VERSION = "1.32.0"
"""Of ``@duckdb/duckdb-wasm``: DuckDB 1.4.3."""
DIST = Path("node_modules/@duckdb/duckdb-wasm/dist")
WASM, WORKER, CLIENT = "duckdb-eh.wasm", "duckdb-browser-eh.worker.js", "duckdb.js"
DIGESTS = {
    WASM: "4c221bfa59c11f24dbd750e70c90b9252eca6eec5633936e6a2ec766e55fd879",
    WORKER: "f8ab72b6b90b3ad83077d47426d4a99d5d9a4c7e07cba1a2be37d655adc7c1ab",
    CLIENT: "7109954b24223ba78f86a84c7c1b2c4b7e5e3792ac6d8ce4084c2f2af7dc03f5",
}
"""SHA-256 of each file; the client is bundled by an esbuild that is pinned too."""
ENTRY = (
    'import { AsyncDuckDB, VoidLogger } from "@duckdb/duckdb-wasm";\n'
    "window.jevdbDuckdb = { AsyncDuckDB, VoidLogger };\n"
)
WITHOUT = (
    "build without --explore, or name a folder that holds "
    f"{WASM}, {WORKER} and {CLIENT} with --engine"
)
TIMEOUT = 600


def engine_folder(named: Path | None, on_words: Callable[[str], None]) -> Path:
    """Return a folder that holds the three files of the engine.

    Raises
    ------
    JevdbError
        The folder named does not hold them, there is no npm, or npm failed.
    """
    if named is not None:
        _require(named)
        return named
    kept = cache_folder().parent / f"explore-{DIGESTS[CLIENT][:12]}"
    if not _is_whole(kept):
        on_words(f"fetching DuckDB-WASM {VERSION} through npm, once")
        _fetch(kept)
    return kept


def _is_whole(folder: Path) -> bool:
    return all(
        (folder / name).is_file() and _digest(folder / name) == digest
        for name, digest in DIGESTS.items()
    )


def _require(folder: Path) -> None:
    for name, digest in DIGESTS.items():
        path = folder / name
        if not path.is_file():
            raise JevdbError(f"{folder}: no {name} in it; {WITHOUT}")
        if _digest(path) != digest:
            raise JevdbError(
                f"{path}: not that of DuckDB-WASM {VERSION} (its SHA-256 is another)"
            )


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _fetch(kept: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise JevdbError(f"Explore needs npm (Node.js) to fetch its engine; {WITHOUT}")
    with TemporaryDirectory(prefix="jevdb-explore-") as temporary:
        folder = Path(temporary)
        for name in ("package.json", "package-lock.json"):
            shutil.copyfile(HERE / name, folder / name)
        (folder / "entry.js").write_text(ENTRY, encoding="utf-8")
        # The lock file holds the integrity of every package; none runs its scripts.
        _run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], folder)
        bundle = ["--bundle", "--minify", "--format=iife", f"--outfile={CLIENT}"]
        _run([str(folder / "node_modules/.bin/esbuild"), "entry.js", *bundle], folder)
        made = folder / "made"
        made.mkdir()
        for path in (folder / DIST / WASM, folder / DIST / WORKER, folder / CLIENT):
            shutil.copyfile(path, made / path.name)
        _require(made)
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(made, kept)


def _run(command: list[str], folder: Path) -> None:
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise JevdbError(f"{Path(command[0]).name}: {error}; {WITHOUT}") from error
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["no word"]
        raise JevdbError(f"{Path(command[0]).name} failed: {said[0]}; {WITHOUT}")
