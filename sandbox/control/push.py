"""What the page is told as it happens, over a WebSocket: one JSON object with a ``type`` for each event."""

import asyncio
import json

from tornado.websocket import WebSocketClosedError, WebSocketHandler

from sandbox.control.views import message_view
from sandbox.events import (
    Called,
    Deleted,
    Edited,
    Event,
    PeopleChanged,
    Posted,
    PressAnswered,
    Rang,
    WasReset,
)
from sandbox.model import Json
from sandbox.world import World


class PushHub:
    """Turns the world's events into frames, for every page that is open."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.pages: set[PushHandler] = set()
        self._world_frame_is_due = False
        world.listeners.append(self._on_event)

    def _on_event(self, event: Event) -> None:
        if not self.pages:
            return
        if isinstance(event, PeopleChanged):
            self._send_world_frame_soon()
        else:
            self._send(frame(self._world, event))

    def _send_world_frame_soon(self) -> None:
        """One frame for however many changes happen in one go."""
        if not self._world_frame_is_due:
            self._world_frame_is_due = True
            asyncio.get_running_loop().call_soon(self._send_world_frame)

    def _send_world_frame(self) -> None:
        self._world_frame_is_due = False
        self._send({"type": "world"})

    def _send(self, body: Json) -> None:
        text = json.dumps(body, ensure_ascii=False)
        for page in list(self.pages):
            page.push(text)


def frame(world: World, event: Event) -> Json:
    """The frame for an event."""
    match event:
        case Posted(message):
            return {"type": "message", "chat": message.chat, "message": message_view(world, message)}
        case Edited(message):
            return {"type": "edited", "chat": message.chat, "message": message_view(world, message)}
        case Deleted(chat, message_ids):
            return {"type": "deleted", "chat": chat, "message_ids": list(message_ids)}
        case Rang(user, chat, message_id, title, text):
            where = {"user": user, "chat": chat, "message_id": message_id}
            return {"type": "notification", **where, "title": title, "text": text}
        case PressAnswered(user, chat, message_id, page, text, show_alert, url):
            where = {"user": user, "chat": chat, "message_id": message_id}
            said = {"text": text, "show_alert": show_alert, "url": url}
            return {"type": "callback_answer", **where, "page": page, **said}
        case Called(call):
            return {"type": "call", "call": call}
        case PeopleChanged():
            return {"type": "world"}
        case WasReset():
            return {"type": "reset"}


class PushHandler(WebSocketHandler):
    """One open page."""

    def initialize(self, hub: PushHub) -> None:
        """Called by tornado for each connection."""
        self.hub = hub

    def open(self, *_: str, **__: str) -> None:
        """A page has connected."""
        self.set_nodelay(True)
        self.hub.pages.add(self)

    def on_close(self) -> None:
        """A page has gone."""
        self.hub.pages.discard(self)

    def on_message(self, message: str | bytes) -> None:
        """The page acts through the control routes; here it has nothing to say."""

    def push(self, text: str) -> None:
        """Send a frame; a page that has just gone hears nothing."""
        try:
            self.write_message(text)
        except WebSocketClosedError:
            self.hub.pages.discard(self)
