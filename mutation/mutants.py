"""What is changed: places in a text, found by a small list of rules."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import duckdb


class Mutant(NamedTuple):
    """One change of a file: what stands from *start* to *end*, and what instead."""

    path: str
    rule: str
    start: int
    end: int
    text: str
    line: int
    key: str

    def of(self, source: str) -> str:
        """Return the file's text with the change in it."""
        return source[: self.start] + self.text + source[self.end :]


class Change(NamedTuple):
    """A change as a rule finds it."""

    rule: str
    start: int
    end: int
    text: str


def mutants_of(root: Path, path: str) -> list[Mutant]:
    """Return every change of a file, in the order of its text.

    Its key says file, rule, line's text and which one in the file of such: it stays
    when lines elsewhere come or go.
    """
    source = (root / path).read_text(encoding="utf-8")
    changes = sql_changes(source) if path.endswith(".sql") else python_changes(source)
    seen: dict[str, int] = {}
    found = []
    for change in sorted(changes, key=lambda each: (each.start, each.rule)):
        line = source.count("\n", 0, change.start)
        words = " ".join(source.splitlines()[line].split())
        name = f"{path}: {change.rule}: {words}"
        if not _can_be_read(path, Mutant(path, *change, 0, "").of(source)):
            continue
        seen[name] = seen.get(name, 0) + 1
        key = name if seen[name] == 1 else f"{name} ({seen[name]})"
        found.append(Mutant(path, *change, line + 1, key))
    return found


def _can_be_read(path: str, text: str) -> bool:
    """Whether a parser takes a changed file: what it refuses, no test has to notice."""
    if path.endswith(".py"):
        try:
            ast.parse(text)
        except SyntaxError:
            return False
        return True
    try:
        return bool(duckdb.extract_statements(text))
    except duckdb.Error:
        return False


SQL_TOKEN = re.compile(
    r"(?P<comment>--[^\n]*)|(?P<text>'(?:[^']|'')*'|\"[^\"]*\")"
    r"|(?P<number>(?<![\w$.])\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]))"
    r"|(?P<word>[$A-Za-z_][\w$]*)|(?P<sign><>|<=|>=|\|\||::|[-+*/<>=(),])|(?P<rest>\S)"
)
SWAPPED = {
    **{"<": "<=", "<=": "<", ">": ">=", ">=": ">", "=": "<>", "<>": "="},
    **{"+": "-", "-": "+", "*": "/", "/": "*"},
    **{"and": "or", "or": "and", "min": "max", "max": "min", "desc": "asc"},
    **{"bool_and": "bool_or", "bool_or": "bool_and", "list_min": "list_max"},
    **{"list_max": "list_min", "first_value": "last_value", "greatest": "least"},
    **{"least": "greatest", "floor": "ceil", "ceil": "floor", "true": "false"},
    **{"false": "true", "left": "inner", "where": "where true or"},
    **{"not": "", "distinct": "", "exists": "true or exists"},
}
NAMED = {"where": "filter dropped", "not": "not", "distinct": "distinct"}
FUNCTIONS = {
    *("min", "max", "bool_and", "bool_or", "list_min", "list_max", "first_value"),
    *("greatest", "least", "floor", "ceil"),
}
OF_ALL = (",", ")", "from", "replace", "exclude", "")
"""What stands behind a star that means every column."""
BEFORE_VALUES = ("then", "select", "else", "when", "and", "or", "in", "by")
BEFORE_SIGN = re.compile(r"[\w)\]]\s*$")


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


def sql_changes(source: str) -> Iterator[Change]:
    """Yield the changes of a SQL file: by the stream of its tokens."""
    tokens = [
        _Token(str(each.lastgroup), each[0], each.start(), each.end())
        for each in SQL_TOKEN.finditer(source)
        if each.lastgroup != "comment"
    ]
    for place, token in enumerate(tokens):
        yield from _of_token(source, tokens, place)
        word = token.text.lower()
        if word == "coalesce":
            yield from _without_coalesce(source, tokens, place)
        if word == "union":
            yield from _without_branch(source, tokens, place)
        if word == "else":
            yield from _else_null(tokens, place)


def _of_token(source: str, tokens: list[_Token], place: int) -> Iterator[Change]:
    token = tokens[place]
    if token.kind == "number":
        value = token.text.partition("e")
        more = f"{float(value[0]) + 1:g}{value[1]}{value[2]}"
        yield Change("constant", token.start, token.end, more)
    word = token.text.lower()
    if token.kind not in ("word", "sign") or word not in SWAPPED:
        return
    if _is_operator(source, tokens, place):
        rule = NAMED.get(word, f"{word} to {SWAPPED[word]}")
        yield Change(rule, token.start, token.end, SWAPPED[word])


def _is_operator(source: str, tokens: list[_Token], place: int) -> bool:
    """Whether a token is what its text mostly is: no sign of a number, no name."""
    word = tokens[place].text.lower()
    before = tokens[place - 1].text.lower() if place else ""
    after = tokens[place + 1].text.lower() if place + 1 < len(tokens) else ""
    if word in "+-*/":
        is_binary = BEFORE_SIGN.search(source[: tokens[place].start])
        is_of_all = word == "*" and after in OF_ALL
        return bool(is_binary) and before not in BEFORE_VALUES and not is_of_all
    if word in FUNCTIONS:
        return after == "("
    if word == "left":
        return after != "("
    return not (word == "and" and _is_between(tokens, place))


