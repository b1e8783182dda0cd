"""How much memory this process may take, and what is said where that is too little.

A limit on the address space (``ulimit -v``, RLIMIT_AS) is met by native code, too:
DuckDB's threads, OpenBLAS and V8 end the process where they get nothing, without a
message. So whoever sets one is told at the start what is needed, and above that DuckDB
is held to what it may have.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from jevdb.base.errors import JevdbError

MIB = 1024**2
GIB = 1024**3
LEAST = 640 * MIB
"""What a command takes for the libraries it imports, and enough to work with."""
RESERVED = 400 * MIB
"""Of that, what DuckDB may not have: the libraries, and what they keep themselves."""
DRAWING = 68 * GIB
"""V8, which draws, reserves 64 GiB of addresses; of memory it takes little."""
CONTAINERS = (
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
)
"""Where Linux keeps the limit of a container."""
M_ARENA_MAX = -8
"""What glibc's malloc.h calls the most heaps that a process has."""
SIGNS = (
    *("failed to map segment", "cannot allocate memory", "can't start new thread"),
    *("thread-local", "bad allocation", "bad_alloc", "failed to launch worker thread"),
)
"""What libraries that could not be loaded, or threads that could not start, say."""
LIBRARIES = ("_duckdb", "duckdb", "pyarrow")
"""Whose errors have classes of their own; they are imported where they are used."""


def address_space() -> int | None:
    """Return the limit of the address space in bytes; None where there is none."""
    try:
        import resource
    except ImportError:
        return None
    with suppress(AttributeError, OSError, ValueError):
        soft, _ = resource.getrlimit(resource.RLIMIT_AS)
        return None if soft == resource.RLIM_INFINITY else soft
    return None


def held() -> int:
    """Return the memory that the process has now, in bytes; 0 where that is not known.

    Where the system tells no more it is the most that it ever had.
    """
    with suppress(OSError):
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    try:
        import resource
    except ImportError:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def total() -> int | None:
    """Return the memory of the machine, or of its container; None if not known."""
    found = []
    with suppress(AttributeError, OSError, ValueError):
        found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for place in CONTAINERS:
        # Where there is no limit it is a word, or a number beyond all memory.
        with suppress(OSError, ValueError):
            found.append(int(Path(place).read_text(encoding="ascii")))
    return min(found, default=None)


def require(least: int = LEAST, doing: str = "jevdb") -> None:
    """Refuse to begin what a limit of the address space would end half-way.

    Raises
    ------
    JevdbError
        The limit is under *least* bytes.
    """
    limit = address_space()
    if limit is not None and limit < least:
        raise JevdbError(
            f"the address space is limited to {limit // MIB:,} MiB, and {doing} needs "
            f"{least // MIB:,}; raise the limit (ulimit -v)"
        )


def prepare() -> None:
    """Have libraries that are imported later keep within a limit, if there is one."""
    if address_space() is not None:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        _share_a_heap()


def _share_a_heap() -> None:
    """Have all threads take memory from one heap: glibc reserves 64 MiB for each."""
    import ctypes

    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)


def for_duckdb(wanted: int | None = None) -> dict[str, str | int]:
    """Return the settings that keep DuckDB within the limits that there are.

    *wanted* is a limit of somebody's own, in bytes.
    """
    limit = address_space()
    most = [] if limit is None else [max(limit - RESERVED, MIB)]
    most += [] if wanted is None else [wanted]
    settings: dict[str, str | int] = {"memory_limit": f"{min(most)}B"} if most else {}
    # A thread takes addresses for its stack and its own heap, used or not.
    return settings if limit is None else settings | {"threads": 1}


def told(error: BaseException) -> str | None:
    """Return what to say of an error if memory is what was missing, else None."""
    for each in with_causes(error):
        if _is_of_memory(each):
            return "out of memory"
    return None


def _is_of_memory(error: BaseException) -> bool:
    kind = type(error)
    if isinstance(error, MemoryError) or kind.__name__ == "OutOfMemoryException":
        return True
    is_of_system = isinstance(error, ImportError | OSError | RuntimeError | SystemError)
    is_of_library = kind.__module__.partition(".")[0] in LIBRARIES
    said = str(error).lower() if is_of_system or is_of_library else ""
    return any(sign in said for sign in SIGNS)


def with_causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error, and what it came of."""
    found: BaseException | None = error
    while found is not None:
        yield found
        found = found.__cause__ or found.__context__
