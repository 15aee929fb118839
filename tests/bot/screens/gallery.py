"""Every screen in every language, as a golden page of text for each part of the bot; for proof-readers, too.

    python -m tests.bot.screens.gallery --write

writes the files in `golden/` anew; without `--write` it prints all pages.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bot.locales import Translator
from bot.screens import answers, rules
from bot.screens import help as guide
from bot.screens.cut import before_first_deal
from bot.screens.fair import fair
from bot.screens.hand import hand
from bot.screens.lobby import closed_lobby, lobby
from bot.screens.questions import Chapter
from bot.screens.result import match_end, result, stopped
from bot.screens.score import score
from bot.screens.screen import Screen
from bot.screens.table import table
from bot.tables.refusals import Refused
from engine import PRESETS, Reason, Rules, parse_card
from tests.bot.screens.exhibits import Draw, Exhibit, Parts
from tests.bot.screens.gallery_computers import COMPUTERS_PARTS
from tests.bot.screens.gallery_narration import NARRATION_PARTS
from tests.bot.screens.gallery_people import PEOPLE_PARTS
from tests.bot.screens.gallery_records import RECORD_PARTS
from tests.bot.screens.gallery_settings import SETTINGS_PARTS
from tests.bot.screens.scenes import CATALOGUES, CTX, Scene, dealt, labels, lobby_of, played_out, scene
from tests.bot.screens.telegram_html import shown

GOLDEN = Path(__file__).parent / "golden"
BOT = CTX.bot_username


def _of_group(moment: Scene) -> Draw:
    return lambda tr: table(moment.seen_by(), tr, CTX)


def _hand_of(player: str, moment: Scene, choosing: str | None = None) -> Draw:
    card = None if choosing is None else parse_card(choosing)
    return lambda tr: hand(moment.seen_by(player), tr, CTX, card)


def _why(player: str, moment: Scene) -> Draw:
    return lambda tr: answers.explain_refusal(moment.seen_by(player), tr)


def _done(what: answers.Done) -> Draw:
    return lambda tr: answers.done(what, tr)


def _refused(reason: Reason | Refused) -> Draw:
    return lambda tr: answers.refusal(reason, tr)


def _chapter(chapter: Chapter) -> Draw:
    return lambda tr: rules.rules(Rules(), tr, BOT, chapter)


def _differences(preset: str) -> Draw:
    played = Rules.from_document({"preset": preset})
    return lambda tr: rules.rules(played, tr, BOT, Chapter.DIFFERENCES)


def _asked(question: str) -> Draw:
    return lambda tr: rules.answer(Rules(), tr, BOT, question)


def _menu(scope: guide.Scope) -> Draw:
    return lambda tr: "\n".join(f"/{name} — {what}" for name, what in guide.commands(tr, scope))


_REASONS: tuple[Reason | Refused, ...] = tuple(
    {str(reason): reason for reason in (*Reason, *Refused)}.values()
)
_QUESTIONS = ("8", "дама", "queen", "K♠", "points", "joker")

SEED = "seed: " + "5e" * 32

IN_PLAY = scene(
    "p1 [37]: 7S KD 6C QS | p2 [88]: 10C | p3 [12]: 9C 9S 6H KC 8H JH | p4 [104 out]: "
    f"| stock: 9H 6D KS QD 8S | discard: 8D JS | number: 3 | {SEED}"
)
PENALTY = IN_PLAY.then("p1 7S")
ORDERED = IN_PLAY.then("p1 QS:H")
DREW_AND_LAID = ORDERED.then("p2 draw", "p2 9H")
COVERING = scene("p1: 8C 9C KD QS 7H | p2: 10C 9D | stock: 9H 6H KS | discard: JC").then("p1 8C")
NO_COVER = scene("p1: 8C 9H KD | p2: 10C 9D | stock: 6H QC KS | discard: JC").then("p1 8C")
NO_CARD = scene("p1: 7H KD | p2: 10C 9D | stock: 9H 8C KS | discard: JC")
ATTACKED = scene(
    "p1: 6S KD 7H | p2: 6H 10C | p3: 9S 6D 8H | stock: 9H 8C KS 10D JD | discard: JS",
    "p1 6S",
    preset="game_108",
)
SKIP_TO_ANSWER = scene(
    "p1: AS KD | p2: AH 10C | p3: 9S JC | stock: 9H | discard: JS", "p1 AS", transfer=["A"]
)
ONE_DRAWN = scene("p1: 7H KD 9H | p2: 10C 9D | stock: 7C 8C KS | discard: JC", draw="one_then_play")
LOADED = scene("p1: KH 7C | p2: 10H 9D | stock: 9H 6D 6S JH | discard: 8H", "p1 KH", effects={"KH": "load2"})
SKIPPED = scene("p1: AS 7C | p2: 10H 9D | p3: 9S 8S | stock: 9H | discard: JS", "p1 AS")
NO_WILD_COVER = scene("p1: 8C 9C KD QS | p2: 10C 9D | stock: 9H | discard: JC", "p1 8C", cover_by_wild=False)
UNCOVERED = scene("p1: 9H KD | p2: 10C 9D | stock: | discard: 8C | must_cover:")
GATHERED = scene(
    "p1: 7S 6H 9C | p2: 7H 10C | p3: 7D 8S | stock: 9H 8C KS 6D JD | discard: JS",
    *("p1 7S", "p2 7H"),
    transfer=["7"],
)
WILD_KING = scene("p1: 7S 9D | p2: 9C | stock: 9D | discard: QS", effects={"Q": "none", "KD": "wild"})
EXACT = scene("p1 [37]: 6S | p2 [87]: KD 10C | stock: 9H 6D | discard: JS", "p1 6S", exact_limit="zero")
BY_CHOICE = scene("p1: 7C KD | p2: 10C 9D | stock: 10H 8C | discard: JC", voluntary_draw="always")
REVERSED = scene(
    "p1: 10S KD | p2: 9C 9D | p3: 9S 6D | stock: 9H 8C | discard: JS", "p1 10S", effects={"10": "reverse"}
)
STUCK = scene("p1: 7H KD | p2: 10C 9D | stock: | discard: JC")
WAITING = IN_PLAY.then("p5 sit", "p3 leave")
CUTTING = lobby_of(3, cut=True).then("p1 start")
LAST_DEALT = dealt(3, preset="five_card")
TURNED_UP = dealt(2, opening="turn_up")
ROUND_OVER = scene(
    f"p1 [88]: 6S | p2 [37]: KD 10C | p3 [90]: 9C QS JH | p4 [62]: KS AC | stock: 9H 6D | discard: JS "
    f"| number: 3 | {SEED}",
    "p1 6S",
)
BONUS = scene(
    f"p1 [88]: QS | p2 [37]: KD 10C | p3 [90]: 9C JH | stock: 9H 6D | discard: JS | number: 3 | {SEED}",
    "p1 QS",
    preset="one_card",
)
BLOCKED = scene("p1 [12]: 7H | p2 [30]: 10C 9D | stock: | discard: JS", "p1 pass", "p2 pass")
WON = played_out(dealt(4))
LEFT_ALONE = dealt(2).then("p2 leave")
STOPPED = WAITING.then("p1 stop")
UNREACHABLE = replace(CTX, unreachable=frozenset({2}))

_PARTS: Parts = (
    (
        "The group: the lobby",
        (
            Exhibit("A table is open", lambda tr: lobby(lobby_of(3).seen_by(), tr, CTX)),
            Exhibit("Who has not started the bot", lambda tr: lobby(lobby_of(2).seen_by(), tr, UNREACHABLE)),
            Exhibit("The deck is cut", lambda tr: before_first_deal(CUTTING.seen_by(), tr, CTX)),
            Exhibit("The host is silent", lambda tr: lobby(lobby_of(2).then("time").seen_by(), tr, CTX)),
            Exhibit("No clock", lambda tr: lobby(lobby_of(2, turn_seconds=None).seen_by(), tr, CTX)),
            Exhibit(
                "Closed without a match",
                lambda tr: closed_lobby(lobby_of(1).then("time", "time").seen_by(), tr, CTX),
            ),
            Exhibit("Stopped", lambda tr: closed_lobby(lobby_of(2).then("p1 stop").seen_by(), tr, CTX)),
        ),
    ),
    (
        "The group: the table",
        (
            Exhibit("Just dealt", _of_group(dealt(3))),
            Exhibit("A card turned up", _of_group(TURNED_UP)),
            Exhibit("A penalty", _of_group(PENALTY)),
            Exhibit("A suit ordered", _of_group(ORDERED)),
            Exhibit("Drawn and laid", _of_group(DREW_AND_LAID)),
            Exhibit("A card to be covered", _of_group(COVERING)),
            Exhibit("Covered after a draw", _of_group(NO_COVER.then("p1 draw", "p1 QC:S"))),
            Exhibit("An attack that may be answered", _of_group(ATTACKED)),
            Exhibit("An attack passed on, and taken", _of_group(ATTACKED.then("p2 6H", "p3 draw"))),
            Exhibit("A skip that may be answered", _of_group(SKIP_TO_ANSWER)),
            Exhibit("The direction turned", _of_group(REVERSED)),
            Exhibit("One is waiting, one has left", _of_group(WAITING)),
            Exhibit("The bot cannot write to somebody", lambda tr: table(IN_PLAY.seen_by(), tr, UNREACHABLE)),
        ),
    ),
    (
        "The group: results",
        (
            Exhibit("A round is over", lambda tr: result(ROUND_OVER.seen_by(), tr, CTX)),
            Exhibit("The same, as history", lambda tr: result(ROUND_OVER.seen_by(), tr, CTX, final=True)),
            Exhibit("Finished with the queen of spades", lambda tr: result(BONUS.seen_by(), tr, CTX)),
            Exhibit("Nobody can move", lambda tr: result(BLOCKED.seen_by(), tr, CTX)),
            Exhibit("Not played out", lambda tr: result(LEFT_ALONE.seen_by(), tr, CTX, final=True)),
            Exhibit("The match is over", lambda tr: match_end(WON.seen_by(), tr, CTX)),
            Exhibit("The match was stopped", lambda tr: stopped(STOPPED.seen_by(), tr, CTX)),
        ),
    ),
    (
        "The private chat: the hand",
        (
            Exhibit("My turn", _hand_of("p1", IN_PLAY)),
            Exhibit("Which suit", _hand_of("p1", IN_PLAY, choosing="QS")),
            Exhibit("Waiting", _hand_of("p3", IN_PLAY)),
            Exhibit("A penalty, told to who takes it", _hand_of("p2", PENALTY)),
            Exhibit("A penalty of somebody else’s", _hand_of("p1", PENALTY)),
            Exhibit("Cards to take, and a turn all the same", _hand_of("p2", LOADED)),
            Exhibit("A skipped turn", _hand_of("p2", SKIPPED)),
            Exhibit("Nothing fits: the draw makes itself", _hand_of("p1", NO_CARD)),
            Exhibit("The card found lays itself", _hand_of("p1", NO_CARD.then("p1 draw"))),
            Exhibit("A wild was found: the choice is mine", _hand_of("p1", NO_COVER.then("p1 draw"))),
            Exhibit("Nothing to draw: the turn passes by itself", _hand_of("p1", STUCK)),
            Exhibit("A draw of one card", _hand_of("p1", ONE_DRAWN.then("p1 draw"))),
            Exhibit("A draw by choice", _hand_of("p1", BY_CHOICE)),
            Exhibit("Covering", _hand_of("p1", COVERING)),
            Exhibit("Covering where a queen may not", _hand_of("p1", NO_WILD_COVER)),
            Exhibit("Nothing to cover with", _hand_of("p1", NO_COVER)),
            Exhibit("Nothing to cover with, nothing to draw", _hand_of("p1", UNCOVERED)),
            Exhibit("Attacked, with an answer", _hand_of("p2", ATTACKED)),
            Exhibit("Attacked with all that has gathered", _hand_of("p3", GATHERED)),
            Exhibit("A skip, with an answer", _hand_of("p2", SKIP_TO_ANSWER)),
            Exhibit("An empty table", _hand_of("p2", dealt(3))),
            Exhibit("An empty table, led with the card dealt last", _hand_of("p2", LAST_DEALT)),
            Exhibit("Against the clock’s way", _hand_of("p3", REVERSED)),
            Exhibit("Asked to cut the deck", _hand_of("p1", CUTTING)),
            Exhibit("While the deck is cut", _hand_of("p2", CUTTING)),
            Exhibit("Between rounds: won", _hand_of("p1", ROUND_OVER)),
            Exhibit("Between rounds: points", _hand_of("p2", ROUND_OVER)),
            Exhibit("Between rounds: exactly the limit", _hand_of("p2", EXACT)),
            Exhibit("Between rounds: nobody won", _hand_of("p1", BLOCKED)),
            Exhibit("Out: watching on", _hand_of("p4", IN_PLAY)),
            Exhibit("Left", _hand_of("p3", WAITING)),
            Exhibit("Seated from the next deal on", _hand_of("p5", WAITING)),
            Exhibit("The match is over before that deal", _hand_of("p5", STOPPED)),
            Exhibit("The match is won", _hand_of("p4", WON)),
            Exhibit("The match is lost", _hand_of("p2", WON)),
            Exhibit("The match was stopped", _hand_of("p1", STOPPED)),
        ),
    ),
    (
        "Toasts and alerts",
        (
            Exhibit("👀", lambda tr: answers.peek(IN_PLAY.seen_by("p3"), tr)),
            Exhibit("👀 of a stranger", lambda tr: answers.peek(IN_PLAY.seen_by("p9"), tr)),
            Exhibit("👀 in the lobby", lambda tr: answers.peek(lobby_of(2).seen_by("p1"), tr)),
            Exhibit("👀 without cards", lambda tr: answers.peek(IN_PLAY.seen_by("p4"), tr)),
            Exhibit("❔", _why("p1", IN_PLAY)),
            Exhibit("❔ under an order", _why("p2", ORDERED)),
            Exhibit("❔ while covering", _why("p1", COVERING)),
            Exhibit("❔ while covering where a queen may not", _why("p1", NO_WILD_COVER)),
            Exhibit("❔ in somebody else’s turn", _why("p2", IN_PLAY)),
            Exhibit("❔ where the wild is a king", _why("p1", WILD_KING)),
            Exhibit("❔ in the lobby", _why("p1", lobby_of(2))),
            Exhibit("❔ under attack", _why("p2", ATTACKED)),
            Exhibit("❔ with the card dealt last", _why("p2", LAST_DEALT)),
            Exhibit("❔ when all fit", _why("p2", dealt(3))),
            *(Exhibit(f"Done: {what}", _done(what)) for what in answers.Done),
            Exhibit("A fault of the bot’s own", answers.fault),
            Exhibit(
                "Refused: not your turn, with the table in view",
                lambda tr: answers.refusal(Reason.NOT_YOUR_TURN, tr, IN_PLAY.seen_by("p2")),
            ),
            Exhibit(
                "Refused: the card does not match, with the table in view",
                lambda tr: answers.refusal(Reason.CARD_DOES_NOT_MATCH, tr, IN_PLAY.seen_by("p1")),
            ),
            *(Exhibit(f"Refused: {reason}", _refused(reason)) for reason in _REASONS),
        ),
    ),
    (
        "Score",
        (
            Exhibit("A running match", lambda tr: score([ROUND_OVER.seen_by()], tr)),
            Exhibit("The last match", lambda tr: score([WON.seen_by()], tr)),
            Exhibit("At two tables", lambda tr: score([IN_PLAY.seen_by("p1"), WON.seen_by("p1")], tr)),
        ),
    ),
    (
        "Fairness",
        (
            Exhibit("Keys of the last rounds", lambda tr: fair(WON.seen_by(), tr)),
            Exhibit("No round yet", lambda tr: fair(None, tr)),
        ),
    ),
    (
        "The book of rules",
        (
            Exhibit("The first page", lambda tr: rules.rules(Rules(), tr, BOT)),
            *(Exhibit(f"Chapter: {chapter}", _chapter(chapter)) for chapter in list(Chapter)[:-1]),
            *(Exhibit(f"Differences: {preset}", _differences(preset)) for preset in PRESETS),
            *(Exhibit(f"Asked for: {asked}", _asked(asked)) for asked in _QUESTIONS),
        ),
    ),
    (
        "Welcome, help, questions",
        (
            Exhibit("/start", lambda tr: guide.welcome(tr, BOT)),
            Exhibit("/game in private", lambda tr: guide.add_to_group(tr, BOT)),
            Exhibit("The bot comes into a group", lambda tr: guide.group_welcome(tr, BOT)),
            Exhibit("What is sent in private only", lambda tr: guide.only_in_private(tr, BOT)),
            Exhibit("/help", lambda tr: guide.help_screen(tr, BOT)),
            Exhibit(
                "/join without a private chat",
                lambda tr: guide.open_private_chat(tr, "Борис", f"https://t.me/{BOT}?start=…"),
            ),
            Exhibit(
                "Seated through a link",
                lambda tr: guide.seated(lobby_of(2).seen_by("p2"), tr, CTX.table_url),
            ),
            Exhibit(
                "A link pressed again by somebody who plays",
                lambda tr: guide.seated(WAITING.seen_by("p1"), tr, CTX.table_url),
            ),
            Exhibit("Seated in mid-match", lambda tr: guide.seated(WAITING.seen_by("p5"), tr, None)),
            Exhibit(
                "/table in private",
                lambda tr: guide.own_tables(
                    [(IN_PLAY.seen_by("p1"), CTX.table_url), (WON.seen_by("p1"), None)], tr, BOT
                ),
            ),
            Exhibit("/table at no table", lambda tr: guide.own_tables([], tr, BOT)),
            Exhibit("Leaving, in private", lambda tr: guide.ask_leave(IN_PLAY.seen_by("p1"), tr, 1)),
            Exhibit(
                "Leaving, in the group",
                lambda tr: guide.ask_leave(IN_PLAY.seen_by("p2"), tr, 2, "Борис"),
            ),
            Exhibit("/stop by the host", lambda tr: guide.ask_stop(IN_PLAY.seen_by("p1"), tr, 1)),
            Exhibit("/stop by others", lambda tr: guide.ask_stop(IN_PLAY.seen_by("p2"), tr, 2)),
            Exhibit("/stop in the lobby", lambda tr: guide.ask_stop(lobby_of(2).seen_by("p1"), tr, 1)),
            Exhibit("/language", lambda tr: guide.choose_language(tr, CATALOGUES)),
            Exhibit("The language is chosen", guide.language_chosen),
            Exhibit(
                "A refusal as a message",
                lambda tr: guide.notice(answers.refusal(Refused.NO_TABLE, tr), Refused.NO_TABLE, tr, BOT),
            ),
            Exhibit(
                "A refusal with a way out",
                lambda tr: guide.notice(
                    answers.refusal(Refused.NO_PRIVATE_CHAT, tr), Refused.NO_PRIVATE_CHAT, tr, BOT
                ),
            ),
            *(Exhibit(f"The menu of commands: {scope.name.lower()}", _menu(scope)) for scope in guide.Scope),
            Exhibit("The bot’s description", guide.description),
            Exhibit("The bot’s short description", guide.short_description),
        ),
    ),
)


PARTS = (*_PARTS, *NARRATION_PARTS, *PEOPLE_PARTS, *COMPUTERS_PARTS, *RECORD_PARTS, *SETTINGS_PARTS)


def pages() -> dict[str, str]:
    """The Markdown of each part, by the name of its file.

    Buttons stand in brackets below a message; `🔔` marks one whose arrival rings. Times are in UTC.
    """
    return {f"{_slug(title)}.md": "\n".join(_lines(title, exhibits)) for title, exhibits in PARTS}


def _slug(title: str) -> str:
    return re.sub(r"[^a-z]+", "-", title.lower().replace("’", "")).strip("-")


def _lines(title: str, exhibits: tuple[Exhibit, ...]) -> Iterator[str]:
    yield f"# {title}\n"
    for exhibit in exhibits:
        yield f"## {exhibit.title}\n"
        for tr in CATALOGUES.values():
            yield _block(exhibit.draw(tr), tr)


def _block(drawn: Screen | str, tr: Translator) -> str:
    """A fenced block, headed by its language."""
    if isinstance(drawn, str):
        body = drawn
    else:
        bell = "🔔 " if drawn.notifies else ""
        buttons = "\n".join(f"[ {row.replace(' | ', ' ] [ ')} ]" for row in labels(drawn.rows))
        body = "\n\n".join(filter(None, [bell + shown(drawn.text), buttons]))
    return f"`{tr.language}`\n\n```text\n{body}\n```\n"


def main() -> None:
    """Print the pages, or write them to their files and remove those of parts that are gone."""
    parser = argparse.ArgumentParser(prog="python -m tests.bot.screens.gallery", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write the files in {GOLDEN.name}/ anew")
    made = pages()
    if not parser.parse_args().write:
        print("\n".join(made.values()))
        return
    GOLDEN.mkdir(exist_ok=True)
    for path in GOLDEN.glob("*.md"):
        if path.name not in made:
            path.unlink()
    for name, text in made.items():
        (GOLDEN / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
