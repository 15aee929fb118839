"""Inline keyboards on the page: effects of a press."""

import re
from typing import Any

import pytest
from playwright.async_api import expect

from tests.browser import PHONE
from tests.e2e.telegram import Json
from tests.sandbox.page.screen import Phone, Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")

CUT = """key => {
  const words = key.firstElementChild;
  return words.scrollWidth > words.clientWidth || words.scrollHeight > words.clientHeight + 1;
}"""
HELD_UP: Json = {"method": "answerCallbackQuery", "hang": 600}
"""The bot's answer to a press is on its way until the fault ends."""


async def private_chat(stage: Stage, command: str) -> Phone:
    """Аня's private chat after a command to the bot."""
    await stage.telegram.start(stage.anya)
    phone = await stage.phone(stage.anya)
    await phone.open(stage.anya)
    await phone.write(command)
    await expect(phone.part("key").first).to_be_visible()
    return phone


async def group_keyboard(stage: Stage, rows: list[list[str]], **options: Any) -> Phone:
    """The group as Аня sees it, with a message of the bot's that has these buttons."""
    keyboard = [[{"text": text, "callback_data": "toast"} for text in row] for row in rows]
    await stage.telegram.api(
        "sendMessage", chat_id=stage.club, text="Press one", reply_markup={"inline_keyboard": keyboard}
    )
    phone = await stage.phone(stage.anya, **options)
    await phone.open(stage.club)
    await expect(phone.part("key").first).to_be_visible()
    return phone


async def test_an_answer_is_a_toast_that_vanishes(stage: Stage) -> None:
    phone = await private_chat(stage, "/buttons")
    await phone.key("Toast").click()
    await expect(phone.part("toast")).to_have_text("A toast for you")
    await expect(phone.part("toast")).to_have_count(0)


async def test_an_alert_stays_until_it_is_confirmed_and_gives_the_focus_back(stage: Stage) -> None:
    phone = await private_chat(stage, "/buttons")
    await phone.key("Alert").click()
    await expect(phone.part("alert")).to_contain_text("An alert\nof two lines", use_inner_text=True)
    await expect(phone.part("alert-ok")).to_be_focused()
    await phone.part("alert-ok").click()
    await expect(phone.part("alert")).to_have_count(0)
    await expect(phone.key("Alert")).to_be_focused()


async def test_a_button_spins_until_the_bot_has_answered(stage: Stage) -> None:
    phone = await private_chat(stage, "/buttons")
    await stage.telegram.fault(**HELD_UP)
    await phone.key("Slow").click()
    await expect(phone.key("Slow")).to_have_attribute("aria-busy", "true")
    await stage.telegram.fault()
    await expect(phone.part("toast")).to_have_text("At last")
    await expect(phone.key("Slow")).not_to_have_attribute("aria-busy", "true")


async def test_an_empty_answer_shows_nothing(stage: Stage) -> None:
    phone = await private_chat(stage, "/buttons")
    await phone.key("Silent").click()
    await expect(phone.key("Silent")).not_to_have_attribute("aria-busy", "true")
    await expect(phone.part("toast")).to_have_count(0)
    await expect(phone.part("alert")).to_have_count(0)


async def test_buttons_wear_their_colours(stage: Stage) -> None:
    phone = await private_chat(stage, "/buttons")
    colours = []
    for text, style in (("Toast", "success"), ("Alert", "danger"), ("Slow", "primary")):
        await expect(phone.key(text)).to_have_attribute("data-style", style)
        colours.append(await phone.key(text).evaluate("key => getComputedStyle(key).backgroundColor"))
    assert len(set(colours)) == 3


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_a_black_suit_has_a_light_edge_on_every_button(stage: Stage, theme: str) -> None:
    phone = await group_keyboard(stage, [["9♠️"]], theme=theme)
    suit = phone.part("key").locator("span").filter(has_text=re.compile("^♠️$"))
    await expect(suit).to_have_css("text-shadow", re.compile(r"rgb\(255, 255, 255\) 0px 0px 1px"))


async def test_on_a_phone_three_short_words_fit_side_by_side_and_long_ones_are_told_in_full(
    stage: Stage,
) -> None:
    long = "A button with more words than any phone is wide enough to show at once " * 2
    halves = ["🚪 Stand up from the table", "▶️ Begin the next of our matches"]
    phone = await group_keyboard(
        stage, [["▶️ Next", "📊 Score", "✋ Sit down"], halves, [long.strip()]], size=PHONE
    )
    for text in ("▶️ Next", "📊 Score", "✋ Sit down", *halves):
        assert not await phone.key(text).evaluate(CUT), text
    long = long.strip()
    assert await phone.key(long).evaluate(CUT)
    await expect(phone.key(long)).to_have_attribute("title", long)


