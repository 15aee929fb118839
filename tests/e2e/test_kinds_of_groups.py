"""All kinds of groups: basic, upgraded, with topics, anonymous admins, and without the right to write."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.buttons import DealNext, Peek, Rematch, Sit, StartMatch, StopMatch
from bot.tables.lifecycle import TablePhase
from engine import Status
from tests.e2e.players import Club, Person, button_for, data_of, has_button
from tests.e2e.running import Running, running
from tests.e2e.telegram import Message
from tests.e2e.wording import RUSSIAN

pytestmark = pytest.mark.asyncio(loop_scope="module")

PIN_CALLS = ("pinChatMessage", "unpinChatMessage")


# ------------------------------------------------------------------------------------- basic groups, upgrades


async def test_a_match_in_a_basic_group_goes_on_in_the_supergroup_it_becomes(bot: Running) -> None:
    club = await Club.dealt(bot, 3, kind="group")
    for _ in range(3):
        await club.next_tap()
    before = await club.until_it_is_quiet()
    old_chat, club.chat = club.chat, await bot.telegram.upgrade(club.chat)
    await club.until(
        lambda: club.find(Peek) or club.is_between_rounds(), "the table is shown in the supergroup"
    )
    after = await club.settled()
    assert (after.table.chat_id, after.match) == (club.chat, before.match)
    assert {shown.chat_id for shown in after.shown.values()} & {old_chat} == set()
    await club.play_round()
    assert (await club.settled()).match.number == before.match.number


async def test_who_opens_a_table_in_the_supergroup_too_early_gets_the_match_that_runs(bot: Running) -> None:
    """Two updates cross: the bot hears of a command in the new group before it hears that it is the same."""
    club = await Club.dealt(bot, 2, kind="group")
    before = await club.settled()
    await bot.telegram.fault(delay_updates=0.2)
    club.chat = await bot.telegram.upgrade(club.chat)
    await club.host.send(club.chat, "/game")
    await bot.telegram.fault()
    await club.message_with(Peek)
    state = await club.settled()
    assert (state.table.id, state.match) == (before.table.id, before.match)
    assert club.find(StartMatch) is None


async def test_the_last_match_of_a_group_is_found_after_its_upgrade(bot: Running) -> None:
    club = await Club.dealt(bot, 2, kind="group")
    await stop(club)
    await club.settled()
    club.chat = await bot.telegram.upgrade(club.chat)
    await club.ask(club.host, club.chat, "/score", "📊")


# ----------------------------------------------------------------------------------------------------- topics


async def forum(bot: Running) -> tuple[Club, Club, Club]:
    """Tables of the same three people in General and in two topics, with their cards dealt."""
    general = await Club.founded(bot, 3)
    ids = [person.user_id for person in general.people]
    general.chat = await bot.telegram.new_group("Дача", ids, creator=ids[0], is_forum=True)
    clubs = [general]
    for name in ("Вечер", "Утро"):
        thread = await bot.telegram.new_topic(general.chat, name)
        clubs.append(Club(bot, general.chat, general.people, [], thread))
    for club in clubs:
        await club.gather()
        await club.deal()
    return clubs[0], clubs[1], clubs[2]


async def test_every_topic_has_a_table_and_its_answers_to_itself(bot: Running) -> None:
    clubs = await forum(bot)
    states = [await club.settled() for club in clubs]
    assert len({state.table.id for state in states}) == 3
    assert [state.table.thread_id for state in states] == [0, clubs[1].thread, clubs[2].thread]
    for club in clubs:
        score = await club.ask(club.host, club.chat, "/score", "📊")
        assert score.thread == club.thread
        again = await club.ask(club.host, club.chat, "/game", "▶️")
        assert again.thread == club.thread
    for club in clubs:
        await club.settled()  # the bot has written down where its tables are now
    names = ["Дача", "Дача\u00a0› Вечер", "Дача\u00a0› Утро"]
    for person in clubs[0].people:
        heads = [
            it.text.splitlines()[0] for it in bot.telegram.newest(person.user_id) if "Раунд 1" in it.text
        ]
        assert sorted(head.rsplit(" · ", 1)[1] for head in heads) == names
    way = await clubs[0].ask(clubs[0].host, clubs[0].host.user_id, "/table", RUSSIAN.plain("tables.title"))
    assert list(way.button_texts) == names
    await stop(clubs[1])
    for club in (clubs[0], clubs[2]):
        assert (await club.settled()).table.phase is TablePhase.PLAYING


async def test_a_topic_that_was_there_before_the_bot_is_known_by_name_too(bot: Running) -> None:
    club = await Club.founded(bot, 2)
    ids = [person.user_id for person in club.people]
    club.chat = await bot.telegram.new_group("Дача", ids, creator=ids[0], is_forum=True, bot=False)
    club.thread = await bot.telegram.new_topic(club.chat, "Ночь")
    await bot.telegram.set_member(club.chat, "bot", "member")
    await club.gather()
    await club.deal()
    for person in club.people:
        assert person.newest.text.splitlines()[0].endswith(" · Дача\u00a0› Ночь")


async def test_a_table_whose_topic_was_deleted_is_moved_to_general_by_its_host(bot: Running) -> None:
    club = await Club.founded(bot, 2)
    ids = [person.user_id for person in club.people]
    club.chat = await bot.telegram.new_group("Дача", ids, creator=ids[0], is_forum=True)
    club.thread = await bot.telegram.new_topic(club.chat, "Вечер")
    await club.gather()
    await club.deal()
    before = await club.settled()
    await bot.telegram.act("delete_topic", chat=club.chat, thread=club.thread)
    while (await club.committed()).log == before.log:  # until there is something to show
        assert await club.next_tap() is not None
    told = RUSSIAN.plain("topic_gone.text", place="Дача\u00a0› Вечер")

    def notice() -> Message | None:
        there = bot.telegram.newest(club.host.user_id)
        return next((it for it in there if it.text == told), None)

    question = await club.until(notice, "the host is told what is so")
    blocking = Club(bot, club.chat, club.people, [], None)
    await club.host.send(club.chat, "/game")
    await blocking.message_with(Sit)
    tap = await club.host.press(question, RUSSIAN.plain("button.move_table"))
    assert tap.answer.text == RUSSIAN.plain("refusal.place_taken")
    await club.host.send(club.chat, "/leave")
    await blocking.until(lambda: blocking.find(Sit) is None, "the other table is closed")
    tap = await club.host.press(question, RUSSIAN.plain("button.move_table"))
    assert tap.answer.text == RUSSIAN.plain("done.moved")
    club.thread = None
    board = await club.message_with(Peek)
    assert data_of(button_for(board, Peek)) == Peek(before.table.id)
    await club.until(lambda: notice() is None, "the question is gone")


async def test_the_hands_of_one_person_at_three_tables_go_where_they_belong(bot: Running) -> None:
    """Everybody sits at all three and presses any button: every move is made where it was meant."""
    clubs = await forum(bot)
    for _ in range(30):
        tap = await clubs[0].next_tap()
        assert tap is not None
        # «Next» stands under everybody's hand: of those who press it at once, one deals.
        assert tap.was_accepted or isinstance(tap.asked, DealNext), tap
    for club in clubs:
        await club.settled()


async def test_leave_in_private_asks_about_each_match_and_leaves_the_one_meant(bot: Running) -> None:
    clubs = await forum(bot)
    leaver = clubs[0].people[2]
    asked = RUSSIAN.plain("leave.ask", group="Дача").removesuffix("Дача")
    await stop(clubs[0])
    sent = await leaver.send(leaver.user_id, "/leave")

    def questions() -> dict[str, Message] | None:
        """Return the questions by the places they name, once the last of them has arrived."""
        later = [it for it in bot.telegram.newest(leaver.user_id) if it.message_id > sent]
        found = {it.text.splitlines()[0].removeprefix(asked): it for it in later if it.text.startswith(asked)}
        return found if len(found) == 2 else None

    found = await clubs[1].until(questions, "there are two questions")
    assert list(found) == ["Дача\u00a0› Утро", "Дача\u00a0› Вечер"]
    await leaver.press(found["Дача\u00a0› Утро"], RUSSIAN.plain("button.leave_yes"))
    assert (await clubs[2].settled()).match.seats[2].status is Status.LEFT
    assert (await clubs[1].settled()).match.seats[2].status is Status.IN
    await clubs[1].ask(leaver, leaver.user_id, "/leave", asked + "Дача\u00a0› Вечер")


async def test_an_ordinary_reply_thread_is_no_topic(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    word = await club.host.send(club.chat, "о чём это вы?")
    reply = await club.people[1].send(club.chat, "/score", reply_to=word)
    score = await club.until(lambda: later(club, reply, "📊"), "the score of the only table")
    assert score.thread is None
    assert "Раунд 1" in score.text


async def test_a_table_opened_in_the_comments_on_a_channels_post_stays_there(bot: Running) -> None:
    club = await Club.gathered(bot, 2)
    outside = await club.committed()
    forwarded = await bot.telegram.act(
        "forward_post", chat=club.chat, channel="Новости", text="Сыграем сегодня?"
    )
    post = forwarded["message_id"]
    asked = await club.host.send(club.chat, "/game", reply_to=post)
    lobby = await club.until(lambda: later(club, asked, "🃏"), "the lobby is open")
    assert lobby.raw["reply_to"] == post
    table_id = getattr(data_of(button_for(lobby, Sit)), "table", "")
    assert table_id != outside.table.id
    visitor = club.people[1]
    tap = await visitor.press(lobby, button_for(lobby, Sit))
    assert tap.answer.text == RUSSIAN.plain("done.seated")
    nested = await visitor.send(club.chat, "/score", reply_to=lobby.message_id)
    score = await club.until(lambda: later(club, nested, "📊"), "a comment on a comment is heard there too")
    assert "Сыграем" in score.text
    assert (await club.host.press(lobby, RUSSIAN.plain("button.start"))).was_accepted

    def board() -> Message | None:
        there = (
            it for it in bot.telegram.newest(club.chat) if it.message_id > asked and has_button(it, Peek)
        )
        return next(there, None)

    shown = await club.until(board, "the table is shown")
    assert data_of(button_for(shown, Peek)) == Peek(table_id)
    assert shown.raw["reply_to"] == post
    assert (await club.committed()).table.phase is TablePhase.LOBBY, "the table outside is another"


def later(club: Club, message_id: int, sign: str) -> Message | None:
    """A message of the bot's that came after that one and begins with this sign."""
    messages = [it for it in club.running.telegram.newest(club.chat) if it.message_id > message_id]
    return next((it for it in messages if it.text.startswith(sign)), None)


