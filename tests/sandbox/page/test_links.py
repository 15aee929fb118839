"""Links: private chats with a payload, messages in groups, adding the bot to a group."""

import pytest
from playwright.async_api import expect

from tests.sandbox.page.screen import Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_deep_link_opens_the_private_chat_with_a_start_button_that_carries_the_payload(
    stage: Stage,
) -> None:
    phone = await stage.phone(stage.anya)
    await phone.open(stage.club)
    await phone.write("/buttons@sandbox_bot")
    await phone.key("Deep link").click()
    await expect(phone.part("chat")).to_have_attribute("data-chat", str(stage.anya))
    await phone.part("start").click()
    await expect(phone.text("Started with from_button")).to_be_visible()
    await expect(phone.part("composer")).to_be_visible()


async def test_a_deep_link_asks_for_start_again_where_the_bot_is_known_already(stage: Stage) -> None:
    await stage.telegram.start(stage.anya)
    phone = await stage.phone(stage.anya)
    await phone.open(stage.anya)
    await phone.write("/buttons")
    await phone.key("Deep link").click()
    await phone.part("start").click()
    await expect(phone.text("Started with from_button")).to_be_visible()


async def test_an_answer_with_a_link_opens_the_private_chat_too(stage: Stage) -> None:
    phone = await stage.phone(stage.anya)
    await phone.open(stage.club)
    await phone.write("/buttons@sandbox_bot")
    await phone.key("Answer with a link").click()
    await phone.part("start").click()
    await expect(phone.text("Started with from_answer")).to_be_visible()


async def test_a_bare_link_to_the_bot_just_opens_its_chat(stage: Stage) -> None:
    await stage.telegram.start(stage.anya)
    phone = await stage.phone(stage.anya)
    await phone.open(stage.club)
    await phone.write("/buttons@sandbox_bot")
    await phone.key("My chat").click()
    await expect(phone.part("chat")).to_have_attribute("data-chat", str(stage.anya))
    await expect(phone.part("composer")).to_be_visible()


async def test_a_link_to_a_message_scrolls_to_it(stage: Stage) -> None:
    await stage.telegram.start(stage.anya)
    await stage.telegram.send(stage.boris, stage.club, "the place to come back to")
    await stage.telegram.send(stage.anya, stage.club, "/where@sandbox_bot")
    for number in range(40):
        await stage.telegram.send(stage.boris, stage.club, f"chatter {number}")
    phone = await stage.phone(stage.anya)
    await phone.open(stage.anya)
    await phone.key("To the group").click()
    await expect(phone.part("chat")).to_have_attribute("data-chat", str(stage.club))
    target = phone.message("the place to come back to")
    await expect(target).to_be_in_viewport()
    await expect(target).to_be_focused()


async def test_a_link_into_a_group_one_is_not_in_leads_nowhere_and_says_why(stage: Stage) -> None:
    await stage.telegram.start(stage.anya)
    await stage.telegram.send(stage.boris, stage.club, "hello")
    await stage.telegram.send(stage.anya, stage.club, "/where@sandbox_bot")
    phone = await stage.phone(stage.anya)
    await phone.open(stage.anya)
    await expect(phone.key("To the group")).to_be_visible()
    await stage.telegram.set_member(stage.club, stage.anya, "left")
    await expect(phone.row(stage.club)).to_have_count(0)
    await phone.key("To the group").click()
    await expect(phone.part("toast")).to_have_text("You are not a member of this chat")


async def test_a_startgroup_link_offers_ones_groups_and_tells_the_bot_in_the_chosen_one(stage: Stage) -> None:
    other = await stage.telegram.new_group("Дача", [stage.anya], bot=False)
    await stage.telegram.start(stage.anya)
    screen = await stage.screen(user=stage.anya)
    phone = screen.phone(stage.anya)
    await phone.open(stage.anya)
    await phone.write("/add")
    await phone.key("Add to a group").click()
    await expect(screen.part("pick-group")).to_have_count(2)
    await expect(screen.part("pick-group").filter(has_text="Книжный клуб")).to_contain_text("already in")
    await screen.part("pick-group").filter(has_text="Дача").click()
    await expect(phone.part("chat")).to_have_attribute("data-chat", str(other))
    await expect(phone.text("Started with hello")).to_be_visible()


async def test_a_startgroup_link_can_make_the_group(stage: Stage) -> None:
    await stage.telegram.start(stage.anya)
    screen = await stage.screen(user=stage.anya)
    phone = screen.phone(stage.anya)
    await phone.open(stage.anya)
    await phone.write("/add")
    await phone.key("Add to a group").click()
    await screen.part("pick-new-group").click()
    await screen.submit(title="Новая")
    await expect(phone.part("chat-title")).to_contain_text("Новая")
    await expect(phone.text("Started with hello")).to_be_visible()


async def test_a_mention_of_somebody_says_who_that_is(stage: Stage) -> None:
    phone = await stage.phone(stage.anya)
    await phone.open(stage.club)
    await phone.write("ask @boris or @nobody_here")
    await phone.message("ask").get_by_role("button", name="@boris").click()
    await expect(phone.part("toast")).to_have_text("Борис · @boris")
    await phone.message("ask").get_by_role("button", name="@nobody_here").click()
    await expect(phone.part("toast")).to_have_text("Nobody here is called @nobody_here")
