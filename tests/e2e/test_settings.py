"""A group's settings: permissions, pace, cut, language, saved and shared rules."""

from __future__ import annotations

import pytest

from bot.buttons import (
    AskDeleteRuleSet,
    Choose,
    ChoosePreset,
    ChooseRule,
    CloseSettings,
    DeleteRuleSet,
    HouseRules,
    LeaveMatch,
    OpenRuleSet,
    OpenSettings,
    PlayAlone,
    PlayByRules,
    ReadRules,
    Rematch,
    SetLanguage,
    StartMatch,
    UseRuleSet,
)
from engine import Rules
from engine.players import Level
from tests.e2e.committed import CATALOGUES
from tests.e2e.menus import Menu, newer
from tests.e2e.players import Club, Person, button_for, data_of
from tests.e2e.running import Running
from tests.e2e.telegram import Message
from tests.e2e.wording import RUSSIAN, beginning, told

pytestmark = pytest.mark.asyncio(loop_scope="module")

LANGUAGES = pytest.mark.parametrize("language", ["ru", "en"])
DECK_52 = ChooseRule("deck", "52")
CUT = Choose("cut", True)


def lobby_of(club: Club) -> Message:
    """The open lobby's message."""
    lobby = club.find(StartMatch)
    assert lobby is not None
    return lobby


async def lobby_says(club: Club, text: str) -> None:
    """Wait until this stands in the lobby's message."""
    await club.until(lambda: text in lobby_of(club).text or None, f"the lobby says {text!r}")


async def rules_of(club: Club) -> Rules:
    """The rules of the table that is there, as they are committed."""
    return (await club.committed()).table.settings.rules


async def turned_away(club: Club, person: Person, command: str, key: str) -> None:
    """Send a command in the group and expect this refusal."""
    await club.ask(person, club.chat, command, beginning(key, name=club.host.name))


# ------------------------------------------------------------------------------------------- who may choose


async def test_the_lobbys_button_leads_the_host_to_the_settings_and_others_to_the_book(bot: Running) -> None:
    club = await Club.gathered(bot, 2, strangers=1)
    lobby = lobby_of(club)
    await club.people[1].press(lobby, button_for(lobby, HouseRules))
    book = await club.until(lambda: newer(club, club.chat, lobby.message_id, ReadRules), "the book is open")
    assert book.text.startswith("📖")
    for person in (club.host, club.strangers[0]):
        await person.press(lobby, button_for(lobby, HouseRules))
        menu = await club.until(
            lambda: newer(club, club.chat, book.message_id, OpenSettings), "the settings are open"
        )
        assert RUSSIAN.plain("answer.editors.host") in menu.text


async def test_the_host_and_admins_choose_and_nobody_else(bot: Running) -> None:
    club = await Club.gathered(bot, 2, strangers=2)
    visitor, admin = club.people[1], club.strangers[1]
    await turned_away(club, visitor, "/settings", "not_host.named")
    menu = await Menu.of_group(club)
    await menu.turn_to_rule("deck")
    async with club.unchanged():
        for person in (visitor, club.strangers[0]):
            for asked in (DECK_52, OpenSettings(""), CUT, CloseSettings(), SetLanguage("en")):
                assert told(await person.forge(menu.now, asked), "not_host.named", name=club.host.name), asked
    assert (await menu.press(DECK_52)).text == "✅ 52 карты"
    await Menu(club, admin, club.chat, menu.message_id).press(ChooseRule("deck", "72"))
    assert (await rules_of(club)).deck == 72


async def test_rights_are_those_of_the_moment_of_the_press(bot: Running) -> None:
    """The menu was opened by an admin who is none any more, and by a host who has got up.

    Who has become or ceased to be an admin Telegram tells a bot that is one.
    """
    club = await Club.gathered(bot, 2, strangers=1)
    await bot.telegram.set_member(club.chat, "bot", "administrator")
    menu = await Menu.of_group(club)
    await menu.turn_to_rule("deck")
    await club.host.send(club.chat, "/leave")
    await club.until(lambda: club.lobby_lists(club.people[1:]), "the host has got up")
    assert told(await club.host.forge(menu.now, DECK_52), "not_host.named", name=club.people[1].name)
    assert (await club.people[1].forge(menu.now, DECK_52)).text == "✅ 52 карты"
    await bot.telegram.set_member(club.chat, club.host.user_id, "administrator")
    assert (await club.host.forge(menu.now, ChooseRule("deck", "36"))).text == "✅ 36 карт"
    await bot.telegram.set_member(club.chat, club.host.user_id, "member")
    assert told(await club.host.forge(menu.now, DECK_52), "not_host.named", name=club.people[1].name)