# ------------------------------------------------------------------------------------------- who is speaking


async def test_an_anonymous_admin_is_told_what_to_do_and_may_press(bot: Running) -> None:
    club = await Club.gathered(bot, 2, strangers=1)
    admin = club.strangers[0]
    first = await ask_masked(club, "masked.admin", as_chat=True)
    second = await ask_masked(club, "masked.admin", as_chat=True)
    await club.until(
        lambda: first not in list(bot.telegram.newest(club.chat)), "the first answer is replaced"
    )
    assert second.message_id > first.message_id
    lobby = await club.message_with(Sit)
    tap = await admin.press(lobby, button_for(lobby, Sit))
    assert tap.answer.payload is not None, "who presses is himself: he gets his invitation"


async def test_who_writes_as_a_channel_is_told_what_to_do(bot: Running) -> None:
    club = await Club.gathered(bot, 2, strangers=1)
    await ask_masked(club, "masked.channel", as_channel="Новости")
    assert (await club.settled()).table.phase is TablePhase.LOBBY


async def ask_masked(club: Club, key: str, **mask: object) -> Message:
    """The group's admin types a command from behind a mask; the answer."""
    sent = await club.strangers[0].send(club.chat, "/game@sandbox_bot", **mask)
    return await club.until(lambda: later(club, sent, RUSSIAN.plain(key)), "he is told")


