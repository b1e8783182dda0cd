"""`python -m mutation`: say which changes of the program no test notices."""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from importlib import import_module
from pathlib import Path
from queue import SimpleQueue

from mutation.mutants import Mutant, mutants_of
from mutation.running import PRELOADED, Workspace
from mutation.targets import equivalents, sources

ROOT = Path(__file__).parents[1]
LEAST_SHARE = 0.95
SLOWER = 4.0
"""How many times longer than without a change tests may take, and then..."""
MORE_S = 60.0
"""... so many seconds: what hangs was noticed."""

Asked = tuple[Mutant, tuple[str, ...]]


class Found:
    """What became of the changes, told as it comes."""

    def __init__(self, n_asked: int):
        self.n_asked = n_asked
        self.n_killed = 0
        self.survivors: list[Mutant] = []

    def add(self, mutant: Mutant, survived: bool) -> None:
        """Note one; tell of it where no test noticed."""
        if not survived:
            self.n_killed += 1
            return
        self.survivors.append(mutant)
        print(told(mutant), flush=True)

    @property
    def n_tried(self) -> int:
        """How many were tried."""
        return self.n_killed + len(self.survivors)


def told(mutant: Mutant) -> str:
    """Return a change with its place, its line, and the key of the list."""
    source = (ROOT / mutant.path).read_text(encoding="utf-8")
    changed = mutant.of(source).splitlines()
    given = source.splitlines()[mutant.line - 1].strip()
    other = changed[mutant.line - 1].strip() if mutant.line <= len(changed) else ""
    return (
        f"{mutant.path}:{mutant.line}: {mutant.rule}\n    - {given}\n    + {other}\n"
        f"    key = {mutant.key!r}"
    )


def chosen(options: argparse.Namespace) -> list[Asked]:
    """Return the changes that are tried, in an order that the seed shuffles."""
    listed = [
        (mutant, tests)
        for path, tests in sources(ROOT, options.only)
        for mutant in mutants_of(ROOT, path)
    ]
    known = {mutant.key for mutant, _ in listed}
    equal = equivalents()
    if options.only == "*" and (stale := sorted(equal.keys() - known)):
        raise SystemExit(f"equivalent.toml: no such change: {stale[0]}")
    asked = [each for each in listed if each[0].key not in equal]
    random.Random(options.seed).shuffle(asked)
    return asked[: options.sample]


def tried(
    asked: Sequence[Asked], workspaces: Sequence[Workspace], seconds: float
) -> Generator[tuple[Mutant, bool], None, None]:
    """Try changes at once in all workspaces until the time is over."""
    deadline = time.monotonic() + seconds
    free: SimpleQueue[Workspace] = SimpleQueue()
    for workspace in workspaces:
        free.put(workspace)
    takes: dict[tuple[str, ...], float] = {}

    def unchanged(tests: tuple[str, ...]) -> float:
        workspace = free.get()
        start = time.monotonic()
        is_passed = workspace.passes(tests, 3600)
        free.put(workspace)
        if not is_passed:
            listed = " ".join(tests)
            raise SystemExit(f"{workspace.log()}\nwithout a change they fail: {listed}")
        return time.monotonic() - start

    def one(each: Asked) -> tuple[Mutant, bool] | None:
        mutant, tests = each
        if time.monotonic() > deadline:
            return None
        workspace = free.get()
        survived = workspace.survives(mutant, tests, SLOWER * takes[tests] + MORE_S)
        free.put(workspace)
        return mutant, survived

    pool = ThreadPoolExecutor(len(workspaces))
    try:
        groups = sorted({tests for _, tests in asked})
        takes.update(zip(groups, pool.map(unchanged, groups), strict=True))
        for done in pool.map(one, asked):
            if done is not None:
                yield done
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for workspace in workspaces:
            workspace.end()


def main(arguments: Sequence[str] | None = None) -> int:
    """Try changes; 0 where enough of them are noticed, and every other is listed."""
    parser = argparse.ArgumentParser(prog="python -m mutation", description=__doc__)
    parser.add_argument("--only", default="*", help="files, as 'sql/scored/*'")
    parser.add_argument("--sample", type=int, help="how many; all unless given")
    parser.add_argument("--seed", type=int, default=0, help="which ones, and the order")
    parser.add_argument("--seconds", type=float, default=3600.0, help="then it stops")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--list", action="store_true", help="print the changes alone")
    options = parser.parse_args(arguments)
    asked = chosen(options)
    if options.list:
        print("\n".join(told(mutant) for mutant, _ in asked))
        return 0
    for name in PRELOADED:
        import_module(name)
    found = Found(len(asked))
    with tempfile.TemporaryDirectory(prefix="jevdb-mutation-") as folder:
        workspaces = [
            Workspace(ROOT, Path(folder) / str(number))
            for number in range(options.workers)
        ]
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with closing(tried(asked, workspaces, options.seconds)) as going:
            for mutant, survived in going:
                found.add(mutant, survived)
    if not found.n_tried:
        print("no change was tried")
        return 1
    share = found.n_killed / found.n_tried
    print(
        f"{found.n_killed} of {found.n_tried} changes were noticed ({share:.1%}); "
        f"{len(found.survivors)} were not; {found.n_asked - found.n_tried} of "
        f"{found.n_asked} were not tried; {len(equivalents())} are listed as changing "
        "nothing"
    )
    return 0 if share >= LEAST_SHARE else 1


if __name__ == "__main__":
    sys.exit(main())