@LANGUAGES
async def test_admins_say_who_else_may_choose(bot: Running, language: str) -> None:
    words = CATALOGUES[language]
    club = await Club.gathered(bot, 2, strangers=1, language=language)
    visitor, admin = club.people[1], club.strangers[0]
    menu = await Menu.of_group(club)
    await menu.press(OpenSettings("editors"))
    await menu.until_offered(Choose("editors", "everybody"))
    answer = await club.host.forge(menu.now, Choose("editors", "everybody"))
    assert answer.text == words.plain("refusal.not_admin")
    of_admin = Menu(club, admin, club.chat, menu.message_id)
    await of_admin.press(Choose("editors", "everybody"))
    assert (await visitor.forge(menu.now, DECK_52)).text == f"✅ {words.plain('answer.deck.52')}"
    await of_admin.press(Choose("editors", "admins"))
    for person in (visitor, club.host):
        answer = await person.forge(menu.now, ChooseRule("deck", "72"))
        assert answer.text == words.plain("refusal.not_admin")
    assert (await rules_of(club)).deck == 52


async def test_a_page_that_is_asked_for_under_another_message_comes_as_a_message_of_its_own(
    bot: Running,
) -> None:
    club = await Club.dealt(bot, 2)
    board = club.board
    assert (await club.host.forge(board, OpenSettings("pace"))).answered
    await club.until(lambda: newer(club, club.chat, board.message_id, Choose), "the page is there")
    assert club.board == board


# ------------------------------------------------------------------------------- what cannot be chosen now


@LANGUAGES
async def test_a_running_match_keeps_its_rules_and_the_next_one_takes_the_new(
    bot: Running, language: str
) -> None:
    words = CATALOGUES[language]
    club = await Club.dealt(bot, 2, strangers=1, language=language)
    menu = await Menu.of_group(club)
    assert words.plain("settings.playing") in menu.now.text
    before = await club.settled()
    await menu.turn_to_rule("deck")
    answer = await menu.press(DECK_52)
    assert answer.text == words.plain("done.chosen_later", what=words.plain("answer.deck.52"))
    assert (await club.settled()).table == before.table
    await club.host.send(club.chat, "/stop")
    question = await club.until(lambda: newest_with(club, words.plain("button.stop_yes")), "it is asked")
    await club.host.press(question, words.plain("button.stop_yes"))
    end = await club.message_with(Rematch)
    await club.host.press(end, button_for(end, Rematch))
    await club.until(lambda: club.lobby_lists(club.people), "the rematch gathers")
    assert (await rules_of(club)).deck == 52


# ------------------------------------------------------------------------------ pace, cut, language, the end


@LANGUAGES
async def test_pace_and_cut_are_the_groups_and_its_lobbys_at_once(bot: Running, language: str) -> None:
    words = CATALOGUES[language]
    club = await Club.gathered(bot, 2, language=language)
    menu = await Menu.of_group(club)
    await menu.press(OpenSettings("pace"))
    for seconds, shown in ((30, "30"), (120, "2"), (86_400, "1"), (None, words.plain("lobby.no_clock"))):
        await menu.press(Choose("pace", seconds))
        assert (await club.committed()).table.settings.turn_seconds == seconds
        await lobby_says(club, shown)
    await menu.turn_to_first()
    await menu.press(OpenSettings("cut"))
    await menu.press(CUT)
    assert (await club.committed()).table.settings.cut
    await menu.press(Choose("cut", False))
    assert not (await club.committed()).table.settings.cut
    await menu.turn_to_first()
    await menu.press(OpenSettings("talk"))
    await menu.press(Choose("talk", False))
    assert not (await club.committed()).table.settings.talk


async def test_the_groups_language_is_chosen_in_the_menu_which_goes_on_in_it(bot: Running) -> None:
    club = await Club.gathered(bot, 2)
    menu = await Menu.of_group(club)
    await menu.press(OpenSettings("language"))
    assert (await menu.press(SetLanguage("en"))).text == CATALOGUES["en"].plain("done.language")
    await menu.shows(CATALOGUES["en"].plain("language.ask"))
    await lobby_says(club, "At the table")
    await menu.turn_to_first()
    await menu.shows("Classic")


async def test_the_menu_is_one_message_and_can_be_put_away(bot: Running) -> None:
    club = await Club.gathered(bot, 2)
    first = await Menu.of_group(club)
    second = await Menu.of_group(club)
    await club.until(lambda: first.find() is None or None, "the first menu is gone")
    await second.turn_to_rule("limit")
    await second.turn_to_first()
    await second.press(CloseSettings())
    await club.until(lambda: second.find() is None or None, "the second menu is gone")


# ------------------------------------------------------------------------------------ saved and shared rules


@LANGUAGES
async def test_rules_are_saved_under_a_name_and_played_by_again(bot: Running, language: str) -> None:
    words = CATALOGUES[language]
    club = await Club.gathered(bot, 2, language=language)
    menu = await Menu.of_group(club)
    await menu.turn_to_rule("deck")
    await menu.press(DECK_52)
    saved = await saved_as(club, "Дача <52>")
    assert "Дача <52>" in saved.now.text
    token = token_of(saved)
    await saved.turn_to_first()
    await saved.press(OpenSettings("presets"))
    await saved.press(ChoosePreset("classic"))
    assert (await rules_of(club)).deck == 36
    await saved.turn_to_first()
    await saved.press(OpenSettings("saved"))
    await saved.press(OpenRuleSet(token))
    assert (await saved.press(UseRuleSet(token))).text == "✅ Дача <52>"
    assert (await rules_of(club)).deck == 52
    await saved.press(OpenSettings("saved"))
    await saved.press(OpenRuleSet(token))
    await saved.press(AskDeleteRuleSet(token))
    assert (await saved.press(DeleteRuleSet(token))).text == words.plain("done.deleted")
    await saved.shows(words.plain("settings.saved_none"))
    answer = await club.host.forge(saved.now, UseRuleSet(token))
    assert answer.text == words.plain("refusal.rules_gone")