# -------------------------------------------------------------------------------- where the bot may not write


async def test_a_group_that_does_not_let_the_bot_write_is_told_of_in_private(bot: Running) -> None:
    club = await Club.founded(bot, 2)
    host = club.host
    await host.start()
    await bot.telegram.set_member(club.chat, "bot", "restricted", {"can_send_messages": False})
    barred = RUSSIAN.plain("barred.text", group="Книжный клуб")
    await host.send(club.chat, "/game")
    await club.until(lambda: told(host, barred), "the host is told")
    asker = club.people[1]
    await asker.start()
    await asker.send(club.chat, "/help")
    await club.until(lambda: told(asker, barred), "so is who wants an answer")
    await bot.telegram.set_member(club.chat, "bot", "member")
    await club.message_with(Sit)


def told(person: Person, text: str) -> bool:
    """Return whether a person's private chat has this text."""
    return any(it.text == text for it in person.running.telegram.newest(person.user_id))


# ------------------------------------------------------------------------------- pinned, buried, brought down


async def test_the_table_is_pinned_in_silence_once_a_round_where_the_bot_may(bot: Running) -> None:
    club = await Club.founded(bot, 2)
    await bot.telegram.set_member(club.chat, "bot", "administrator")
    await club.gather()
    await club.deal()
    (first,) = await bot.telegram.until(lambda: pinned(club))
    assert has_button(first, Peek)
    await club.ask(club.host, club.chat, "/table", "▶️")
    await club.play_round()
    await club.next_tap()
    number = (await club.settled()).match.number
    assert number == 2
    await bot.telegram.until(lambda: is_alone_pinned(club, club.board))
    calls = await bot.telegram.calls(0, "pinChatMessage")
    assert len([call for call in calls if call["chat_id"] == club.chat]) == number
    await club.until(lambda: not any("pinned" in text for text in services(club)), "no line is left")
    await stop(club)
    await bot.telegram.until(lambda: nothing_pinned(club))


