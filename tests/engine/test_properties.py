"""What holds under any rules, in any position that play can lead to.

The machine plays matches under random rules with people coming and going, and looks at every position;
the tests below it play at random to the end. Each docstring names a breakage of the engine under which the
property fails; `python -m tests.engine.breakages` breaks a copy of the engine in each of these ways and sees
it fail. The examples are the same on every run; take `derandomize` away to look for new ones.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from engine import (
    NOBODY,
    RANKS,
    CardLaid,
    CardsDrawn,
    Deal,
    Draw,
    Event,
    Illegal,
    Join,
    Leave,
    Match,
    Move,
    Pass,
    Phase,
    Play,
    Round,
    RoundEnded,
    Rules,
    SeatJoined,
    Status,
    TurnMove,
    apply,
    dump_event,
    dump_match,
    dump_move,
    legal,
    load_event,
    load_match,
    load_move,
    move_text,
    parse_move,
    position_state,
    rank_of,
    replay,
    view_for,
)
from engine.cards import CARDS, SUITS, sorted_deck
from tests.builders import replace_fields
from tests.engine.strategies import matches_before_a_deal, random_play, seeds
from tests.engine.strategies import rules as any_rules


def conceivable_turn_moves(seat: int) -> Iterator[TurnMove]:
    """Every turn move a seat could name."""
    yield Draw(seat)
    yield Pass(seat)
    for card in CARDS:
        yield Play(seat, card)
        for suit in range(len(SUITS)):
            yield Play(seat, card, suit)


def accepted(match: Match, move: Move) -> bool:
    try:
        apply(match, move)
    except Illegal:
        return False
    return True


def spelled(match: Match, move: TurnMove) -> TurnMove:
    """The move as `legal` spells it: a wild with its suit, a last wild without."""
    if not isinstance(move, Play) or move.card not in match.rules.lookup.wilds:
        return move
    assert match.round is not None
    last = len(match.round.piles.hands[move.seat]) == 1
    own = move.card // 13 if move.suit is None else move.suit
    return Play(move.seat, move.card, None if last else own)


def all_cards(running: Round) -> Counter[int]:
    hands = [card for hand in running.piles.hands for card in hand]
    return Counter([*hands, *running.piles.stock, *running.piles.discard])


class MatchMachine(RuleBasedStateMachine):
    """A match under random rules, played move by move."""

    @initialize(match=matches_before_a_deal())
    def begin(self, match: Match) -> None:
        self.beginning = self.match = match
        self.log: list[Move] = []
        self.texts: list[object] = []
        self.history: list[tuple[Event, ...]] = []
        self.newcomers = 0

    def make(self, move: Move) -> None:
        self.texts.append(move_text(self.match, move))
        self.match, events = apply(self.match, move)
        self.log.append(move)
        self.history.append(events)

    # ------------------------------------------------------------------------------------ what is done

    @rule(seed=seeds, cut=st.integers(0, 36))
    def deal_from_a_seed(self, seed: bytes, cut: int) -> None:
        if self.match.phase is Phase.BETWEEN:
            self.make(Deal(seed, cut=cut))

    @rule(seed=st.none() | seeds, chance=st.randoms(use_true_random=False))
    def deal_a_deck(self, seed: bytes | None, chance: Random) -> None:
        if self.match.phase is Phase.BETWEEN:
            deck = list(sorted_deck(self.match.rules.deck))
            chance.shuffle(deck)
            self.make(Deal(seed, tuple(deck)))

    @rule(choices=st.lists(st.integers(0, 30), min_size=1, max_size=8))
    def make_turn_moves(self, choices: list[int]) -> None:
        for choice in choices:
            if self.match.round is not None:
                options = legal(self.match, self.match.round.turn.seat)
                self.make(options[choice % len(options)])

    @rule(count=st.integers(30, 120), stop_at_a_pass=st.booleans())
    def draw_and_pass_wherever_possible(self, count: int, stop_at_a_pass: bool) -> None:
        """So that the stock runs out, nothing is left to draw, and passes are counted."""
        for _ in range(count):
            if self.match.round is not None:
                if stop_at_a_pass and self.match.round.counters.passes:
                    return
                options = legal(self.match, self.match.round.turn.seat)
                self.make(next((move for move in options if not isinstance(move, Play)), options[0]))

    @rule(choice=st.integers(0, 9))
    def leave(self, choice: int) -> None:
        seats = self.match.seats_in()
        if len(seats) > 2 and self.match.winner is None:
            self.make(Leave(seats[choice % len(seats)]))

    @rule(come_back=st.booleans())
    def join(self, come_back: bool) -> None:
        if self.match.phase is Phase.BETWEEN and len(self.match.seats_in()) < self.match.rules.max_seats:
            left = [seat.id for seat in self.match.seats if seat.status is Status.LEFT]
            self.newcomers += 1
            self.make(Join(left[0] if left and come_back else f"n{self.newcomers}"))

    @rule(seed=seeds)
    def try_what_a_match_that_is_over_refuses(self, seed: bytes) -> None:
        if self.match.phase is Phase.FINISHED:
            for move in (Deal(seed), Join("n"), Join("p1"), Leave(0), Leave(NOBODY), Draw(0)):
                with pytest.raises(Illegal, match="match_over"):
                    apply(self.match, move)

    # --------------------------------------------------------------------------------- what always holds

    @invariant()
    def each_card_exists_once(self) -> None:
        """Fails where the cards of a penalty stay in the stock as well."""
        running = self.match.round
        if running is not None:
            assert all_cards(running) == Counter(sorted_deck(self.match.rules.deck))
            assert all(
                hand == () or self.match.seats[seat].status is Status.IN
                for seat, hand in enumerate(running.piles.hands)
            )

    @invariant()
    def what_is_legal_is_what_is_accepted(self) -> None:
        """Fails where `apply` overlooks a suit named for a card that is not wild."""
        mover = None if self.match.round is None else self.match.round.turn.seat
        for seat in range(NOBODY, len(self.match.seats) + 1):
            listed = legal(self.match, seat)
            if seat == mover:
                tried = conceivable_turn_moves(seat)
                found = {spelled(self.match, move) for move in tried if accepted(self.match, move)}
                assert found == set(listed)
                assert len(found) == len(listed)
            else:
                tried = iter((Draw(seat), Pass(seat), *(Play(seat, card) for card in CARDS[::5])))
                assert not listed
                assert not any(accepted(self.match, move) for move in tried)

    @invariant()
    def a_refused_move_changes_nothing(self) -> None:
        """Fails where a refusal, of a move out of turn, raises the limit of the match by one."""
        before = dump_match(self.match)
        for seat in range(len(self.match.seats)):
            for move in (Play(seat, 0), Draw(seat), Pass(seat), Deal(None)):
                accepted(self.match, move)
        assert dump_match(self.match) == before

    @invariant()
    def somebody_can_move_while_a_round_runs(self) -> None:
        """Fails where a player with nothing to lay and nothing to draw may not pass."""
        running = self.match.round
        if running is not None:
            assert legal(self.match, running.turn.seat)
            assert self.match.seats[running.turn.seat].status is Status.IN
            assert self.match.winner is None

    @invariant()
    def a_dump_is_read_back_equal(self) -> None:
        """Fails where a snapshot forgets the passes in a row."""
        assert load_match(dump_match(self.match)) == self.match

    @invariant()
    def nobody_sees_what_is_hidden_from_them(self) -> None:
        """Fails where a view shows everybody the card that the one to move has found."""
        recent = self.history[-8:]
        for seat in (None, *range(len(self.match.seats))):
            ours = view_for(self.match, seat, recent)
            assert view_for(*hidden_cards_permuted(self.match, recent, seat)) == ours

    @invariant()
    def a_recycling_is_never_overdue(self) -> None:
        """Fails where the discard is not turned over after a card was laid."""
        running = self.match.round
        if running is not None and not running.piles.stock:
            assert len(running.piles.discard) < 2

    def teardown(self) -> None:
        """Replaying the log leads to the same match, from the moves as from their text and their dumps.

        Fails where the text of a deal forgets its cut.
        """
        if not hasattr(self, "log"):
            return
        match = self.beginning
        for move, text, events in zip(self.log, self.texts, self.history, strict=True):
            assert parse_move(match, text) == move
            assert load_move(dump_move(move)) == move
            match, again = apply(match, move)
            assert again == events
            assert tuple(load_event(dump_event(event)) for event in events) == events
        assert match == self.match
        if any(isinstance(move, Deal) for move in self.log):
            document = {
                "rules": self.match.rules.to_document(),
                "players": [seat.id for seat in self.beginning.seats],
                "leader": None if self.beginning.leader is None else f"p{self.beginning.leader + 1}",
                "moves": self.texts,
            }
            assert replay(document) == {"ok": True, "error": None, "state": position_state(self.match)}


def hidden_cards_permuted(
    match: Match, history: list[tuple[Event, ...]], seat: int | None
) -> tuple[Match, int | None, list[tuple[Event, ...]]]:
    """The same match and history to the eyes of `seat`, with the cards hidden from it in another order."""
    changed = [
        tuple(
            CardsDrawn(event.seat, event.count, (0,) * event.count, event.cause)
            if isinstance(event, CardsDrawn) and event.seat != seat
            else event
            for event in events
        )
        for events in history
    ]
    running = match.round
    if running is None:
        return match, seat, changed
    hidden = [card for other, hand in enumerate(running.piles.hands) if other != seat for card in hand]
    pool = sorted([*hidden, *running.piles.stock], reverse=True)
    hands = list(running.piles.hands)
    for other, hand in enumerate(hands):
        if other != seat:
            hands[other], pool = tuple(pool[: len(hand)]), pool[len(hand) :]
    found = running.turn.found
    if found is not None and running.turn.seat != seat:
        found = hands[running.turn.seat][-1]
    permuted = replace_fields(running, hands=tuple(hands), stock=tuple(pool), found=found)
    return match._replace(round=permuted), seat, changed


QUEENS = {suit * 13 + 10 for suit in range(4)}
QUEEN_OF_SPADES, KING_OF_SPADES = 10, 11


def score_independently(match: Match, events: tuple[Event, ...], totals: dict[str, int]) -> None:
    """Work a round's end out from the laid-open hands, by the rules' own words, into `totals`."""
    ended = next(event for event in events if isinstance(event, RoundEnded))
    rules, result = match.rules, ended.result
    points = {seat: cost_of(rules, hand) for seat, hand in result.hands}
    if ended.blocked:
        assert result.winner is None
        least = min(points.values())
        points = {seat: 0 if cost == least else cost for seat, cost in points.items()}
    else:
        assert result.winner is not None
        last = next(event.card for event in events if isinstance(event, CardLaid))
        if rules.double_on_queen_finish and last in QUEENS:
            points = {seat: 2 * cost for seat, cost in points.items()}
        bonus = 0
        if rules.finish_bonus != "none" and last in QUEENS:
            bonus = -40 if last == QUEEN_OF_SPADES else -20
        elif rules.finish_bonus == "queens_king" and last == KING_OF_SPADES:
            bonus = -80
        points[result.winner] = bonus
    assert points == dict(result.points)
    for seat, cost in points.items():
        total = totals[match.seats[seat].id] + cost
        if rules.exact_limit != "stay" and total == rules.limit:
            total = 0
        elif rules.exact_limit == "zero_and_half" and total == rules.limit - 1:
            total = (rules.limit - 1) // 2
        if rules.negatives == "floor_zero" and total < 0:
            total = 0
        totals[match.seats[seat].id] = total
    assert dict(result.totals) == {seat: totals[match.seats[seat].id] for seat in points}


def cost_of(rules: Rules, hand: tuple[int, ...]) -> int:
    """A hand's points, by the rules' own words."""
    if rules.lone_queen == "20_40" and len(hand) == 1 and hand[0] in QUEENS:
        return 40 if hand[0] == QUEEN_OF_SPADES else 20
    faces = {"J": 2, "Q": 3, "K": 4, "A": 11}
    cost = 0
    for card in hand:
        rank = RANKS[rank_of(card)]
        if rules.points == "heavy" and card in QUEENS:
            cost += 40 if card == QUEEN_OF_SPADES else 20
        elif rules.points == "heavy" and card == KING_OF_SPADES:
            cost += 80
        elif rules.points != "nine_zero" or rank != "9":
            cost += faces[rank] if rank in faces else int(rank)
    return cost


TestMatches = MatchMachine.TestCase
TestMatches.settings = settings(
    max_examples=100,
    stateful_step_count=30,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@given(match=matches_before_a_deal(), seed=st.integers(0, 2**32))
@settings(max_examples=120, deadline=None, derandomize=True)
def test_every_round_ends_and_so_does_every_match(match: Match, seed: int) -> None:
    """Fails where turn moves without end do not block a round."""
    turn_moves = rounds = 0
    for move, transition in random_play(match, Random(seed)):
        match = transition.match
        if isinstance(move, Deal):
            rounds += 1
            turn_moves = 0
        elif match.round is not None:
            turn_moves = match.round.counters.moves
        assert turn_moves < 500
        assert rounds < 2000
    assert match.winner is not None
    assert match.seats[match.winner].status is Status.IN
    assert match.round is None


@given(match=matches_before_a_deal(), seed=st.integers(0, 2**32))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_totals_follow_from_the_rounds(match: Match, seed: int) -> None:
    """Fails where the winner's bonus is doubled along with the others' points."""
    totals = {seat.id: 0 for seat in match.seats}
    for _, transition in random_play(match, Random(seed)):
        match, events = transition
        if any(isinstance(event, RoundEnded) for event in events):
            score_independently(match, events, totals)
        for event in events:
            if isinstance(event, SeatJoined):
                totals[match.seats[event.seat].id] = event.total
        assert totals == {seat.id: seat.total for seat in match.seats}


@given(rules=any_rules)
@settings(deadline=None, derandomize=True)
def test_rules_are_written_and_read_back_equal(rules: Rules) -> None:
    """Fails where a card's own entry that silences its rank's is taken for one that says nothing."""
    written = rules.to_document()
    assert Rules.from_document(written) == rules
    assert [Rules.from_document(written).effect_of(card) for card in CARDS] == [
        rules.effect_of(card) for card in CARDS
    ]
