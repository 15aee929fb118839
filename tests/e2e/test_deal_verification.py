"""Deal verification: anybody can deal a round again from its key, and replay a whole match."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
import sys
from collections.abc import Sequence
from typing import Any

import httpx
import pytest

from bot.buttons import LeaveMatch, Peek, Rematch, StartMatch
from bot.handlers.deal_verification import DEAL
from engine import Deal, card_code, replay
from tests.e2e.committed import steps
from tests.e2e.leaks import leaks
from tests.e2e.players import Club, button_for
from tests.e2e.recording import Version
from tests.e2e.running import Running
from tests.e2e.wording import RUSSIAN, beginning
from tests.patience import PATIENCE
from tests.processes import started

pytestmark = pytest.mark.asyncio(loop_scope="module")

FAIR = "🔐"
"""How the answer to /fair begins."""


async def test_rounds_are_dealt_again_from_their_keys(bot: Running) -> None:
    """The first, whose leader the key draws too, and the next, which its winner leads."""
    club = await Club.dealt(bot, 3)
    sealed = []
    for _ in range(2):
        await club.message_with(Peek)
        sealed += re.findall(r"🔐 (\w+)", club.board.text)
        await club.play_round()
        await club.next_tap()
    answer = await club.ask(club.people[1], club.chat, "/fair", FAIR)
    commands = re.findall(r"python -m engine deal .*", answer.text)
    deals = [step.after.round for step in steps(await club.settled()) if isinstance(step.move, Deal)]
    for command, digits, dealt in zip(reversed(commands), sealed, deals[:2], strict=True):
        assert dealt is not None
        again = await engine(shlex.split(command)[3:])
        assert again["commitment"] == dealt.commitment
        assert again["commitment"].startswith(digits)
        assert again["hands"] == {
            f"p{seat + 1}": [card_code(card) for card in hand] for seat, hand in enumerate(dealt.piles.hands)
        }


async def test_the_program_to_check_by_comes_in_private_alone(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    message = await club.ask(club.host, club.host.user_id, "/fair", RUSSIAN.plain("fair.deal"))
    assert message.raw["document"]["file_name"] == "deal.py"
    async with httpx.AsyncClient(base_url=bot.telegram.url, timeout=PATIENCE) as http:
        assert (await http.get(message.raw["document"]["url"])).content == DEAL.read_bytes()
    answer = await club.ask(club.host, club.chat, "/fair", FAIR)
    assert answer.raw["document"] is None
    assert all(message.raw["document"] is None for message in bot.telegram.newest(club.chat))


async def test_nobody_is_told_a_key_while_its_round_is_played(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    for chat in (club.chat, club.host.user_id):
        answer = await club.ask(club.host, chat, "/fair", FAIR)
        assert RUSSIAN.plain("fair.no_rounds") in answer.text
    state = await club.settled()
    shown = [it for it in bot.telegram.record if isinstance(it, Version)]
    assert leaks([it for it in shown if it.message.chat in (club.chat, club.host.user_id)], state) == []


async def test_the_last_matchs_keys_are_told_until_the_next_one_has_some(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    (digits,) = re.findall(r"🔐 (\w+)", club.board.text)
    await club.play_round()
    question = await club.ask(club.host, club.chat, "/leave", "🚪")
    await club.host.press(question, button_for(question, LeaveMatch))
    end = await club.message_with(Rematch)
    await club.host.press(end, button_for(end, Rematch))
    await club.message_with(StartMatch)
    for chat in (club.chat, club.host.user_id):
        assert digits in (await club.ask(club.host, chat, "/fair", FAIR)).text
    await club.deal()
    for chat in (club.chat, club.host.user_id):
        assert digits in (await club.ask(club.host, chat, "/fair", FAIR)).text


async def test_a_finished_match_comes_as_a_file_that_replays(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    await club.ask(club.host, club.host.user_id, "/export", beginning("no_match_yet"))
    for _ in range(6):
        await club.next_tap()
    question = await club.ask(club.host, club.chat, "/leave", "🚪")
    await club.host.press(question, button_for(question, LeaveMatch))
    await club.message_with(Rematch)
    state = await club.settled()
    message = await club.ask(club.host, club.host.user_id, "/export", RUSSIAN.plain("export.caption"))
    async with httpx.AsyncClient(base_url=bot.telegram.url, timeout=PATIENCE) as http:
        document = (await http.get(message.raw["document"]["url"])).json()
    answer = replay(document)
    assert answer == document["expect"]
    assert answer["state"]["winner"] == "p2"
    assert len(document["moves"]) == len(state.log)
    assert document["names"] == {"p1": "Аня", "p2": "Борис"}


async def test_in_a_group_the_file_is_promised_for_the_private_chat(bot: Running) -> None:
    club = await Club.founded(bot, 1)
    answer = await club.ask(club.host, club.chat, "/export", RUSSIAN.plain("private.only"))
    assert answer.raw["document"] is None


async def engine(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the answer of `python -m engine`."""
    command = (sys.executable, "-m", "engine", *arguments)
    async with started(*command, stdout=asyncio.subprocess.PIPE) as process:
        output, _ = await process.communicate()
    answer: dict[str, Any] = json.loads(output)
    return answer
