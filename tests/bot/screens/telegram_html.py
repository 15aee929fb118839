"""Telegram's HTML as far as our messages use it, read strictly: what Telegram would refuse fails here.

The tags and the rules of escaping: https://core.telegram.org/bots/api#html-style.
"""

from __future__ import annotations

from datetime import UTC, datetime
from html.parser import HTMLParser

MESSAGE_UNITS = 4096
"""The most UTF-16 units a message may have once its entities are parsed."""

_TAGS = {"b", "code", "pre", "tg-time"}


def units(text: str) -> int:
    """A text's length as Telegram counts it."""
    return len(text.encode("utf-16-le")) // 2


def shown(html: str) -> str:
    """Return what a reader sees, with times in UTC; fail if Telegram would refuse the text."""
    parser = _Reader()
    parser.feed(html)
    parser.close()
    assert not parser.open, f"not closed: {parser.open} in {html!r}"
    assert "&" not in html.replace("&amp;", "").replace("&lt;", "").replace("&gt;", ""), html
    return "".join(parser.text)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.text: list[str] = []
        self._moment: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in _TAGS, f"<{tag}>"
        assert not set(self.open) & {"pre", "code"}, f"<{tag}> inside {self.open}"
        self.open.append(tag)
        given = dict(attrs)
        if tag == "tg-time":
            assert given.keys() == {"unix", "format"}
            assert given["format"] == "T"
            self._moment = datetime.fromtimestamp(int(given["unix"] or ""), UTC).strftime("%H:%M:%S")
        else:
            assert not given, f"<{tag}> with {given}"

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}>"
        assert self.open.pop() == tag
        if tag == "tg-time":
            assert self._moment is not None
            self.text.append(self._moment)
            self._moment = None

    def handle_data(self, data: str) -> None:
        if self._moment is None:
            self.text.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(f"a declaration: {decl}")
