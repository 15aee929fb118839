"""Determinization: complete matches that are consistent with a view.

Hidden cards are drawn from what the viewer can know (`engine.players.belief_tracker`); the real match is
never consulted.
"""

from random import Random

from engine.legality import with_playable
from engine.players.belief_tracker import BeliefTracker
from engine.shuffle import SEED_BYTES
from engine.state import Counters, Match, Origin, Piles, Round, Seat, Status, Turn, ring_of
from engine.view import View


class Determinizer:
    """Draws matches that are consistent with the mover's view."""

    def __init__(self, view: View, rng: Random) -> None:
        assert view.round is not None
        self.view = view
        self.round = view.round
        self.rng = rng
        self.tracker = BeliefTracker(view, rng)
        seats_in = tuple(place for place, seat in enumerate(view.seats) if seat.status is Status.IN)
        self.ring = ring_of(seats_in, view.round.direction)
        self.seats = tuple(Seat(seat.id, seat.total, seat.status) for seat in view.seats)

    def draw(self) -> Match:
        """Draw one determinization: a match with every hidden card placed."""
        view, shown = self.view, self.round
        assert view.hand is not None
        hands, stock = self.tracker.slots.filled(self.rng)
        running = Round(
            piles=Piles(
                hands=tuple(
                    view.hand if seat == view.seat else hands.get(seat, ()) for seat in range(len(self.seats))
                ),
                stock=stock,
                discard=shown.discard,
            ),
            turn=Turn(
                seat=shown.turn,
                ordered=shown.ordered,
                must_cover=shown.must_cover,
                pending=None if shown.attack_rank is None else shown.pending,
                found=shown.found,
            ),
            counters=Counters(
                moves=shown.stamp.move, passes=self.tracker.passes, wilds=self.tracker.wilds, recycles=0
            ),
            ring=self.ring,
            origin=Origin(shown.leader, self.rng.randbytes(SEED_BYTES), 0),
        )
        return Match(
            view.rules,
            self.seats,
            with_playable(view.rules, running),
            view.number,
            view.leader,
            view.last_round,
            None,
        )
