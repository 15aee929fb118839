"""One person, one chat: writing, reading, pictures, replies, edits, commands."""

import re

import pytest
from playwright.async_api import expect

from tests.sandbox.page.screen import Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_first_start_opens_the_conversation(stage: Stage) -> None:
    phone = await stage.phone(stage.anya)
    await phone.open(stage.anya)
    await expect(phone.part("empty")).to_contain_text("I show what this page can show")
    await expect(phone.part("composer")).to_be_hidden()
    await phone.part("start").click()
    await expect(phone.text("Hello!")).to_be_visible()
    await expect(phone.part("empty")).to_have_count(0)
    await expect(phone.part("composer")).to_be_focused()


async def test_the_bot_introduces_itself_in_the_persons_language(stage: Stage) -> None:
    await stage.telegram.api("setMyDescription", description="Я всё покажу", language_code="ru")
    grace = await stage.telegram.new_user("Grace", language="en")
    screen = await stage.screen()
    await expect(screen.phone(stage.anya).part("empty")).to_contain_text("Я всё покажу")
    await expect(screen.phone(grace).part("empty")).to_contain_text("I show what this page can show")


async def test_what_one_writes_is_answered_with_a_quote_that_leads_back(stage: Stage) -> None:
    await stage.telegram.start(stage.anya)
    phone = await stage.phone(stage.anya)
    await phone.open(stage.anya)
    await phone.write("good evening")
    answer = phone.message("You said: good evening")
    await expect(answer.get_by_test_id("quote")).to_contain_text("good evening")
    await answer.get_by_test_id("quote").click()
    await expect(phone.messages("good evening").first).to_be_focused()


async def test_texts_show_their_entities(stage: Stage) -> None:
    await stage.telegram.start(stage.anya)
    phone = await stage.phone(stage.anya)
    await phone.open(stage.anya)
    await phone.write("/text")
    text = phone.message("not bold").get_by_test_id("text")
    await expect(text.locator("strong").first).to_have_text("bold")
    await expect(text.locator("strong em")).to_have_text("and italic")
    await expect(text.locator("code").first).to_have_text("code")
    await expect(text.locator("pre")).to_have_text('print("hello")')
    await expect(text.locator("blockquote").first).to_have_text("A quotation of somebody wise.")
    await expect(text.locator("a")).to_have_attribute("href", "https://example.org/")
    await expect(text.locator("time")).to_have_text(re.compile("Tuesday|Wednesday"))
    await expect(text).to_contain_text("<b>not bold</b>")
    await expect(text).to_contain_text("👩‍👩‍👧 later")


async def test_a_spoiler_is_out_of_reach_until_it_is_pressed(stage: Stage) -> None:
    await stage.telegram.start(stage.anya)
    screen = await stage.screen(user=stage.anya)
    phone = screen.phone(stage.anya)
    await phone.open(stage.anya)
    await phone.write("/text")
    secret = phone.message("not bold").get_by_text("a secret")
    await expect(secret).to_be_hidden()
    await phone.element.get_by_role("button", name="Hidden text").click()
    await expect(secret).to_be_visible()


async def test_a_picture_opens_at_full_size(stage: Stage) -> None:
    await stage.telegram.start(stage.anya)
    screen = await stage.screen(user=stage.anya)
    phone = screen.phone(stage.anya)
    await phone.open(stage.anya)
    await phone.write("/photo")
    picture = phone.message("A sky")
    await expect(picture.locator(".text strong")).to_have_text("sky")
    await picture.get_by_test_id("photo").click()
    image = screen.part("photo-viewer").locator("img")
    assert await image.evaluate("async image => { await image.decode(); return image.naturalWidth; }") == 320
    await screen.page.keyboard.press("Escape")
    await expect(screen.part("photo-viewer")).to_have_count(0)


async def test_a_file_can_be_downloaded(stage: Stage) -> None:
    await stage.telegram.start(stage.anya)
    screen = await stage.screen(user=stage.anya)
    phone = screen.phone(stage.anya)
    await phone.open(stage.anya)
    await phone.write("/document")
    async with screen.page.expect_download() as downloading:
        await phone.part("document").click()
    download = await downloading.value
    assert download.suggested_filename == "notes.txt"
    assert (await download.path()).read_text() == "some notes\n"


async def test_typing_a_slash_lists_the_commands_and_enter_sends_one(stage: Stage) -> None:
    phone = await stage.phone(stage.anya)
    await phone.open(stage.club)
    composer = phone.part("composer")
    await composer.press_sequentially("/")
    await expect(phone.part("command")).to_have_count(9)
    await composer.press_sequentially("co")
    await expect(phone.part("command")).to_have_text(["/countA counter that edits itself"])
    await composer.press("Enter")
    await expect(phone.message("/count@")).to_be_visible()
    await expect(phone.text("Count: 0")).to_be_visible()


