"""Shared parts of methods that send and edit: texts, captions, keyboards."""

from dataclasses import dataclass

from sandbox.errors import ApiError, bad_request
from sandbox.markup import inline_keyboard
from sandbox.methods.registry import Call
from sandbox.model import Json
from sandbox.schema.sizes import FOUND_ENTITIES, MARKED_ENTITIES, MAX_INPUT_BYTES
from sandbox.text.auto_entities import with_found_entities
from sandbox.text.dates import WrongDateFormatError, date_format
from sandbox.text.html import parse_html
from sandbox.text.links import USER_LINK, WrongLinkError, checked_link
from sandbox.text.markdown import parse_markdown, parse_markdown_v2
from sandbox.text.units import clean, splits_a_character, trimmed, utf16_length, without_swallowed
from sandbox.world import World

PARSERS = {"html": parse_html, "markdownv2": parse_markdown_v2, "markdown": parse_markdown}
NEEDED_FIELDS = {
    "text_link": "url",
    "text_mention": "user",
    "custom_emoji": "custom_emoji_id",
    "date_time": "unix_time",
}


@dataclass(frozen=True, slots=True)
class Markup:
    """A reply_markup: the message's inline keyboard, or an instruction about the reply keyboard."""

    buttons: list[list[Json]] | None
    keyboard: Json | None


def text_of(call: Call, limit: int, too_long: str) -> tuple[str, list[Json]]:
    """Return the ``text`` parameter with its entities.

    Raises:
        ApiError: 400 if it is empty, can't be parsed, or is longer than ``limit`` («too_long»).
    """
    if call.get("rich_message") is not None:
        raise ApiError(501, "Not Implemented: the sandbox does not do rich messages")
    if not call.get("text"):
        raise bad_request("message text is empty")
    text, entities = formatted(call.world, call["text"], call.get("parse_mode"), call.get("entities"))
    if not text:
        raise bad_request("text must be non-empty")
    if len(text) > limit:
        raise bad_request(too_long)
    return text, entities


def caption_of(world: World, parameters: Json, limit: int, too_long: str) -> tuple[str | None, list[Json]]:
    """Return the ``caption`` of a method's or an InputMedia's parameters, None if there is none.

    Raises:
        ApiError: 400 if it can't be parsed, or is longer than ``limit`` («too_long»).
    """
    source, mode = parameters.get("caption", ""), parameters.get("parse_mode")
    caption, entities = formatted(world, source, mode, parameters.get("caption_entities"))
    if len(caption) > limit:
        raise bad_request(too_long)
    return caption or None, entities


def formatted(
    world: World, source: str, parse_mode: str | None, given: list[Json] | None
) -> tuple[str, list[Json]]:
    """Return a text as Telegram stores it: cleaned, parsed, trimmed, with all its entities."""
    if len(source.encode("utf-8", "surrogatepass")) > MAX_INPUT_BYTES:
        raise bad_request("text is too long")
    source = clean(source)
    entities: list[Json] = []
    mode = (parse_mode or "").lower()
    if mode not in ("", "none"):
        parser = PARSERS.get(mode)
        if parser is None:
            raise bad_request("unsupported parse_mode")
        source, parsed = parser(source)
        # A link to an unknown person becomes plain text.
        entities = [entity for entity in parsed if _is_known(world, entity)]
    elif given:
        entities = _checked_entities(source, given)
        if not all(_is_known(world, entity) for entity in entities):
            raise bad_request("user not found")
    text, entities = trimmed(source, without_swallowed(entities))
    return text, with_found_entities(text, entities)


def _is_known(world: World, entity: Json) -> bool:
    return entity["type"] != "text_mention" or entity["user"]["id"] in world.users


def _checked_entities(text: str, given: list[Json]) -> list[Json]:
    end = utf16_length(text)
    kept: list[Json] = []
    for entity in given:
        kind, offset, length = entity["type"], entity["offset"], entity["length"]
        needed = NEEDED_FIELDS.get(kind)
        if kind not in FOUND_ENTITIES | MARKED_ENTITIES:
            raise bad_request("can't parse MessageEntity: Unsupported type specified")
        if needed is not None and needed not in entity:
            raise bad_request(f"can't parse MessageEntity: Can't find field \"{needed}\"")
        if offset < 0:
            raise bad_request(f"receive an entity with incorrect offset {offset}")
        if length < 0:
            raise bad_request(f"receive an entity with incorrect length {length}")
        if offset >= end:
            raise bad_request(f"entity begins after the end of the text at UTF-16 offset {offset}")
        if offset + length > end:
            raise bad_request(
                f"entity beginning at UTF-16 offset {offset} ends after the end of the text"
                f" at UTF-16 offset {offset + length}"
            )
        for place, verb in ((offset, "starts"), (offset + length, "ends")):
            if splits_a_character(text, place):
                raise bad_request(
                    f"entity beginning at UTF-16 offset {offset} {verb} in a middle of a UTF-16 symbol"
                )
        if kind in MARKED_ENTITIES and length > 0:
            kept.append(_completed(entity))
    return sorted(kept, key=lambda entity: (entity["offset"], -entity["length"]))


def _completed(entity: Json) -> Json:
    """Return a marked entity as Telegram writes it back."""
    match entity["type"]:
        case "text_link":
            return _linked(entity)
        case "date_time":
            try:
                shown_as = date_format(entity.get("date_time_format", ""))
            except WrongDateFormatError as reason:
                raise bad_request(f"can't parse MessageEntity: {reason}") from None
            return {**entity, "date_time_format": shown_as}
        case _:
            return entity


def _linked(entity: Json) -> Json:
    user = USER_LINK.fullmatch(entity["url"])
    if user:
        place = {"offset": entity["offset"], "length": entity["length"]}
        return {"type": "text_mention", **place, "user": {"id": int(user.group(1))}}
    try:
        return {**entity, "url": checked_link(entity["url"])}
    except WrongLinkError as reason:
        raise bad_request(f"entity URL '{entity['url']}' is invalid: {reason}") from None


def markup_of(call: Call) -> Markup:
    """Return the ``reply_markup`` parameter.

    Raises:
        ApiError: 400 if it is an inline keyboard that Telegram would refuse.
    """
    markup = call.get("reply_markup")
    if markup is None:
        return Markup(None, None)
    if "inline_keyboard" in markup:
        return Markup(inline_keyboard(markup) or None, None)
    return Markup(None, markup)