@LANGUAGES
async def test_rules_travel_by_a_link_into_another_group(bot: Running, language: str) -> None:
    words = CATALOGUES[language]
    here = await Club.gathered(bot, 2, language=language)
    there = await Club.gathered(bot, 3, language=language)
    menu = await Menu.of_group(here)
    await menu.press(OpenSettings("presets"))
    await menu.press(ChoosePreset("cover_six"))
    token = token_of(await saved_as(here, "Дача"))
    traveller, host = there.people[2], there.host
    await traveller.start(f"rules-{token}")
    link = await there.until(
        lambda: next(
            (it for it in there.running.telegram.newest(traveller.user_id) if "Дача" in it.text), None
        ),
        "he sees the rules",
    )
    assert link.buttons[0].url == f"https://t.me/sandbox_bot?startgroup=rules-{token}"
    offer = await Menu.opened(there, traveller, there.chat, f"/start@sandbox_bot rules-{token}", UseRuleSet)
    assert words.plain("preset.cover_six") in offer.now.text
    assert (await offer.press(UseRuleSet(token))).text == words.plain(
        "refusal.not_host.named", name=host.name
    )
    await Menu(there, host, there.chat, offer.message_id).press(UseRuleSet(token))
    assert await rules_of(there) == Rules.from_document({"preset": "cover_six"})
    await lobby_says(there, words.plain("preset.cover_six"))
    answer = await host.forge(offer.now, OpenRuleSet(token))
    assert answer.text == words.plain("refusal.rules_gone"), "it is not theirs to delete"


async def test_rules_that_came_by_a_link_can_be_played_against_computers(bot: Running) -> None:
    club = await Club.gathered(bot, 1)
    person = club.host
    menu = await Menu.of_group(club)
    await menu.turn_to_rule("hand_size")
    await menu.press(ChooseRule("hand_size", "8"))
    saved = await saved_as(club, "По восемь")
    rules, token = await rules_of(club), token_of(saved)
    alone = Club(bot, person.user_id, [person], [])
    assert (await person.forge(person.newest, PlayAlone(3, "easy", "classic"))).answered
    four = (await alone.settled()).table
    assert len(four.players) == 4
    assert (await person.forge(person.newest, LeaveMatch(four.id, person.user_id))).answered
    link = await Menu.opened(alone, person, person.user_id, f"/start rules-{token}", PlayByRules)
    assert (await link.press(PlayByRules(token))).text is None
    table = (await alone.settled()).table
    assert table.settings.rules == rules
    assert [player.level for player in table.players] == [None, Level.EASY, Level.EASY], (
        "there are three seats"
    )
    assert told(await link.press(PlayByRules(token)), "match_running")
    assert told(await person.forge(saved.now, PlayByRules(token)), "table_gone"), "in the group"
    assert told(await person.forge(link.now, PlayByRules("0000000000")), "rules_gone")


async def test_a_name_is_asked_for_and_too_many_are_too_many(bot: Running) -> None:
    club = await Club.gathered(bot, 2)
    await turned_away(club, club.host, "/settings save", "no_name")
    for n in range(12):
        await saved_as(club, f"Правила {n}")
    await turned_away(club, club.host, "/settings сохранить Ещё одни", "too_many_rule_sets")
    await turned_away(club, club.people[1], "/settings save Мои", "not_host.named")


async def test_a_link_to_rules_that_never_were_is_told_so(bot: Running) -> None:
    club = await Club.gathered(bot, 2)
    await club.ask(club.host, club.host.user_id, "/start rules-0000000000", beginning("rules_gone"))
    await club.ask(club.host, club.chat, "/start@sandbox_bot rules-", beginning("rules_gone"))


# ------------------------------------------------------------------------------------------------- helpers


async def saved_as(club: Club, name: str) -> Menu:
    """The host saves the group's rules under a name, and is shown them."""
    return await Menu.opened(club, club.host, club.chat, f"/settings save {name}", UseRuleSet)


def token_of(saved: Menu) -> str:
    """Return the token of the shown rules."""
    found = [data_of(button) for button in saved.now.buttons]
    return next(asked.token for asked in found if isinstance(asked, UseRuleSet))


def newest_with(club: Club, button: str) -> Message | None:
    """The group's newest message with this button."""
    newest = club.running.telegram.newest(club.chat)
    return next((it for it in newest if button in it.button_texts), None)
