"""The examples in the engine's docstrings: each public class has one, and each runs as shown."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import engine
import engine.players

MODULES = [found.name for found in pkgutil.walk_packages(engine.__path__, "engine.")]
PUBLIC_CLASSES = [
    public
    for package in (engine, engine.players)
    for public in map(vars(package).get, package.__all__)
    if isinstance(public, type)
]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_examples_run_as_shown(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


@pytest.mark.parametrize("public", PUBLIC_CLASSES)
def test_a_public_class_has_an_example(public: type) -> None:
    assert doctest.DocTestParser().get_examples(public.__doc__ or "")
