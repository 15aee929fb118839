"""Menus for people, groups, memberships and rights."""

import pytest
from playwright.async_api import expect

from tests.browser import OpenPage
from tests.e2e.telegram import Json, Telegram
from tests.sandbox.page.screen import Screen, Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def member(telegram: Telegram, chat: int, who: int | str) -> Json:
    """Somebody's place in a group as the server has it."""
    world = await telegram.ask("world")
    group = next(each for each in world["chats"] if each["id"] == chat)
    found: Json = next(each for each in group["members"] if each["user"] == who)
    return found


async def test_an_empty_world_asks_for_its_first_person(telegram: Telegram, page_at: OpenPage) -> None:
    screen = Screen(await page_at(telegram.url))
    await screen.part("first-person").click()
    await screen.submit(first_name="Вера", last_name="К", username="vera_k")
    await expect(screen.part("person")).to_have_text(["ВКВера"])
    await expect(screen.part("phone")).to_have_count(1)


@pytest.mark.parametrize(("page_language", "offered"), [("en-US", "en"), ("ru-RU", "ru")])
async def test_a_new_person_speaks_the_pages_language_unless_another_is_chosen(
    stage: Stage, page_language: str, offered: str
) -> None:
    screen = await stage.screen(language=page_language)
    await screen.part("add-menu").click()
    await screen.part("menu-new-person").click()
    await expect(screen.part("field-language_code")).to_have_value(offered)
    await screen.submit(first_name="Grace")
    await expect(screen.part("person").last).to_contain_text("Grace")
    world = await stage.telegram.ask("world")
    assert world["users"][-1]["language_code"] == offered


async def test_a_refused_dialog_stays_open_and_says_why(stage: Stage) -> None:
    screen = await stage.screen()
    await screen.part("add-menu").click()
    await screen.part("menu-new-person").click()
    await screen.part("field-first_name").fill("   ")
    await screen.part("dialog-submit").click()
    await expect(screen.part("dialog-problem")).to_have_text("first_name is empty")


@pytest.mark.parametrize("kind", ["supergroup", "group", "forum"])
async def test_a_person_makes_a_group_of_any_kind(stage: Stage, kind: str) -> None:
    screen = await stage.screen(user=stage.anya)
    phone = screen.phone(stage.anya)
    await phone.choose_as_person("menu-new-group")
    await screen.part("field-kind").select_option(kind)
    await screen.submit(title="Дача")
    await expect(phone.part("chat-title")).to_contain_text("Дача")
    await expect(phone.part("chat-title")).to_contain_text("3 members")
    groups = (await stage.telegram.ask("world"))["chats"]
    made = next(each for each in groups if each["title"] == "Дача")
    assert made["type"] == ("group" if kind == "group" else "supergroup")
    assert made["is_forum"] == (kind == "forum")


async def test_a_group_made_from_the_bar_opens(stage: Stage) -> None:
    screen = await stage.screen()
    await screen.part("add-menu").click()
    await screen.part("menu-new-group").click()
    await screen.submit(title="Дача")
    await expect(screen.shared.part("chat-title")).to_contain_text("Дача")
    await screen.be(stage.boris)
    await screen.part("add-menu").click()
    await screen.part("menu-new-group").click()
    await screen.submit(title="Гараж")
    await expect(screen.phone(stage.boris).part("chat-title")).to_contain_text("Гараж")


async def test_a_group_and_a_person_get_other_names(stage: Stage) -> None:
    await stage.telegram.send(stage.anya, stage.club, "hello")
    screen = await stage.screen(user=stage.boris)
    phone = screen.phone(stage.boris)
    await phone.open(stage.club)
    await expect(phone.message("hello")).to_contain_text("Аня")
    await phone.choose_in_chat("menu-rename-group")
    await expect(screen.part("field-title")).to_have_value("Книжный клуб")
    await screen.submit(title="Клуб 101")
    await expect(phone.part("chat-title")).to_contain_text("Клуб 101")
    await expect(phone.part("service").last).to_have_text("Аня renamed the group to “Клуб 101”")

    await phone.choose_as_person("menu-rename-person")
    await screen.submit(first_name="Боря", last_name="К")
    await expect(screen.part("person").last).to_contain_text("Боря")
    await stage.telegram.act("rename_user", user=stage.anya, first_name="Анна")
    await expect(phone.message("hello")).to_contain_text("Анна")


