"""Pushes events to the page over a WebSocket: one JSON object with a ``type`` per event."""

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
    """Turns the world's events into frames, and sends them to every open page."""

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
        """Schedule one frame for all the changes of this turn of the event loop."""
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
    """Return the frame for an event."""
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
    """The connection of one open page."""

    def initialize(self, hub: PushHub) -> None:
        """Called by tornado for each connection."""
        self.hub = hub

    def open(self, *_: str, **__: str) -> None:
        """Register the page."""
        self.set_nodelay(True)
        self.hub.pages.add(self)

    def on_close(self) -> None:
        """Unregister the page."""
        self.hub.pages.discard(self)

    def on_message(self, message: str | bytes) -> None:
        """Ignore incoming messages: the page acts through the control routes."""

    def push(self, text: str) -> None:
        """Send a frame, unless the page has just disconnected."""
        try:
            self.write_message(text)
        except WebSocketClosedError:
            self.hub.pages.discard(self)
