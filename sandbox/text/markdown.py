"""``parse_mode=MarkdownV2`` and the older ``Markdown``: parses them to a text and its entities.

Follows TDLib's parsers (``td/telegram/MessageEntity.cpp``, ``parse_markdown_v2`` and ``parse_markdown``) in
what they refuse and in their messages. Offsets in messages count bytes of UTF-8, those of entities units of
UTF-16.
"""

import re
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from sandbox.errors import ApiError, bad_request
from sandbox.model import Json
from sandbox.text.dates import WrongDateFormatError, date_format
from sandbox.text.links import link_entity
from sandbox.text.units import NUMBER, utf16_length

RESERVED = frozenset("_*[]()~`>#+-=|{}.!\n")
RESERVED_IN_CODE = frozenset("`")
MARKS = {"__": "underline", "||": "spoiler", "*": "bold", "_": "italic", "~": "strikethrough"}
"""Longer marks first: ``__`` is not ``_`` twice."""
TDLIB_NAMES = {
    "bold": "Bold",
    "italic": "Italic",
    "underline": "Underline",
    "strikethrough": "Strikethrough",
    "spoiler": "Spoiler",
    "code": "Code",
    "pre": "Pre",
    "link": "TextUrl",
    "special": "CustomEmoji",
    "blockquote": "BlockQuote",
}
"""TDLib's names of entity kinds in its messages."""


@dataclass(slots=True)
class _Open:
    kind: str
    begin: int
    offset: int
    first_part: int
    language: str = ""


class _MarkdownReader:
    """The shared parts of both modes: the position in the source, the text so far, and errors."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.position = 0
        self.parts: list[str] = []
        self.offset = 0
        self.entities: list[Json] = []

    def append(self, text: str) -> None:
        self.parts.append(text)
        self.offset += utf16_length(text)

    def at(self, mark: str) -> bool:
        return self.source.startswith(mark, self.position)

    def refusal(self, words: str, position: int) -> ApiError:
        where = len(self.source[:position].encode("utf-8", "surrogatepass"))
        return bad_request(f"can't parse entities: {words} at byte offset {where}")

    def result(self) -> tuple[str, list[Json]]:
        self.entities.sort(key=lambda entity: (entity["offset"], -entity["length"]))
        return "".join(self.parts), self.entities


class _MarkdownV2(_MarkdownReader):
    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.open: list[_Open] = []

    def read(self) -> tuple[str, list[Json]]:
        while self.position < len(self.source):
            char = self.source[self.position]
            if char == "\\" and "\0" < self.source[self.position + 1 : self.position + 2] <= "~":
                self.append(self.source[self.position + 1])
                self.position += 2
            elif char not in (RESERVED_IN_CODE if self._kind in ("code", "pre") else RESERVED):
                self.append(char)
                self.position += 1
            elif not (self._ended() or self._started()):
                raise bad_request(
                    f"can't parse entities: Character '{char}' is reserved and must be escaped"
                    " with the preceding '\\'"
                )
        if self._kind == "blockquote":
            self._close()
        if self.open:
            last = self.open[-1]
            raise self.refusal(f"Can't find end of {TDLIB_NAMES[last.kind]} entity", last.begin)
        return self.result()

    @property
    def _kind(self) -> str:
        return self.open[-1].kind if self.open else ""

    def _ended(self) -> bool:
        """Close the innermost entity if its end is here."""
        match self._kind:
            case "code":
                return self._end_with("`")
            case "pre":
                return self._end_with("```")
            case "link" | "special":
                return self.at("]") and self._end_link()
            case "blockquote" if self.at("\n") and not self.at("\n>"):
                self._close()
                return False  # the line feed itself comes next
            case kind:
                mark = next((mark for mark, name in MARKS.items() if name == kind), None)
                return mark == self._mark_here() and mark is not None and self._end_with(mark)

    def _mark_here(self) -> str | None:
        return next((mark for mark in MARKS if self.at(mark)), None)

    def _end_with(self, mark: str) -> bool:
        if not self.at(mark):
            return False
        self.position += len(mark)
        self._close()
        return True

    def _started(self) -> bool:
        """Open the entity that begins here, or accept a character that is no mark here; False if it had to be
        escaped.
        """
        at_line_start = not self.parts or self.parts[-1].endswith("\n")
        mark = self._mark_here()
        if mark == "||" and self._kind == "blockquote" and self._is_last_in_quote():
            self.position += 2
            self._close({"type": "expandable_blockquote"})
        elif self.at("\n"):
            self.append("\n")
            self.position += 1
            if any(opened.kind == "blockquote" for opened in self.open):
                self.position += 1  # the «>» of the next line
        elif self.at("**>") and at_line_start:
            self._begin("blockquote", 3)
        elif self.at(">") and at_line_start:
            self._begin("blockquote", 1)
        elif mark:
            self._begin(MARKS[mark], len(mark))
        elif self.at("```"):
            self._begin("pre", 3)
            language = re.compile(r"([^\s`]*)\n").match(self.source, self.position)
            if language:
                self.open[-1].language = language.group(1)
                self.position = language.end()
        elif self.at("`"):
            self._begin("code", 1)
        elif self.at("!["):
            self._begin("special", 2)
        elif self.at("["):
            self._begin("link", 1)
        else:
            return False
        return True

    def _is_last_in_quote(self) -> bool:
        rest = self.source[self.position + 2 :]
        return not rest or (rest.startswith("\n") and not rest.startswith("\n>"))

    def _begin(self, kind: str, length: int) -> None:
        self.open.append(_Open(kind, self.position, self.offset, len(self.parts)))
        self.position += length

    def _close(self, entity: Json | None = None) -> None:
        opened = self.open.pop()
        if entity is None:
            entity = {"type": opened.kind}
            if opened.language:
                entity["language"] = opened.language
        if self.offset > opened.offset:
            self.entities.append({**entity, "offset": opened.offset, "length": self.offset - opened.offset})

    def _end_link(self) -> bool:
        opened = self.open[-1]
        inner = "".join(self.parts[opened.first_part :])
        self.position += 1
        url = inner
        if self.at("("):
            match = re.compile(r"\(((?:\\.|[^\\)])*)\)").match(self.source, self.position)
            if match is None:
                raise self.refusal("Can't find end of a URL", self.position)
            url = re.sub(r"\\(.)", r"\1", match.group(1))
            self.position = match.end()
        elif opened.kind == "special":
            raise self.refusal("Custom emoji entity must contain a tg://emoji URL", opened.begin)
        entity = _special_entity(url) if opened.kind == "special" else link_entity(url)
        if entity is not None:
            self._close(entity)
        else:
            self.open.pop()
        return True


def _special_entity(url: str) -> Json:
    """Parse a custom emoji or a time: ``tg://emoji?id=…``, ``tg://time?unix=…&format=…``."""
    try:
        parts = urlsplit(url)
    except ValueError:
        raise bad_request("can't parse entities: Invalid custom emoji identifier specified") from None
    fields = {name: values[0] for name, values in parse_qs(parts.query).items()}
    if parts.scheme == "tg" and parts.netloc == "emoji" and NUMBER.fullmatch(fields.get("id", "")):
        return {"type": "custom_emoji", "custom_emoji_id": fields["id"]}
    if parts.scheme == "tg" and parts.netloc == "time" and NUMBER.fullmatch(fields.get("unix", "")):
        try:
            shown_as = date_format(fields.get("format", ""))
        except WrongDateFormatError as reason:
            raise bad_request(f"can't parse entities: {reason}") from None
        return {"type": "date_time", "unix_time": int(fields["unix"]), "date_time_format": shown_as}
    raise bad_request("can't parse entities: Invalid custom emoji identifier specified")


