"""The gallery's part on people: absence, waiting, votes."""

from __future__ import annotations

from dataclasses import replace

from bot.screens import answers, notices, talk
from bot.screens.hand import hand
from bot.screens.lobby import closed_lobby
from bot.screens.result import result, stopped
from bot.screens.subscriptions import subscription_set, table_opened, unsubscribed
from bot.screens.table import table
from bot.screens.vote import ask_kick, vote
from bot.tables.refusals import Refused
from engine import parse_card
from tests.bot.screens.exhibits import Draw, Exhibit, Parts
from tests.bot.screens.scenes import CTX, Scene, dealt, lobby_of, scene

SEED = "seed: " + "5e" * 32

IN_PLAY = scene(
    "p1 [37]: 7S KD 6C QS | p2 [88]: 10C | p3 [12]: 9C 9S 6H KC 8H JH | p4 [104 out]: "
    f"| stock: 9H 6D KS QD 8S | discard: 8D JS | number: 3 | {SEED}"
)
ROUND_OVER = scene(
    f"p1 [88]: 6S | p2 [37]: KD 10C | p3 [90]: 9C QS JH | p4 [62]: KS AC | stock: 9H 6D | discard: JS "
    f"| number: 3 | {SEED}",
    "p1 6S",
)
AWAY = IN_PLAY.then("p3 away")
ASLEEP = AWAY.then("p1 away", "p2 away")
BANISHED = Scene(replace(ASLEEP.table, banished=True))
ASLEEP_BETWEEN = ROUND_OVER.then("p1 away", "p2 away", "p4 away")
REMINDED = Scene(replace(IN_PLAY.table, recalls=1))
HOST_LEFT = IN_PLAY.then("p1 leave")
NO_CLOCK = dealt(2, turn_seconds=None)
KICK = IN_PLAY.then("p2 calls p1")
AWAITED = AWAY.then("p2 calls p1")
KICKED = IN_PLAY.then("p1 kicks p3")
RECALL = KICKED.then("p2 recalls p3")
STOP = IN_PLAY.then("p2 calls", "p1 no")
CLOSE = lobby_of(3).then("p2 calls")
STOPPED = IN_PLAY.then("p2 calls", "p1 aye")
ASIDE = IN_PLAY.then("p3 aside 9S")
QUEEN = scene("p1: QS 9S | p2: KD 10C | stock: 9H 6D KS 8S | discard: JS | turn: p2")
LAYING = scene("p1: 9S KS | p2: 10S KD | stock: 9H 6D QC | discard: JS", "p2 aside 10S", "p1 9S")
TALK = IN_PLAY.then("p2 says держись!")


def _of_group(moment: Scene) -> Draw:
    return lambda words: table(moment.seen_by(), words, CTX)


def _hand_of(player: str, moment: Scene, choosing: str | None = None) -> Draw:
    card = None if choosing is None else parse_card(choosing)
    return lambda words: hand(moment.seen_by(player), words, CTX, card)


def _asked(*moments: Scene) -> Draw:
    tables = [moment.seen_by("p2") for moment in moments]
    return lambda words: talk.ask_telling(tables, "держись, <Аня> & Ко!", 41, words)


def _vote(moment: Scene) -> Draw:
    return lambda words: vote(moment.seen_by(), words)


NOTICES: tuple[Exhibit, ...] = (
    Exhibit("To who writes as the group", lambda words: notices.anonymous_sender(words, as_channel=False)),
    Exhibit("To who writes as a channel", lambda words: notices.anonymous_sender(words, as_channel=True)),
    Exhibit(
        "In private: the group does not let the bot write",
        lambda words: notices.write_forbidden_notice(words, "Книжный клуб"),
    ),
    Exhibit(
        "In private: the table’s topic was deleted",
        lambda words: notices.topic_deleted(replace(IN_PLAY.seen_by(), topic="Вечер"), words),
    ),
    Exhibit(
        "In private: why a press in the group was refused, if that took too long",
        lambda words: notices.late_answer(words, answers.refusal(Refused.NOT_HOST, words), "Книжный клуб"),
    ),
    Exhibit("/hand in a group", lambda words: notices.hands_sent(words, CTX.bot_username)),
    Exhibit(
        "An old message of the table that cannot be deleted",
        lambda words: notices.old_table(words, CTX.table_url, CTX.bot_username),
    ),
    Exhibit("An old hand that cannot be deleted", notices.old_hand),
    Exhibit("A press on an old hand", lambda words: answers.old_message(words, is_private=True)),
    Exhibit("A press on an old table", lambda words: answers.old_message(words, is_private=False)),
)