def _is_between(tokens: list[_Token], place: int) -> bool:
    """Whether an `and` belongs to a `between`, or to the bounds of a window."""
    for token in reversed(tokens[max(0, place - 8) : place]):
        if token.text.lower() == "between":
            return True
        if token.text.lower() in ("and", "or", "where", "on", "when", "select"):
            return False
    return False


def _closing(tokens: list[_Token], place: int) -> int:
    """Return the place of the parenthesis that closes the one at *place*."""
    depth = 0
    for at in range(place, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[at].text, 0)
        if depth == 0:
            return at
    return len(tokens) - 1


def _without_coalesce(
    source: str, tokens: list[_Token], place: int
) -> Iterator[Change]:
    end = _closing(tokens, place + 1)
    depth = 0
    for at in range(place + 1, end):
        depth += {"(": 1, ")": -1}.get(tokens[at].text, 0)
        if depth == 1 and tokens[at].text == ",":
            first = source[tokens[place + 1].end : tokens[at].start]
            text = f"({first})"
            yield Change("coalesce dropped", tokens[place].start, tokens[end].end, text)
            return


def _without_branch(source: str, tokens: list[_Token], place: int) -> Iterator[Change]:
    """Drop what a union adds, up to the next one or the end of its parentheses."""
    depth = 0
    for at in range(place + 1, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[at].text, 0)
        word = tokens[at].text.lower()
        if depth < 0 or (depth == 0 and word in ("union", "order", ";")):
            end = tokens[at - 1].end
            break
    else:
        end = tokens[-1].end
    yield Change("union branch dropped", tokens[place].start, end, "")


def _else_null(tokens: list[_Token], place: int) -> Iterator[Change]:
    depth = 0
    for at in range(place + 1, len(tokens)):
        word = tokens[at].text.lower()
        depth += {"(": 1, "case": 1, ")": -1}.get(word, 0)
        if word == "end":
            if depth == 0:
                if tokens[place + 1].text.lower() != "null":
                    start, end = tokens[place].start, tokens[at].start
                    yield Change("else dropped", start, end, "")
                return
            depth -= 1


COMPARED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
COMPUTED: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
}


def python_changes(source: str) -> Iterator[Change]:
    """Yield the changes of a Python file, by its syntax tree; none of annotations."""
    tree = ast.parse(source)
    at = _places(source)
    skipped = _not_run(tree)
    for node in ast.walk(tree):
        if id(node) not in skipped:
            yield from _of_node(source, node, at)


At = Callable[[ast.AST], tuple[int, int]]


def _places(source: str) -> At:
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    data = source.encode()

    def at(node: ast.AST) -> tuple[int, int]:
        begin = starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        end = starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
        return len(data[:begin].decode()), len(data[:end].decode())

    return at


def _not_run(tree: ast.AST) -> set[int]:
    """Return the nodes of annotations, docstrings and what is for type checkers."""
    roots: list[ast.AST] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign | ast.arg) and node.annotation:
            roots.append(node.annotation)
        if isinstance(node, ast.FunctionDef) and node.returns:
            roots.append(node.returns)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            roots.append(node)
        if isinstance(node, ast.Subscript):
            roots += [each for each in ast.walk(node.slice) if _is_type(each)]
        if isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr):
            roots.append(node)
    return {id(inner) for root in roots for inner in ast.walk(root)}


def _is_type(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)


def _of_node(source: str, node: ast.AST, at: At) -> Iterator[Change]:
    if isinstance(node, ast.Compare):
        ends = [node.left, *node.comparators]
        for (left, right), op in zip(pairwise(ends), node.ops, strict=True):
            yield from _between(source, at(left)[1], at(right)[0], COMPARED[type(op)])
    elif isinstance(node, ast.BoolOp):
        words = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in pairwise(node.values):
            yield from _between(source, at(left)[1], at(right)[0], words)
    elif isinstance(node, ast.BinOp) and type(node.op) in COMPUTED:
        words = COMPUTED[type(node.op)]
        if not isinstance(node.left, ast.Constant) or node.left.value is not None:
            yield from _between(source, at(node.left)[1], at(node.right)[0], words)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        start = at(node)[0]
        yield Change("not", start, start + len("not"), "")
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        start, end = at(node.test)
        text = f"(not ({source[start:end]}))"
        yield Change("condition turned round", start, end, text)
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float, bool):
        start, end = at(node)
        more = (
            repr(not node.value)
            if node.value in (True, False) and isinstance(node.value, bool)
            else repr(node.value + 1)
        )
        yield Change("constant", start, end, more)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield Change("call dropped", *at(node), "pass")


def _between(
    source: str, start: int, end: int, words: tuple[str, str]
) -> Iterator[Change]:
    """Yield the change of the operator that stands between two operands."""
    given, other = words
    gap = source[start:end]
    place = gap.find(given)
    if place >= 0 and gap.strip(" \n()\\").split() == given.split():
        begin = start + place
        yield Change(f"{given} to {other}", begin, begin + len(given), other)