@pytest.mark.parametrize("language", ["en-US", "ru-RU"])
async def test_side_by_side_nothing_on_a_button_is_cut(stage: Stage, language: str) -> None:
    for name in ("Вера", "Grace"):
        await stage.telegram.set_member(stage.club, await stage.telegram.new_user(name), "member")
    rows = [["▶️ Дальше", "🚪 Выйти из партии"], ["📊 Score", "💡 What would you play?"]]
    keyboard = [[{"text": text, "callback_data": "toast"} for text in row] for row in rows]
    await stage.telegram.start(stage.anya)
    for chat in (stage.anya, stage.club):
        await stage.telegram.api(
            "sendMessage", chat_id=chat, text="Press one", reply_markup={"inline_keyboard": keyboard}
        )
    screen = await stage.screen(language=language)
    for phone in (screen.shared, screen.phone(stage.anya)):
        for text in (text for row in rows for text in row):
            assert not await phone.key(text).evaluate(CUT), text


async def test_an_answer_is_shown_where_the_button_was_pressed_and_nowhere_else(stage: Stage) -> None:
    here = await private_chat(stage, "/buttons")
    elsewhere = await stage.phone(stage.anya)
    await elsewhere.open(stage.anya)
    await here.key("Alert").click()
    await expect(here.part("alert")).to_be_visible()
    await here.part("alert-ok").click()
    await here.write("/count")
    await expect(elsewhere.key("Count on from 0")).to_be_visible()  # frames come in order
    await expect(elsewhere.part("alert")).to_have_count(0)
    (message,) = [item for item in await stage.telegram.messages(stage.anya) if "Alert" in item.button_texts]
    await stage.telegram.press(stage.anya, message, "Alert")  # by nobody's page: all show it
    await expect(elsewhere.part("alert")).to_be_visible()


async def test_start_draws_attention_when_a_press_has_led_to_it(stage: Stage) -> None:
    await stage.telegram.send(stage.boris, stage.club, "/buttons@sandbox_bot")
    screen = await stage.screen()
    start = screen.phone(stage.boris).part("start")
    await expect(start).not_to_have_class(re.compile("awaited"))
    await screen.shared.element.locator(f'[data-testid="actor"][data-user="{stage.boris}"]').click()
    await screen.shared.key("Deep link").click()
    await expect(start).to_have_class(re.compile("awaited"))


async def test_a_copy_button_copies_without_asking_the_bot(stage: Stage) -> None:
    phone = await private_chat(stage, "/buttons")
    await phone.key("Copy").click()
    await expect(phone.part("toast")).to_have_text("Copied")
    assert await phone.element.page.evaluate("navigator.clipboard.readText()") == "copied words"
    assert not await stage.telegram.calls(0, "answerCallbackQuery")


async def test_a_press_that_edits_the_message_keeps_the_keyboards_focus_there(stage: Stage) -> None:
    phone = await private_chat(stage, "/count")
    await phone.key("Count on from 0").focus()
    await phone.element.page.keyboard.press("Enter")
    await expect(phone.key("Count on from 1")).to_be_focused()
    await phone.element.page.keyboard.press("Enter")
    await expect(phone.key("Count on from 2")).to_be_focused()
    await expect(phone.message("Count: 2").get_by_test_id("edited-mark")).to_be_visible()


async def test_an_edit_between_press_and_release_does_not_swallow_the_press(stage: Stage) -> None:
    phone = await private_chat(stage, "/count")
    mouse = phone.element.page.mouse
    counter = await stage.telegram.wait_for_message(stage.anya, stage.anya, lambda it: it.text == "Count: 0")
    await phone.key("Count on from 0").hover()
    await mouse.down()
    keyboard = {"inline_keyboard": [[{"text": "Count on from 0", "callback_data": "count:0"}]]}
    place = {"chat_id": stage.anya, "message_id": counter.message_id}
    await stage.telegram.api("editMessageText", **place, text="Still 0", reply_markup=keyboard)
    await stage.telegram.send(stage.anya, stage.anya, "meanwhile")
    await stage.telegram.wait_for_message(stage.anya, stage.anya, lambda it: "meanwhile" in it.text)
    await expect(phone.messages("Still 0")).to_have_count(0)
    await mouse.up()
    await expect(phone.text("Count: 1")).to_be_visible()
    await expect(phone.text("You said: meanwhile")).to_be_visible()


async def test_a_second_press_while_the_first_one_waits_is_ignored(stage: Stage) -> None:
    phone = await private_chat(stage, "/buttons")
    await stage.telegram.fault(**HELD_UP)
    await phone.key("Slow").click()
    await expect(phone.key("Slow")).to_have_attribute("aria-busy", "true")
    await phone.key("Slow").click()
    await stage.telegram.fault()
    await expect(phone.part("toast")).to_have_text("At last")
    assert len(await stage.telegram.calls(0, "answerCallbackQuery")) == 1
