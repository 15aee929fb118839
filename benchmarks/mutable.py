"""A module's source rewritten so that mutmut can change all of it; what it does stays the same.

mutmut (https://github.com/boxed/mutmut) changes the bodies of plain functions and methods. It leaves out
those that are decorated, ``__new__``, and what is assigned outside of functions: in the engine that would be
all its tables, such as the settings and presets, the effects, the codes of cards. So a decorator above a
function becomes a call below it, the value of an assignment becomes the result of a function above it, and
``__new__`` becomes the name of such a function:

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
"""The decorators that mutmut knows how to handle."""

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


class Edit(NamedTuple):
    """The lines from `first` on (from 0) up to `end`, which is not among them, become `text`."""

    first: int
    end: int
    text: str


def mutable(source: str) -> str:
    """The same module with everything in it open to mutmut."""
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
    """What is to be edited for this statement; a function that gives its value is put before line `above`."""
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
    """The function without its decorators; they are called after it."""
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
    """(target, annotation, value) of an assignment to one name; None for others and for types."""
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
