"""Webhooks: contents, secret, and retries."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler

from tests.e2e.telegram import Json
from tests.patience import PATIENCE
from tests.sandbox.telegram import CheckedTelegram


class Receiver:
    """A bot's own server: keeps what is pushed to it, and answers with the statuses it is told to."""

    def __init__(self) -> None:
        self.pushed: asyncio.Queue[tuple[Json, str | None]] = asyncio.Queue()
        self.statuses: list[int] = []
        receiver = self

        class Handler(RequestHandler):
            def post(self) -> None:
                secret = self.request.headers.get("X-Telegram-Bot-Api-Secret-Token")
                receiver.pushed.put_nowait((json.loads(self.request.body), secret))
                self.set_status(receiver.statuses.pop(0) if receiver.statuses else 200)

        sockets = bind_sockets(0, "127.0.0.1")
        self.url = f"http://127.0.0.1:{sockets[0].getsockname()[1]}/hook"
        self.server = HTTPServer(Application([("/hook", Handler)], log_function=lambda _: None))
        self.server.add_sockets(sockets)

    async def next(self) -> tuple[Json, str | None]:
        return await asyncio.wait_for(self.pushed.get(), PATIENCE)


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    it = Receiver()
    yield it
    it.server.stop()
    await it.server.close_all_connections()


async def test_updates_are_pushed_with_the_secret_in_order(
    telegram: CheckedTelegram, ada: int, receiver: Receiver
) -> None:
    """From DOCS, setWebhook: secret_token. What was pending comes first."""
    await telegram.send(ada, ada, "a")
    assert await telegram.ok("setWebhook", url=receiver.url, secret_token="s3cret") is True
    await telegram.send(ada, ada, "b")
    pushed = [await receiver.next() for _ in range(2)]
    assert [(update["message"]["text"], secret) for update, secret in pushed] == [
        ("a", "s3cret"),
        ("b", "s3cret"),
    ]


async def test_what_is_not_taken_is_pushed_again(
    telegram: CheckedTelegram, ada: int, receiver: Receiver
) -> None:
    """From DOCS, setWebhook: «we will repeat the request»; and WebhookInfo tells of the failure."""
    receiver.statuses = [500, 302]
    await telegram.ok("setWebhook", url=receiver.url)
    await telegram.send(ada, ada, "a")
    await telegram.send(ada, ada, "b")
    pushed = [await receiver.next() for _ in range(4)]
    assert [update["message"]["text"] for update, _ in pushed] == ["a", "a", "a", "b"]
    assert len({update["update_id"] for update, _ in pushed[:3]}) == 1
    info = await telegram.ok("getWebhookInfo")
    assert info["last_error_message"].startswith("Wrong response from the webhook: 302")


async def test_a_webhook_that_does_not_answer_keeps_updates_pending(
    telegram: CheckedTelegram, ada: int
) -> None:
    """From DOCS, WebhookInfo."""
    dead = Receiver()
    dead.server.stop()
    await telegram.ok("setWebhook", url=dead.url, max_connections=7, allowed_updates=["message"])
    await telegram.send(ada, ada, "a")

    async def has_failed() -> bool:
        return "last_error_message" in await telegram.ok("getWebhookInfo")

    await telegram.until(has_failed)
    info = await telegram.ok("getWebhookInfo")
    assert (info["url"], info["pending_update_count"], info["max_connections"]) == (dead.url, 1, 7)
    assert info["allowed_updates"] == ["message"]
    await telegram.ok("deleteWebhook")
    assert [update["message"]["text"] for update in await telegram.updates()] == ["a"], "nothing was lost"


async def test_there_is_one_way_of_receiving_at_a_time(telegram: CheckedTelegram, receiver: Receiver) -> None:
    """From SERVER, process_get_updates_query and abort_long_poll."""
    poll = asyncio.create_task(telegram.api("getUpdates", timeout=50))
    await telegram.until_polled()
    await telegram.ok("setWebhook", url=receiver.url)
    assert (await poll)["description"] == "Conflict: terminated by setWebhook request"
    assert await telegram.refusal("getUpdates") == (
        "Conflict: can't use getUpdates method while webhook is active;"
        " use deleteWebhook to delete the webhook first"
    )
    await telegram.ok("setWebhook", url="")
    assert await telegram.ok("getUpdates") == []


async def test_pending_updates_can_be_dropped(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, deleteWebhook: drop_pending_updates."""
    await telegram.send(ada, ada, "a")
    await telegram.ok("deleteWebhook", drop_pending_updates=True)
    assert await telegram.updates() == []


WRONG: list[tuple[Json, str]] = [
    ({"url": "http://example.org/hook"}, "bad webhook: An HTTPS URL must be provided for webhook"),
    *(
        ({"url": url}, "bad webhook: invalid URL specified")
        for url in ("hook", "https://", "http://[", "http://127.0.0.1:99999", "http://127.0.0.1/a b")
    ),
    ({"url": "https://example.org", "secret_token": "a b"}, "secret token contains unallowed characters"),
    ({"url": "https://example.org", "secret_token": "x" * 257}, "secret token contains unallowed characters"),
]


@pytest.mark.parametrize(("sent", "words"), WRONG, ids=[str(sent)[:50] for sent, _ in WRONG])
async def test_webhooks_are_refused(telegram: CheckedTelegram, sent: Json, words: str) -> None:
    """From SERVER, process_set_webhook_query, and WebhookActor.cpp. Plain HTTP is for loopback only."""
    assert await telegram.refusal("setWebhook", **sent) == f"Bad Request: {words}"


async def test_pushes_can_come_twice(telegram: CheckedTelegram, ada: int, receiver: Receiver) -> None:
    """The fault for updates holds for pushes as well."""
    await telegram.fault(duplicate_updates=1)
    await telegram.ok("setWebhook", url=receiver.url)
    await telegram.send(ada, ada, "a")
    assert await receiver.next() == await receiver.next()
