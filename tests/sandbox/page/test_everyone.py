"""Everybody side by side: visibility, notifications, the shared screen."""

import pytest
from playwright.async_api import expect

from tests.sandbox.page.screen import Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_newcomer_sees_everybody_and_is_told_how_to_begin(stage: Stage) -> None:
    await stage.telegram.api("sendMessage", chat_id=stage.club, text="I am new here")
    screen = await stage.screen()
    await expect(screen.part("phone")).to_have_count(2)
    await expect(screen.shared.part("chat")).to_have_attribute("data-chat", str(stage.club))
    await expect(screen.shared.part("empty")).to_contain_text("Send /buttons in this group")
    await screen.shared.part("hint-send").click()
    await expect(screen.shared.text("Press one")).to_be_visible()
    await expect(screen.shared.part("empty")).to_have_count(0)


async def test_each_phone_has_a_chat_of_its_own(stage: Stage) -> None:
    await stage.telegram.start(stage.anya)
    screen = await stage.screen()
    await screen.phone(stage.boris).part("start").click()
    await expect(screen.phone(stage.boris).text("Hello!")).to_be_visible()
    await screen.phone(stage.anya).part("back").click()
    await screen.phone(stage.anya).open(stage.club)
    await screen.phone(stage.anya).write("for all")
    await expect(screen.shared.text("for all")).to_be_visible()
    await expect(screen.phone(stage.boris).messages("for all")).to_have_count(0)


async def test_on_the_shared_screen_one_acts_as_anybody_and_links_open_that_persons_phone(
    stage: Stage,
) -> None:
    screen = await stage.screen()
    await screen.shared.write("/buttons@sandbox_bot")
    await expect(screen.shared.key("Toast")).to_be_visible()
    await screen.shared.element.locator(f'[data-testid="actor"][data-user="{stage.boris}"]').click()
    await screen.shared.key("Toast").click()
    await expect(screen.shared.part("toast")).to_have_text("A toast for you")
    await screen.shared.key("Deep link").click()
    await screen.phone(stage.boris).part("start").click()
    await expect(screen.phone(stage.boris).text("Started with from_button")).to_be_visible()
    await expect(screen.shared.part("chat")).to_have_attribute("data-chat", str(stage.club))


@pytest.mark.parametrize("language", ["en-US", "ru-RU"])
async def test_four_friends_fit_side_by_side_over_the_shared_screen(stage: Stage, language: str) -> None:
    for name in ("Вера", "Grace"):
        await stage.telegram.set_member(stage.club, await stage.telegram.new_user(name), "member")
    screen = await stage.screen(size=(1280, 900), language=language)
    actors = screen.shared.part("actor")
    await expect(actors).to_have_count(4)
    cut = "actors => actors.parentElement.scrollWidth > actors.parentElement.clientWidth"
    assert not await actors.first.evaluate(cut)


async def test_a_link_to_the_group_leads_to_the_shared_screen_as_whoever_pressed_it(stage: Stage) -> None:
    await stage.telegram.start(stage.boris)
    await stage.telegram.send(stage.anya, stage.club, "back to here")
    await stage.telegram.send(stage.boris, stage.club, "/where@sandbox_bot")
    screen = await stage.screen()
    await screen.phone(stage.boris).key("To the group").click()
    await expect(screen.shared.element).to_have_attribute("data-user", str(stage.boris))
    await expect(screen.shared.message("back to here")).to_be_focused()


async def test_a_new_message_rings_and_an_edit_or_a_silent_message_does_not(stage: Stage) -> None:
    await stage.telegram.start(stage.boris)
    screen = await stage.screen()
    phone = screen.phone(stage.boris)
    await phone.write("/count")
    await expect(phone.part("rings")).to_have_text("1")
    await phone.key("Count on from 0").click()
    await expect(phone.text("Count: 1")).to_be_visible()
    await phone.write("/quiet")
    await expect(phone.message("Hush").get_by_test_id("silent-mark")).to_be_visible()
    await expect(phone.part("rings")).to_have_text("1")
    await phone.write("/count")
    await expect(phone.part("rings")).to_have_text("2")
    await phone.part("bell").click()
    await expect(screen.part("rings-dialog")).to_contain_text("Count: 0")
    await screen.part("dialog-close").click()
    await expect(phone.part("rings")).to_have_text("")


async def test_what_is_not_on_the_screen_slides_in_and_opens_by_a_press(stage: Stage) -> None:
    screen = await stage.screen()
    await expect(screen.phone(stage.boris).part("start")).to_be_visible()
    await stage.telegram.send(stage.anya, stage.club, "are you coming?")
    banner = screen.phone(stage.boris).part("banner")
    await expect(banner).to_contain_text("are you coming?")
    await banner.click()  # it stays for five seconds
    anyas = screen.phone(stage.anya).part("banner")
    await expect(anyas).to_have_count(0)  # nobody's phone rings for his own words
    await expect(screen.phone(stage.boris).message("are you coming?")).to_be_focused()


async def test_unread_messages_are_counted_until_the_chat_is_opened(stage: Stage) -> None:
    screen = await stage.screen()
    phone = screen.phone(stage.boris)
    await phone.part("back").click()
    await stage.telegram.send(stage.anya, stage.club, "first")
    await stage.telegram.send(stage.anya, stage.club, "second")
    await expect(phone.row(stage.club).get_by_test_id("unread")).to_have_text("2")
    await expect(phone.row(stage.club)).to_contain_text("Аня: second")
    await phone.open(stage.club)
    await phone.part("back").click()
    await expect(phone.row(stage.club).get_by_test_id("unread")).to_have_count(0)
    assert (await stage.telegram.ask("unread", user=stage.boris)).get(str(stage.club)) is None


async def test_a_phone_can_be_put_away_and_taken_back(stage: Stage) -> None:
    screen = await stage.screen()
    await screen.phone(stage.boris).choose_as_person("menu-hide")
    await expect(screen.phone(stage.boris).element).to_have_count(0)
    await screen.page.locator(f'[data-testid="person"][data-user="{stage.boris}"]').click()
    await expect(screen.phone(stage.boris).element).to_be_visible()
    await screen.choose("menu-shared")
    await expect(screen.shared.element).to_have_count(0)
    await screen.choose("menu-shared")
    await expect(screen.shared.element).to_be_visible()


async def test_a_person_finds_the_chat_open_that_was_open_before(stage: Stage) -> None:
    screen = await stage.screen()
    phone = await screen.be(stage.anya)
    await phone.open(stage.club)
    await screen.be(stage.boris)
    await screen.be(stage.anya)
    await expect(phone.part("chat")).to_have_attribute("data-chat", str(stage.club))
    await screen.see_everyone()
    await expect(phone.part("chat")).to_have_attribute("data-chat", str(stage.club))


async def test_the_page_remembers_mode_and_person(stage: Stage) -> None:
    screen = await stage.screen()
    await screen.be(stage.boris)
    await screen.page.reload()
    await expect(screen.phone(stage.boris).element).to_be_visible()
    await expect(screen.part("phone")).to_have_count(1)


async def test_a_person_chosen_alone_shows_rings_of_the_others_in_the_bar(stage: Stage) -> None:
    screen = await stage.screen()
    await screen.be(stage.anya)
    await stage.telegram.send(stage.anya, stage.club, "anybody?")
    await expect(screen.page.locator(f'[data-testid="person"][data-user="{stage.boris}"]')).to_contain_text(
        "1"
    )
