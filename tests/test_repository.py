"""Checks of the repository as a whole: docs, settings and lock files agree with the code."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from bot.config import Settings
from bot.screens.help import Scope
from sandbox.control.registry import ACTIONS, QUESTIONS
from sandbox.methods import METHODS
from tests.patience import PATIENCE

ROOT = Path(__file__).parent.parent
OURS = ("bot", "engine", "sandbox", "tests", "docs", "benchmarks")


def test_the_engine_needs_only_the_standard_library() -> None:
    """`-S` hides all installed packages."""
    code = """
import pkgutil, engine
for module in pkgutil.walk_packages(engine.__path__, "engine."):
    __import__(module.name)
"""
    subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, check=True)


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


def test_tests_wait_as_long_as_they_may_run(pytestconfig: pytest.Config) -> None:
    assert 0.8 < PATIENCE / float(pytestconfig.getini("timeout")) < 1


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


@pytest.mark.parametrize("paper", [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")], ids=lambda it: it.name)
def test_every_file_that_a_paper_names_exists(paper: Path) -> None:
    """A path may leave out its first folders; `deal.py` is a file that the reader saves."""
    there = [*ROOT.iterdir(), *(path for folder in OURS for path in (ROOT / folder).rglob("*"))]
    files = r"[\w.*][^`\s]*\.(?:py|md|po|jsonl?|toml|txt|ya?ml|js|css|html|svg|jpg|sh|example)"
    told = set(re.findall(rf"`({files}|(?:{'|'.join(OURS)})/[^`\s]*)`", paper.read_text("utf-8")))
    assert {it for it in told - {"deal.py"} if not any(path.match(it) for path in there)} == set()


def test_contributing_says_where_to_look_for_each_change() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    section = text.partition("## What do I change for …")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 10
    assert all(re.search(r"`(?:bot|engine)/\S+\.(?:py|po)`", row) for row in rows)


def test_every_link_between_the_papers_leads_somewhere() -> None:
    for paper in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", paper.read_text("utf-8")):
            if "://" not in target:
                assert (paper.parent / target).exists(), f"{paper.name} → {target}"


def test_every_route_and_method_of_the_sandbox_is_described_and_no_other() -> None:
    page = (ROOT / "docs/SANDBOX.md").read_text("utf-8")
    routes = {f"POST /control/{name}" for name in ACTIONS}
    routes |= {f"GET /control/{name}" for name in QUESTIONS}
    assert set(re.findall(r"`((?:POST|GET) /control/\w+)", page)) == routes
    verbs = "answer|delete|edit|get|leave|pin|send|set|unpin"
    assert set(re.findall(rf"`((?:{verbs})[A-Z]\w+)`", page)) == set(METHODS)
