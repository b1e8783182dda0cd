"""A run read, judged and counted, before anything is stored."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from jevdb.base.errors import InputError, JevdbError, Problem, UnknownNameError
from jevdb.base.wording import command, option
from jevdb.ingest.benchmark import Benchmark
from jevdb.ingest.converting.converter import ANSWER, Converter, check_aliases
from jevdb.ingest.converting.tally import Tally
from jevdb.ingest.decode.decoding import DIAGNOSED, Problems, tuned
from jevdb.ingest.decode.near_fields import NAMES, field_option
from jevdb.ingest.decode.rows import AskedItems, Known
from jevdb.ingest.facts import with_facts
from jevdb.ingest.guards.ids import NearIds, about_float_id, unknown_id
from jevdb.ingest.judge.group_judge import Asking
from jevdb.ingest.judge.judging import Judge
from jevdb.ingest.judge.pool import JudgePool
from jevdb.ingest.judge.rejects import LineTexts, Place, Reject, by_place, rejects_of
from jevdb.ingest.judge.spool import Spool
from jevdb.ingest.judge.staging import Origin, stage
from jevdb.ingest.judge.strays import NUMERAL_LEVELS
from jevdb.ingest.layouts.gathering import gathered, noted
from jevdb.ingest.reading import Input, Reader
from jevdb.ingest.run_options import RunOptions
from jevdb.ingest.runs.summary import RunSummary
from jevdb.warehouse.interrupts import interrupts_held, raise_if_interrupted
from jevdb.warehouse.schema_words import TYPES
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

OnRows = Callable[[int], None]
DIGEST = 64
PAIR = 2
REPEAT_NAMES = ("repeat", *NAMES["repeat"])


class PreparedRun(NamedTuple):
    """A run ready to be stored: its options, rows and summary, and what is refused.

    ``types`` are those of the items of its benchmark, answered or not.
    """

    options: RunOptions
    rows: Spool
    summary: RunSummary
    rejects: list[Reject]
    types: frozenset[str]


def prepare_run(
    benchmark: Benchmark,
    paths: Sequence[Input],
    options: RunOptions,
    on_rows: OnRows = lambda _: None,
    judges: JudgePool | None = None,
) -> PreparedRun:
    """Read and judge the files of a run; no warehouse is open meanwhile.

    *judges* are kept from run to run; without them the run has some of its own.

    Raises
    ------
    InputError
        Something is wrong with a file; carries every problem.
    JevdbError
        The benchmark has no items, the files no rows, or over half of the rows do not
        fit the benchmark.
    """
    from jevdb.ingest.layouts.registry import LOOSE, PREDICTIONS

    for name in options.unsupported:
        if name not in TYPES:
            raise UnknownNameError("item type", name, TYPES)
    if not benchmark.size:
        raise JevdbError(
            f"benchmark {benchmark.benchmark_id!r} has no items yet; "
            f"store them with {command('ingest_items', 'ingest items')}"
        )
    problems = Problems(None if options.keep_rejects else DIAGNOSED)
    reading = options.reading
    check_aliases(reading, benchmark)
    items = AskedItems(benchmark)
    known = Known(items, options.where, options.mapping, reading)
    layouts = LOOSE if reading.converts else PREDICTIONS
    with interrupts_held(storing=True), ExitStack() as stack:
        texts = stack.enter_context(LineTexts()) if options.keep_rejects else None
        reader = Reader(paths, layouts, options.layout, problems, known, texts)
        converter = Converter(reading, items, problems)
        stack.enter_context(tuned())
        pool = judges or stack.enter_context(closing(JudgePool(benchmark)))
        judge = stack.enter_context(Judge(benchmark, _asking(options), problems, pool))
        for part in gathered(reader, options.mapping, problems):
            raise_if_interrupted()
            read = converter.part(part) if reading.converts else part
            origin = Origin(read.source, judge.n_read, read.has_text_answers)
            judge.add(stage(read.columns, origin, judge.key_sets))
            on_rows(judge.n_read)
        judge.finish()
        done = _Read(reader, judge, converter.counted())
        prepared = _settled(benchmark, options, done, problems)
        return prepared._replace(rejects=_rejects(reader, problems, texts))


class _Read(NamedTuple):
    """What read and judged the files, and what conversions did to them."""

    reader: Reader
    judge: Judge
    tally: Tally


def _asking(options: RunOptions) -> Asking:
    reading = options.reading
    return Asking(
        options.unsupported,
        reads_levels=reading.levels is not None,
        reads_nouls=reading.noul_order is not None,
        allows_invalid=options.allows("invalid"),
    )


def _settled(
    benchmark: Benchmark, options: RunOptions, read: _Read, problems: Problems
) -> PreparedRun:
    reader, judge = read.reader, read.judge
    scratch = judge.scratch
    refused = set(by_place(problems.listed)) if options.keep_rejects else set()
    judge.drop(list(refused))
    n_replaced = judge.drop(reader.gathered.replaced(refused))
    policy = _duplicate_policy(options, reader)
    is_numbered = _number_repeats(judge, options, problems)
    judge.find_doubles(policy)
    if policy == "error" and is_numbered and judge.has_doubles():
        again = _note_contradictions(scratch, reader, problems)
        if again and options.keep_rejects:
            judge.drop(again)
            judge.number_repeats()
            judge.find_doubles(policy)
    _with_near_ids(benchmark, problems)
    _refuse_misreadings(benchmark, options, read, problems)
    n_left = judge.n_left()
    _refuse_faults(options, reader, problems, n_left)
    if not judge.n_read:
        names = ", ".join(file.name for file in reader.files)
        raise JevdbError(f"{names}: no predictions in the file")
    rows = judge.chosen()
    n_lines = len(by_place(problems.listed))
    summary = _summary(benchmark, options, read)
    summary = replace(
        summary,
        read=n_left + n_replaced + n_lines,
        duplicates=summary.duplicates + n_replaced,
        rejected=n_lines,
    )
    changed = dict(sorted(read.tally.changed.items()))
    counts = {"read.changed": changed} if changed else {}
    told = {"repeats": list(judge.repeats.values)} if judge.repeats.n > 1 else {}
    settings = {**options.reading.settings(), **counts, **options.settings, **told}
    kept = with_facts(replace(options, settings=settings), reader.gathered.facts)
    types = frozenset(benchmark.shapes["type"].to_pylist())
    return PreparedRun(kept, rows, summary, [], types)


def _refuse_misreadings(
    benchmark: Benchmark, options: RunOptions, read: _Read, problems: Problems
) -> None:
    """Raise what the guards say of the form of rows, if one holds."""
    strays, tally = read.judge.strays, read.tally
    strays.leave_out(NUMERAL_LEVELS, _of_tools(read.reader))
    if options.keep_rejects:
        # What is kept beside the run is not stored as something else.
        strays.leave_out_lines(by_place(problems.listed))
    if not (strays.listed or tally.last_places or tally.highest_alone is not None):
        return
    from jevdb.ingest.guards.form import Judged, spoken

    said = spoken(
        Judged(
            benchmark.benchmark_id,
            strays,
            read.judge.answered(),
            options.reading,
            options.allows("invalid"),
            tally,
        )
    )
    if said:
        rest = [each for each in problems.listed if each.field != ANSWER]
        others = problems.total - len(problems.listed) + len(rest)
        listed = _sorted(read.reader, rest)
        raise InputError([*said, *listed], len(said) + others)


def _refuse_faults(
    options: RunOptions, reader: Reader, problems: Problems, n_left: int
) -> None:
    """Raise the problems, unless they lie in lines that are kept beside good ones."""
    has_file_fault = any(each.line is None for each in problems.listed)
    if options.keep_rejects and n_left and not has_file_fault:
        return
    if problems.total:
        raise InputError(
            _in_order(reader, problems), problems.total, problems.uncounted
        )


def _of_tools(reader: Reader) -> set[str]:
    """Return the files whose layout says itself from where levels count."""
    free = ("canonical", "mapped")
    return {file for file, layout in reader.layouts.items() if layout not in free}


def _with_near_ids(benchmark: Benchmark, problems: Problems) -> None:
    """Say of each unknown id which known one is meant, if one is near."""
    near: NearIds | None = None
    for place, each in enumerate(problems.listed):
        problems.listed[place] = about_float_id(each)
        unknown = unknown_id(each)
        if unknown is not None:
            near = near or NearIds(benchmark.items["item_id"].to_pylist())
            message = f"{each.message}{near.hint(unknown)}"
            problems.listed[place] = replace(each, message=message)


def _in_order(reader: Reader, problems: Problems) -> list[Problem]:
    return _sorted(reader, problems.listed)


def _sorted(reader: Reader, problems: Sequence[Problem]) -> list[Problem]:
    return sorted(
        problems,
        key=lambda each: (reader.place(each.source), each.line or 0),
    )


def _rejects(
    reader: Reader, problems: Problems, texts: LineTexts | None
) -> list[Reject]:
    return rejects_of(_in_order(reader, problems), texts) if texts else []


def _duplicate_policy(options: RunOptions, reader: Reader) -> str:
    """Return what is asked for; by itself a layout that resumes takes the last line."""
    from jevdb.ingest.layouts.registry import RESUMED

    if options.on_duplicate == "error" and reader.layouts:
        return "resumed" if RESUMED.issuperset(reader.layouts.values()) else "error"
    return options.on_duplicate


def _number_repeats(judge: Judge, options: RunOptions, problems: Problems) -> bool:
    """Have repeats told apart; lines that do not say theirs are faults.

    Return whether all answers are told apart: else what repeats says nothing more.
    """
    found = judge.number_repeats().problems
    for problem in found:
        problems.add(problem)
    if found and options.keep_rejects:
        judge.drop(list(by_place(found)))
        found = judge.number_repeats().problems
    return not found


def _told_apart(reader: Reader, contradiction: tuple[Any, ...]) -> str:
    """Return which field may number repeats: one of such a name differs."""
    _, source, line, first_source, first_line = contradiction
    records = reader.records({(source, line), (first_source, first_line)})
    if len(records) == PAIR:
        one, other = records
        for name in REPEAT_NAMES:
            for key in one.keys() & other.keys():
                if key.lower() == name and one[key] != other[key]:
                    said = field_option("repeat", key)
                    return f", or name the field that numbers the repeats ({said})"
    return ""


def _note_contradictions(
    scratch: Connection, reader: Reader, problems: Problems
) -> list[Place]:
    """Note every ok answer that is not the item's first; return their lines."""
    found = scratch.execute(query("ingest/contradictions")).fetchall()
    told = _told_apart(reader, found[0]) if found else ""
    for item_id, source, line, first_source, first_line in found:
        at = f"line {first_line}"
        if first_source != source:
            at = f"{first_source} {at}"
        message = (
            f"item {item_id!r} was answered otherwise in {at}; keep one, or choose "
            f"with {option('on_duplicate')} first or last{told}"
        )
        problems.add(Problem(source, line, "$.item_id", message))
    return list(dict.fromkeys((source, line) for _, source, line, *_ in found))


