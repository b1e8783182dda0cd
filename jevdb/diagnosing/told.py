"""A diagnosis as text, and as one JSON object."""

from __future__ import annotations

from collections.abc import Iterator

from jevdb.base.aligning import aligned
from jevdb.base.installing import to_install
from jevdb.base.output import plain
from jevdb.base.text import counted, visible
from jevdb.diagnosing.doctor import Diagnosis, Finding
from jevdb.diagnosing.holders import Holder
from jevdb.diagnosing.inside import Inside
from jevdb.diagnosing.installed import Installed
from jevdb.diagnosing.on_disk import OnDisk
from jevdb.warehouse.versions import Fit, head_revision

GIGABYTE = 1e9


def diagnosis_text(seen: Diagnosis) -> str:
    """Return what the doctor saw, line by line, and what is wrong at the end."""
    facts = [
        *_program(seen.program),
        *_file(seen.on_disk),
        ("held by", "; ".join(map(_holder, seen.holders)) or "nobody else"),
    ]
    if seen.inside:
        facts += _inside(seen.inside)
    lines = [f"{name:<12}{visible(value)}" for name, value in facts]
    if seen.inside and seen.inside.tables:
        lines += ["", *_tables(seen.inside)]
    lines += ["", *_findings(seen.findings)]
    return "\n".join(lines) + "\n"


def _program(program: Installed) -> Iterator[tuple[str, str]]:
    duckdb = program.version_of("duckdb") or "unknown"
    yield (
        "jevdb",
        f"{program.jevdb}, Python {program.python}, DuckDB {duckdb}, {program.system}",
    )
    yield "", f"{program.folder}, run by {program.executable}"
    for name, is_there in program.extras.items():
        packages = (each for each in program.packages if each.extra == name)
        told = ", ".join(
            f"{each.name} {each.version or 'missing'}" for each in packages
        )
        how = "" if is_there else f"; {to_install(name)}"
        yield f"  [{name}]", f"{'there' if is_there else 'not there'}: {told}{how}"


def _file(on_disk: OnDisk) -> Iterator[tuple[str, str]]:
    size = (
        "no file" if on_disk.size is None else counted(on_disk.size, "byte", form=",")
    )
    log = (
        f", log {counted(on_disk.log_size, 'byte', form=',')}"
        if on_disk.log_size is not None
        else ""
    )
    free = (
        "" if on_disk.free is None else f", {on_disk.free / GIGABYTE:,.1f} GB disk free"
    )
    yield "file", f"{on_disk.path}: {size}{log}{free}"
    if on_disk.header:
        version, written_by = on_disk.header
        yield "format", f"DuckDB storage {version}, made by DuckDB {written_by}"


def _holder(holder: Holder) -> str:
    doing = {"read": "reading", "write": "writing"}[holder.access]
    since = f", running since {holder.since.isoformat()}Z" if holder.since else ""
    return f"process {holder.pid} ({holder.command or '?'}), {doing}{since}"


def _inside(inside: Inside) -> Iterator[tuple[str, str]]:
    built = inside.built
    yield "schema", f"{built.schema or 'none'} (this jevdb: {head_revision()})"
    if built.program_sha256:
        stale = "as" if built.fit is Fit.CURRENT else "not as"
        yield (
            "views",
            f"of jevdb {built.jevdb_version}, {built.program_sha256[:12]}, {stale} "
            "this jevdb's",
        )
    if inside.faults is not None:
        faults = sum(inside.faults.values())
        yield "checks", f"{len(inside.faults)}, {counted(faults, 'fault')}"


def _tables(inside: Inside) -> list[str]:
    rows = [["table", "rows", "bytes"]]
    rows += [[each.name, f"{each.rows:,}", f"{each.bytes:,}"] for each in inside.tables]
    return aligned(rows, [False, True, True])


def _findings(findings: list[Finding]) -> Iterator[str]:
    for each in findings:
        yield f"{each.level}: {visible(each.what)}"
        yield f"    {visible(each.remedy)}"
    if not any(each.exit_code for each in findings):
        yield "all is well"


def diagnosis_json(seen: Diagnosis) -> dict[str, object]:
    """Return all that the doctor saw in values that JSON knows."""
    program, on_disk = seen.program, seen.on_disk
    header = on_disk.header
    return {
        "exit_code": seen.exit_code,
        "findings": [{"level": each.level, **each._asdict()} for each in seen.findings],
        "program": {
            **program._asdict(),
            "folder": str(program.folder),
            "packages": [each._asdict() for each in program.packages],
            "extras": program.extras,
        },
        "file": {
            **on_disk._asdict(),
            "path": str(on_disk.path),
            "header": header._asdict() if header else None,
            "leftovers": [str(each) for each in on_disk.leftovers],
        },
        "holders": [
            {**each._asdict(), "since": plain(each.since)} for each in seen.holders
        ],
        "warehouse": _inside_json(seen.inside) if seen.inside else None,
    }


def _inside_json(inside: Inside) -> dict[str, object]:
    built = inside.built
    return {
        "fit": built.fit.value,
        "schema": built.schema,
        "schema_of_program": head_revision(),
        "jevdb_version": built.jevdb_version,
        "program_sha256": built.program_sha256,
        "storage_version": inside.storage_version,
        "free_bytes": inside.free_bytes,
        "tables": [each._asdict() for each in inside.tables],
        "faults": inside.faults,
    }