async def test_the_commands_button_lists_them_and_escape_closes_the_list(stage: Stage) -> None:
    await stage.telegram.start(stage.anya)
    phone = await stage.phone(stage.anya)
    await phone.open(stage.anya)
    await phone.part("commands-button").click()
    await expect(phone.part("commands")).to_be_visible()
    await phone.part("composer").press("Escape")
    await expect(phone.part("commands")).to_be_hidden()
    await phone.part("commands-button").click()
    await phone.part("command").filter(has_text="/count").click()
    await expect(phone.text("Count: 0")).to_be_visible()


async def test_a_command_in_a_text_is_sent_by_pressing_it(stage: Stage) -> None:
    await stage.telegram.start(stage.anya)
    phone = await stage.phone(stage.anya)
    await phone.open(stage.anya)
    await phone.write("/text")
    await phone.message("not bold").get_by_role("button", name="/count").click()
    await expect(phone.text("Count: 0")).to_be_visible()


async def test_an_own_message_can_be_edited_and_says_so(stage: Stage) -> None:
    phone = await stage.phone(stage.anya)
    await phone.open(stage.club)
    await phone.write("see you at sevn")
    await phone.choose(phone.message("see you"), "menu-edit")
    await expect(phone.part("composer")).to_have_value("see you at sevn")
    await phone.write("see you at seven")
    await expect(phone.text("see you at seven")).to_be_visible()
    await expect(phone.message("see you at seven").get_by_test_id("edited-mark")).to_be_visible()
    await expect(phone.messages("sevn")).to_have_count(0)


async def test_an_edited_command_reaches_the_bot_as_an_edited_message(stage: Stage) -> None:
    await stage.telegram.start(stage.anya)
    phone = await stage.phone(stage.anya)
    await phone.open(stage.anya)
    await phone.write("/count")
    await expect(phone.text("Count: 0")).to_be_visible()
    await phone.choose(phone.message("/count"), "menu-edit")
    await phone.write("/count again")
    await expect(phone.text("You changed it to: /count again")).to_be_visible()
    await expect(phone.messages("Count: 0")).to_have_count(1)


async def test_a_reply_quotes_what_it_answers(stage: Stage) -> None:
    await stage.telegram.send(stage.boris, stage.club, "who brings the book?")
    phone = await stage.phone(stage.anya)
    await phone.open(stage.club)
    await phone.choose(phone.message("who brings"), "menu-reply")
    await expect(phone.part("composer-context")).to_contain_text("Reply to Борис")
    await phone.write("I do")
    await expect(phone.message("I do").get_by_test_id("quote")).to_contain_text("who brings the book?")


async def test_a_message_can_be_deleted_for_everyone(stage: Stage) -> None:
    sent = await stage.telegram.send(stage.boris, stage.club, "never mind")
    screen = await stage.screen(user=stage.anya)
    phone = screen.phone(stage.anya)
    await phone.open(stage.club)
    await phone.choose(phone.message("never mind"), "menu-delete")
    await screen.submit()
    await expect(phone.messages("never mind")).to_have_count(0)
    assert await stage.telegram.message(stage.club, sent) is None


async def test_a_draft_waits_in_its_chat(stage: Stage) -> None:
    await stage.telegram.start(stage.anya)
    phone = await stage.phone(stage.anya)
    await phone.open(stage.club)
    await phone.part("composer").fill("not yet")
    await phone.open(stage.anya)
    await expect(phone.part("composer")).to_have_value("")
    await phone.open(stage.club)
    await expect(phone.part("composer")).to_have_value("not yet")


async def test_a_pinned_message_stays_on_top_and_leads_to_itself(stage: Stage) -> None:
    await stage.telegram.start(stage.anya)
    phone = await stage.phone(stage.anya)
    await phone.open(stage.anya)
    await phone.write("/pin")
    await expect(phone.part("pinned")).to_contain_text("An important message")
    await phone.part("pinned").click()
    await expect(phone.message("An important message")).to_be_focused()


async def test_a_long_chat_opens_at_its_end_and_shows_earlier_messages_on_demand(stage: Stage) -> None:
    for number in range(150):
        await stage.telegram.send(stage.boris, stage.club, f"line {number}")
    phone = await stage.phone(stage.anya)
    await phone.open(stage.club)
    await expect(phone.text("line 149")).to_be_in_viewport()
    await expect(phone.messages("line 0")).to_have_count(0)
    await phone.part("earlier").click()
    await expect(phone.text("line 0")).to_have_count(1)
    await phone.text("line 0").scroll_into_view_if_needed()
    await stage.telegram.send(stage.boris, stage.club, "line 150")
    await expect(phone.text("line 150")).not_to_be_in_viewport()
    await phone.part("to-bottom").click()
    await expect(phone.text("line 150")).to_be_in_viewport()