def _summary(benchmark: Benchmark, options: RunOptions, read: _Read) -> RunSummary:
    reader, judge = read.reader, read.judge
    scratch, model = judge.scratch, options.model
    counted = scratch.execute(query("ingest/counts"))
    names = [column[0] for column in counted.description]
    counts = dict(zip(names, counted.fetchall()[0], strict=True))
    rows_sha256 = _rows_sha256(judge)
    n_rows = int(counts.pop("n_rows"))
    n_asked = benchmark.size * judge.repeats.n
    run_id = scratch.execute(
        "select run_digest($benchmark, $model, $revision, $label, "
        "cast($unsupported as varchar[]), $rows)",
        {
            "benchmark": benchmark.benchmark_id,
            "model": model.name,
            "revision": model.revision,
            "label": options.label,
            "unsupported": sorted(set(options.unsupported)),
            "rows": rows_sha256,
        },
    ).fetchall()[0][0]
    reasons = scratch.execute(query("ingest/reasons")).fetchall()
    return RunSummary(
        run_id=run_id,
        outcome="dry_run",
        benchmark_id=benchmark.benchmark_id,
        gold_revision=benchmark.gold_revision,
        model=model.name,
        revision=model.revision,
        label=options.label,
        repeats=judge.repeats.n,
        expected=n_asked,
        read=judge.n_read,
        missing=n_asked - n_rows,
        rejected=0,
        disagreements=0,
        rows_sha256=rows_sha256,
        reasons={reason: n for reason, n, _ in reasons},
        reason_places={
            reason: [f"{each['source']}:{each['line']}" for each in places]
            for reason, _, places in reasons
        },
        conversions=[
            *noted(options.mapping),
            *read.tally.in_words(options.reading),
            *_levels_met(options, judge),
        ],
        files=[file._asdict() for file in reader.files],
        ignored_keys=sorted(reader.ignored),
        skipped=dict(sorted(reader.gathered.skipped.items())),
        notes=reader.notes,
        **counts,
    )


def _levels_met(options: RunOptions, judge: Judge) -> list[str]:
    """Return that answers say neither the lowest nor the highest level, if so."""
    if options.reading.levels is not None:
        return []
    low, high, last, has_end = judge.levels_met()
    if low is None or has_end:
        return []
    return [f"levels read from 0; {low:g} to {high:g} met of 0 to {last}"]


def _rows_sha256(judge: Judge) -> str:
    """Return what `digest_of` says of the rows, without one text of all digests."""
    whole = hashlib.sha256()
    for column in judge.digests():
        # They lie one after the other in memory, all of one length.
        start, end = (n * DIGEST for n in (column.offset, column.offset + len(column)))
        whole.update(memoryview(column.buffers()[2])[start:end])
    return whole.hexdigest()
