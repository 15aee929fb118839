"""Controls of the sandbox: call log, faults, clock, reset, lost connection, appearance."""

import pytest
from playwright.async_api import Page, WebSocketRoute, expect

from tests.e2e.telegram import Json
from tests.sandbox.page.screen import Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_log_tells_each_call_and_why_it_was_refused(stage: Stage) -> None:
    await stage.telegram.start(stage.anya)
    screen = await stage.screen(user=stage.anya)
    phone = screen.phone(stage.anya)
    await phone.open(stage.anya)
    await phone.write("/refused")
    await expect(screen.part("refusals")).to_have_text("1")
    await screen.part("log-toggle").click()
    await expect(screen.part("refusals")).to_be_hidden()
    refused = screen.part("call").and_(screen.page.locator('[data-ok="false"]'))
    await expect(refused).to_contain_text("message to edit not found")
    await screen.part("log-refused").check()
    await expect(screen.part("call")).to_have_count(1)
    await screen.part("log-refused").uncheck()
    await screen.part("log-filter").fill("sendmess")
    await expect(screen.part("call")).to_have_count(1)
    await expect(screen.part("call")).to_contain_text("Аня")
    await screen.part("log-clear").click()
    await expect(screen.part("call")).to_have_count(0)
    await screen.part("log-close").click()
    await expect(screen.part("log")).to_be_hidden()


async def test_polls_are_left_out_of_the_log_unless_asked_for(stage: Stage) -> None:
    screen = await stage.screen()
    await stage.telegram.start(stage.anya)
    await screen.part("log-toggle").click()
    polls = screen.part("call").filter(has_text="getUpdates")
    await expect(screen.part("call").filter(has_text="sendMessage")).to_have_count(1)
    await expect(polls).to_have_count(0)
    await screen.part("log-polls").check()
    await expect(polls.first).to_be_visible()


async def test_a_fault_is_armed_and_cleared(stage: Stage) -> None:
    await stage.telegram.start(stage.anya)
    screen = await stage.screen(user=stage.anya)
    phone = screen.phone(stage.anya)
    await phone.open(stage.anya)
    await screen.choose("menu-faults")
    await screen.part("field-kind").select_option("429")
    await screen.submit(amount="7", method="sendMessage", times="1")
    await phone.write("/count")
    await screen.part("log-toggle").click()
    refused = screen.part("call").and_(screen.page.locator('[data-ok="false"]'))
    await expect(refused).to_contain_text("retry after 7")
    await phone.write("/count")
    await expect(phone.text("Count: 0")).to_be_visible()
    await screen.choose("menu-faults")
    await screen.part("field-kind").select_option("500")
    await screen.submit(method="sendMessage")
    await screen.choose("menu-faults")
    await screen.part("faults-clear").click()
    await expect(screen.part("faults-dialog")).to_have_count(0)
    await phone.write("hello")
    await expect(phone.text("You said: hello")).to_be_visible()


async def test_the_clock_moves_on(stage: Stage) -> None:
    screen = await stage.screen()
    before = (await stage.telegram.ask("world"))["now"]
    await screen.choose("menu-clock")
    shown = await screen.part("clock-now").text_content()
    await screen.part("clock-day").click()
    await expect(screen.part("clock-now")).not_to_have_text(shown or "")
    await screen.part("field-seconds").fill("90")
    await screen.part("clock-advance").click()

    async def is_later() -> bool:
        world: Json = await stage.telegram.ask("world")
        return bool(world["now"] >= before + 86_400 + 90)

    await stage.telegram.until(is_later)


async def test_the_page_says_so_while_the_bot_is_started_anew(stage: Stage) -> None:
    assert stage.telegram.server is not None
    sandbox = stage.telegram.server.sandbox
    screen = await stage.screen(language="ru-RU")
    await expect(screen.part("bot-down")).to_be_hidden()
    sandbox.bot_ended()
    await expect(screen.part("bot-down")).to_have_text("Бот остановлен, запускаю его снова…")
    sandbox.bot_starts()
    await stage.telegram.api("getMe")
    await expect(screen.part("bot-down")).to_be_hidden()


async def test_a_reset_empties_the_world(stage: Stage) -> None:
    screen = await stage.screen()
    await screen.choose("menu-reset")
    await screen.submit()
    await expect(screen.part("nobody")).to_be_visible()
    await expect(screen.part("phone")).to_have_count(0)
    assert (await stage.telegram.ask("world"))["users"] == []


async def test_nothing_of_a_world_that_is_gone_stays_on_the_page(stage: Stage) -> None:
    screen = await stage.screen()
    await screen.phone(stage.boris).choose_as_person("menu-hide")
    await screen.phone(stage.anya).part("back").click()
    await stage.telegram.send(stage.boris, stage.club, "anybody?")
    await stage.telegram.api("sendMessage", chat_id=7, text="refused")
    await expect(screen.phone(stage.anya).part("rings")).to_have_text("1")
    await expect(screen.part("refusals")).to_have_text("1")

    # As when the sandbox was started anew: other people by the ids of those who are gone.
    assert stage.telegram.server is not None
    stage.telegram.server.sandbox.world.last_user_id = stage.anya - 1
    await stage.telegram.reset()
    assert [await stage.telegram.new_user(name) for name in ("Вера", "Grace")] == [stage.anya, stage.boris]
    await expect(screen.phone(stage.boris).element).to_be_visible()
    await expect(screen.phone(stage.anya).element).to_contain_text("Вера")
    await expect(screen.phone(stage.anya).part("rings")).to_have_text("")
    await expect(screen.phone(stage.anya).part("unread")).to_have_count(0)
    await expect(screen.part("refusals")).to_be_hidden()