PEOPLE_PARTS: Parts = (
    (
        "Who is there",
        (
            Exhibit("Somebody is away", _of_group(AWAY)),
            Exhibit("Who is to move is away", _of_group(AWAY.then("p1 away"))),
            Exhibit("Everybody is away", _of_group(ASLEEP)),
            Exhibit(
                "A round is over, and all are away",
                lambda words: result(ASLEEP_BETWEEN.seen_by(), words, CTX),
            ),
            Exhibit("The bot is not in the group", _of_group(BANISHED)),
            Exhibit("The host has left", _of_group(HOST_LEFT)),
            Exhibit("No clock", _of_group(NO_CLOCK)),
            Exhibit("The hand of who is called again", _hand_of("p1", REMINDED)),
            Exhibit("The hand of who is away", _hand_of("p3", AWAY)),
            Exhibit("A hand while the table sleeps", _hand_of("p1", ASLEEP)),
            Exhibit("The same between rounds", _hand_of("p1", ASLEEP_BETWEEN)),
            Exhibit("A hand while the bot is not in the group", _hand_of("p1", BANISHED)),
        ),
    ),
    (
        "Votes",
        (
            Exhibit("/kick", lambda words: ask_kick(IN_PLAY.seen_by("p1"), words, 1)),
            Exhibit("/kick after one was asked to leave", lambda words: ask_kick(KICKED.seen_by(), words, 1)),
            Exhibit("A vote on asking somebody to leave", _vote(KICK)),
            Exhibit("He has left", _vote(KICK.then("p3 aye"))),
            Exhibit("He stays", _vote(KICK.then("p3 no"))),
            Exhibit("A vote on letting somebody back", _vote(RECALL)),
            Exhibit("They may sit down again", _vote(RECALL.then("p1 aye"))),
            Exhibit("They stay out", _vote(RECALL.then("p1 no"))),
            Exhibit("A vote that waits for somebody who is away", _vote(AWAITED)),
            Exhibit("In private to a player who is away while there is a vote", _hand_of("p3", AWAITED)),
            Exhibit("A vote on ending the match", _vote(STOP)),
            Exhibit("The match goes on", _vote(STOP.then("p3 no"))),
            Exhibit("A vote on closing a lobby", _vote(CLOSE)),
            Exhibit(
                "The match has been ended by a vote", lambda words: stopped(STOPPED.seen_by(), words, CTX)
            ),
            Exhibit("The same in a hand", _hand_of("p3", STOPPED)),
            Exhibit(
                "The lobby has been closed by a vote",
                lambda words: closed_lobby(CLOSE.then("p1 aye").seen_by(), words, CTX),
            ),
            Exhibit("The lobby stays open", _vote(CLOSE.then("p1 no").then("p3 no"))),
        ),
    ),
    (
        "A card put aside, and table talk",
        (
            Exhibit("A card put aside", _hand_of("p3", ASIDE)),
            Exhibit("Which suit a queen shall order", _hand_of("p1", QUEEN, "QS")),
            Exhibit("A queen put aside", _hand_of("p1", QUEEN.then("p1 aside QS:H"))),
            Exhibit("About to be laid", _hand_of("p2", LAYING)),
            Exhibit("Said at the table", _of_group(TALK)),
            Exhibit("The same in a hand", _hand_of("p3", TALK)),
            Exhibit("The same in the speaker’s own", _hand_of("p2", TALK)),
            Exhibit(
                "To who speaks before the deal",
                lambda words: talk.posted(lobby_of(2).seen_by("p2"), words),
            ),
            Exhibit("Written in private", _asked(IN_PLAY)),
            Exhibit("The same, at two tables", _asked(IN_PLAY, lobby_of(2))),
            Exhibit("The same, by somebody who keeps his words private", talk.not_posted),
        ),
    ),
    (
        "Subscriptions",
        (
            Exhibit("A table has been opened", lambda words: table_opened("k3f9x2", "Книжный клуб", words)),
            Exhibit("No more calls", lambda words: unsubscribed(words, "Книжный клуб", CTX.bot_username)),
            Exhibit("/bell", lambda words: subscription_set(words, "Борис", CTX.bot_username, is_on=True)),
            Exhibit(
                "/bell once more",
                lambda words: subscription_set(words, "Борис", CTX.bot_username, is_on=False),
            ),
        ),
    ),
    ("Who may write, and where things have gone", NOTICES),
)
