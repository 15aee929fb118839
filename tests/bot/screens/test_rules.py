"""The rule book: every setting changes a sentence in every language; answers to questions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bot.buttons import ReadRules, decode
from bot.locales import Translator
from bot.screens.questions import CardTopic, Chapter, topic_of
from bot.screens.rules import answer, rules
from engine import PRESETS, RANKS, SETTINGS, SUITS, Effect, Rules, SettingKind
from tests.bot.screens.scenes import EN, LANGUAGES, RU
from tests.bot.screens.telegram_html import MESSAGE_UNITS, shown, units

BOT = "sto_odno_bot"

VALUES: dict[str, list[Any]] = {
    "effects": [
        {},
        *({"9": effect.value} for effect in Effect if effect is not Effect.NONE),
        {"7H": "none"},
        {"8": "none"},
    ],
    "transfer": [[], ["6"], ["7"], ["6", "7"], ["A"]],
    "limit": [101, 50, 108, 1000],
}
"""The values tried of the settings that are not a choice among a few."""


def book(played: Rules, tr: Translator) -> str:
    """All its pages but the list of differences."""
    pages = [rules(played, tr, BOT, chapter) for chapter in ("", *Chapter) if chapter != Chapter.DIFFERENCES]
    return "\n".join(shown(page.text) for page in pages)


def values_of(name: str) -> list[Any]:
    return VALUES[name] if name in VALUES else list(SETTINGS[name].values)


def test_every_setting_has_values_to_try() -> None:
    assert {
        name for name, setting in SETTINGS.items() if setting.kind is not SettingKind.CHOICE
    } == VALUES.keys()


@LANGUAGES
@pytest.mark.parametrize("name", SETTINGS)
def test_every_value_of_a_setting_makes_another_book(name: str, tr: Translator) -> None:
    books = [book(Rules.from_document({name: value}), tr) for value in values_of(name)]
    assert len(set(books)) == len(books)


@LANGUAGES
@pytest.mark.parametrize("name", SETTINGS)
def test_what_differs_from_the_classic_game_is_listed(name: str, tr: Translator) -> None:
    classic = shown(rules(Rules(), tr, BOT, "differences").text)
    lists = [
        shown(rules(Rules.from_document({name: value}), tr, BOT, "differences").text)
        for value in values_of(name)
        if Rules.from_document({name: value}) != Rules()
    ]
    assert classic not in lists
    assert len(set(lists)) == len(lists)
    assert all("• " in text for text in lists)


def test_a_changed_sentence_reads_so() -> None:
    classic, one = Rules(), Rules.from_document({"draw": "one_then_pass"})
    assert "Нечем ходить — берут, пока не придёт подходящая карта, и сразу кладут её." in book(classic, RU)
    assert "Нечем ходить — берут одну карту, и ход переходит в любом случае." in book(one, RU)
    assert "Nothing to play: draw until a card fits, and play it at once." in book(classic, EN)
    assert "Nothing to play: draw one card, and your turn ends either way." in book(one, EN)


def test_what_cannot_matter_under_the_other_settings_is_left_out() -> None:
    nothing_covers = Rules.from_document({"effects": {"8": "none"}})
    assert "акрыть" not in book(nothing_covers, RU)
    nothing_is_wild = Rules.from_document({"effects": {"Q": "none"}})
    assert "заказ" not in book(nothing_is_wild, RU)
    assert "дамой" not in shown(rules(nothing_is_wild, RU, BOT, "cards").text)


def test_single_cards_stand_beside_their_rank() -> None:
    played = Rules.from_document({"preset": "cover_six"})
    page = shown(rules(played, RU, BOT, "cards").text).split("\n")
    assert "• К — следующий берёт 4 карты, но ход не теряет." in page
    assert "• К♠️ — следующий берёт 5 карт и пропускает ход." in page
    assert page.index("• 7 — следующий берёт 2 карты и пропускает ход.") < page.index(
        "• 7♠️ — следующий берёт 4 карты и пропускает ход."
    )


def test_the_table_of_points_follows_the_rules() -> None:
    heavy = shown(rules(Rules.from_document({"points": "heavy"}), RU, BOT, "points").text)
    assert "\n Д  20\n" in heavy
    assert "• Д♠️ — 40\n• К♠️ — 80" in heavy
    assert "\n 9   0\n" in shown(rules(Rules.from_document({"points": "nine_zero"}), RU, BOT, "points").text)
    assert "\n 2   2\n" in shown(rules(Rules.from_document({"deck": 52}), RU, BOT, "points").text)


@pytest.mark.parametrize(
    ("limit", "text"), [(101, "Больше 101 очка"), (108, "Больше 108 очков"), (121, "Больше 121 очка")]
)
def test_points_above_the_limit_stand_in_the_right_case(limit: int, text: str) -> None:
    assert text in shown(rules(Rules.from_document({"limit": limit}), RU, BOT, "match").text)


def test_the_idea_fits_four_lines() -> None:
    page = shown(rules(Rules(), RU, BOT).text).split("\n")
    assert [line[:2] for line in page if line[:1].isdigit()] == ["1.", "2.", "3.", "4."]


def test_the_book_is_turned_by_buttons_that_keep_to_the_table() -> None:
    first = rules(Rules(), RU, BOT, table="k3f9x2")
    opened = [decode(button.data or "") for row in first.rows for button in row]
    assert opened == [ReadRules(chapter.value, "k3f9x2") for chapter in Chapter]
    page = rules(Rules(), RU, BOT, "cards", table="k3f9x2")
    assert [decode(button.data or "") for row in page.rows for button in row] == [
        ReadRules("turn", "k3f9x2"),
        ReadRules("", "k3f9x2"),
    ]
    last = rules(Rules(), RU, BOT, "differences", table="k3f9x2")
    assert [decode(button.data or "") for row in last.rows for button in row] == [ReadRules("", "k3f9x2")]


def test_a_chapter_that_does_not_exist_opens_the_first_page() -> None:
    assert rules(Rules(), RU, BOT, "nonsense") == rules(Rules(), RU, BOT)


def all_presets_and_extremes() -> Iterator[Rules]:
    for preset in PRESETS:
        yield Rules.from_document({"preset": preset})
    codes = [rank + suit for rank in RANKS for suit in SUITS]
    effects = [effect.value for effect in Effect]
    everything = {code: effects[place % len(effects)] for place, code in enumerate(codes)}
    yield Rules.from_document({"deck": 52, "effects": everything, "transfer": list(RANKS), "points": "heavy"})


@LANGUAGES
def test_every_page_fits_a_message(tr: Translator) -> None:
    for played in all_presets_and_extremes():
        for chapter in ("", *Chapter):
            assert units(shown(rules(played, tr, BOT, chapter).text)) <= MESSAGE_UNITS


Q = RANKS.index("Q")


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("8", CardTopic(RANKS.index("8"), None)),
        ("восьмёрка", CardTopic(RANKS.index("8"), None)),
        ("Восьмерку", CardTopic(RANKS.index("8"), None)),
        ("про восьмёрку", CardTopic(RANKS.index("8"), None)),
        ("10", CardTopic(RANKS.index("10"), None)),
        ("дама", CardTopic(Q, None)),
        ("ДАМЫ", CardTopic(Q, None)),
        ("Д", CardTopic(Q, None)),
        ("q", CardTopic(Q, None)),
        ("queen", CardTopic(Q, None)),
        ("QS", CardTopic(Q, 0)),
        ("дама пик", CardTopic(Q, 0)),
        ("Д♠️", CardTopic(Q, 0)),
        ("♠ дама", CardTopic(Q, 0)),
        ("queen of spades", CardTopic(Q, 0)),
        ("король червей", CardTopic(RANKS.index("K"), 1)),
        ("туз бубён", CardTopic(RANKS.index("A"), 2)),
        ("семёрка треф", CardTopic(RANKS.index("7"), 3)),
        ("очки", Chapter.POINTS),
        ("раздача", Chapter.DEAL),
        ("сколько брать", Chapter.DRAW),
        ("особые карты", Chapter.CARDS),
        ("", None),
        ("80", None),
        ("что в ней", None),
        ("🙂", None),
    ],
)
def test_questions_are_understood(question: str, topic: CardTopic | Chapter | None) -> None:
    assert topic_of(question, RU) == topic


@pytest.mark.parametrize("tr", [RU, EN])
@pytest.mark.parametrize("question", ["8", "восьмёрка", "eight", "8♣️"])
def test_a_card_is_asked_for_in_any_language(question: str, tr: Translator) -> None:
    assert tr.plain("effect.cover") in shown(answer(Rules(), tr, BOT, question).text)


def test_an_answer_tells_all_that_concerns_a_card() -> None:
    played = Rules.from_document({"preset": "game_108", "lone_queen": "20_40"})
    assert shown(answer(played, RU, BOT, "дама").text).split("\n") == [
        "Дама",
        "",
        "• Д — ложится на любую карту и заказывает масть.",
        "• Пока масть заказана, подходит только она или снова дама.",
        "• Единственная карта на руках — дама: 20 очков, Д♠️ — 40.",
        "• Раунд закончен дамой — победитель списывает 20 очков, Д♠️ — 40, К♠️ — 80.",
        "• Останется на руках: Д♠️ — 40, Д♥️ — 20, Д♦️ — 20, Д♣️ — 20.",
    ]
    assert "Штраф можно перевести: шестёрка и семёрка." in answer(played, RU, BOT, "7").text
    assert "Перевести штраф на соседа нельзя" in answer(played, RU, BOT, "К♠️").text


def test_an_ordinary_card_is_called_so() -> None:
    assert shown(answer(Rules(), RU, BOT, "9").text).split("\n")[2:] == [
        "• 9 — обычная карта.",
        "• Останется на руках — 9 очков.",
    ]


@pytest.mark.parametrize("question", ["joker", "2", "<b>&"])
def test_what_is_not_in_the_rules_is_said_with_the_contents(question: str) -> None:
    screen = answer(Rules(), RU, BOT, question)
    assert shown(screen.text).startswith(f"О «{question}» в правилах ничего нет.")
    assert screen.rows == rules(Rules(), RU, BOT).rows


def test_a_two_is_in_the_rules_of_a_deck_that_has_it() -> None:
    assert shown(answer(Rules.from_document({"deck": 52}), RU, BOT, "2").text).startswith("Двойка")
