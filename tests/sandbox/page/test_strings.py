"""The page's texts in all languages; `t` itself raises for a key that is missing."""

import pytest

from tests.sandbox.page.screen import Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")

GAPS = r"""async () => {
  const { en } = await import("/page/js/strings-en.js");
  const { ru } = await import("/page/js/strings-ru.js");
  const gaps = ([key, text]) => [key, [...new Set(JSON.stringify(text).match(/\{\w+\}/g))].sort()];
  return [en, ru].map((texts) => Object.fromEntries(Object.entries(texts).map(gaps)));
}"""


async def test_every_language_has_the_same_texts_with_the_same_gaps(stage: Stage) -> None:
    english, russian = await (await stage.screen()).page.evaluate(GAPS)
    assert len(english) > 100
    assert russian == english
