"""What holds for the repository as a whole: who may use what, and that its papers agree with its code."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.config import Settings
from bot.screens.help import Scope
from sandbox.control.registry import ACTIONS, QUESTIONS
from sandbox.methods import METHODS

ROOT = Path(__file__).parent.parent


def modules_of(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(path: Path) -> Iterator[tuple[str, str | None]]:
    """What a module imports, inside functions too: each module, and the name taken from it (or None)."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None, f"{named(path)}: relative import"
            yield from ((node.module, alias.name) for alias in node.names)


PURE = [path for path in modules_of("engine") if path.name not in ("__main__.py", "bench.py")]
WITH_VIEWS = sorted({*modules_of("bot")} - {*modules_of("bot/tables", "bot/storage")})


# ------------------------------------------------------------------------------------------- who may use what


@pytest.mark.parametrize("path", modules_of("engine"), ids=named)
def test_the_engine_uses_the_standard_library_alone(path: Path) -> None:
    allowed = sys.stdlib_module_names | {"engine"}
    assert {module for module, _ in imports(path) if module.split(".")[0] not in allowed} == set()


@pytest.mark.parametrize("path", PURE, ids=named)
def test_the_engine_has_no_clock_and_no_chance_of_its_own(path: Path) -> None:
    """A match is decided by its moves. Only the commands that people run may look at a clock or draw lots."""
    unwanted = {"asyncio", "datetime", "os", "secrets", "socket", "threading", "time", "uuid"}
    found = {module for module, _ in imports(path) if module.split(".")[0] in unwanted}
    found |= {f"random.{name}" for module, name in imports(path) if module == "random" and name != "Random"}
    assert found == set()


@pytest.mark.parametrize("path", WITH_VIEWS, ids=named)
def test_only_who_keeps_a_table_handles_a_whole_match(path: Path) -> None:
    """The import contracts guard `engine.state` and `engine.game`; this finds their names in `engine` too."""
    whole = {"Match", "Round", "apply", "legal", "new_match", "dump_match", "load_match"}
    assert {name for module, name in imports(path) if module == "engine"} & whole == set()


# --------------------------------------------------------------------------------- papers that fit the code


def test_every_setting_of_the_bot_is_explained_in_the_example_and_nothing_else_is() -> None:
    explained = re.findall(r"^#? ?([A-Z_]+)=", (ROOT / ".env.example").read_text("utf-8"), re.MULTILINE)
    assert sorted(explained) == sorted(name.upper() for name in Settings.model_fields)


def test_each_setting_in_the_example_has_its_default() -> None:
    """Copying the example and filling in the token changes nothing else."""
    text = (ROOT / ".env.example").read_text("utf-8")
    for name, field in Settings.model_fields.items():
        if field.is_required():
            continue
        (written,) = re.findall(rf"^#? ?{name.upper()}=(.*)$", text, re.MULTILINE)
        assert Settings.model_validate({"bot_token": "1:x", name: written}) == Settings(bot_token="1:x")


def test_the_locks_hold_every_dependency_with_hashes_and_name_no_index() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = {"requirements.txt": project["dependencies"]}
    wanted["requirements-dev.txt"] = project["dependencies"] + project["optional-dependencies"]["dev"]
    for lock, dependencies in wanted.items():
        text = (ROOT / lock).read_text("utf-8")
        pinned = set(re.findall(r"^([a-z0-9-]+)==", text, re.MULTILINE))
        assert {re.split(r"[^\w-]", dependency)[0].lower() for dependency in dependencies} <= pinned
        assert text.count("==") <= text.count("--hash=sha256:")
        assert re.findall(r"://|--(?:extra-)?index|--find-links", text) == []


def test_both_locks_pin_the_same_versions() -> None:
    runtime, everything = (
        set(re.findall(r"^\S+==\S+", (ROOT / lock).read_text("utf-8"), re.MULTILINE))
        for lock in ("requirements.txt", "requirements-dev.txt")
    )
    assert runtime <= everything


def test_every_command_of_the_makefile_is_described_and_every_one_that_a_paper_names_exists() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z][a-z-]*):", makefile, re.MULTILINE))
    described = set(re.findall(r"^([a-z][a-z-]*):.*## ", makefile, re.MULTILINE))
    assert targets == described
    for paper in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        assert set(re.findall(r"`make ([a-z][a-z-]*)", paper.read_text("utf-8"))) <= targets, paper.name


def test_every_command_of_the_bot_is_in_the_readme_and_no_other() -> None:
    table = re.findall(r"^\| (`/.*?) \|", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    offered = {name for scope in Scope for name in scope.value} | {"start"}
    assert sorted(re.findall(r"`/(\w+)`", " ".join(table))) == sorted(offered)


def test_every_file_named_in_contributing_exists() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    named = set(re.findall(r"`((?:bot|engine|sandbox|tests|docs|benchmarks)/[^`\s]*|\w[\w.]*\.md)`", text))
    assert {path for path in named if not any(ROOT.glob(path))} == set()
    section = text.partition("## What do I change for …")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 10
    assert all(re.search(r"`(?:bot|engine)/\S+\.(?:py|po)`", row) for row in rows)


def test_every_link_between_the_papers_leads_somewhere() -> None:
    for paper in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", paper.read_text("utf-8")):
            if "://" not in target:
                assert (paper.parent / target).exists(), f"{named(paper)} → {target}"


def test_every_route_and_method_of_the_sandbox_is_described_and_no_other() -> None:
    page = (ROOT / "docs/SANDBOX.md").read_text("utf-8")
    routes = {f"POST /control/{name}" for name in ACTIONS}
    routes |= {f"GET /control/{name}" for name in QUESTIONS}
    assert set(re.findall(r"`((?:POST|GET) /control/\w+)", page)) == routes
    verbs = "answer|delete|edit|get|leave|pin|send|set|unpin"
    assert set(re.findall(rf"`((?:{verbs})[A-Z]\w+)`", page)) == set(METHODS)
