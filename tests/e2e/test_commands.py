"""Commands that show something: where they may be typed, and what they leave in the chat.

Those that seat, unseat and stop are in `test_seats`.
"""

from __future__ import annotations

import pytest

from bot.buttons import LeaveMatch, ReadRules, Rematch, SetLanguage, Sit, StartMatch, StopMatch
from tests.e2e.leaks import cards_on
from tests.e2e.looks import Look
from tests.e2e.players import Club, Person, button_for, data_of, has_button
from tests.e2e.recording import Ring
from tests.e2e.running import Running
from tests.e2e.telegram import Message
from tests.e2e.wording import ENGLISH, RUSSIAN, beginning, told

pytestmark = pytest.mark.asyncio(loop_scope="module")

LOBBY, TABLE, SCORE, RULES, HELP, LANGUAGE = "🃏", "▶️", "📊", "📖", "❔", "🌐"
"""How these messages begin."""


def is_there(bot: Running, message: Message) -> bool:
    return message.message_id in [it.message_id for it in bot.telegram.newest(message.chat)]


# ---------------------------------------------------------------------------------------- the table's message


async def test_game_twice_is_one_lobby_which_comes_down_the_chat(bot: Running) -> None:
    club = await Club.gathered(bot, 2)
    first = await club.message_with(Sit)
    second = await club.ask(club.people[1], club.chat, "/game", LOBBY)
    await club.until(lambda: not is_there(bot, first), "the first is gone")
    state = await club.settled()
    assert Look.of_message(second) == Look.of_message(first)
    assert [player.name for player in state.table.players] == ["Аня", "Борис"]


@pytest.mark.parametrize("command", ["/game", "/table"])
async def test_the_running_table_comes_down_the_chat_in_silence(bot: Running, command: str) -> None:
    club = await Club.dealt(bot, 2)
    first, so_far = club.board, len(bot.telegram.record)
    second = await club.ask(club.people[1], club.chat, command, TABLE)
    await club.until(lambda: not is_there(bot, first), "the first is gone")
    await club.settled()
    assert Look.of_message(second) == Look.of_message(first)
    rings = [it for it in bot.telegram.record[so_far:] if isinstance(it, Ring)]
    assert second.message_id not in [it.message_id for it in rings if it.chat == club.chat]


