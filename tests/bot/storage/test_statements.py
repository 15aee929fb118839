"""SQL is written in the source, whole: what comes from outside goes in as parameters, never as text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
MODULES = sorted((ROOT / "bot").rglob("*.py"))

TAKING_SQL = {
    "execute",
    "executemany",
    "executescript",
    "execute_fetchall",
    "fetch_all",
    "fetch_one",
    "_find_id",
    "_find_ids",
    "_update",
}
"""Methods whose first argument is a statement; those with an underline are the repositories' own."""

PASSED_ON = {"sql", "statement", "self._begin"}
"""Names under which a statement is passed on by such a method, or by the list of migrations."""


def statements(tree: ast.AST) -> Iterator[ast.expr]:
    """The first argument of each call of such a method."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr=method), args=[first, *_]) if method in TAKING_SQL:
                yield first


def constants(tree: ast.Module) -> set[str]:
    """The module's own names for text that is written out."""
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Assign) and is_written_out(node.value, found):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return found | set(handed_on(tree, found))


def handed_on(tree: ast.Module, names: set[str]) -> Iterator[str]:
    """Parameters of private methods that are given nothing but text that is written out."""
    calls = [it for it in ast.walk(tree) if isinstance(it, ast.Call) and isinstance(it.func, ast.Attribute)]
    for method in ast.walk(tree):
        if not isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef) or not method.name.startswith("_"):
            continue
        made = [call.args for call in calls if getattr(call.func, "attr", None) == method.name]
        for place, parameter in enumerate(method.args.args[1:]):
            given = [arguments[place] for arguments in made if len(arguments) > place]
            if given and len(given) == len(made) and all(is_written_out(it, names) for it in given):
                yield parameter.arg


def is_written_out(node: ast.expr, names: set[str]) -> bool:
    """Is this text the same whatever comes from outside? What has the format `d` can only be a number."""
    match node:
        case ast.Constant(value=str()):
            return True
        case ast.Name(id=name):
            return name in names
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return is_written_out(left, names) and is_written_out(right, names)
        case ast.IfExp(body=body, orelse=orelse):
            return is_written_out(body, names) and is_written_out(orelse, names)
        case ast.JoinedStr(values=values):
            return all(is_written_out(value, names) for value in values)
        case ast.FormattedValue(value=value, format_spec=spec):
            is_number = isinstance(spec, ast.JoinedStr) and ast.unparse(spec) == "f'd'"
            return is_number or is_written_out(value, names)
        case _:
            return False


def made_of_text(source: str) -> list[str]:
    """The statements of a module that are put together from something else than text in the module."""
    tree = ast.parse(source)
    names = constants(tree)
    return [
        ast.unparse(it)
        for it in statements(tree)
        if not is_written_out(it, names) and ast.unparse(it) not in PASSED_ON
    ]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_statement_is_made_of_what_comes_from_outside(path: Path) -> None:
    assert made_of_text(path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "call",
    [
        'database.execute("DELETE FROM people WHERE name = " + name)',
        'database.execute(f"DELETE FROM people WHERE name = {name}")',
        'database.fetch_all("SELECT %s" % name)',
        'database.fetch_one("SELECT {}".format(name))',
        'database.execute(f"PRAGMA user_version = {name!r}")',
        "database.execute(made(name))",
    ],
)
def test_a_statement_with_something_in_it_is_found(call: str) -> None:
    assert len(made_of_text(call)) == 1


def test_the_statements_are_found_at_all() -> None:
    found = [it for path in MODULES for it in statements(ast.parse(path.read_text("utf-8")))]
    assert len(found) > 60
