"""Take out, one after another, what guards tables and messages against faults, and see a test fail each time.

    python -m tests.faults.breakages [WORD…]

Each breakage patches functions of the bot in a process of its own, which then runs the test, and in the bot
processes that this one starts. A guard without which all tests pass is either not needed or not tested; this
command then says so and exits with status 1. It takes some minutes, so it is not a part of the suite: run it
after a change to the guards or to the tests of faults. Words choose the guards whose name has one of them.
"""

import asyncio
import logging
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any, NamedTuple

from bot import __main__ as command
from bot import alerts, clock, composition, logs, transport, webhook
from bot.handlers import dispatch, permissions
from bot.messages import reconciler
from bot.messages.executor import StepExecutor
from bot.messages.rate_limit import RateLimiter
from bot.messages.reconciler import Reconciler
from bot.messages.scheduler import PendingCall
from bot.messages.shown_cache import ShownCache
from bot.messages.table_messages import TableMessages
from bot.storage.shown import ShownStore
from bot.storage.subscriptions import SubscriptionStore
from bot.storage.tables import TableStore
from bot.tables.transitions import checks
from bot.updates import polling
from bot.updates.webhook_watch import WebhookWatch
from tests.e2e.running import PATIENT_BOT
from tests.faults import patches
from tests.faults.patches import replaced, skipped, wrap

VARIABLE = "BREAKAGE"
"""The environment variable that names the guard to remove in a test's process."""
PATIENCE_SECONDS = 600


class Breakage(NamedTuple):
    """With `broken` applied, which removes `guard`, this test fails."""

    guard: str
    broken: Callable[[], None]
    test: str


STORAGE, E2E, MESSAGES, FAULTS = "tests/bot/storage", "tests/e2e", "tests/bot/messages", "tests/faults"
SIMULATION = "tests/simulation"
GUARDS = f"{FAULTS}/test_guards.py"
FORGED = "tests/bot/handlers/test_forged_presses.py"

