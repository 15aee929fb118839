"""Texts that Telegram refuses, and its messages."""

import pytest

from tests.sandbox.telegram import LIVE, SERVER, TDLIB, CheckedTelegram, Refused, sentence
from tests.sandbox.texts import html, markdown, marked

PARSE = "can't parse entities: "

REFUSALS = [
    Refused("no text", {}, "message text is empty", LIVE),
    Refused("an empty text", {"text": ""}, "message text is empty", LIVE),
    Refused("nothing but blanks", {"text": " \n "}, "text must be non-empty", LIVE),
    Refused("4097 characters", {"text": "x" * 4097}, "message is too long", LIVE),
    Refused("an unknown parse mode", {"text": "x", "parse_mode": "BBCode"}, "unsupported parse_mode", LIVE),
    Refused("an open tag", html("<b>x"), PARSE + 'Can\'t find end tag corresponding to start tag "b"', LIVE),
    Refused(
        "a tag it does not know", html("x<p>"), PARSE + 'Unsupported start tag "p" at byte offset 1', LIVE
    ),
    Refused("a comparison", html("ü < 2 > 1"), PARSE + 'Unsupported start tag "" at byte offset 3', TDLIB),
    Refused(
        "crossed tags",
        html("<b><i>test</b></i>"),
        PARSE + 'Unmatched end tag at byte offset 10, expected "</i>", found "</b>"',
        LIVE,
    ),
    Refused("an end without a start", html("x</b>"), PARSE + "Unexpected end tag at byte offset 1", TDLIB),
    Refused("a tag cut off", html("x <b"), PARSE + "Unclosed start tag at byte offset 2", TDLIB),
    Refused("an end tag cut off", html("<b>x</b"), PARSE + "Unclosed end tag at byte offset 4", TDLIB),
    Refused(
        "a span of another class",
        html('<span class="red">x</span>'),
        PARSE + 'Tag "span" must have class "tg-spoiler" at byte offset 0',
        TDLIB,
    ),
    Refused(
        "an emoji without a number",
        html('<tg-emoji emoji-id="x">x</tg-emoji>'),
        PARSE + "Invalid custom emoji identifier specified",
        LIVE,
    ),
    Refused(
        "a full stop unescaped in MarkdownV2",
        markdown("x."),
        PARSE + "Character '.' is reserved and must be escaped with the preceding '\\'",
        LIVE,
    ),
    Refused(
        "bold without end", markdown("*x"), PARSE + "Can't find end of Bold entity at byte offset 0", LIVE
    ),
    Refused(
        "bold that ends inside italic",
        markdown("*bold _italic\\_*"),
        PARSE + "Can't find end of Bold entity at byte offset 15",
        LIVE,
    ),
    Refused(
        "the older Markdown without end",
        {"text": "*x", "parse_mode": "Markdown"},
        PARSE + "Can't find end of the entity starting at byte offset 0",
        LIVE,
    ),
    Refused(
        "an entity that begins too far on",
        marked("hello", "bold", 100, 1),
        "entity begins after the end of the text at UTF-16 offset 100",
        LIVE,
    ),
    Refused(
        "an entity that ends too far on",
        marked("hello", "bold", 0, 100),
        "entity beginning at UTF-16 offset 0 ends after the end of the text at UTF-16 offset 100",
        LIVE,
    ),
    Refused(
        "an entity before the text",
        marked("hello", "bold", -1, 1),
        "receive an entity with incorrect offset -1",
        LIVE,
    ),
    Refused(
        "an entity of no known kind",
        marked("hello", "loud", 0, 1),
        "can't parse MessageEntity: Unsupported type specified",
        LIVE,
    ),
    Refused(
        "a link without an address",
        marked("link", "text_link", 0, 4),
        "can't parse MessageEntity: Can't find field \"url\"",
        LIVE,
    ),
    Refused(
        "a link to nowhere",
        marked("link", "text_link", 0, 4, url="not-a-url"),
        "entity URL 'not-a-url' is invalid: Wrong HTTP URL",
        LIVE,
    ),
    Refused(
        "a link to an empty address",
        marked("link", "text_link", 0, 4, url=""),
        "entity URL '' is invalid: URL host is empty",
        LIVE,
    ),
    Refused(
        "a tag without an end",
        html("<a "),
        PARSE + 'Empty attribute name in the tag "a" at byte offset 0',
        TDLIB,
    ),
    Refused(
        "an attribute without an end",
        html("<a href"),
        PARSE + 'Unclosed start tag "a" at byte offset 0',
        TDLIB,
    ),
    Refused(
        "an attribute without a value",
        html("<a href= "),
        PARSE + 'Unclosed start tag "a" at byte offset 0',
        TDLIB,
    ),
    Refused(
        "a value without an end",
        html('x<a href="t.me>x</a>'),
        PARSE + "Unclosed start tag at byte offset 1",
        TDLIB,
    ),
    Refused(
        "a value without quotes",
        html("<a href=t.me/x>x</a>"),
        PARSE + "Unexpected end of name token at byte offset 8",
        TDLIB,
    ),
    Refused(
        "a moment in no format",
        html('<tg-time unix="1" format="x">x</tg-time>'),
        PARSE + "Invalid date format used",
        TDLIB,
    ),
    Refused(
        "a moment in no format in MarkdownV2",
        markdown("![x](tg://time?unix=1&format=x)"),
        PARSE + "Invalid date format used",
        TDLIB,
    ),
    Refused(
        "a moment in no format as an entity",
        marked("x", "date_time", 0, 1, unix_time=1, date_time_format="x"),
        "can't parse MessageEntity: Invalid date format used",
        TDLIB,
    ),
    Refused(
        "an emoji without a number in MarkdownV2",
        markdown("![x](tg://emoji?id=x)"),
        PARSE + "Invalid custom emoji identifier specified",
        TDLIB,
    ),
    Refused(
        "an emoji without a link in MarkdownV2",
        markdown("![x]"),
        PARSE + "Custom emoji entity must contain a tg://emoji URL at byte offset 0",
        TDLIB,
    ),
    Refused(
        "a link without an end in MarkdownV2",
        markdown("[x](t.me"),
        PARSE + "Can't find end of a URL at byte offset 3",
        TDLIB,
    ),
    Refused(
        "an entity that begins in a card's middle",
        marked("🂡🂢", "bold", 1, 3),
        "entity beginning at UTF-16 offset 1 starts in a middle of a UTF-16 symbol",
        TDLIB,
    ),
    Refused(
        "an entity that ends in a card's middle",
        marked("🂡🂢", "bold", 0, 3),
        "entity beginning at UTF-16 offset 0 ends in a middle of a UTF-16 symbol",
        TDLIB,
    ),
    Refused(
        "an entity of negative length",
        marked("x", "bold", 0, -1),
        "receive an entity with incorrect length -1",
        TDLIB,
    ),
    Refused("more than 32 kB before parsing", html("<b></b>" * 5000), "text is too long", SERVER),
]


@pytest.mark.parametrize("case", REFUSALS, ids=sentence)
async def test_refused_is(telegram: CheckedTelegram, ada: int, case: Refused) -> None:
    before = await telegram.messages(ada)

    assert await telegram.refusal("sendMessage", chat_id=ada, **case.sent) == case.description
    assert await telegram.messages(ada) == before