async def test_hands_lead_to_the_table_wherever_it_has_gone(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    for _ in range(2):
        board = await club.ask(club.host, club.chat, "/table", TABLE)
        for person in club.people:
            await until_linked(club, person, board)


async def test_table_in_private_is_a_link_to_it(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    answer = await club.ask(club.host, club.host.user_id, "/table", RUSSIAN.plain("tables.title"))
    assert answer.button("Книжный клуб").url == link_to(club.board)


async def test_a_basic_group_has_no_links_but_the_table_all_the_same(bot: Running) -> None:
    club = await Club.dealt(bot, 2, kind="group")
    assert not [it for it in club.host.newest.button_texts if "столу" in it]
    answer = await club.ask(club.host, club.host.user_id, "/table", RUSSIAN.plain("tables.title"))
    assert "/table@sandbox_bot" in answer.text
    await club.ask(club.host, club.chat, "/table", TABLE)


async def test_in_private_one_is_told_which_commands_are_for_groups_and_which_there_are(bot: Running) -> None:
    person = (await Club.founded(bot, 1)).host
    private = Club(bot, person.user_id, [person], [])
    for command in ("/join", "/leave", "/kick", "/stop", "/bell"):
        await private.ask(person, person.user_id, command, RUSSIAN.plain("refusal.in_group"))
    for command in ("/hand", "/score"):
        await private.ask(person, person.user_id, command, RUSSIAN.plain("refusal.at_no_table"))
    await private.ask(person, person.user_id, "/шестёрки", RUSSIAN.plain("tables.none"))
    await private.ask(person, person.user_id, "/sixes", beginning("unknown_command"))


async def test_score_is_the_last_matchs_until_the_next_one_begins(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    question = await club.ask(club.host, club.chat, "/leave", "🚪")
    await club.host.press(question, button_for(question, LeaveMatch))
    end = await club.message_with(Rematch)
    await club.host.press(end, button_for(end, Rematch))
    await club.message_with(StartMatch)
    won = RUSSIAN.plain("score.won", name=club.people[1].name)
    for chat in (club.chat, club.host.user_id):
        assert won in (await club.ask(club.host, chat, "/score", SCORE)).text
    await club.deal()
    for chat in (club.chat, club.host.user_id):
        assert won not in (await club.ask(club.host, chat, "/score", SCORE)).text


async def test_hand_at_no_table_does_not_say_that_there_is_none(bot: Running) -> None:
    club = await Club.gathered(bot, 2, strangers=1)
    await club.ask(club.strangers[0], club.chat, "/hand", RUSSIAN.plain("refusal.at_no_table"))


@pytest.mark.parametrize("command", ["/table", "/score", "/join", "/leave", "/stop", "/kick"])
async def test_without_a_table_one_is_told_how_to_open_it(bot: Running, command: str) -> None:
    club = await Club.founded(bot, 1)
    answer = await club.ask(club.host, club.chat, command, beginning("no_table"))
    assert "/game@sandbox_bot" in answer.text


async def test_game_in_private_tells_how_to_add_the_bot_to_a_group(bot: Running) -> None:
    club = await Club.founded(bot, 1)
    answer = await club.ask(club.host, club.host.user_id, "/game", LOBBY)
    assert answer.button("Добавить").url == "https://t.me/sandbox_bot?startgroup=new"


# ------------------------------------------------------------------------------------------------- the hand


async def test_hand_brings_the_hand_back_after_the_chat_was_cleared(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    state = await club.settled()
    for person in club.people:
        look = Look.of_message(person.newest)
        await bot.telegram.delete(person.user_id)
        await person.send(person.user_id, "/hand")
        await until_dealt(club, person)
        assert Look.of_message(person.newest) == look
        assert cards_on(person.newest) == set(state.hand(person.user_id))
    assert (await club.settled()).log == state.log


async def test_hand_in_the_group_sends_it_in_private(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    before = club.host.newest
    await club.host.send(club.chat, "/hand")
    await club.until(lambda: not is_there(bot, before), "the earlier hand is gone")
    await club.settled()
    assert Look.of_message(club.host.newest) == Look.of_message(before)


# --------------------------------------------------------------------------------------- scores, rules, help


@pytest.mark.parametrize(
    ("command", "sign"),
    [("/score", SCORE), ("/rules", RULES), ("/help", HELP), ("/top", "🏆"), ("/stats", "📇")],
)
@pytest.mark.parametrize("place", ["group", "private"])
async def test_a_repeated_answer_replaces_the_earlier_one(
    bot: Running, command: str, sign: str, place: str
) -> None:
    club = await Club.dealt(bot, 2)
    chat = club.chat if place == "group" else club.host.user_id
    first = await club.ask(club.host, chat, command, sign)
    second = await club.ask(club.host, chat, command, sign)
    assert first.text == second.text
    await club.until(lambda: not is_there(bot, first), "the earlier answer is gone")
    assert is_there(bot, second)


async def test_a_command_may_name_this_bot_but_no_other(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    await club.host.send(club.chat, "/score@other_bot")
    answer = await club.ask(club.host, club.chat, "/score@sandbox_bot", SCORE)
    assert len([it for it in bot.telegram.newest(club.chat) if it.text.startswith(SCORE)]) == 1
    assert is_there(bot, answer)


async def test_rules_answer_about_a_card(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    eight = await club.ask(club.host, club.chat, "/rules 8", "")
    assert RUSSIAN.plain("effect.cover") in eight.text
    queen = await club.ask(club.host, club.chat, "/rules пиковая дама", "")
    assert "Д♠️" in queen.text
    assert RUSSIAN.plain("effect.wild") in queen.text
    unknown = await club.ask(club.host, club.chat, "/rules <b>&", "")
    assert "<b>&" in unknown.text


async def test_the_rules_open_from_the_lobby_and_their_pages_turn(bot: Running) -> None:
    club = await Club.gathered(bot, 2, strangers=1)
    lobby = await club.message_with(Sit)
    await club.people[1].press(lobby, "Правила")
    book = await club.until(lambda: newest_beginning(club, RULES), "the rules are open")
    await club.people[1].press(book, RUSSIAN.plain("chapter.points"))
    page = await club.until(lambda: page_of(bot, book, "chapter.points"), "the page is turned")
    assert page.message_id == book.message_id
    await club.people[1].press(page, RUSSIAN.plain("button.contents"))
    await club.until(lambda: page_of(bot, book, "book.idea.points"), "the first page is back")
    assert is_there(bot, lobby)


@pytest.mark.parametrize("place", ["group", "private"])
async def test_help_lists_the_commands(bot: Running, place: str) -> None:
    club = await Club.founded(bot, 1)
    chat = club.chat if place == "group" else club.host.user_id
    answer = await club.ask(club.host, chat, "/help", HELP)
    for name in ("game@sandbox_bot", "join@sandbox_bot", "score", "rules", "hand", "language"):
        assert f"/{name} " in answer.text


async def test_start_welcomes_in_private_and_helps_in_a_group(bot: Running) -> None:
    club = await Club.gathered(bot, 1)
    question = await club.ask(club.host, club.chat, "/stop", RUSSIAN.plain("stop.ask_lobby"))
    await club.host.press(question, button_for(question, StopMatch))
    await club.until(lambda: club.find(Sit) is None, "nobody sits anywhere")
    welcome = await club.ask(club.host, club.host.user_id, "/start", LOBBY)
    assert welcome.button("Добавить").url == "https://t.me/sandbox_bot?startgroup=new"
    await club.ask(club.host, club.chat, "/start@sandbox_bot", HELP)


async def test_an_edited_command_is_not_heard(bot: Running) -> None:
    club = await Club.founded(bot, 1)
    said = await club.host.send(club.chat, "/help")
    await club.until(lambda: newest_beginning(club, HELP), "help is given")
    await bot.telegram.edit(club.host.user_id, club.chat, said, "/game")
    in_private = await club.host.send(club.host.user_id, "/help")
    await bot.telegram.edit(club.host.user_id, club.host.user_id, in_private, "/start")
    await club.ask(club.host, club.chat, "/table", beginning("no_table"))
    assert club.find(Sit) is None
    assert not [it for it in bot.telegram.newest(club.host.user_id) if it.text.startswith(LOBBY)]


# ----------------------------------------------------------------------------------------------- the language


async def test_a_person_chooses_his_language_and_his_hand_is_in_it(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    question = await club.ask(club.host, club.host.user_id, "/language", LANGUAGE)
    assert (await club.host.press(question, "English")).answer.text == ENGLISH.plain("done.language")
    await club.until(lambda: in_english(hands_of(club, club.host)[0]), "the hand is in English")
    await club.settled()
    assert not in_english(hands_of(club, club.people[1])[0])
    assert RUSSIAN.plain("button.my_cards") in club.board.button_texts


async def test_the_host_chooses_the_groups_language_and_a_guest_does_not(bot: Running) -> None:
    club = await Club.dealt(bot, 2, strangers=2)
    question = await club.ask(club.people[1], club.chat, "/language", LANGUAGE)
    async with club.unchanged():
        for person in (club.people[1], club.strangers[0]):
            assert told(
                (await person.press(question, "English")).answer, "not_host.named", name=club.host.name
            )
    assert (await club.host.press(question, "English")).answer.text == ENGLISH.plain("done.language")
    await club.until(lambda: ENGLISH.plain("button.my_cards") in club.board.button_texts, "it is English")
    await club.settled()
    assert not in_english(hands_of(club, club.host)[0])


async def test_an_admin_chooses_the_groups_language(bot: Running) -> None:
    club = await Club.dealt(bot, 2, strangers=1)
    question = await club.ask(club.strangers[0], club.chat, "/language", LANGUAGE)
    assert {data_of(it) for it in question.buttons} == {SetLanguage("ru"), SetLanguage("en")}
    await club.strangers[0].press(question, "English")
    await club.until(lambda: ENGLISH.plain("button.my_cards") in club.board.button_texts, "it is English")


# --------------------------------------------------------------------------------------------------- helpers


async def until_linked(club: Club, person: Person, board: Message) -> None:
    """Wait until somebody's hand leads to this message."""
    address = link_to(board)
    await club.until(
        lambda: address in [button.url for button in person.newest.buttons], f"{person.name} has the link"
    )


async def until_dealt(club: Club, person: Person) -> None:
    """Wait until somebody has their hand."""
    await club.until(lambda: hands_of(club, person), f"{person.name} has a hand")


def link_to(message: Message) -> str:
    """A supergroup's message's address."""
    return f"https://t.me/c/{str(message.chat).removeprefix('-100')}/{message.message_id}"


def newest_beginning(club: Club, sign: str) -> Message | None:
    """The group's newest message that begins so."""
    return next((it for it in club.running.telegram.newest(club.chat) if it.text.startswith(sign)), None)


def page_of(bot: Running, book: Message, key: str) -> Message | None:
    """The book, if it is open where these words stand."""
    now = next(it for it in bot.telegram.newest(book.chat) if it.message_id == book.message_id)
    return now if RUSSIAN.plain(key) in now.text and has_button(now, ReadRules) else None


def hands_of(club: Club, person: Person) -> list[Message]:
    """Return somebody's messages about a round, the newest first."""
    return [it for it in club.running.telegram.newest(person.user_id) if it.text.startswith(("▶️", "⏳"))]


def in_english(message: Message) -> bool:
    return "Round " in message.text
