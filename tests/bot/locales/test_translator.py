"""The translator: HTML and plain text, cards and lists."""

from __future__ import annotations

import pytest

from bot.locales import Html, Translator, load_catalogues
from engine import parse_card

RU, EN = (load_catalogues()[language] for language in ("ru", "en"))


def test_html_messages_escape_their_parameters() -> None:
    shown = EN("language.chosen")
    assert isinstance(shown, Html)
    assert EN("lobby.again", bot="<b>&") == "New table: /game@&lt;b&gt;&amp;"
    assert RU.plural("hand.out", 2, group="<i>") == "✖️ Вылет: 2 очка · &lt;i&gt;"


def test_html_in_html_is_not_escaped_twice() -> None:
    assert EN("turn.deadline", time=Html("<b>now</b>")) == "⏳ until <b>now</b>"


def test_plain_messages_escape_nothing_and_refuse_html() -> None:
    assert EN.plain("told.leaves", name="<Tom & Jerry>") == "<Tom & Jerry> leaves the match"
    with pytest.raises(TypeError, match="HTML in plain text"):
        EN.plain("told.leaves", name=Html("&lt;"))


def test_braces_in_a_name_are_just_braces() -> None:
    assert RU.plain("told.leaves", name="{name} {0} {") == "{name} {0} { выходит из партии"


def test_negative_numbers_have_a_true_minus() -> None:
    assert RU.plain("hand.points_same", total=-20) == "Ваши очки: −20"


def test_an_unknown_key_is_an_error_that_names_it() -> None:
    with pytest.raises(KeyError, match=r"ru\.po has no 'no\.such'"):
        RU("no.such")


@pytest.mark.parametrize(
    ("code", "russian", "english"),
    [("QS", "Д♠️", "Q♠️"), ("10H", "10♥️", "10♥️"), ("JD", "В♦️", "J♦️"), ("KC", "К♣️", "K♣️"), ("AS", "Т♠️", "A♠️")],
)
def test_cards_are_written_as_each_language_does(code: str, russian: str, english: str) -> None:
    card = parse_card(code)
    assert (RU.card(card), EN.card(card)) == (russian, english)


@pytest.mark.parametrize(
    ("items", "listed"), [([], ""), (["а"], "а"), (["а", "б"], "а и б"), (["а", "б", "в"], "а, б и в")]
)
def test_lists_end_in_and(items: list[str], listed: str) -> None:
    assert RU.all_of(items) == listed


def test_lists_of_choices_end_in_or() -> None:
    assert EN.any_of(["♥️", "a nine", "a queen"]) == "♥️, a nine or a queen"


@pytest.mark.parametrize("words", [RU, EN])
def test_whoever_has_no_visible_name_gets_one(words: Translator) -> None:
    assert words.name("\u3164") == words.plain("name.unseen")
    assert words.title("") == words.plain("title.unseen")
