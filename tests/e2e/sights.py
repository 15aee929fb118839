"""What a person sees: messages, their buttons, and the answer to a press."""

import re
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Button:
    """A button as shown."""

    text: str
    data: str | None = None
    url: str | None = None
    style: str | None = None
    copy: str | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """A message as a person sees it; ``raw`` is the control route's object."""

    chat: int
    message_id: int
    author: int | None
    from_bot: bool
    text: str
    rows: tuple[tuple[Button, ...], ...]
    edited: bool
    thread: int | None
    raw: Json = field(compare=False, repr=False)

    @property
    def buttons(self) -> tuple[Button, ...]:
        """All buttons, row by row."""
        return tuple(button for row in self.rows for button in row)

    @property
    def button_texts(self) -> tuple[str, ...]:
        """The labels of the buttons."""
        return tuple(button.text for button in self.buttons)

    def button(self, words: str) -> Button:
        """Return the first button whose text contains these words.

        Raises:
            AssertionError: if there is none.
        """
        found = [button for button in self.buttons if words in button.text]
        assert found, f"no button with {words!r} among {self.button_texts} under {self.text!r}"
        return found[0]


@dataclass(frozen=True, slots=True)
class PressAnswer:
    """The answer to a press: a toast (or an alert), a link to open, or none at all."""

    answered: bool
    text: str | None
    show_alert: bool
    url: str | None

    @property
    def payload(self) -> str | None:
        """The deep link's payload, if the link is one."""
        return payload_of(self.url)


def payload_of(url: str | None) -> str | None:
    """Return the payload of a ``t.me/<bot>?start=…`` link."""
    match = re.search(r"[?&]start=([\w-]+)", url or "")
    return match.group(1) if match else None


def read_message(chat: int, raw: Json) -> Message:
    """Read a message from a control route's answer or a frame."""
    rows = tuple(tuple(Button(**button) for button in row) for row in raw["buttons"])
    return Message(
        chat=chat,
        message_id=raw["message_id"],
        author=raw["from"].get("id"),
        from_bot=raw["from"]["is_bot"],
        text=raw["text"] or raw["caption"] or raw["service"] or "",
        rows=rows,
        edited=raw["edit_date"] is not None,
        thread=raw["thread"],
        raw=raw,
    )
