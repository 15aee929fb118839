"""The bot with a webhook, which only Telegram can use, and the return to polling."""

from __future__ import annotations

from pathlib import Path

import httpx

from bot import webhook
from bot.config import Settings
from bot.receiving import ALLOWED_UPDATES, webhook_secret
from tests.e2e.players import Club
from tests.e2e.process import free_port
from tests.e2e.running import running
from tests.e2e.telegram import Json
from tests.patience import PATIENCE


async def test_a_match_is_played_by_webhook_and_goes_on_by_polling(tmp_path: Path) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    async with running(tmp_path, WEBHOOK_URL=url, PORT=str(port)) as bot:
        club = await Club.dealt(bot, 2)
        info = (await bot.telegram.api("getWebhookInfo"))["result"]
        assert info["url"] == url + webhook.PATH
        assert sorted(info["allowed_updates"]) == sorted(ALLOWED_UPDATES)
        for _ in range(3):
            assert await club.next_tap() is not None
        state = await club.until_it_is_quiet()

        secret = webhook_secret(Settings(bot_token=bot.telegram.token))
        async with httpx.AsyncClient(base_url=url, timeout=PATIENCE) as http:
            assert (await http.get("/health")).json()["ok"] is True
            for given in ({}, {webhook.SECRET_HEADER: secret[::-1]}):
                answer = await http.post(webhook.PATH, json=command(club, 1, "/help"), headers=given)
                assert answer.status_code == 403
            before = len(await bot.telegram.calls())
            pushed = [command(club, 2, "/help")] * 3 + [command(club, 3, "/score")]
            for update in pushed:
                answer = await http.post(webhook.PATH, json=update, headers={webhook.SECRET_HEADER: secret})
                assert answer.status_code == 200
        await club.until(
            lambda: any(it.text.startswith("📊") for it in bot.telegram.newest(club.chat)), "the score"
        )
        sent = [it for it in (await bot.telegram.calls())[before:] if it["method"] == "sendMessage"]
        assert len([it for it in sent if it["chat_id"] == club.chat]) == 2

        assert await bot.bot.stop() == 0
        del bot.bot.environment["WEBHOOK_URL"], bot.bot.environment["PORT"]
        await bot.bot.start()
        for _ in range(3):
            assert await club.next_tap() is not None
        assert (await bot.telegram.api("getWebhookInfo"))["result"]["url"] == ""
        assert (await club.settled()).log[: len(state.log)] == state.log


async def test_who_is_refused_sees_the_status_even_while_sending(tmp_path: Path) -> None:
    """The refusal comes before the body has been read, or even sent."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    async with (
        running(tmp_path, WEBHOOK_URL=url, PORT=str(port)) as bot,
        httpx.AsyncClient(base_url=url, timeout=PATIENCE) as http,
    ):
        await bot.telegram.until(lambda: is_listening(http))
        for number in range(200):
            body = bytes((1_000, 100_000, webhook.LARGEST_BODY)[number % 3])
            assert (await http.post(webhook.PATH, content=body)).status_code == 403


async def test_a_channel_in_which_the_bot_has_been_put_is_left_in_peace(tmp_path: Path) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    async with running(tmp_path, WEBHOOK_URL=url, PORT=str(port)) as bot:
        person = await bot.telegram.new_user("Аня")
        channel = {"id": -1009999999999, "type": "channel", "title": "News"}
        posts: Json = {"status": "administrator", "can_be_edited": False, "is_anonymous": False}
        posts |= dict.fromkeys(ADMIN_RIGHTS, True)
        me = (await bot.telegram.api("getMe"))["result"]
        user = {"id": person, "is_bot": False, "first_name": "Аня"}
        update = {
            "update_id": 99_000,
            "my_chat_member": {
                "chat": channel,
                "from": user,
                "date": 1,
                "old_chat_member": {"user": me, "status": "left"},
                "new_chat_member": {"user": me} | posts,
            },
        }
        secret = webhook_secret(Settings(bot_token=bot.telegram.token))
        headers = {webhook.SECRET_HEADER: secret}
        async with httpx.AsyncClient(base_url=url, timeout=PATIENCE) as http:
            await bot.telegram.until(lambda: is_listening(http))
            assert (await http.post(webhook.PATH, json=update, headers=headers)).status_code == 200
        await bot.telegram.start(person)  # is handled after what he did before
        await bot.telegram.wait_for_message(person, person, lambda _message: True)
        assert not [call for call in await bot.telegram.calls() if call["chat_id"] == channel["id"]]


ADMIN_RIGHTS = (
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
    "can_post_messages",
)


async def is_listening(http: httpx.AsyncClient) -> bool:
    try:
        return (await http.get("/health")).status_code == 200
    except httpx.TransportError:
        return False


def command(club: Club, number: int, text: str) -> Json:
    """The host's message with a command, as Telegram pushes it."""
    return {
        "update_id": 99_000 + number,
        "message": {
            "message_id": 999_000 + number,
            "date": 1,
            "chat": {"id": club.chat, "type": "supergroup", "title": "Книжный клуб"},
            "from": {"id": club.host.user_id, "is_bot": False, "first_name": "Аня", "language_code": "ru"},
            "text": text,
            "entities": [{"type": "bot_command", "offset": 0, "length": len(text)}],
        },
    }
