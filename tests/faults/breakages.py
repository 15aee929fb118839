"""Take out, one after another, what guards tables and messages against faults, and see a test fail each time.

    python -m tests.faults.breakages [WORD…]

Each in a copy of its own. A guard without which all tests pass is either not needed or not tested; this
command then says so and exits with status 1. It takes some minutes, so it is not a part of the suite: run it
after a change to the guards or to the tests of faults. Words choose the guards whose name has one of them.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
PARTS = ("bot", "engine", "sandbox", "tests", "pyproject.toml")
PATIENCE_SECONDS = 600


class Breakage(NamedTuple):
    """Without `guard`, `sound` in `module` being `broken`, this test fails."""

    guard: str
    module: str
    sound: str
    broken: str
    test: str


STORAGE, E2E, PRESENTER, FAULTS = "tests/bot/storage", "tests/e2e", "tests/bot/messages", "tests/faults"

FORGED = "tests/bot/handlers/test_forged_presses.py"

BREAKAGES = (
    Breakage(
        "what is not Telegram's answer is none",
        "bot/transport.py",
        'raise NotTelegram(f"the answer',
        'return status\n    raise NotTelegram(f"the answer',
        "tests/bot/test_transport.py",
    ),
    Breakage(
        "connections that are lost are made anew",
        "bot/transport.py",
        "                self.renew()\n",
        "",
        "tests/bot/test_transport.py::test_connections_that_are_lost_in_their_handshake_are_made_anew",
    ),
    Breakage(
        "an answer is not waited for byte by byte",
        "bot/transport.py",
        "async with asyncio.timeout(_longest(_seconds(read_timeout))):",
        "async with asyncio.timeout(None):",
        "tests/bot/test_transport.py::test_an_answer_that_comes_byte_by_byte_is_given_up",
    ),
    Breakage(
        "each update is read by itself",
        "bot/updates/intake.py",
        "        except Exception as error:",
        "        except ZeroDivisionError as error:",
        "tests/bot/test_polling.py",
    ),
    Breakage(
        "a refusal of updates is asked again",
        "bot/updates/polling.py",
        "if self._refusals >= MOST_REFUSALS:",
        "if self._refusals >= 1:",
        "tests/bot/test_polling.py",
    ),
    Breakage(
        "a webhook is looked after",
        "bot/updates/webhook_watch.py",
        "                await self.set()\n",
        "",
        "tests/bot/test_webhook_watch.py",
    ),
    Breakage(
        "nobody's time runs while nobody is heard",
        "bot/clock.py",
        "return silence > 0",
        "return False",
        "tests/bot/test_clock.py::test_nobodys_time_runs_while_no_updates_arrive",
    ),
    Breakage(
        "the secret is compared before the body is read",
        "bot/webhook.py",
        "    def prepare(self) -> None:",
        "    def compared(self) -> None:",
        "tests/bot/test_webhook.py::test_without_the_secret_nothing_is_taken",
    ),
    Breakage(
        "no request lives on without its end",
        "bot/webhook.py",
        "        body_timeout=body_seconds,\n",
        "",
        "tests/bot/test_webhook.py::test_requests_that_are_never_finished_do_not_live_on",
    ),
    Breakage(
        "compare-and-swap on a table's revision",
        "bot/storage/tables.py",
        '" WHERE id = ? AND revision = ?",\n                    (\n                        row.chat_id',
        '" WHERE id = ? AND ? >= 0",\n                    (\n                        row.chat_id',
        f"{STORAGE}/test_tables.py::test_of_many_commits_to_one_revision_one_wins",
    ),
    Breakage(
        "one change of a table at a time",
        "bot/tables/service.py",
        "async with self._locks.setdefault(table_id, asyncio.Lock()):",
        "async with asyncio.Lock():",
        "tests/bot/tables/test_service.py",
    ),
    Breakage(
        "the moment a button was made for",
        "bot/tables/transitions/checks.py",
        " or turn_stamp(table.match) != stamp",
        "",
        f"{E2E}/test_presses.py::test_a_button_of_a_moment_that_has_passed_is_refused",
    ),
    Breakage(
        "an update that comes twice is left out",
        "bot/handlers/update_processor.py",
        "if update.update_id in self._lately:",
        "if False:",
        f"{FAULTS}/test_guards.py::test_an_update_that_comes_twice_is_handled_once",
    ),
    Breakage(
        "committed before anybody is told",
        "bot/tables/service.py",
        "                await self._storage.tables.commit(\n",
        "                self._tell(table_id)\n                await self._storage.tables.commit(\n",
        "tests/bot/tables/test_service.py",
    ),
    Breakage(
        "a cancelled caller's transaction is carried through",
        "bot/storage/connection.py",
        "return await asyncio.shield(task)",
        "return await task",
        f"{STORAGE}/test_transactions.py",
    ),
    Breakage(
        "a failed transaction is undone",
        "bot/storage/connection.py",
        "                await self._connection.rollback()\n                raise\n",
        '                await self._connection.execute("COMMIT")\n                raise\n',
        f"{STORAGE}/test_transactions.py",
    ),
    Breakage(
        "a chat that answers 429 is left alone",
        "bot/messages/executor.py",
        "self._budget.hold(step.chat_id, now + seconds)",
        "pass",
        f"{FAULTS}/test_guards.py::test_a_429_holds_back_that_chat_alone",
    ),
    Breakage(
        "doubt after an edit of which nothing was heard",
        "bot/messages/executor.py",
        "desk.doubt(step.key, now)",
        "pass",
        f"{FAULTS}/test_guards.py::test_an_edit_of_which_nothing_was_heard_is_made_again_when_it_can_harm_no_more",
    ),
    Breakage(
        "doubt after a start",
        "bot/messages/reconciler.py",
        "desk.doubt_all_that_differ(self._now())",
        "pass",
        f"{FAULTS}/test_guards.py::test_an_edit_that_a_dead_process_left_under_way_is_undone",
    ),
    Breakage(
        "a message that another replaces is not forgotten",
        "bot/messages/shown_cache.py",
        "await self.put(desk, new, replace(old, key=retired_key(old)))",
        "await self.put(desk, new)",
        f"{FAULTS}/test_guards.py::test_a_hand_that_is_sent_anew_leaves_the_old_one_on_record_until_it_is_deleted",
    ),
    Breakage(
        "a deadline is not moved on because it was moved on",
        "bot/messages/table_messages.py",
        "if self._brought.get(step.key) == screen.timeless_digest:",
        "if False:",
        f"{FAULTS}/test_guards.py::test_a_slow_telegram_moves_a_deadline_on_once_and_not_for_ever",
    ),
    Breakage(
        "what is shown is written down",
        "bot/messages/shown_cache.py",
        "                await self._store.change(self._under_way)\n",
        "                pass\n",
        f"{FAULTS}/test_guards.py",
    ),
    Breakage(
        "what could not be written goes into the next commit",
        "bot/messages/shown_cache.py",
        "                self._waiting = self._under_way | self._waiting\n",
        "",
        f"{PRESENTER}/test_ledger.py",
    ),
    Breakage(
        "an edit in doubt is repeated until it has been made",
        "bot/messages/table_messages.py",
        "            self._doubtful.setdefault(key, self._repeated.pop(key))\n",
        "            self._repeated.pop(key)\n",
        f"{PRESENTER}/test_desk.py",
    ),
    Breakage(
        "tables that cannot be read hold up no start",
        "bot/messages/reconciler.py",
        "desk.stale_since is not None and desk.stale_since <= now for",
        "desk.stale_since is not None for",
        f"{FAULTS}/test_guards.py::test_tables_that_cannot_be_read_hold_up_no_start",
    ),
    Breakage(
        "a message that is gone is sent anew",
        "bot/messages/executor.py",
        "failure, extra=where)\n                await self._ledger.drop(desk, step.key)\n",
        "failure, extra=where)\n                desk.pause(step.key, now, RETRY_SECONDS)\n",
        f"{FAULTS}/test_guards.py::test_a_message_that_somebody_has_deleted_is_sent_anew",
    ),
    Breakage(
        "a message that is too old to be deleted loses its buttons",
        "bot/messages/executor.py",
        "await self._ledger.put(desk, fixed)",
        "desk.pause(step.key, now, RETRY_SECONDS)",
        f"{E2E}/test_old_messages.py::test_a_match_that_is_days_old_goes_on_and_old_messages_tell_the_way",
    ),
    Breakage(
        "who has blocked the bot is not written to",
        "bot/messages/executor.py",
        "await self._people.set_reachable(step.chat_id, reachable=False)",
        "pass",
        f"{FAULTS}/test_guards.py::test_who_has_blocked_the_bot_cannot_be_reached_until_he_lets_it_in",
    ),
    Breakage(
        "a late refusal does not undo the bot's return",
        "bot/messages/executor.py",
        "if self._returns[step.chat_id] == returns:",
        "if True:",
        f"{PRESENTER}/test_delivery.py",
    ),
    Breakage(
        "calls to one chat are made one after another",
        "bot/messages/schedule.py",
        "if need.takes_chat and need.chat_id in busy_chats:",
        "if False:",
        f"{PRESENTER}/test_schedule.py::test_a_chat_has_one_call_at_a_time",
    ),
    Breakage(
        "a message that is not on record goes when it is pressed",
        "bot/messages/reconciler.py",
        "await self._ledger.put(desk, replace(orphan, key=retired_key(orphan)))",
        "pass",
        f"{E2E}/test_presses.py::test_a_message_whose_sending_was_not_answered_works_and_goes_when_it_is_pressed",
    ),
    Breakage(
        "the press is answered before messages change",
        "bot/messages/reconciler.py",
        "patience = ANSWER_SECONDS if desk.table_id in self._answering else GATHER_SECONDS",
        "patience = 0.0",
        f"{E2E}/test_order.py::test_a_slow_answer_keeps_the_messages_waiting",
    ),
    Breakage(
        "nobody's time runs while the bot is down",
        "bot/clock.py",
        "await self._storage.tables.shift_deadlines(down)",
        "pass",
        f"{E2E}/test_clock.py::test_nobody_loses_time_while_the_bot_is_down",
    ),
    Breakage(
        "a table that cannot be shown keeps no other from being shown",
        "bot/messages/reconciler.py",
        "        except Exception:\n            # One table that cannot be shown",
        "        except ZeroDivisionError:\n            # One table that cannot be shown",
        f"{FAULTS}/test_guards.py::test_a_table_that_cannot_be_read_keeps_no_other_from_being_shown",
    ),
    Breakage(
        "foreign: what is a group's own affair is heard in that group alone",
        "bot/handlers/dispatch.py",
        "    if Where.TABLE_CHAT in asked.where:\n        raise Refusal(Refused.ELSEWHERE)\n",
        "",
        FORGED,
    ),
    Breakage(
        "foreign: who was not called sits down at no table by the bell",
        "bot/handlers/subscriptions.py",
        "chat_id):\n        raise Refusal(Refused.ELSEWHERE)",
        "chat_id):\n        pass",
        FORGED,
    ),
    Breakage(
        "foreign: the answer to a question is that of the one who was asked",
        "bot/handlers/membership.py",
        "        raise Refusal(Refused.NOT_ASKED)",
        "        pass",
        FORGED,
    ),
    Breakage(
        "foreign: who may choose for a group",
        "bot/handlers/permissions.py",
        "    if await is_admin(services, visitor):\n        return\n    if editors is Editors.HOST:",
        "    return\n    if editors is Editors.HOST:",
        FORGED,
    ),
    Breakage(
        "foreign: scores and rules are told to their group and to who plays",
        "bot/handlers/dispatch.py",
        "            raise Refusal(Refused.ELSEWHERE)\n",
        "            pass\n",
        f"{E2E}/test_forgeries.py::test_another_groups_affairs_are_neither_read_nor_decided_from_outside",
    ),
    Breakage(
        "foreign: the webhook's secret",
        "bot/webhook.py",
        "if not hmac.compare_digest(given.encode(), self._secret.encode()):",
        "if False:",
        "tests/bot/test_webhook.py",
    ),
    Breakage(
        "a person's updates wait behind his own",
        "bot/handlers/update_processor.py",
        "await asyncio.wait({before}, timeout=self._patience)",
        "pass",
        "tests/bot/handlers/test_update_processor.py",
    ),
    Breakage(
        "the clock goes on while the database takes no writes",
        "bot/clock.py",
        "            except PASSING as error:\n                self._complain(error)",
        "            except ZeroDivisionError as error:\n                self._complain(error)",
        "tests/bot/test_clock.py",
    ),
    Breakage(
        "nobody's time runs while the database takes no writes",
        "bot/clock.py",
        "await self._tables.change(table_id, transitions.postpone, seconds)",
        "pass",
        "tests/bot/test_clock.py",
    ),
    Breakage(
        "nobody's time runs while the machine sleeps, or when its clock is set",
        "bot/clock.py",
        "            self._is_adrift = True\n",
        "            pass\n",
        "tests/bot/test_clock.py",
    ),
    Breakage(
        "calls go out on although the machine's clock is set back",
        "bot/app.py",
        "now = steady()",
        "now = time.time",
        f"{E2E}/test_clock.py::test_the_machines_clock_is_set_back_by_an_hour_and_nobody_waits_for_that",
    ),
    Breakage(
        "the owner is told once an hour",
        "bot/alerts.py",
        "now - self._last.get(kind, -SILENCE_SECONDS) < SILENCE_SECONDS",
        "False",
        "tests/bot/test_alerts.py",
    ),
    Breakage(
        "no token in the log",
        "bot/logs.py",
        'return _TOKEN.sub("***", text)',
        "return text",
        "tests/bot/test_logs.py",
    ),
    Breakage(
        "no statement with its values in the log",
        "bot/storage/connection.py",
        'logging.getLogger("aiosqlite").setLevel(logging.WARNING)',
        "",
        "tests/bot/test_secrets_in_logs.py",
    ),
    Breakage(
        "a table whose deadline fails keeps no other's from being kept",
        "bot/clock.py",
        "            except Exception:\n                # One broken table",
        "            except ZeroDivisionError:\n                # One broken table",
        "tests/bot/test_clock.py",
    ),
)


def main(words: Sequence[str]) -> int:
    """Take out these guards, or all of them."""
    held = 0
    for breakage in BREAKAGES:
        if words and not any(word in breakage.guard for word in words):
            continue
        failed = failures(breakage)
        held += not failed
        print(f"{breakage.guard}: {', '.join(failed) or 'NO TEST FAILS WITHOUT IT'}", flush=True)
    return min(held, 1)


def failures(breakage: Breakage) -> list[str]:
    """The names of the tests that fail without the guard."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for part in PARTS:
            source = ROOT / part
            if source.is_dir():
                shutil.copytree(source, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, copy / part)
        module = copy / breakage.module
        text = module.read_text("utf-8")
        if text.count(breakage.sound) != 1:
            raise SystemExit(f"{breakage.guard}: what it breaks is not (once) in {breakage.module}")
        module.write_text(text.replace(breakage.sound, breakage.broken), "utf-8")
        arguments = ["-q", "-x", "-n", "0", "-p", "no:cacheprovider", breakage.test]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *arguments],
            cwd=copy,
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