async def stop(club: Club) -> None:
    """The host ends the match."""
    question = await club.ask(club.host, club.chat, "/stop", RUSSIAN.plain("stop.ask"))
    await club.host.press(question, button_for(question, StopMatch))
    await club.message_with(Rematch)


async def pinned(club: Club) -> list[Message]:
    """The group's pinned messages."""
    return [it for it in await club.running.telegram.messages(club.chat) if it.raw["pinned"]]


async def is_alone_pinned(club: Club, message: Message) -> bool:
    return [it.message_id for it in await pinned(club)] == [message.message_id]


async def nothing_pinned(club: Club) -> bool:
    return await pinned(club) == []


def services(club: Club) -> list[str]:
    """The lines that Telegram has written into the group."""
    versions = club.running.telegram.now(club.chat)
    return [it.message.raw["service"] for it in versions if it.message.raw["service"]]


async def test_without_the_right_to_pin_nothing_is_tried(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    await club.next_tap()
    await club.settled()
    calls = await bot.telegram.calls(0, *PIN_CALLS)
    assert [call for call in calls if call["chat_id"] == club.chat] == []


async def test_talk_that_buries_the_table_brings_it_down(tmp_path: Path) -> None:
    async with running(tmp_path, BRING_DOWN_SECONDS="0") as bot:
        club = await Club.founded(bot, 2)
        await bot.telegram.set_member(club.chat, "bot", "administrator", {"can_pin_messages": False})
        await club.gather()
        await club.deal()
        board = club.board
        for number in range(14):
            await club.host.send(club.chat, f"слово {number}")
        await club.settled()
        assert club.board.message_id == board.message_id
        await club.people[1].send(club.chat, "и ещё одно")
        await club.until(lambda: is_newer(club.find(Peek), board), "the table has come down")
        await club.settled()


def is_newer(message: Message | None, than: Message) -> bool:
    return message is not None and message.message_id > than.message_id
