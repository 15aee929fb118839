"""Texts and entities as Telegram stores them."""

from dataclasses import dataclass, field

import pytest

from tests.e2e.telegram import Json
from tests.sandbox.telegram import DOCS, LIVE, SERVER, TDLIB, CheckedTelegram, sentence
from tests.sandbox.texts import entity, html, markdown, marked


@dataclass(frozen=True)
class Taken:
    """A text that is taken: what is sent, and what becomes of it."""

    sentence: str
    sent: Json
    text: str
    entities: list[Json] = field(default_factory=list)
    source: str = TDLIB


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
    Taken(
        "a value may stand without quotes",
        html("<a href=t.me>x</a>"),
        "x",
        [entity("text_link", 0, 1, url="http://t.me/")],
    ),
    Taken(
        "a link without an address is its own",
        html("<a>t.me/x</a>"),
        "t.me/x",
        [entity("text_link", 0, 6, url="http://t.me/x")],
    ),
    Taken("an attribute may have no value", html("<b x>x</b>"), "x", [entity("bold", 0, 1)]),
    Taken("pre alone has no language", html("<pre>x</pre>"), "x", [entity("pre", 0, 1)]),
    Taken(
        "pre in code tells the language, too",
        html('<code class="language-c"><pre>x</pre></code>'),
        "x",
        [entity("pre", 0, 1, language="c")],
    ),
    Taken(
        "a span hides what it holds",
        html('<span class="tg-spoiler">x</span>'),
        "x",
        [entity("spoiler", 0, 1)],
    ),
    Taken(
        "an emoji has a number",
        html('<tg-emoji emoji-id="5368324170671202286">👍</tg-emoji>'),
        "👍",
        [entity("custom_emoji", 0, 2, custom_emoji_id="5368324170671202286")],
        DOCS,
    ),
    Taken(
        "an emoji has one in MarkdownV2, too",
        markdown("![👍](tg://emoji?id=5368324170671202286)"),
        "👍",
        [entity("custom_emoji", 0, 2, custom_emoji_id="5368324170671202286")],
        DOCS,
    ),
    Taken(
        "a moment holds nothing else",
        html('<tg-time unix="1"><b>x</b></tg-time>'),
        "x",
        [entity("date_time", 0, 1, unix_time=1, date_time_format="")],
    ),
    Taken(
        "formats of moments are put in order",
        marked("x", "date_time", 0, 1, unix_time=1, date_time_format="TtDW"),
        "x",
        [entity("date_time", 0, 1, unix_time=1, date_time_format="wDt")],
    ),
    Taken(
        "a moment can be relative",
        marked("x", "date_time", 0, 1, unix_time=1, date_time_format="R"),
        "x",
        [entity("date_time", 0, 1, unix_time=1, date_time_format="r")],
    ),
    Taken(
        "the older Markdown knows blocks and languages",
        {"text": "```\nx```y```c\nz``` [nowhere](x)", "parse_mode": "Markdown"},
        "xyz nowhere",
        [entity("pre", 0, 1), entity("pre", 2, 1, language="c")],
    ),
    Taken("the older Markdown escapes its marks", {"text": "\\*x\\_", "parse_mode": "Markdown"}, "*x_"),
    Taken("no parse mode can be said in words", {"text": "<b>", "parse_mode": "None"}, "<b>", source=SERVER),
    Taken("references that are no characters stay", html("&#0; &#1114112;"), "&#0; &#1114112;"),
    Taken("nothing is found in code", html("<code>/go @ada_l</code>"), "/go @ada_l", [entity("code", 0, 10)]),
    Taken(
        "what is found by itself is ignored when marked",
        marked("x y", "hashtag", 0, 1),
        "x y",
        source=LIVE,
    ),
    Taken("carriage returns and marks of direction are dropped", {"text": "a\r\nb\u202ec"}, "a\nbc"),
]


@pytest.mark.parametrize("case", TEXTS, ids=sentence)
async def test_of_texts(telegram: CheckedTelegram, ada: int, case: Taken) -> None:
    message = await telegram.ok("sendMessage", chat_id=ada, **case.sent)

    assert message["text"] == case.text
    assert message.get("entities", []) == case.entities


async def test_people_are_mentioned_by_their_numbers(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, «Formatting options»; LIVE for an entity, and TDLIB for a link, to somebody unknown."""
    for source in (html(f'<a href="tg://user?id={ada}">x</a>'), markdown(f"[x](tg://user?id={ada})")):
        (mention,) = (await telegram.ok("sendMessage", chat_id=ada, **source))["entities"]
        assert (mention["type"], mention["user"]["first_name"]) == ("text_mention", "Ada")
    unknown = await telegram.ok("sendMessage", chat_id=ada, **html('<a href="tg://user?id=7">x</a>'))
    assert "entities" not in unknown

    user = {"id": 7, "is_bot": False, "first_name": "X"}
    refusal = await telegram.refusal(
        "sendMessage", chat_id=ada, **marked("x", "text_mention", 0, 1, user=user)
    )
    assert refusal == "Bad Request: user not found"
    link = marked("x", "text_link", 0, 1, url=f"tg://user?id={ada}")
    (mention,) = (await telegram.ok("sendMessage", chat_id=ada, **link))["entities"]
    assert mention["type"] == "text_mention"