class _Markdown(_MarkdownReader):
    """The older mode: five kinds of entities without nesting."""

    def read(self) -> tuple[str, list[Json]]:
        while self.position < len(self.source):
            char = self.source[self.position]
            if char == "\\" and self.source[self.position + 1 : self.position + 2] in ("_", "*", "`", "["):
                self.append(self.source[self.position + 1])
                self.position += 2
            elif char in "_*`[":
                self._entity()
            else:
                self.append(char)
                self.position += 1
        return self.result()

    def _entity(self) -> None:
        begin = self.position
        start = next(mark for mark in ("```", "`", "*", "_", "[") if self.at(mark))
        end = "]" if start == "[" else start
        inner_end = self.source.find(end, begin + len(start))
        if inner_end < 0:
            raise self.refusal("Can't find end of the entity starting", begin)
        inner = self.source[begin + len(start) : inner_end]
        self.position = inner_end + len(end)
        entity: Json | None
        match start:
            case "[":
                target = re.compile(r"\(([^)]*)\)").match(self.source, self.position)
                if target:
                    self.position = target.end()
                entity = link_entity(target.group(1) if target else inner)
            case "```":
                language = re.match(r"([^\s`]+)\n", inner)
                entity = {"type": "pre"} | ({"language": language.group(1)} if language else {})
                inner = inner[language.end() :] if language else inner.removeprefix("\n")
            case "`":
                entity = {"type": "code"}
            case _:
                entity = {"type": MARKS[start]}
        if entity is not None and inner:
            self.entities.append({**entity, "offset": self.offset, "length": utf16_length(inner)})
        self.append(inner)


def parse_markdown_v2(source: str) -> tuple[str, list[Json]]:
    """Return the text and its entities.

    Raises:
        ApiError: 400 «can't parse entities: …».
    """
    return _MarkdownV2(source).read()


def parse_markdown(source: str) -> tuple[str, list[Json]]:
    """Return the text and its entities in the older mode.

    Raises:
        ApiError: 400 «can't parse entities: …».
    """
    return _Markdown(source).read()