BREAKAGES = (
    Breakage(
        "what is not Telegram's answer is none",
        replaced(transport, "_status_of_answer", lambda status, _body: status),
        "tests/bot/test_transport.py",
    ),
    Breakage(
        "connections that are lost are made anew",
        skipped(transport.Transport, "renew"),
        "tests/bot/test_transport.py::test_connections_that_are_lost_in_their_handshake_are_made_anew",
    ),
    Breakage(
        "an answer is not waited for byte by byte",
        replaced(transport, "_longest", lambda _seconds: None),
        "tests/bot/test_transport.py::test_an_answer_that_comes_byte_by_byte_is_given_up",
    ),
    Breakage("each update is read by itself", patches.pass_over_nothing, "tests/bot/test_polling.py"),
    Breakage(
        "a refusal of updates is asked again",
        replaced(polling, "MOST_REFUSALS", 1),
        "tests/bot/test_polling.py",
    ),
    Breakage("a webhook is looked after", skipped(WebhookWatch, "set"), "tests/bot/test_webhook_watch.py"),
    Breakage(
        "foreign: the webhook's secret",
        replaced(webhook, "hmac", SimpleNamespace(compare_digest=lambda *_: True)),
        "tests/bot/test_webhook.py",
    ),
    Breakage(
        "no request lives on without its end",
        patches.wait_for_ever_for_a_body,
        "tests/bot/test_webhook.py::test_requests_that_are_never_finished_do_not_live_on",
    ),
    Breakage(
        "nobody's time runs while nobody is heard",
        replaced(clock.DeadlineClock, "_is_silent", lambda _clock, _now: False),
        "tests/bot/test_clock.py::test_nobodys_time_runs_while_no_updates_arrive",
    ),
    Breakage(
        "compare-and-swap on a table's revision",
        patches.commit_to_any_revision,
        f"{STORAGE}/test_tables.py::test_of_many_commits_to_one_revision_one_wins",
    ),
    Breakage("one change of a table at a time", patches.lock_nothing, "tests/bot/tables/test_service.py"),
    Breakage(
        "the moment a button was made for",
        replaced(checks, "turn_stamp", lambda _match: patches.EqualToAll()),
        f"{E2E}/test_presses.py::test_a_button_of_a_moment_that_has_passed_is_refused",
    ),
    Breakage(
        "an update that comes twice is left out",
        patches.remember_no_update,
        f"{GUARDS}::test_an_update_that_comes_twice_is_handled_once",
    ),
    Breakage(
        "committed before anybody is told", patches.tell_before_the_commit, "tests/bot/tables/test_service.py"
    ),
    Breakage(
        "a cancelled caller's transaction is carried through",
        patches.cancel_transactions,
        f"{STORAGE}/test_transactions.py",
    ),
    Breakage("a failed transaction is undone", patches.commit_what_failed, f"{STORAGE}/test_transactions.py"),
    Breakage(
        "a chat that answers 429 is left alone",
        skipped(RateLimiter, "hold"),
        f"{GUARDS}::test_a_429_holds_back_that_chat_alone",
    ),
    Breakage(
        "an edit that was not answered is uncertain",
        skipped(TableMessages, "mark_uncertain"),
        f"{GUARDS}::test_an_edit_of_which_nothing_was_heard_is_made_again_when_it_can_harm_no_more",
    ),
    Breakage(
        "after a start every edit left under way is uncertain",
        skipped(TableMessages, "mark_unknown_uncertain"),
        f"{GUARDS}::test_an_edit_that_a_dead_process_left_under_way_is_undone",
    ),
    Breakage(
        "what is being edited is unknown on record",
        skipped(ShownCache, "doubt"),
        f"{GUARDS}::test_an_edit_that_a_dead_process_left_under_way_is_undone",
    ),
    Breakage(
        "a superseded message stays on record",
        patches.forget_superseded_messages,
        f"{GUARDS}::test_a_hand_that_is_sent_anew_leaves_the_old_one_on_record_until_it_is_deleted",
    ),
    Breakage(
        "a deadline is not moved on because it was moved on",
        skipped(TableMessages, "delivered"),
        f"{GUARDS}::test_a_slow_telegram_moves_a_deadline_on_once_and_not_for_ever",
    ),
    Breakage("what is shown is written down", skipped(ShownStore, "change"), GUARDS),
    Breakage(
        "what could not be written goes into the next commit",
        patches.forget_what_was_not_written,
        f"{MESSAGES}/test_shown_cache.py",
    ),
    Breakage(
        "an uncertain edit is repeated until it has been made",
        patches.repeat_an_edit_once,
        f"{MESSAGES}/test_table_messages.py",
    ),
    Breakage(
        "tables that cannot be read hold up no start",
        patches.count_what_cannot_be_rendered,
        f"{GUARDS}::test_tables_that_cannot_be_read_hold_up_no_start",
    ),
    Breakage(
        "a message that is gone is sent anew",
        patches.edit_what_is_gone,
        f"{GUARDS}::test_a_message_that_somebody_has_deleted_is_sent_anew",
    ),
    Breakage(
        "a message that is too old to be deleted loses its buttons",
        patches.delete_what_is_too_old,
        f"{E2E} -k test_a_match_that_is_days_old_goes_on_and_old_messages_tell_the_way",
    ),
    Breakage(
        "a person who has blocked the bot is not written to",
        patches.forget_who_has_blocked,
        f"{GUARDS}::test_who_has_blocked_the_bot_cannot_be_reached_until_he_lets_it_in",
    ),
    Breakage(
        "a late refusal does not undo the bot's return",
        skipped(StepExecutor, "note_access_restored"),
        f"{MESSAGES}/test_executor.py",
    ),
    Breakage(
        "calls to one chat are made one after another",
        replaced(PendingCall, "takes_chat", False),
        f"{MESSAGES}/test_scheduler.py::test_a_chat_has_one_call_at_a_time",
    ),
    Breakage(
        "a message that is not on record goes when it is pressed",
        skipped(Reconciler, "delete_orphan"),
        f"{E2E}/test_presses.py::test_a_message_whose_sending_was_not_answered_works_and_goes_when_it_is_pressed",
    ),
    Breakage(
        "the press is answered before messages change",
        replaced(Reconciler, "answering", lambda *_: nullcontext()),
        f"{E2E}/test_order.py::test_a_slow_answer_keeps_the_messages_waiting",
    ),
    Breakage(
        "a table that cannot be shown keeps no other from being shown",
        patches.raise_what_is_logged(reconciler.log),
        f"{GUARDS}::test_a_table_that_cannot_be_read_keeps_no_other_from_being_shown",
    ),
    Breakage(
        "nobody's time runs while the bot is down",
        skipped(TableStore, "shift_deadlines"),
        f"{SIMULATION}/test_clock.py::test_nobody_loses_time_while_the_bot_is_down",
    ),
    Breakage(
        "foreign: where a button may be pressed",
        skipped(dispatch, "_require_allowed_elsewhere"),
        FORGED,
    ),
    Breakage("foreign: who may choose for a group", replaced(permissions, "is_admin", patches.yes), FORGED),
    Breakage(
        "foreign: scores and rules are told to their group and to who plays",
        skipped(dispatch, "_require_allowed_elsewhere"),
        f"{E2E}/test_forgeries.py::test_another_groups_affairs_are_neither_read_nor_decided_from_outside",
    ),
    Breakage(
        "foreign: the answer to a question is that of the one who was asked",
        patches.let_anybody_answer,
        FORGED,
    ),
    Breakage(
        "foreign: who was not called sits down at no table by the bell",
        replaced(SubscriptionStore, "has", patches.yes),
        FORGED,
    ),
    Breakage(
        "a person's updates wait behind their own",
        patches.wait_for_no_earlier_update,
        "tests/bot/handlers/test_update_processor.py",
    ),
    Breakage(
        "the clock goes on while the database takes no writes",
        replaced(clock, "PASSING", ()),
        "tests/bot/test_clock.py",
    ),
    Breakage(
        "nobody's time runs while the database takes no writes",
        skipped(clock.DeadlineClock, "_postpone_owed"),
        "tests/bot/test_clock.py",
    ),
    Breakage(
        "nobody's time runs while the machine sleeps, or when its clock is set",
        skipped(clock.DeadlineClock, "_check_drift"),
        "tests/bot/test_clock.py",
    ),
    Breakage(
        "a table whose deadline fails keeps no other's from being kept",
        patches.raise_what_is_logged(clock.log),
        "tests/bot/test_clock.py",
    ),
    Breakage(
        "calls go out on although the machine's clock is set back",
        replaced(composition, "steady", lambda wall, _passed: wall),
        f"{SIMULATION}/test_clock.py::test_the_machines_clock_is_set_back_by_an_hour_and_nobody_waits_for_that",
    ),
    Breakage(
        "the owner is told once an hour",
        replaced(alerts, "SILENCE_SECONDS", 0.0),
        "tests/bot/test_alerts.py",
    ),
    Breakage("no token in the log", replaced(logs, "_TOKEN", re.compile(r"(?!)")), "tests/bot/test_logs.py"),
    Breakage(
        "no statement with its values in the log",
        lambda: logging.getLogger("aiosqlite").setLevel(logging.DEBUG),
        "tests/bot/test_secrets_in_logs.py",
    ),
)


