"""Accessibility: no serious finding by axe-core in any state, everything reachable by keyboard."""

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect

from tests.browser import DESKTOP, PHONE
from tests.sandbox.page.screen import Screen, Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")

axe = Axe()


async def check(page: Page, where: str) -> None:
    """Let axe-core look at the page as it is.

    Raises:
        AssertionError: with every rule of impact «serious» or «critical» that is broken, and where.
    """
    results = await axe.run(page)
    grave = [each for each in results.response["violations"] if each["impact"] in ("serious", "critical")]
    told = [f"{each['id']}: {[node['html'] for node in each['nodes']]}" for each in grave]
    assert not told, f"{where}: {told}"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_axe_finds_nothing_serious(stage: Stage, size: tuple[int, int], theme: str) -> None:
    await stage.telegram.start(stage.anya)
    page = (await stage.screen(size=size, theme=theme)).page
    screen = Screen(page)
    await screen.see_everyone()
    await check(page, "everyone")
    phone = await screen.be(stage.anya)
    if size == PHONE:
        await check(page, "list")
    await phone.open(stage.anya)
    for command in ("/text", "/photo", "/document", "/pin", "/quiet", "hello", "/buttons"):
        await phone.write(command)
    await expect(phone.key("Alert")).to_be_visible()
    await check(page, "chat")
    await phone.key("Toast").click()
    await expect(phone.part("toast")).to_be_visible()
    await phone.key("Slow").click()
    await check(page, "toast and spinner")
    await phone.part("commands-button").click()
    await expect(phone.part("command").first).to_be_visible()
    await check(page, "commands")
    await page.keyboard.press("Escape")
    await phone.key("Alert").click()
    await expect(phone.part("alert")).to_be_visible()
    await check(page, "alert")
    await phone.part("alert-ok").click()
    await screen.part("log-toggle").click()
    await check(page, "log")


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_axe_finds_nothing_serious_in_menus_and_dialogs(stage: Stage, theme: str) -> None:
    await stage.telegram.set_member(stage.club, stage.boris, "kicked")
    page = (await stage.screen(theme=theme)).page
    screen = Screen(page)
    phone = await screen.be(stage.anya)
    await phone.open(stage.club)
    await screen.part("app-menu").click()
    await check(page, "menu")
    await page.keyboard.press("Escape")
    for item in ("menu-clock", "menu-faults", "menu-reset"):
        await screen.choose(item)
        await check(page, item)
        await page.keyboard.press("Escape")
    await phone.choose_as_person("menu-new-group")
    await check(page, "new group")
    await page.keyboard.press("Escape")
    await phone.choose_in_chat("menu-members")
    await check(page, "members")
    await page.keyboard.press("Escape")
    await phone.part("bell").click()
    await check(page, "rings")


async def test_a_chat_can_be_used_without_a_pointer(stage: Stage) -> None:
    page = (await stage.screen(size=PHONE)).page
    screen = Screen(page)
    phone = screen.phone(stage.anya)
    keyboard = page.keyboard
    await phone.row(stage.club).focus()
    await keyboard.press("Enter")
    await phone.part("composer").focus()
    await keyboard.type("/count@sandbox_bot")
    await keyboard.press("Enter")
    await expect(phone.text("Count: 0")).to_be_visible()
    await phone.part("messages").focus()
    await keyboard.press("ArrowUp")
    await expect(phone.message("Count: 0")).to_be_focused()
    await keyboard.press("Enter")
    await expect(screen.part("menu-reply")).to_be_focused()
    await keyboard.press("ArrowDown")
    await keyboard.press("ArrowUp")
    await keyboard.press("Enter")
    await expect(phone.part("composer-context")).to_be_visible()
    await keyboard.press("Escape")
    await expect(phone.part("composer-context")).to_be_hidden()
    await keyboard.press("Escape")
    await expect(phone.row(stage.club)).to_be_focused()


async def test_focus_stays_inside_a_dialog_and_returns_to_what_opened_it(stage: Stage) -> None:
    page = (await stage.screen()).page
    screen = Screen(page)
    await screen.part("add-menu").focus()
    await page.keyboard.press("Enter")
    await expect(screen.part("menu-new-person")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(screen.part("field-first_name")).to_be_focused()
    for _ in range(12):
        await page.keyboard.press("Tab")
        assert await page.evaluate(
            "document.activeElement === document.body || !!document.activeElement.closest('dialog')"
        )
    await page.keyboard.press("Escape")
    await expect(screen.part("add-menu")).to_be_focused()
