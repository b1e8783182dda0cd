"""The changes that `make mutants` tries, and its lists (docs/contributing.md)."""

from __future__ import annotations

from pathlib import Path

import pytest

from mutation.mutants import mutants_of
from mutation.targets import equivalents, sources

ROOT = Path(__file__).parents[1]

VIEW = """\
-- v: a = b and c, which is a comment.
select
    'a = b' as said,
    coalesce(x, 0e0) as x,
    -1 as below,
    case when a <= 2 and not b then c end as d
from t
where n between 1 and 3
union all
select * from u
"""
CHANGED_VIEW = {
    ("coalesce dropped", "    (x) as x,"),
    ("constant", "    coalesce(x, 1e0) as x,"),
    ("constant", "    -2 as below,"),
    ("<= to <", "    case when a < 2 and not b then c end as d"),
    ("constant", "    case when a <= 3 and not b then c end as d"),
    ("and to or", "    case when a <= 2 or not b then c end as d"),
    ("not", "    case when a <= 2 and  b then c end as d"),
    ("filter dropped", "where true or n between 1 and 3"),
    ("constant", "where n between 2 and 3"),
    ("constant", "where n between 1 and 4"),
    ("union branch dropped", ""),
}
MODULE = '''
def f(x: int | None, y: int) -> bool:
    """Return x + 1."""
    sync(x)
    if x is None or y < 3:
        raise ValueError(y + 1)
    return not x == y
'''
CHANGED_MODULE = {
    ("call dropped", "    pass"),
    ("condition turned round", "    if (not (x is None or y < 3)):"),
    ("is to is not", "    if x is not None or y < 3:"),
    ("or to and", "    if x is None and y < 3:"),
    ("< to <=", "    if x is None or y <= 3:"),
    ("constant", "    if x is None or y < 4:"),
    ("not", "    return  x == y"),
    ("== to !=", "    return not x != y"),
}


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [("v.sql", VIEW, CHANGED_VIEW), ("m.py", MODULE, CHANGED_MODULE)],
)
def test_what_is_changed(
    tmp_path: Path, name: str, text: str, expected: set[tuple[str, str]]
):
    (tmp_path / name).write_text(text)
    found = mutants_of(tmp_path, name)
    lines = [each.of(text).splitlines() for each in found]
    changed = {
        (each.rule, given[each.line - 1] if each.line <= len(given) else "")
        for each, given in zip(found, lines, strict=True)
    }
    assert changed == expected
    assert len({each.key for each in found}) == len(found) == len(expected)


def test_the_lists_are_of_what_there_is():
    """A pattern of no file, a missing test and a change that is gone are faults."""
    listed = [path for path, _ in sources(ROOT)]
    assert len(listed) == len(set(listed)) > 100
    for key, reason in equivalents().items():
        path = key.partition(": ")[0]
        assert reason
        assert key in {each.key for each in mutants_of(ROOT, path)}, key
