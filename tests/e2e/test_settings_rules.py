"""Effects, transfers, limits and presets, chosen by pressing."""

from __future__ import annotations

import pytest

from bot.buttons import (
    AllowTransfer,
    ChooseEffect,
    ChoosePreset,
    ChooseRule,
    OpenSettings,
    ReadRules,
    StartMatch,
)
from bot.locales import Translator
from bot.screens.rule_texts import card_line, sentence
from bot.screens.settings_layout import EFFECT, page_of
from bot.screens.settings_rules import CHAPTERS
from engine import PRESETS, Effect, Rules
from tests.e2e.committed import CATALOGUES
from tests.e2e.menus import Menu
from tests.e2e.players import Club
from tests.e2e.running import Running
from tests.e2e.telegram import Message

pytestmark = pytest.mark.asyncio(loop_scope="module")

LANGUAGES = pytest.mark.parametrize("language", ["ru", "en"])


async def gathered(bot: Running, language: str) -> tuple[Club, Menu, Menu]:
    """A lobby under the classic rules, with the settings and the book of rules open beside it."""
    club = await Club.gathered(bot, 2, language=language)
    menu = await Menu.of_group(club)
    await menu.press(OpenSettings("presets"))
    await menu.press(ChoosePreset("classic"))
    assert await rules_of(club) == Rules()
    book = await Menu.opened(club, club.host, club.chat, "/rules", ReadRules)
    return club, menu, book


async def rules_of(club: Club) -> Rules:
    """The rules that the open lobby would play by, as they are committed."""
    return (await club.committed()).table.settings.rules


async def read(book: Menu, name: str, *told: str) -> None:
    """Open the chapter that speaks of a setting, anew if it is open, and find this in it."""
    chapter = next(chapter for chapter, names in CHAPTERS.items() if name in names)
    table = (await book.club.committed()).table.id
    if book.offers(ReadRules("", table)):
        await book.press(ReadRules("", table))
    await book.press(ReadRules(chapter, table))
    for text in told:
        await book.shows(text)


def told_of(name: str, rules: Rules, tr: Translator) -> str:
    """Return the rule book's sentence on a setting."""
    told = sentence(name, rules, tr)
    assert told is not None
    return told


def lobby_of(club: Club) -> Message:
    """The lobby's message."""
    lobby = club.find(StartMatch)
    assert lobby is not None
    return lobby


@LANGUAGES
async def test_every_effect_can_be_given_to_a_rank_and_to_a_card(bot: Running, language: str) -> None:
    club, menu, book = await gathered(bot, language)
    tr = CATALOGUES[language]
    await menu.turn_to_rule("effects")
    await menu.press(OpenSettings(page_of(EFFECT, "9")))
    for effect in (*list(Effect)[1:], Effect.NONE):
        await menu.press(ChooseEffect("9", effect))
        assert await rules_of(club) == Rules.from_document({"effects": {"9": effect.value}})
        if effect is not Effect.NONE:
            await read(book, "effects", card_line("9", effect, tr))
    await menu.press(OpenSettings(page_of(EFFECT, "9H")))
    await menu.press(ChooseEffect("9H", Effect.REVERSE))
    assert await rules_of(club) == Rules.from_document({"effects": {"9H": "reverse"}})
    await read(book, "effects", card_line("9H", Effect.REVERSE, tr))


@LANGUAGES
async def test_every_rank_with_an_attack_can_be_passed_on(bot: Running, language: str) -> None:
    club, menu, book = await gathered(bot, language)
    tr = CATALOGUES[language]
    await menu.turn_to_rule("transfer")
    allowed: list[str] = []
    for rank in ("6", "7", "K", "A"):
        await menu.press(AllowTransfer(rank, True))
        allowed.append(rank)
        rules = Rules.from_document({"transfer": allowed})
        assert await rules_of(club) == rules
        await read(book, "transfer", told_of("transfer", rules, tr))
    for rank in allowed:
        await menu.press(AllowTransfer(rank, False))
    assert await rules_of(club) == Rules()
    assert not menu.offers(AllowTransfer("9", True))


@LANGUAGES
async def test_the_limit_is_one_of_the_usual_numbers_or_a_step_away(bot: Running, language: str) -> None:
    club, menu, book = await gathered(bot, language)
    tr = CATALOGUES[language]
    await menu.turn_to_rule("limit")
    for limit in (51, 108, 151, 201, 301, 501, 1000, 101, 111, 110, 120, 119, 109):
        await menu.press(ChooseRule("limit", str(limit)))
        assert await rules_of(club) == Rules.from_document({"limit": limit})
    await read(book, "limit", told_of("limit", await rules_of(club), tr))
    await menu.press(ChooseRule("limit", "51"))
    await menu.press(ChooseRule("limit", "50"))
    await menu.until_offered(ChooseRule("limit", "60"))
    assert not menu.offers(ChooseRule("limit", "49"))


async def test_the_book_tells_what_the_match_is_played_by_wherever_it_is_read(bot: Running) -> None:
    """In private it names the table; and the next match's rules, chosen meanwhile, are not this one's."""
    club, menu, _ = await gathered(bot, "ru")
    await menu.turn_to_rule("hand_size")
    await menu.press(ChooseRule("hand_size", "5"))
    await club.deal()
    played = (await club.committed()).table.settings.rules
    menu = await Menu.of_group(club)
    await menu.turn_to_rule("hand_size")
    await menu.press(ChooseRule("hand_size", "6"))
    own = await Menu.opened(club, club.host, club.host.user_id, "/rules", ReadRules)
    assert "Книжный клуб" in own.now.text
    here = await Menu.opened(club, club.host, club.chat, "/rules", ReadRules)
    assert "Книжный клуб" not in here.now.text
    for book in (own, here):
        await read(book, "hand_size", told_of("hand_size", played, CATALOGUES["ru"]))


@LANGUAGES
async def test_every_preset_can_be_chosen(bot: Running, language: str) -> None:
    club, menu, _ = await gathered(bot, language)
    for preset in PRESETS:
        answer = await menu.press(ChoosePreset(preset))
        assert answer.text == f"✅ {CATALOGUES[language].plain(f'preset.{preset}')}"
        assert await rules_of(club) == Rules.from_document({"preset": preset})


async def test_what_is_chosen_shows_at_once_in_the_lobby(bot: Running) -> None:
    club, menu, _ = await gathered(bot, "ru")
    lobby = lobby_of(club)
    await menu.turn_to_rule("deck")
    await menu.press(ChooseRule("deck", "52"))
    changed = await club.until(
        lambda: now if "52 карты" in (now := lobby_of(club)).text else None, "the lobby shows it"
    )
    assert changed.message_id == lobby.message_id
    assert "Классика + 1 изменение" in changed.text
    assert "2 из 8" in changed.text
