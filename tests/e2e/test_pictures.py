"""The script behind the README's pictures still plays."""

from __future__ import annotations

from tests.e2e.pictures import SCRIPT, played, who_moves


async def test_the_script_brings_four_friends_to_their_first_move() -> None:
    async with played(SCRIPT) as (_, telegram):
        world = await telegram.ask("world")
        assert await who_moves(telegram) in [user["id"] for user in world["users"]]
