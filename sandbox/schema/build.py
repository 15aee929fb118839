"""Writes ``botapi.json``: every method, type, field, field type and requiredness of the Bot API.

The source is aiogram's models, which follow Telegram's documentation release by release. aiogram pins an
older pydantic than the bot uses, so this script creates a temporary virtual environment, installs it there
and runs itself again inside.

    python -m sandbox.schema.build          # from the repository's root; needs a package index once

Field types use a small grammar, which :mod:`sandbox.schema.table` reads back::

    Integer  String  Boolean  Float  InputFile     the documentation's own names
    Message                                        another type of the table
    [T]                                            an array of T
    A | B                                          one of several
    'administrator'                                this string and no other

A required field has ``!`` before its type. A type is a table of fields, or one expression if it is an alias.
"""

import datetime
import importlib
import importlib.util
import json
import subprocess
import tempfile
import types
import typing
import venv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

REQUIREMENT = "aiogram==3.31.*"
OUTPUT = Path(__file__).with_name("botapi.json")

_SCALARS: dict[Any, str] = {
    int: "Integer",
    str: "String",
    bool: "Boolean",
    float: "Float",
    datetime.datetime: "Integer",
    datetime.timedelta: "Integer",
}


def main() -> None:
    """Extract if aiogram is importable; otherwise create an environment with it and extract there."""
    if importlib.util.find_spec("aiogram") is None:
        _run_in_own_environment()
        return
    OUTPUT.write_text(_to_json(extract()), encoding="utf-8")


def _run_in_own_environment() -> None:
    with tempfile.TemporaryDirectory(prefix="botapi-schema-") as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        install = [python, "-m", "pip", "install", "--quiet", REQUIREMENT]
        for command in (install, [python, str(Path(__file__))]):
            subprocess.run(command, check=True)  # noqa: S603 - no word of it comes from outside


def extract() -> dict[str, Any]:
    """Return the table as JSON values: ``{"source", "bot_api", "methods", "types"}``."""
    aiogram = importlib.import_module("aiogram")
    method_models = importlib.import_module("aiogram.methods")
    reader = _AnnotationReader(importlib.import_module("aiogram.types"))
    methods: dict[str, Any] = {}
    for class_name in sorted(method_models.__all__):
        model = getattr(method_models, class_name)
        if class_name in {"TelegramMethod", "Request", "Response"}:
            continue
        methods[model.__api_method__] = {
            "returns": reader.expression(model.__returning__),
            "parameters": reader.fields(model),
        }
    return {
        "source": f"aiogram {aiogram.__version__}",
        "bot_api": aiogram.__api_version__,
        "methods": methods,
        "types": dict(sorted(reader.types.items())),
    }


class _AnnotationReader:
    """Converts annotations to the grammar, and collects every type it meets."""

    def __init__(self, models: Any) -> None:
        self._input_file: type = models.InputFile
        self._models = models
        self.types: dict[str, dict[str, str] | str] = {}

    def fields(self, model: Any) -> dict[str, str]:
        result: dict[str, str] = {}
        for name, field in model.model_fields.items():
            expression = self.expression(field.annotation)
            is_tag = typing.get_origin(field.annotation) is typing.Literal
            result[field.alias or name] = ("!" if field.is_required() or is_tag else "") + expression
        return result

    def expression(self, annotation: Any) -> str:
        if isinstance(annotation, str):  # a recursive alias refers to itself by name
            return self.expression(getattr(self._models, annotation))
        if type(annotation).__name__ == "TypeAliasType":
            return self._alias(annotation)
        origin = typing.get_origin(annotation)
        if origin is typing.Annotated:
            return self.expression(typing.get_args(annotation)[0])
        if origin is typing.Literal:
            return _one_of(_tag(value) for value in typing.get_args(annotation))
        if origin is list:
            return f"[{self.expression(typing.get_args(annotation)[0])}]"
        if origin in (typing.Union, types.UnionType):
            parts = [part for part in typing.get_args(annotation) if not _is_absent(part)]
            return _one_of(self.expression(part) for part in parts)
        if annotation in _SCALARS:
            return _SCALARS[annotation]
        if issubclass(annotation, self._input_file):
            return "InputFile"
        return self._reference(annotation)

    def _alias(self, alias: Any) -> str:
        name: str = alias.__name__.removesuffix("Union")
        if name not in self.types:
            self.types[name] = ""  # entered first: the alias may refer to itself
            self.types[name] = self.expression(alias.__value__)
        return name

    def _reference(self, model: Any) -> str:
        name: str = model.__name__
        if name not in self.types:
            self.types[name] = {}  # entered first: types refer to themselves
            self.types[name] = self.fields(model)
        return name


def _is_absent(part: Any) -> bool:
    """Return whether it is ``None`` or aiogram's "use the client's default" marker."""
    return part is types.NoneType or getattr(part, "__name__", "") == "Default"


def _tag(value: Any) -> str:
    return "Boolean" if isinstance(value, bool) else f"'{getattr(value, 'value', value)}'"


def _one_of(expressions: Iterable[str]) -> str:
    return " | ".join(dict.fromkeys(expressions))


def _to_json(table: dict[str, Any]) -> str:
    return json.dumps(table, ensure_ascii=False, indent=1, sort_keys=False) + "\n"


if __name__ == "__main__":
    main()