def take_out(guard: str) -> None:
    """Apply the breakage of this guard in this process."""
    next(it for it in BREAKAGES if it.guard == guard).broken()


def pytest_configure() -> None:
    """As a plugin of pytest: remove the guard here, and in the bots that the tests start."""
    guard = os.environ[VARIABLE]
    take_out(guard)

    async def start(sound: Any, *words: str, **options: Any) -> Any:
        if words[1:3] in (("-m", "bot"), ("-m", PATIENT_BOT)):
            words = (words[0], "-m", __spec__.name, "--bot", guard, *words[3:])
        return await sound(*words, **options)

    wrap(asyncio, "create_subprocess_exec", start)


def main(words: Sequence[str]) -> int:
    """Remove these guards, or all of them; with `--bot GUARD …`, run a bot without that guard."""
    if words[:1] == ["--bot"]:
        take_out(words[1])
        return command.main(list(words[2:]))
    held = 0
    for breakage in BREAKAGES:
        if words and not any(word in breakage.guard for word in words):
            continue
        failed = failures(breakage)
        held += not failed
        print(f"{breakage.guard}: {', '.join(failed) or 'NO TEST FAILS WITHOUT IT'}", flush=True)
    return min(held, 1)


def failures(breakage: Breakage) -> list[str]:
    """Return the names of the tests that fail without the guard."""
    options = ["-q", "-x", "-n", "0", "-p", "no:cacheprovider", "-p", __spec__.name]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *breakage.test.split(" ")],
        env=os.environ | {VARIABLE: breakage.guard},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )
    if done.returncode > 1:
        raise SystemExit(f"{breakage.guard}: the tests did not run\n{done.stdout}{done.stderr}")
    found = re.findall(r"(?m)^(?:FAILED|ERROR) \S+::([\w\[\]-]+)", done.stdout)
    return list(dict.fromkeys(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
