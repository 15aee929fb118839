"""``parse_mode=HTML``: parses Telegram's subset of HTML to a text and its entities.

Follows TDLib's parser (``td/telegram/MessageEntity.cpp``, ``parse_html``) in what it accepts and refuses, and
in its messages. Offsets in messages count bytes of UTF-8, those of entities code units of UTF-16.
"""

import re
from dataclasses import dataclass

from sandbox.errors import ApiError, bad_request
from sandbox.jsontext import is_utf8
from sandbox.model import Json
from sandbox.text.dates import WrongDateFormatError, date_format
from sandbox.text.links import link_entity
from sandbox.text.units import NUMBER, utf16_length

SIMPLE_TAGS = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "tg-spoiler": "spoiler",
    "span": "spoiler",
}
TAGS = frozenset(SIMPLE_TAGS) | {"a", "code", "pre", "blockquote", "tg-emoji", "tg-time"}
NAMED_REFERENCES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
REFERENCE = re.compile(r"&(?:#x([0-9a-fA-F]+)|#([0-9]+)|([A-Za-z]+));?")


@dataclass(slots=True)
class _OpenTag:
    name: str
    attributes: dict[str, str]
    offset: int
    first_part: int


class _HtmlReader:
    def __init__(self, source: str) -> None:
        self.source = source
        self.position = 0
        self.parts: list[str] = []
        self.offset = 0
        self.open: list[_OpenTag] = []
        self.entities: list[Json] = []

    def read(self) -> tuple[str, list[Json]]:
        while self.position < len(self.source):
            char = self.source[self.position]
            if char == "&":
                self._append(self._reference())
            elif char != "<":
                end = _next_of(self.source, "&<", self.position)
                self._append(self.source[self.position : end])
                self.position = end
            elif self.source.startswith("</", self.position):
                self._end_tag()
            else:
                self._start_tag()
        if self.open:
            raise self._refusal(f'Can\'t find end tag corresponding to start tag "{self.open[-1].name}"')
        order = {id(entity): index for index, entity in enumerate(self.entities)}
        self.entities.sort(key=lambda entity: (entity["offset"], -entity["length"], -order[id(entity)]))
        return "".join(self.parts), self.entities

    def _append(self, text: str) -> None:
        self.parts.append(text)
        self.offset += utf16_length(text)

    def _reference(self) -> str:
        match = REFERENCE.match(self.source, self.position)
        decoded = _decoded(match) if match else None
        if match is None or decoded is None:
            self.position += 1
            return "&"
        self.position = match.end()
        return decoded

    def _start_tag(self) -> None:
        begin = self.position
        end = _next_of(self.source, " \t\r\n\f\v>", begin + 1)
        if end == len(self.source):
            raise self._refusal("Unclosed start tag", begin)
        name = self.source[begin + 1 : end].lower()
        if name not in TAGS:
            raise self._refusal(f'Unsupported start tag "{name}"', begin)
        self.position = end
        attributes = self._attributes(name, begin)
        if name == "span" and attributes.get("class") != "tg-spoiler":
            raise self._refusal('Tag "span" must have class "tg-spoiler"', begin)
        self.open.append(_OpenTag(name, attributes, self.offset, len(self.parts)))

    def _attributes(self, tag: str, begin: int) -> dict[str, str]:
        attributes: dict[str, str] = {}
        while True:
            self._skip_blanks()
            if self._peek() == ">":
                self.position += 1
                return attributes
            end = _next_of(self.source, " \t\r\n\f\v=>/\"'", self.position)
            name = self.source[self.position : end]
            if not name:
                raise self._refusal(f'Empty attribute name in the tag "{tag}"', begin)
            self.position = end
            self._skip_blanks()
            if self._peek() != "=":
                if not self._peek():
                    raise self._refusal(f'Unclosed start tag "{tag}"', begin)
                attributes[name] = ""
                continue
            self.position += 1
            self._skip_blanks()
            attributes[name] = self._attribute_value(tag, begin)

    def _attribute_value(self, tag: str, begin: int) -> str:
        quote = self._peek()
        if not quote:
            raise self._refusal(f'Unclosed start tag "{tag}"', begin)
        if quote not in "\"'":
            start = self.position
            end = re.compile(r"[A-Za-z0-9.-]*").match(self.source, start).end()  # type: ignore[union-attr]
            self.position = end
            if not re.match(r"[\s>]", self._peek() or " "):
                raise self._refusal("Unexpected end of name token", start)
            value = self.source[start:end].lower()
        else:
            end = self.source.find(quote, self.position + 1)
            if end < 0:
                raise self._refusal("Unclosed start tag", begin)
            raw = self.source[self.position + 1 : end]
            value = REFERENCE.sub(lambda match: _decoded(match) or match.group(), raw)
            self.position = end + 1
        if not self._peek():
            raise self._refusal("Unclosed start tag", begin)
        return value

    def _end_tag(self) -> None:
        begin = self.position
        if not self.open:
            raise self._refusal("Unexpected end tag", begin)
        end = _next_of(self.source, " \t\r\n\f\v>", begin)
        name = self.source[begin + 2 : end].lower()
        self.position = end
        self._skip_blanks()
        if self._peek() != ">":
            raise self._refusal("Unclosed end tag", begin)
        self.position += 1
        tag = self.open.pop()
        if name and name != tag.name:
            where = self._byte_offset(begin)
            raise self._refusal(
                f'Unmatched end tag at byte offset {where}, expected "</{tag.name}>", found "</{name}>"'
            )
        if self.offset > tag.offset:
            self._close(tag)

    def _close(self, tag: _OpenTag) -> None:
        place: Json = {"offset": tag.offset, "length": self.offset - tag.offset}
        match tag.name:
            case "a":
                inner = "".join(self.parts[tag.first_part :])
                entity = link_entity(tag.attributes.get("href") or inner)
                if entity:
                    self.entities.append({**entity, **place})
            case "code" | "pre":
                self._close_code(tag, place)
            case "blockquote":
                kind = "expandable_blockquote" if "expandable" in tag.attributes else "blockquote"
                self.entities.append({"type": kind, **place})
            case "tg-emoji":
                emoji = tag.attributes.get("emoji-id", "")
                if not NUMBER.fullmatch(emoji) or int(emoji) == 0:
                    raise self._refusal("Invalid custom emoji identifier specified")
                self.entities.append({"type": "custom_emoji", **place, "custom_emoji_id": emoji})
            case "tg-time":
                self._close_time(tag, place)
            case _:
                self.entities.append({"type": SIMPLE_TAGS[tag.name], **place})

    def _close_code(self, tag: _OpenTag, place: Json) -> None:
        """Merge ``<pre><code class="language-…">``, nested in either order, to one entity."""
        previous = self.entities[-1] if self.entities else {}
        covers = all(previous.get(key) == value for key, value in place.items())
        language = tag.attributes.get("class", "").removeprefix("language-") if tag.name == "code" else ""
        if tag.name == "code" and not tag.attributes.get("class", "").startswith("language-"):
            language = ""
        if tag.name == "pre" and covers and previous.get("type") == "code" and "_language" in previous:
            self.entities[-1] = {"type": "pre", **place, "language": previous["_language"]}
        elif tag.name == "code" and covers and previous.get("type") == "pre" and language:
            self.entities[-1] = {"type": "pre", **place, "language": language}
        else:
            self.entities.append({"type": tag.name, **place, **({"_language": language} if language else {})})

    def _close_time(self, tag: _OpenTag, place: Json) -> None:
        try:
            shown_as = date_format(tag.attributes.get("format", ""))
        except WrongDateFormatError as reason:
            raise self._refusal(str(reason)) from None
        unix = tag.attributes.get("unix", "")
        if NUMBER.fullmatch(unix) and int(unix) > 0:
            moment = {"unix_time": int(unix), "date_time_format": shown_as}
            self.entities.append({"type": "date_time", **place, **moment})

    def _peek(self) -> str:
        return self.source[self.position : self.position + 1]

    def _skip_blanks(self) -> None:
        while self._peek().isspace():
            self.position += 1

    def _byte_offset(self, position: int) -> int:
        return len(self.source[:position].encode("utf-8", "surrogatepass"))

    def _refusal(self, words: str, position: int | None = None) -> ApiError:
        where = "" if position is None else f" at byte offset {self._byte_offset(position)}"
        return bad_request(f"can't parse entities: {words}{where}")


def parse_html(source: str) -> tuple[str, list[Json]]:
    """Return the text and its entities.

    Raises:
        ApiError: 400 «can't parse entities: …».
    """
    text, entities = _HtmlReader(source).read()
    if not is_utf8(text) or not all(is_utf8(entity.get("url", "")) for entity in entities):
        raise bad_request(
            "can't parse entities: Text contains invalid Unicode characters after decoding HTML entities,"
            " check for unmatched surrogate code units"
        )
    return text, [{key: value for key, value in entity.items() if key != "_language"} for entity in entities]


def _decoded(match: re.Match[str]) -> str | None:
    hexadecimal, decimal, name = match.groups()
    if name is not None:
        return NAMED_REFERENCES.get(name)
    if len(match.group().rstrip(";")) >= 10:
        return None
    code = int(hexadecimal, 16) if hexadecimal is not None else int(decimal)
    if code == 0 or code >= 0x10FFFF:
        return None
    return chr(code)


def _next_of(text: str, chars: str, start: int) -> int:
    """Return the first position of these characters from ``start`` on; the text's length if there is none."""
    found = [position for char in chars if (position := text.find(char, start)) >= 0]
    return min(found, default=len(text))
