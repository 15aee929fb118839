"""What Telegram makes of a text, and which texts it refuses."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.e2e.telegram import Json
from tests.sandbox.telegram import DOCS, LIVE, TDLIB, CheckedTelegram, Refused, sentence


@dataclass(frozen=True)
class Taken:
    """A text that is taken: what is sent, and what becomes of it."""

    sentence: str
    sent: Json
    text: str
    entities: list[Json] = field(default_factory=list)
    source: str = TDLIB


def html(source: str) -> Json:
    return {"text": source, "parse_mode": "HTML"}


def markdown(source: str) -> Json:
    return {"text": source, "parse_mode": "MarkdownV2"}


def entity(kind: str, offset: int, length: int, **more: Any) -> Json:
    return {"type": kind, "offset": offset, "length": length, **more}


def marked(text: str, kind: str, offset: int, length: int, **more: Any) -> Json:
    return {"text": text, "entities": [entity(kind, offset, length, **more)]}


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
]

TEXTS = [
    Taken("4096 characters are taken", {"text": "x" * 4096}, "x" * 4096, source=DOCS),
    Taken(
        "tags do not count for the length",
        html("<b>" + "x" * 4096 + "</b>"),
        "x" * 4096,
        [entity("bold", 0, 4096)],
        source=DOCS,
    ),
    Taken("blanks around a text are cut off", {"text": "  x \n"}, "x"),
    Taken("entities move with them", html("  <b>x </b>"), "x", [entity("bold", 0, 1)]),
    Taken(
        "the name of the parse mode has no case",
        {"text": "<i>x</i>", "parse_mode": "html"},
        "x",
        [entity("italic", 0, 1)],
        LIVE,
    ),
    Taken("offsets count UTF-16", html("🂡 <b>🂡x</b>"), "🂡 🂡x", [entity("bold", 3, 3)], DOCS),
    Taken("references are decoded", html("&lt;b&gt; &amp; &quot;x&quot; &#1071;&#x42f;"), '<b> & "x" ЯЯ'),
    Taken("other references stay", html("&nbsp;&copy"), "&nbsp;&copy"),
    Taken(
        "every tag has its entity",
        html("<strong>a</strong><em>b</em><ins>c</ins><del>d</del><tg-spoiler>e</tg-spoiler><code>f</code>"),
        "abcdef",
        [
            entity("bold", 0, 1),
            entity("italic", 1, 1),
            entity("underline", 2, 1),
            entity("strikethrough", 3, 1),
            entity("spoiler", 4, 1),
            entity("code", 5, 1),
        ],
        DOCS,
    ),
    Taken("tags nest", html("<b>a<i>b</i></b>"), "ab", [entity("bold", 0, 2), entity("italic", 1, 1)], DOCS),
    Taken("an empty tag leaves nothing", html("<b></b>x"), "x"),
    Taken("code holds nothing else", html("<code>a<b>b</b></code>"), "ab", [entity("code", 0, 2)], DOCS),
    Taken(
        "code in pre tells the language",
        html('<pre><code class="language-python">x</code></pre>'),
        "x",
        [entity("pre", 0, 1, language="python")],
        DOCS,
    ),
    Taken(
        "a quotation may be expandable",
        html("<blockquote expandable>x</blockquote>"),
        "x",
        [entity("expandable_blockquote", 0, 1)],
        DOCS,
    ),
    Taken(
        "a link gets its scheme and its path",
        html('<a href="Example.org?a=1&amp;b=2">x</a>'),
        "x",
        [entity("text_link", 0, 1, url="http://example.org/?a=1&b=2")],
    ),
    Taken("a link to nowhere is plain text", html('<a href="nowhere">x</a>'), "x"),
    Taken(
        "a moment is shown in the reader's own zone",
        html('until <tg-time unix="1800000060" format="T">21:47</tg-time>'),
        "until 21:47",
        [entity("date_time", 6, 5, unix_time=1800000060, date_time_format="T")],
        DOCS,
    ),
    Taken("a moment that is none is plain text", html('<tg-time unix="soon">x</tg-time>'), "x"),
    Taken(
        "MarkdownV2 marks",
        markdown("*a* _b_ __c__ ~d~ ||e|| `f` [g](https://t.me/x)"),
        "a b c d e f g",
        [
            entity("bold", 0, 1),
            entity("italic", 2, 1),
            entity("underline", 4, 1),
            entity("strikethrough", 6, 1),
            entity("spoiler", 8, 1),
            entity("code", 10, 1),
            entity("text_link", 12, 1, url="https://t.me/x"),
        ],
        DOCS,
    ),
    Taken("MarkdownV2 escapes", markdown("1\\. \\*x\\*"), "1. *x*", source=DOCS),
    Taken(
        "MarkdownV2 quotes line by line",
        markdown(">a\n>b\nc"),
        "a\nb\nc",
        [entity("blockquote", 0, 3)],
        DOCS,
    ),
    Taken(
        "MarkdownV2 quotes that can be expanded",
        markdown("**>a\n>b||"),
        "a\nb",
        [entity("expandable_blockquote", 0, 3)],
        DOCS,
    ),
    Taken(
        "MarkdownV2 shows a moment",
        markdown("![soon](tg://time?unix=1800000060&format=r)"),
        "soon",
        [entity("date_time", 0, 4, unix_time=1800000060, date_time_format="r")],
        DOCS,
    ),
    Taken(
        "MarkdownV2 keeps a block of code as it is",
        markdown("```python\nx = *1*\n```"),
        "x = *1*",
        [entity("pre", 0, 7, language="python")],
        DOCS,
    ),
    Taken(
        "the older Markdown marks, too",
        {"text": "*a* _b_ `c` [d](https://t.me/x)", "parse_mode": "Markdown"},
        "a b c d",
        [
            entity("bold", 0, 1),
            entity("italic", 2, 1),
            entity("code", 4, 1),
            entity("text_link", 6, 1, url="https://t.me/x"),
        ],
        DOCS,
    ),
    Taken(
        "commands, mentions, links, hashtags and e-mails are found by themselves",
        {"text": "/go@a_bot @ada_l t.me/x, #tag a@b.org 1/2"},
        "/go@a_bot @ada_l t.me/x, #tag a@b.org 1/2",
        [
            entity("bot_command", 0, 9),
            entity("mention", 10, 6),
            entity("url", 17, 6),
            entity("hashtag", 25, 4),
            entity("email", 30, 7),
        ],
        DOCS,
    ),
    Taken("nothing is found in code", html("<code>/go @ada_l</code>"), "/go @ada_l", [entity("code", 0, 10)]),
    Taken(
        "what is found by itself is ignored when marked",
        marked("x y", "hashtag", 0, 1),
        "x y",
        source=LIVE,
    ),
    Taken("carriage returns and marks of direction are dropped", {"text": "a\r\nb\u202ec"}, "a\nbc"),
]


@pytest.mark.parametrize("case", REFUSALS, ids=sentence)
async def test_refused_is(telegram: CheckedTelegram, case: Refused) -> None:
    ada = await telegram.friend()
    before = await telegram.messages(ada)

    assert await telegram.refusal("sendMessage", chat_id=ada, **case.sent) == case.description
    assert await telegram.messages(ada) == before


@pytest.mark.parametrize("case", TEXTS, ids=sentence)
async def test_of_texts(telegram: CheckedTelegram, case: Taken) -> None:
    ada = await telegram.friend()
    message = await telegram.ok("sendMessage", chat_id=ada, **case.sent)

    assert message["text"] == case.text
    assert message.get("entities", []) == case.entities
