"""Groups' settings: stored, applied to open lobbies, saved under names, shared."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.settings import GroupSettings, TableSettings
from bot.storage import Storage
from bot.tables import transitions
from bot.tables.choices import with_value
from bot.tables.group_settings import MOST_RULE_SETS, GroupSettingsService, SettingsChange
from bot.tables.queries import TableQueries
from bot.tables.refusals import Refusal, Refused
from bot.tables.service import Tables
from engine import Reason, Rules
from tests.bot.tables.tables import ANYA, BORIS, GENA, NOW, PACE, VERA

GROUP, OTHER_GROUP = -100, -200
DEFAULT = TableSettings(Rules.from_document({"limit": 77}))


@pytest.fixture
async def storage(storage: Storage) -> Storage:
    for chat_id in (GROUP, OTHER_GROUP):
        await storage.chats.see(chat_id, "Клуб", None, "supergroup")
    return storage


@pytest.fixture
def tables(storage: Storage) -> Tables:
    return Tables(storage, TableQueries(storage, lambda: NOW), PACE)


@pytest.fixture
def group_settings(storage: Storage, tables: Tables) -> GroupSettingsService:
    return GroupSettingsService(storage, tables, DEFAULT, lambda: NOW)


def to(name: str, code: str) -> SettingsChange:
    """The choice of a value."""

    def choice(chosen: GroupSettings) -> GroupSettings:
        table = replace(chosen.table, rules=with_value(chosen.table.rules, name, code))
        return replace(chosen, table=table)

    return choice


async def refused(group_settings: GroupSettingsService, choice: SettingsChange) -> Refused | Reason:
    with pytest.raises(Refusal) as refusal:
        await group_settings.choose(GROUP, choice)
    return refusal.value.reason


async def test_a_group_that_has_chosen_nothing_plays_by_the_default(
    group_settings: GroupSettingsService,
) -> None:
    assert (await group_settings.chosen(GROUP)).table == DEFAULT
    assert (await group_settings.look(GROUP)).rules == DEFAULT.rules


async def test_what_a_group_chooses_is_its_own_and_is_kept(
    group_settings: GroupSettingsService, storage: Storage
) -> None:
    view = await group_settings.choose(GROUP, to("deck", "52"))
    assert view == await group_settings.look(GROUP)
    assert view.rules == Rules.from_document({"limit": 77, "deck": 52})
    again = GroupSettingsService(storage, Tables(storage, TableQueries(storage), PACE), TableSettings())
    assert (await again.chosen(GROUP)).table.rules == view.rules
    assert (await group_settings.chosen(OTHER_GROUP)).table == DEFAULT


async def test_every_open_lobby_of_the_group_takes_a_choice_over_at_once(
    group_settings: GroupSettingsService, tables: Tables
) -> None:
    opened = [(await tables.open(GROUP, thread, ANYA, DEFAULT)).table_id for thread in (0, 7)]
    elsewhere = (await tables.open(OTHER_GROUP, 0, ANYA, DEFAULT)).table_id
    heard: list[str] = []
    tables.on_change(heard.append)
    chosen = (await group_settings.choose(GROUP, to("deck", "52"))).chosen.table
    assert [(await tables.queries.load(table_id)).settings for table_id in opened] == [chosen, chosen]
    assert (await tables.queries.load(elsewhere)).settings == DEFAULT
    assert heard == opened


async def test_a_running_match_keeps_its_rules_and_the_groups_settings_say_that_it_runs(
    group_settings: GroupSettingsService, tables: Tables
) -> None:
    table_id = (await tables.open(GROUP, 0, ANYA, DEFAULT)).table_id
    await tables.act(table_id, BORIS.user_id, transitions.sit, BORIS.name)
    assert not (await group_settings.look(GROUP)).is_playing
    await tables.act(table_id, ANYA.user_id, transitions.start, is_admin=False)
    before = await tables.queries.load(table_id)
    view = await group_settings.choose(GROUP, to("deck", "52"))
    assert view.is_playing
    assert await tables.queries.load(table_id) == before


async def test_rules_without_a_seat_for_somebody_in_the_lobby_are_refused_and_nothing_changes(
    group_settings: GroupSettingsService, tables: Tables
) -> None:
    table_id = (await tables.open(GROUP, 0, ANYA, DEFAULT)).table_id
    for player in (BORIS, VERA, GENA):
        await tables.act(table_id, player.user_id, transitions.sit, player.name)
    before = await tables.queries.load(table_id)
    assert (await group_settings.look(GROUP)).seated == 4
    assert await refused(group_settings, to("hand_size", "8")) is Refused.TOO_MANY_SEATED
    assert (await group_settings.chosen(GROUP)).table == DEFAULT
    assert await tables.queries.load(table_id) == before
    await group_settings.choose(GROUP, to("hand_size", "6"))


async def test_rules_that_cannot_be_are_refused(group_settings: GroupSettingsService) -> None:
    assert await refused(group_settings, to("limit", "5")) is Reason.BAD_RULES


async def test_choices_made_at_once_are_all_made(group_settings: GroupSettingsService) -> None:
    await asyncio.gather(
        *(
            group_settings.choose(GROUP, to(*pair))
            for pair in (("deck", "52"), ("limit", "150"), ("hand_size", "5"))
        )
    )
    assert (await group_settings.chosen(GROUP)).table.rules == Rules.from_document(
        {"deck": 52, "limit": 150, "hand_size": 5}
    )


# ------------------------------------------------------------------------------------------ under a name


async def test_saved_rules_are_listed_by_name_and_found_from_anywhere(
    group_settings: GroupSettingsService,
) -> None:
    await group_settings.choose(GROUP, to("deck", "52"))
    second = await group_settings.save_rules(GROUP, "  По-нашему ")
    await group_settings.choose(GROUP, to("deck", "72"))
    first = await group_settings.save_rules(GROUP, "Дача")
    assert (second.name, second.rules.deck, first.rules.deck) == ("По-нашему", 52, 72)
    assert (await group_settings.look(GROUP)).rule_sets == (first, second)
    assert (await group_settings.look(OTHER_GROUP)).rule_sets == ()
    assert await group_settings.rule_set(second.token) == second


async def test_a_name_given_again_stands_for_the_newer_rules_under_the_same_link(
    group_settings: GroupSettingsService,
) -> None:
    before = await group_settings.save_rules(GROUP, "Дача")
    await group_settings.choose(GROUP, to("deck", "72"))
    after = await group_settings.save_rules(GROUP, "Дача")
    assert after.token == before.token
    assert (await group_settings.look(GROUP)).rule_sets == (after,)
    assert after.rules.deck == 72


async def test_two_groups_may_give_the_same_name(group_settings: GroupSettingsService) -> None:
    mine, theirs = (
        await group_settings.save_rules(GROUP, "Дача"),
        await group_settings.save_rules(OTHER_GROUP, "Дача"),
    )
    assert mine.token != theirs.token


@pytest.mark.parametrize("name", ["", "   ", "\u200b\u202e\n"])
async def test_a_name_of_which_nothing_can_be_seen_is_none(
    group_settings: GroupSettingsService, name: str
) -> None:
    with pytest.raises(Refusal) as refusal:
        await group_settings.save_rules(GROUP, name)
    assert refusal.value.reason is Refused.NO_NAME


async def test_a_group_saves_no_more_than_its_menu_can_show(group_settings: GroupSettingsService) -> None:
    for n in range(MOST_RULE_SETS):
        await group_settings.save_rules(GROUP, f"Правила {n}")
    with pytest.raises(Refusal) as refusal:
        await group_settings.save_rules(GROUP, "Ещё одни")
    assert refusal.value.reason is Refused.TOO_MANY_RULE_SETS
    await group_settings.save_rules(GROUP, "Правила 0")
    await group_settings.save_rules(OTHER_GROUP, "Ещё одни")


async def test_deleted_rules_are_gone_and_only_their_group_deletes_them(
    group_settings: GroupSettingsService,
) -> None:
    saved = await group_settings.save_rules(GROUP, "Дача")
    with pytest.raises(Refusal):
        await group_settings.delete_rule_set(OTHER_GROUP, saved.token)
    await group_settings.delete_rule_set(GROUP, saved.token)
    for attempt in (group_settings.rule_set(saved.token), group_settings.delete_rule_set(GROUP, saved.token)):
        with pytest.raises(Refusal) as refusal:
            await attempt
        assert refusal.value.reason is Refused.RULES_GONE


async def test_an_upgraded_group_keeps_its_choices_and_what_it_has_saved(
    group_settings: GroupSettingsService, storage: Storage
) -> None:
    await group_settings.choose(GROUP, to("deck", "52"))
    saved = await group_settings.save_rules(GROUP, "Дача")
    replaced = await group_settings.save_rules(GROUP, "По-нашему")
    newer = await group_settings.save_rules(-1007, "По-нашему")
    for _ in range(2):
        await storage.chats.move(GROUP, -1007)
    view = await group_settings.look(-1007)
    assert view.rules.deck == 52
    assert view.rule_sets == (saved, newer)
    assert await group_settings.rule_set(replaced.token) == replaced
