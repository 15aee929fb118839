"""The page's words: complete in every language, and none is asked for that is not there."""

import re
from pathlib import Path

import sandbox

SCRIPTS = Path(sandbox.__file__).with_name("page") / "js"
ENTRY = re.compile(r'^  (\w+):\s+(?:"(.*?)"|\{(.*?)\}),$', re.MULTILINE | re.DOTALL)


def words(language: str) -> dict[str, str]:
    """A language's words by key; plural forms as they are written."""
    text = (SCRIPTS / f"strings-{language}.js").read_text()
    return {key: single or plural for key, single, plural in ENTRY.findall(text)}


def test_every_language_has_the_same_words() -> None:
    assert words("en").keys() == words("ru").keys()


def test_every_word_has_the_same_gaps_in_every_language() -> None:
    gap = re.compile(r"\{\w+\}")
    english, russian = words("en"), words("ru")
    assert {
        key for key in english if set(gap.findall(english[key])) != set(gap.findall(russian[key]))
    } == set()


def test_every_word_that_is_asked_for_exists_and_every_word_is_asked_for() -> None:
    source = "\n".join(
        path.read_text() for path in SCRIPTS.glob("*.js") if not path.name.startswith("strings-")
    )
    asked = set(re.findall(r'\bt\("(\w+)"', source))
    prefixes = tuple(re.findall(r"\bt\(`(\w+_)\$\{", source))
    quoted = set(re.findall(r'"(\w+)"', source))
    known = set(words("en"))
    assert asked <= known
    assert {
        key for key in known if key not in asked and key not in quoted and not key.startswith(prefixes)
    } == set()
