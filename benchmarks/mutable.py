"""Rewrites a module's source so that mutmut can change all of it; its behaviour stays the same.

mutmut (https://github.com/boxed/mutmut) changes the bodies of plain functions and methods. It skips decorated
ones, ``__new__``, and assignments outside functions, which in the engine include all tables: settings,
presets, effects, card codes. So a decorator becomes a call below its function, the value of an assignment
becomes the result of a function above it, and ``__new__`` becomes the name of such a function:

    @cache                    def packs(size): ...
    def packs(size): ...      packs = cache(packs)

    DECK: Final = 36          def _value_of_DECK():
                                  return (36)
                              DECK: Final = _value_of_DECK()

This module knows nothing of the engine, and runs nothing.
"""

import ast
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

PLAIN = (["classmethod"], ["staticmethod"])
"""Decorators that mutmut can handle."""

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


class Edit(NamedTuple):
    """Replaces the lines from `first` (counted from 0) up to but excluding `end` by `text`."""

    first: int
    end: int
    text: str


def mutable(source: str) -> str:
    """Return the module rewritten so that mutmut can change all of it."""
    lines = source.splitlines(keepends=True)
    for edit in sorted(_edits(source), reverse=True):
        lines[edit.first : edit.end] = edit.text
    return "".join(lines)


def _edits(source: str) -> Iterator[Edit]:
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.ClassDef):
            decorators = [decorator.lineno for decorator in statement.decorator_list]
            above = min([statement.lineno, *decorators]) - 1
            for member in statement.body:
                yield from _opened(source, member, above, f"{statement.name}_")
        else:
            yield from _opened(source, statement, statement.lineno - 1, "")


def _opened(source: str, statement: ast.stmt, above: int, prefix: str) -> Iterator[Edit]:
    """Return the edits for a statement; a function that returns its value is inserted before line `above`."""
    name, indent = f"_value_of_{prefix}", " " * statement.col_offset
    begin, end = statement.lineno - 1, statement.end_lineno or 0
    if isinstance(statement, Function):
        if statement.name == "__new__":
            text = ast.unparse(statement).replace("__new__", f"{name}new", 1)
            yield Edit(above, above, f"{text}\n\n")
            yield Edit(begin, end, f"{indent}__new__ = {name}new\n")
        else:
            yield from _bare(statement, indent)
    elif (named := _named(statement)) is not None:
        target, annotation, value = named
        text = f"def {name}{target}():\n    return ({ast.get_source_segment(source, value)})\n\n"
        yield Edit(above, above, text)
        yield Edit(begin, end, f"{indent}{target}{annotation} = {name}{target}()\n")


def _bare(function: Function, indent: str) -> Iterator[Edit]:
    """Return the function without its decorators, followed by calls of them."""
    decorators = [ast.unparse(decorator) for decorator in function.decorator_list]
    if not decorators or decorators in PLAIN:
        return
    yield Edit(function.decorator_list[0].lineno - 1, function.lineno - 1, "")
    decorated = function.name
    for decorator in reversed(decorators):
        decorated = f"{decorator}({decorated})"
    end = function.end_lineno or 0
    yield Edit(end, end, f"\n{indent}{function.name} = {decorated}\n")


def _named(statement: ast.stmt) -> tuple[str, str, ast.expr] | None:
    """Return (target, annotation, value) of an assignment to one name; None for others and for types."""
    match statement:
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            annotation = ast.unparse(statement.annotation)
            found = name, f": {annotation}", value
            if annotation == "TypeAlias":
                return None
        case ast.Assign(value=ast.Call(func=ast.Name(id="TypeVar"))):
            return None
        case ast.Assign(targets=[ast.Name(id=name)]):
            found = name, "", statement.value
        case _:
            return None
    return None if name.startswith("__") else found
