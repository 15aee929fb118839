"""Three unrelated bots, each in its own process, run against the sandbox as against Telegram."""

import sys
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager

import pytest

from tests.e2e.telegram import BotProcess, Message, Telegram, payload_of


@pytest.fixture
async def strict_telegram() -> AsyncIterator[Telegram]:
    """A sandbox with everything as strict as it gets, in real time."""
    async with Telegram.in_process(flood=True) as telegram:
        yield telegram


def running(telegram: Telegram, name: str) -> AbstractAsyncContextManager[BotProcess]:
    return telegram.bot(sys.executable, "-m", f"tests.sandbox.bots.{name}")


async def answer_to(telegram: Telegram, person: int, text: str) -> Message:
    """Write to the bot in private, a second after it last wrote; returns what it writes then."""
    await telegram.advance(1)
    written = await telegram.send(person, person, text)
    return await telegram.wait_for_message(person, person, lambda message: message.message_id > written)


async def test_a_bot_with_inline_keyboards(strict_telegram: Telegram) -> None:
    telegram = strict_telegram
    ada, bob = await telegram.new_user("Ada"), await telegram.new_user("Bob")
    group = await telegram.new_group("Canteen", [ada, bob])
    async with running(telegram, "opinions"):
        await telegram.send(ada, group, "/soup@sandbox_bot")
        question = await telegram.wait_for_message(group, ada, lambda message: "soup" in message.text)
        assert question.button_texts == ("👍 Good", "🥶 Cold", "🧂 Salty")

        forged = await telegram.press_data(bob, group, question.message_id, "soup:stolen")
        assert (forged.text, forged.show_alert) == ("That is not on the menu", True)
        assert (await telegram.press(bob, question, "Cold")).text == "Thank you!"
        shown = await telegram.wait_for_message(group, bob, lambda message: message.edited)
        assert (shown.text, shown.buttons) == ("Bob: 🥶 Cold (so far 1)", ())


async def test_a_bot_that_leads_a_conversation(strict_telegram: Telegram) -> None:
    telegram = strict_telegram
    ada = await telegram.new_user("Ada")
    async with running(telegram, "introductions"):
        texts = [
            (await answer_to(telegram, ada, text)).text for text in ("/start", "Countess", "Monday", "Autumn")
        ]
        assert texts == [
            "Hello! What shall I call you?",
            "Which season do you like, Countess?",
            "Please one of Spring, Summer, Autumn, Winter",
            "And why? /skip if you would rather not say",
        ]
        final = await answer_to(telegram, ada, "/skip")
        assert final.text == "Countess likes Autumn"
        assert final.raw["entities"] == [{"type": "bold", "offset": 0, "length": 8}]

        assert (await answer_to(telegram, ada, "/start")).text.startswith("Hello")
        assert (await answer_to(telegram, ada, "/cancel")).text == "Another time, then"


async def test_a_bot_with_deep_links(strict_telegram: Telegram) -> None:
    telegram = strict_telegram
    ada, bob = await telegram.new_user("Ada"), await telegram.new_user("Bob")
    group = await telegram.new_group("Club", [ada, bob])
    async with running(telegram, "invitations"):
        await telegram.start(ada)
        private = await telegram.wait_for_message(ada, ada, lambda message: "Your link" in message.text)
        await telegram.send(ada, group, "/invite")
        invitation = await telegram.wait_for_message(group, bob, lambda message: "invited" in message.text)
        assert private.button("Come in").url == invitation.button("Come in").url

        payload = payload_of((await telegram.press(bob, invitation, "Come in")).url)
        assert payload == f"from-{ada}"
        await telegram.start(bob, payload)
        await telegram.wait_for_message(bob, bob, lambda message: "Welcome" in message.text)
        told = await telegram.wait_for_message(ada, ada, lambda message: message.text == "Bob is here")
        (mention,) = told.raw["entities"]
        assert (mention["type"], mention["user"]["id"]) == ("text_mention", bob)
