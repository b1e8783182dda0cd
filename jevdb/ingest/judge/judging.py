"""Staged predictions held against the items of their benchmark, outside the warehouse.

They are judged in groups, in a DuckDB of its own: no lock is held while files are read,
and DuckDB works while the next lines are decoded.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import TYPE_CHECKING, Self

from jevdb.base.arrow import register
from jevdb.ingest.benchmark import Benchmark
from jevdb.ingest.decode.decoding import Problems
from jevdb.ingest.judge.group_judge import Asking, Judged
from jevdb.ingest.judge.numbering import Repeats, number
from jevdb.ingest.judge.pool import JudgePool
from jevdb.ingest.judge.rejects import Place
from jevdb.ingest.judge.spool import Spool
from jevdb.ingest.judge.staging import KeySets, empty_stage
from jevdb.ingest.judge.strays import Answered, Strays
from jevdb.warehouse.settings import use_processors
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    import pyarrow as pa

FIRST_ROWS = 30_000
GROUP_ROWS = 125_000
GROUPS = 16
MOST_WAITING = 500_000
"""Rows read and not yet judged, the groups in work among them."""
WORKERS = 2


class Judge:
    """Has groups of staged rows judged by threads of its own, a few behind the reader.

    Where the reader waits, or is done, the threads have both processors.
    """

    def __init__(
        self,
        benchmark: Benchmark,
        asking: Asking,
        problems: Problems,
        pool: JudgePool,
    ):
        self._benchmark = benchmark
        self._asking = asking
        self._pool = pool
        self.strays = Strays()
        self._problems = problems
        # A group is joined with all items: their number sets its size. The first is
        # small, so that the threads have something to do soon.
        self._group_rows = max(GROUP_ROWS, benchmark.size // GROUPS)
        self._enough = FIRST_ROWS
        self._group: list[pa.RecordBatch] = []
        self._n_group = 0
        self._n_dropped = 0
        self._judged = Spool()
        self.n_read = 0
        self.is_in_order = False
        self._has_repeats = False
        self.repeats = Repeats()
        self.key_sets = KeySets()
        self.scratch = pool.scratch()
        self._judging = ThreadPoolExecutor(WORKERS)
        self._keeping = ThreadPoolExecutor(1)
        self._pending: deque[Future[None]] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for threads in (self._judging, self._keeping):
            threads.shutdown(cancel_futures=True)
        self.scratch.close()

    def add(self, rows: pa.RecordBatch) -> None:
        """Take one more batch; its key sets are numbered by `key_sets`."""
        self._group.append(rows)
        self._n_group += rows.num_rows
        self._has_repeats |= rows["repeat"].null_count < rows.num_rows
        self.n_read += rows.num_rows
        if self._n_group >= self._enough:
            self._hand_over([self._group])
            self._enough = self._group_rows

    def finish(self) -> None:
        """Judge what is left; all rows are then in the view ``judged``."""
        if self._group or not self.n_read:
            half = len(self._group) // 2 if self._n_group > FIRST_ROWS else 0
            parts = [self._group[:half], self._group[half:]] if half else [self._group]
            self._hand_over(parts)
        self._wait(0)
        register(self.scratch, "judged_rows", self._judged.rows())
        self.scratch.execute("create temp view judged as from judged_rows")
        self.scratch.execute("create temp table dropped (source varchar, line bigint)")
        use_processors(self.scratch)
        self.scratch.execute("reset disabled_optimizers")

    def drop(self, places: Sequence[Place]) -> int:
        """Drop every row of these lines from ``judged``; return how many they were."""
        import pyarrow as pa

        if not places:
            return 0
        sources, lines = zip(*places, strict=True)
        before = self.n_left()
        register(self.scratch, "listed", pa.table({"source": sources, "line": lines}))
        self.scratch.execute("insert into dropped from listed").fetchall()
        self.scratch.execute(query("ingest/kept"))
        n_dropped = before - self.n_left()
        self._n_dropped += n_dropped
        return n_dropped

    def n_left(self) -> int:
        """Return how many rows are judged and not dropped."""
        counted = self.scratch.execute("select count(*) from judged").fetchall()
        return int(counted[0][0])

    def levels_met(self) -> tuple[float | None, float | None, int | None, bool | None]:
        """Return the lowest and highest level answered without a distribution.

        And the highest there is, and whether an answer is the end of its rubric.
        """
        levels = "from chosen where level is not null and probabilities is null limit 1"
        if not self.scratch.execute(levels).fetchall():
            return None, None, None, None
        self._register_items()
        return self.scratch.execute(query("ingest/levels_met")).fetchall()[0]

    def _register_items(self) -> None:
        """Let the scratch database see the items and their shapes."""
        register(self.scratch, "asked", self._benchmark.items)
        register(self.scratch, "shapes", self._benchmark.shapes)

    def answered(self) -> dict[str, Answered]:
        """Return how many answers each type of items has."""
        self._register_items()
        found = self.scratch.execute(query("ingest/answered")).fetchall()
        return {type: Answered(*counts) for type, *counts in found}

    def number_repeats(self) -> Repeats:
        """Tell the repeats of an item apart, by what ``repeat`` says in all rows."""
        if self._has_repeats:
            self.scratch.execute(query("ingest/kept"))
            self.repeats = number(self.scratch)
        return self.repeats

    def find_doubles(self, policy: str) -> None:
        """Note the items, or repeats of one, that several rows answer.

        The best comes first, by the policy's order.
        """
        self.is_in_order = self._is_in_order()
        if self.is_in_order:
            self.scratch.execute(query("ingest/not_doubled"))
        else:
            self.scratch.execute(query("ingest/doubled"), {"policy": policy})

    def _is_in_order(self) -> bool:
        """Whether each row is of an item after the one before: most often at once."""
        import pyarrow as pa
        import pyarrow.compute as pc

        rows = self._judged.rows()
        if isinstance(rows, pa.Table) and self.repeats.n == 1:
            before, after = rows.slice(0, max(rows.num_rows - 1, 0)), rows.slice(1)
            if all(
                pc.all(pc.greater(after[name], before[name]), min_count=0).as_py()
                for name in ("position", "item_id")
            ):
                return True
            if not self._n_dropped:
                return False
        found = self.scratch.execute(query("ingest/in_order")).fetchall()
        return bool(found[0][0])

    def has_doubles(self) -> bool:
        """Whether any item, or repeat of one, is answered by several rows."""
        found = self.scratch.execute("select 1 from doubled limit 1").fetchall()
        return bool(found)

    def chosen(self) -> Spool:
        """Return the row of each answer that is stored, also as ``chosen``."""
        import pyarrow as pa

        chosen = self._judged
        if self._n_dropped or self.repeats.n > 1 or self.has_doubles():
            found = self.scratch.execute(query("ingest/chosen"))
            chosen = Spool()
            for batch in found.to_arrow_reader():
                chosen.add(pa.Table.from_batches([batch]))
        register(self.scratch, "chosen", chosen.rows())
        return chosen

    def digests(self) -> Iterator[pa.StringArray]:
        """Yield the digests of the chosen rows in the order of items and repeats."""
        import pyarrow as pa

        rows = self._judged.rows()
        is_as_read = not self._n_dropped and self.repeats.n == 1
        if self.is_in_order and is_as_read and isinstance(rows, pa.Table):
            yield from rows["digest"].chunks
            return
        found = self.scratch.execute(
            "select digest from chosen order by item_id, repeat"
        )
        for batch in found.to_arrow_reader():
            yield batch["digest"]

    def _hand_over(self, parts: Iterable[Sequence[pa.RecordBatch]]) -> None:
        """Have the group judged, in parts of which each follows the one before."""
        import pyarrow as pa

        self._wait(MOST_WAITING // self._group_rows)
        schema, keys = empty_stage()[0].schema, self.key_sets.table()
        for part in parts:
            rows = pa.Table.from_batches(part, schema)
            judged = self._judging.submit(self._judge, rows, keys)
            self._pending.append(self._keeping.submit(self._keep, judged))
        self._group, self._n_group, self.key_sets = [], 0, KeySets()

    def _wait(self, most: int) -> None:
        """Wait until at most so many groups are not judged yet."""
        while len(self._pending) > most:
            self._pending.popleft().result()

    def _judge(self, rows: pa.Table, key_sets: pa.Table) -> Judged:
        one = self._pool.take(self._asking)
        judged = one.judge(rows, key_sets)
        self._pool.give_back(self._asking, one)
        return judged

    def _keep(self, judging: Future[Judged]) -> None:
        """Keep what was judged, group after group, where the reader does not wait."""
        judged = judging.result()
        for problem in judged.problems:
            self._problems.add(problem)
        self._judged.add(judged.rows)
        for strays in judged.strays:
            self.strays.add(strays)