async def test_members_can_be_hidden_and_shown(stage: Stage) -> None:
    screen = await stage.screen(user=stage.anya)
    phone = screen.phone(stage.anya)
    await phone.open(stage.club)
    for state in ("true", "false"):
        await phone.choose_in_chat("menu-hide-members")
        await phone.part("chat-menu").click()
        await expect(screen.part("menu-hide-members")).to_have_attribute("aria-checked", state)
        await screen.page.keyboard.press("Escape")


async def test_a_topic_is_renamed_closed_and_deleted(stage: Stage) -> None:
    forum = await stage.telegram.new_group(
        "Форум", [stage.anya, stage.boris], creator=stage.anya, is_forum=True
    )
    thread = await stage.telegram.new_topic(forum, "Игры")
    await stage.telegram.send(stage.anya, forum, "in the topic", thread=thread)
    screen = await stage.screen(user=stage.boris)
    phone = screen.phone(stage.boris)
    await phone.open(forum)
    await phone.part("topic").filter(has_text="Игры").click()
    await phone.choose_in_chat("menu-rename-topic")
    await screen.submit(name="Карты")
    await expect(phone.part("chat-title")).to_contain_text("Карты")
    await phone.choose_in_chat("menu-close-topic")
    await expect(phone.part("chat")).to_contain_text("This topic is closed")
    await expect(phone.part("composer")).to_be_hidden()
    await phone.choose_in_chat("menu-close-topic")
    await expect(phone.part("composer")).to_be_visible()
    await phone.choose_in_chat("menu-delete-topic")
    await screen.submit()
    await expect(phone.part("topic")).to_have_count(1)
    await expect(phone.part("chat-title")).not_to_contain_text("Карты")
    await expect(phone.part("composer")).to_be_visible()


async def test_a_forum_has_topics_each_with_its_own_messages(stage: Stage) -> None:
    forum = await stage.telegram.new_group(
        "Форум", [stage.anya, stage.boris], creator=stage.anya, is_forum=True
    )
    screen = await stage.screen(user=stage.anya)
    phone = screen.phone(stage.anya)
    await phone.open(forum)
    await phone.write("in general")
    await phone.part("new-topic").click()
    await screen.submit(name="Игры")
    await phone.part("topic").filter(has_text="Игры").click()
    await expect(phone.messages("in general")).to_have_count(0)
    await phone.write("/count@sandbox_bot")
    await expect(phone.text("Count: 0")).to_be_visible()
    await phone.part("topic").filter(has_text="General").click()
    await expect(phone.text("in general")).to_be_visible()
    await expect(phone.messages("Count: 0")).to_have_count(0)


async def test_a_person_blocks_and_unblocks_the_bot(stage: Stage) -> None:
    await stage.telegram.start(stage.anya)
    phone = await stage.phone(stage.anya)
    await phone.open(stage.anya)
    await phone.choose_in_chat("menu-block")
    await expect(phone.part("unblock")).to_be_visible()
    await expect(phone.part("composer")).to_be_hidden()
    await phone.part("unblock").click()
    await expect(phone.part("composer")).to_be_visible()
    await phone.choose_as_person("menu-block")
    await expect(phone.part("unblock")).to_be_visible()


async def test_members_are_promoted_with_rights_demoted_and_removed(stage: Stage) -> None:
    screen = await stage.screen(user=stage.anya)
    phone = screen.phone(stage.anya)
    await phone.open(stage.club)
    await phone.part("chat-title").click()
    await screen.do_to_member("bot", "member-promote")
    await screen.part("tick-right-can_delete_messages").uncheck()
    await screen.part("rights-dialog").get_by_test_id("dialog-submit").click()
    await expect(screen.member("bot")).to_have_attribute("data-status", "administrator")
    rights = (await member(stage.telegram, stage.club, "bot"))["rights"]
    assert (rights["can_pin_messages"], rights["can_delete_messages"]) == (True, False)
    await screen.do_to_member("bot", "member-demote")
    await expect(screen.member("bot")).to_have_attribute("data-status", "member")
    await screen.do_to_member(stage.boris, "member-kick")
    await expect(screen.member(stage.boris)).to_have_attribute("data-status", "kicked")
    await screen.do_to_member(stage.boris, "member-return")
    await expect(screen.member(stage.boris)).to_have_attribute("data-status", "member")
    await screen.do_to_member(stage.boris, "member-restrict")
    await expect(screen.member(stage.boris)).to_have_attribute("data-status", "restricted")
    await screen.do_to_member(stage.boris, "member-unrestrict")
    await screen.do_to_member(stage.boris, "member-owner")
    await expect(screen.member(stage.boris)).to_have_attribute("data-status", "creator")
    await expect(screen.member(stage.anya)).to_have_attribute("data-status", "administrator")


