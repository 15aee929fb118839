"""What people and groups have chosen: their own settings, and rules saved under names."""

from __future__ import annotations

import re

import pytest

from bot.storage import Storage
from bot.storage.database import Database
from bot.storage.people import UnknownPerson
from bot.storage.rule_sets import RuleSetStore, StoredRuleSet, new_token

RULES = '{"preset": "classic"}'


async def test_a_persons_settings_are_kept_until_he_chooses_otherwise(storage: Storage) -> None:
    at_first = await storage.people.see(5, "Аня", "ru")
    assert (at_first.sound, at_first.forced_moves, at_first.hand_order) == (True, True, "suit")
    await storage.people.set_sound(5, False)
    await storage.people.set_forced_moves(5, False)
    await storage.people.set_hand_order(5, "rank")
    chosen = await storage.people.see(5, "Anna", "en")
    assert (chosen.sound, chosen.forced_moves, chosen.hand_order) == (False, False, "rank")
    assert (await storage.people.get_many([5]))[5] == chosen


async def test_nobody_who_was_never_seen_has_settings(storage: Storage) -> None:
    for attempt in (
        storage.people.set_sound(7, False),
        storage.people.set_forced_moves(7, False),
        storage.people.set_hand_order(7, "rank"),
    ):
        with pytest.raises(UnknownPerson):
            await attempt


async def test_those_who_move_by_hand_are_found(storage: Storage) -> None:
    for user_id in range(1, 5):
        await storage.people.see(user_id, f"p{user_id}", None)
    assert await storage.people.who_moves_by_hand() == frozenset()
    for user_id in (2, 4):
        await storage.people.set_forced_moves(user_id, False)
    await storage.people.set_forced_moves(4, True)
    assert await storage.people.who_moves_by_hand() == {2}


# ---------------------------------------------------------------------------------------------- saved rules


async def test_saved_rules_are_found_by_their_chat_and_by_their_token(database: Database) -> None:
    tokens = iter(["t1", "t2", "t3"])
    store = RuleSetStore(database, lambda: next(tokens))
    second = await store.save(-100, "По-нашему", RULES, 1.0)
    first = await store.save(-100, "Дача", RULES, 2.0)
    other = await store.save(-200, "Дача", RULES, 3.0)
    assert second == StoredRuleSet("t1", -100, "По-нашему", RULES)
    assert await store.of_chat(-100) == (first, second)
    assert await store.of_chat(-200) == (other,)
    assert await store.of_chat(-300) == ()
    assert await store.find("t2") == first
    assert await store.find("nothing") is None


async def test_a_name_given_again_keeps_its_token(storage: Storage) -> None:
    before = await storage.rule_sets.save(-100, "Дача", RULES, 1.0)
    after = await storage.rule_sets.save(-100, "Дача", "{}", 2.0)
    assert after == StoredRuleSet(before.token, -100, "Дача", "{}")
    assert await storage.rule_sets.of_chat(-100) == (after,)


async def test_only_its_chat_deletes_what_was_saved(storage: Storage) -> None:
    saved = await storage.rule_sets.save(-100, "Дача", RULES, 1.0)
    assert not await storage.rule_sets.delete(-200, saved.token)
    assert await storage.rule_sets.delete(-100, saved.token)
    assert not await storage.rule_sets.delete(-100, saved.token)
    assert await storage.rule_sets.find(saved.token) is None


def test_a_token_fits_into_a_button_and_a_deep_link() -> None:
    assert re.fullmatch("[0-9a-f]{10}", new_token())