async def test_a_page_that_was_away_notices_that_the_world_is_another_one(stage: Stage) -> None:
    screen = await stage.screen()
    await screen.phone(stage.boris).choose_as_person("menu-hide")
    await screen.page.goto("about:blank")
    assert stage.telegram.server is not None
    stage.telegram.server.sandbox.world.last_user_id = stage.anya - 1
    await stage.telegram.reset()
    assert [await stage.telegram.new_user(name) for name in ("Вера", "Grace")] == [stage.anya, stage.boris]
    await screen.page.goto(stage.telegram.url)
    await expect(screen.phone(stage.boris).element).to_be_visible()


async def test_an_empty_world_is_filled_by_a_click(stage: Stage) -> None:
    await stage.telegram.reset()
    screen = await stage.screen()
    await screen.part("friends").click()
    await expect(screen.part("person")).to_have_count(4)
    await expect(screen.part("chat-title").filter(has_text="Книжный клуб")).to_be_visible()
    await expect(screen.part("nobody")).to_have_count(0)


HAPPENINGS = {
    "en-US": ["Аня created the group", "Аня added Sandbox Bot", "Борис left", "Аня added Борис"],
    "ru": [
        "Аня создаёт группу",
        "Аня добавляет в группу: Sandbox Bot",
        "Борис больше не в группе",
        "Аня добавляет в группу: Борис",
    ],
}


@pytest.mark.parametrize("language", HAPPENINGS)
async def test_what_happens_to_a_group_is_told_in_the_readers_language(stage: Stage, language: str) -> None:
    await stage.telegram.set_member(stage.club, stage.boris, "left")
    await stage.telegram.set_member(stage.club, stage.boris, "member")
    phone = await stage.phone(stage.anya, language=language)
    await phone.open(stage.club)
    await expect(phone.part("service")).to_have_text(HAPPENINGS[language])


async def test_a_lost_connection_comes_back_and_what_was_missed_is_fetched(stage: Stage) -> None:
    routes: list[WebSocketRoute] = []
    is_down = False

    async def connect(route: WebSocketRoute) -> None:
        if is_down:
            await route.close()
        else:
            routes.append(route)
            route.connect_to_server()

    async def go_between(page: Page) -> None:
        await page.route_web_socket("**/ws", connect)

    screen = await stage.screen(before=go_between)
    phone = await screen.be(stage.anya)
    await phone.open(stage.club)
    is_down = True
    await routes[0].close()
    await expect(screen.part("connection")).to_be_visible()
    await stage.telegram.send(stage.boris, stage.club, "said in the dark")
    is_down = False
    await expect(phone.text("said in the dark")).to_be_visible()
    await expect(screen.part("connection")).to_be_hidden()
    assert len(routes) == 2


async def test_what_the_sandbox_refuses_is_said(stage: Stage) -> None:
    screen = await stage.screen(user=stage.boris)
    phone = screen.phone(stage.boris)
    await phone.open(stage.club)
    await stage.telegram.set_member(stage.club, stage.boris, "restricted", {"can_send_messages": False})
    composer = phone.part("composer")
    await composer.fill("may I?")
    await composer.press("Enter")
    await expect(screen.part("notice")).to_contain_text("may not write here")
    await expect(composer).to_have_value("may I?")


@pytest.mark.parametrize("system", ["light", "dark"])
async def test_the_theme_follows_the_system_until_one_is_chosen(stage: Stage, system: str) -> None:
    screen = await stage.screen(theme=system)
    root = screen.page.locator("html")
    await expect(root).to_have_attribute("data-theme", system)
    await screen.choose("menu-theme")
    await expect(root).to_have_attribute("data-theme", "light")
    await screen.choose("menu-theme")
    await expect(root).to_have_attribute("data-theme", "dark")
    await screen.page.reload()
    await expect(root).to_have_attribute("data-theme", "dark")


async def test_the_page_speaks_the_readers_language(stage: Stage) -> None:
    screen = await stage.screen(language="ru-RU")
    await expect(screen.part("mode-everyone")).to_have_text("Все")
    await expect(screen.page.locator("html")).to_have_attribute("lang", "ru")
    other = await stage.screen(language="fr-FR")
    await expect(other.part("mode-everyone")).to_have_text("Everyone")


async def test_the_ring_sounds_only_when_it_is_switched_on(stage: Stage) -> None:
    screen = await stage.screen()
    await screen.page.evaluate(
        """() => {
          const start = OscillatorNode.prototype.start;
          window.sounds = 0;
          OscillatorNode.prototype.start = function (at) { window.sounds += 1; start.call(this, at); };
        }"""
    )
    await stage.telegram.send(stage.anya, stage.club, "quietly")
    await expect(screen.phone(stage.boris).part("rings")).to_have_text("1")
    assert await screen.page.evaluate("window.sounds") == 0
    await screen.choose("menu-sound")
    await stage.telegram.send(stage.anya, stage.club, "aloud")
    await expect(screen.phone(stage.boris).part("rings")).to_have_text("2")
    assert await screen.page.evaluate("window.sounds") == 2