async def test_a_promoted_bot_may_pin(stage: Stage) -> None:
    screen = await stage.screen(user=stage.anya)
    phone = screen.phone(stage.anya)
    await phone.open(stage.club)
    await phone.part("chat-title").click()
    await screen.do_to_member("bot", "member-promote")
    await screen.part("rights-dialog").get_by_test_id("dialog-submit").click()
    await expect(screen.member("bot")).to_have_attribute("data-status", "administrator")
    await screen.page.keyboard.press("Escape")
    await phone.write("/pin@sandbox_bot")
    await expect(phone.part("pinned")).to_contain_text("An important message")


async def test_the_bot_is_thrown_out_and_brought_back(stage: Stage) -> None:
    phone = await stage.phone(stage.anya)
    await phone.open(stage.club)
    await phone.choose_in_chat("menu-kick-bot")
    await expect(phone.part("chat-title")).to_contain_text("2 members")
    await phone.choose_in_chat("menu-bring-bot")
    await expect(phone.part("chat-title")).to_contain_text("3 members")


async def test_who_leaves_sees_no_more_and_catches_up_on_coming_back(stage: Stage) -> None:
    phone = await stage.phone(stage.boris)
    await phone.open(stage.club)
    await phone.choose_in_chat("menu-leave")
    await expect(phone.part("join")).to_be_visible()
    await stage.telegram.send(stage.anya, stage.club, "behind his back")
    await stage.telegram.start(stage.boris)
    await expect(phone.row(stage.boris)).to_contain_text("Hello!")
    await expect(phone.messages("behind his back")).to_have_count(0)
    await phone.part("join").click()
    await expect(phone.text("behind his back")).to_be_visible()
    await expect(phone.part("composer")).to_be_visible()


async def test_who_is_removed_is_told_so(stage: Stage) -> None:
    phone = await stage.phone(stage.boris)
    await phone.open(stage.club)
    await stage.telegram.set_member(stage.club, stage.boris, "kicked")
    await expect(phone.part("chat")).to_contain_text("You were removed from this group")
    await expect(phone.part("composer")).to_be_hidden()


async def test_an_upgraded_group_goes_on_under_its_new_id_and_keeps_its_past(stage: Stage) -> None:
    group = await stage.telegram.new_group(
        "Дача", [stage.anya, stage.boris], kind="group", creator=stage.anya
    )
    await stage.telegram.send(stage.boris, group, "before")
    screen = await stage.screen(user=stage.anya)
    phone = screen.phone(stage.anya)
    await phone.open(group)
    await phone.choose_in_chat("menu-upgrade")
    await screen.submit()
    await phone.part("go-to-upgraded").click()
    height = "composer => composer.clientHeight >= parseFloat(getComputedStyle(composer).lineHeight)"
    await expect(phone.part("composer")).to_be_visible()
    assert await phone.part("composer").evaluate(height), "there is room for a line"
    await expect(phone.part("chat")).not_to_have_attribute("data-chat", str(group))
    await expect(phone.part("service").last).to_be_visible()
    await expect(phone.part("empty")).to_have_count(0)
    await phone.write("after")
    await expect(phone.text("after")).to_be_visible()
    await phone.choose_in_chat("menu-before-upgrade")
    await expect(phone.text("before")).to_be_visible()
    await expect(phone.part("composer")).to_be_hidden()


async def test_an_admin_writes_as_the_group(stage: Stage) -> None:
    screen = await stage.screen(user=stage.anya)
    phone = screen.phone(stage.anya)
    await phone.open(stage.club)
    await phone.part("as-group").click()
    await phone.write("the management speaks")
    await expect(phone.message("the management speaks")).to_have_attribute("data-from", str(stage.club))
    other = await screen.be(stage.boris)
    await other.open(stage.club)
    await expect(other.part("as-group")).to_be_hidden()
