"""The page on a phone: one view at a time, nothing cut off, the same menus."""

import pytest
from playwright.async_api import Page, expect

from tests.browser import PHONE
from tests.sandbox.page.screen import Screen, Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")

# What scrolls sideways by itself may be wider than the window; so may the phones beside the one in view.
CUT_OFF = """() => {
  const mayBeWide = ".people, .desk > .phone ~ .phone, .topics, .actors, pre, .visually-hidden";
  return [...document.querySelectorAll("body *")].filter((element) => {
    if (element.closest(mayBeWide) || getComputedStyle(element).visibility === "hidden") return false;
    const box = element.getBoundingClientRect();
    return box.width > 0 && (box.right > innerWidth + 1 || box.left < -1);
  }).map((element) => element.className || element.tagName);
}"""


async def nothing_is_cut_off(page: Page) -> None:
    """All that is drawn lies within the window's width."""
    assert await page.evaluate(CUT_OFF) == []
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_the_list_leads_to_a_chat_and_back(stage: Stage) -> None:
    page = (await stage.screen(size=PHONE)).page
    phone = Screen(page).phone(stage.anya)
    await expect(phone.part("chat-list")).to_be_visible()
    await nothing_is_cut_off(page)
    await phone.open(stage.club)
    await expect(phone.part("chat-list")).to_be_hidden()
    await phone.part("back").click()
    await expect(phone.part("chat-list")).to_be_visible()
    await expect(phone.row(stage.club)).to_be_focused()


async def test_every_kind_of_message_fits(stage: Stage) -> None:
    page = (await stage.screen(size=PHONE)).page
    phone = Screen(page).phone(stage.anya)
    await phone.open(stage.club)
    for command in ("buttons", "text", "photo", "document"):
        await phone.write(f"/{command}@sandbox_bot")
    await phone.write("averylongwordwithoutanyplacetobreakit" * 4)
    await expect(phone.part("document")).to_be_visible()
    await nothing_is_cut_off(page)
    await phone.key("Alert").scroll_into_view_if_needed()
    await phone.key("Alert").click()
    await expect(phone.part("alert")).to_be_visible()
    await nothing_is_cut_off(page)


async def test_however_many_people_there_are_a_chat_fits(stage: Stage) -> None:
    for name in ("Вера", "Гена", "Дина", "Егор", "Жанна", "Захар", "Инна", "Костя"):
        await stage.telegram.new_user(name)
    page = (await stage.screen(size=PHONE)).page
    phone = Screen(page).phone(stage.anya)
    await phone.open(stage.club)
    await phone.write("/buttons@sandbox_bot")
    await expect(phone.key("Alert")).to_be_visible()
    await nothing_is_cut_off(page)


async def test_whoever_one_is_can_be_seen_in_the_bar_with_the_ring_around(stage: Stage) -> None:
    everybody = [stage.anya, *[await stage.telegram.new_user(name) for name in "ВГДЕЖЗИК"]]
    page = (await stage.screen(user=everybody[-1], size=PHONE)).page
    is_whole = """user => {
        const hook = `[data-testid="person"][data-user="${user}"][aria-pressed="true"]`;
        const chip = document.querySelector(hook);
        const strip = chip?.parentElement.getBoundingClientRect(), own = chip?.getBoundingClientRect();
        return chip !== null && strip.left + 2 <= own.left && own.right + 2 <= strip.right;
    }"""
    await page.wait_for_function(is_whole, arg=everybody[-1])
    for person in (everybody[4], everybody[0]):
        await page.locator(f'[data-testid="person"][data-user="{person}"]').click()
        await page.wait_for_function(is_whole, arg=person)


async def test_the_menus_and_dialogs_fit(stage: Stage) -> None:
    page = (await stage.screen(size=PHONE)).page
    screen = Screen(page)
    phone = screen.phone(stage.anya)
    for item in ("menu-clock", "menu-faults", "menu-reset"):
        await screen.part("app-menu").click()
        await nothing_is_cut_off(page)
        await screen.part(item).click()
        await nothing_is_cut_off(page)
        await page.keyboard.press("Escape")
    await phone.choose_as_person("menu-new-group")
    await nothing_is_cut_off(page)
    await page.keyboard.press("Escape")
    await phone.open(stage.club)
    await phone.choose_in_chat("menu-members")
    await screen.member(stage.boris).get_by_test_id("member-menu").click()
    await nothing_is_cut_off(page)
    await page.keyboard.press("Escape")
    await page.keyboard.press("Escape")
    await screen.part("log-toggle").click()
    await expect(screen.part("log")).to_be_visible()
    await nothing_is_cut_off(page)


async def test_everyone_is_one_phone_at_a_time_that_the_bar_leads_to(stage: Stage) -> None:
    screen = await stage.screen(size=PHONE)
    await screen.see_everyone()
    await expect(screen.shared.part("composer")).to_be_in_viewport()
    await screen.page.locator(f'[data-testid="person"][data-user="{stage.boris}"]').click()
    await expect(screen.phone(stage.boris).part("start")).to_be_in_viewport(ratio=0.99)
    await expect(screen.shared.part("composer")).not_to_be_in_viewport()


async def test_a_deep_link_from_the_shared_screen_brings_the_persons_phone_into_view(stage: Stage) -> None:
    screen = await stage.screen(size=PHONE)
    await screen.see_everyone()
    await screen.shared.write("/buttons@sandbox_bot")
    await screen.shared.element.locator(f'[data-testid="actor"][data-user="{stage.boris}"]').click()
    await screen.shared.key("Deep link").click()
    await expect(screen.phone(stage.boris).part("start")).to_be_in_viewport(ratio=0.99)
