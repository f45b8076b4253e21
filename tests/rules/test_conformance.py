"""What every registered game must keep, whatever its rules: one suite over all of `GAMES`."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from samedrop_rules import GAMES, Ended, Game, IllegalMove, InvalidInput, Move, OptionValue, Pace, Table, covers, replay
from tests.support.playing import option_sets, random_log

LARGEST = 2**53 - 1
VARIANTS = [(game, options) for game in GAMES for options in option_sets(game)]
JUNK: list[object] = [None, True, 7, -1, 3.0, "3", "", [], {}, {"": 0}, [["column", 3]], float("nan"), 2**63, b"\x00"]


def name(value: object) -> str:
    if isinstance(value, Game):
        return f"{value.id}-{value.version}"
    return ",".join(f"{key}={text}" for key, text in value.items()) or "defaults" if isinstance(value, dict) else ""


every_variant = pytest.mark.parametrize(("game", "options"), VARIANTS, ids=name)
every_game = pytest.mark.parametrize("game", GAMES, ids=name)


def new_table(game: Game, options: dict[str, OptionValue], seed: str = "conformance", seats: int = 0) -> Table:
    deal = game.deal(options, seed=seed)
    return game.table(deal, seats or min(2, game.most_seats(deal.options)))


def told_of(game: Game, table: Table, mover: int) -> list[int]:
    """The seats that a step may be about: its mover's, and in rounds all."""
    return list(range(table.seats)) if game.pace is Pace.ROUNDS else [mover]


def state(table: Table) -> list[object]:
    return [
        (
            table.view(seat),
            table.digest(seat),
            table.score(seat),
            table.turn(seat),
            table.ended(seat),
            table.legal(seat),
        )
        for seat in range(table.seats)
    ]


def values(thing: object) -> Iterator[object]:
    """Everything inside a JSON-like value, keys too."""
    yield thing
    if isinstance(thing, dict):
        for key, value in thing.items():
            yield from values(key)
            yield from values(value)
    elif isinstance(thing, list):
        for value in thing:
            yield from values(value)


def assert_wire_form(thing: object) -> None:
    """Only what JSON and MessagePack tell alike: text keys, and whole numbers below 2^53."""
    for value in values(thing):
        assert value is None or type(value) in (bool, int, str, list, dict), value
        if isinstance(value, dict):
            assert all(type(key) is str for key in value)
        if type(value) is int:
            assert abs(value) <= LARGEST
    assert json.loads(json.dumps(thing)) == thing


@every_game
def test_facts(game: Game) -> None:
    assert game.id == game.id.strip().lower()
    assert game.version >= 1
    assert game.title
    assert game.max_seats >= 1
    assert len({option.name for option in game.options}) == len(game.options)
    assert all(option.check(option.default) == option.default for option in game.options)
    assert all(option.help for option in game.options)


@every_variant
def test_the_same_moves_give_the_same_match(game: Game, options: dict[str, OptionValue]) -> None:
    first = list(random_log(new_table(game, options), "moves"))
    again = new_table(game, options)
    replayed = list(replay(again, [entry for entry, _ in first]))
    assert [events for _, events in replayed] == [step.events for _, step in first]
    assert again.over


@every_variant
def test_another_seed_gives_another_match(game: Game, options: dict[str, OptionValue]) -> None:
    tables = [new_table(game, options, seed) for seed in "abcd"]
    played = {json.dumps([step.events for _, step in random_log(table, "moves")]) for table in tables}
    without_chance = not any(any(table.knowledge(0)) for table in tables)
    assert len(played) == (1 if without_chance else 4)


@every_variant
def test_events_and_views_are_in_wire_form(game: Game, options: dict[str, OptionValue]) -> None:
    table = new_table(game, options)
    for seat in range(table.seats):
        assert_wire_form(table.view(seat))
    for entry, step in random_log(table, "wire"):
        assert step.events
        assert all(type(event["type"]) is str for event in step.events)
        assert_wire_form(step.events)
        assert_wire_form(table.view(entry.seat))
        assert_wire_form(entry.move)


@every_variant
def test_a_step_tells_the_move_first_then_all_points_and_last_what_comes_next(
    game: Game, options: dict[str, OptionValue]
) -> None:
    table = new_table(game, options)
    scores = [table.score(seat) for seat in range(table.seats)]
    first_types, later_types = set(), set()
    rounds = game.pace is Pace.ROUNDS
    for entry, step in random_log(table, "points"):
        for event in step.events:
            points, about = event.get("points", 0), event.get("seat", entry.seat)
            assert isinstance(points, int)
            assert isinstance(about, int)
            scores[about] += points
        assert scores[entry.seat] == entry.score
        assert scores == [table.score(seat) for seat in range(table.seats)]
        first_types.add(step.events[0]["type"])
        later_types |= {event["type"] for event in step.events[1:]}
        last = str(step.events[-1]["type"])
        assert last.startswith("next") or last in (("decided", "throw", "over") if rounds else ("over",))
        assert (last == "over") == (table.ended(entry.seat) is not None)
    assert first_types.isdisjoint(later_types)


@every_variant
def test_knowledge_grows_and_covers_what_was_disclosed(game: Game, options: dict[str, OptionValue]) -> None:
    table = new_table(game, options)
    known = [table.knowledge(seat) for seat in range(table.seats)]
    assert all(len(draws) == len(game.streams) for draws in known)
    for entry, step in random_log(table, "knowledge"):
        for seat in told_of(game, table, entry.seat):
            before, now = known[seat], table.knowledge(seat)
            assert covers(now, before)
            assert covers(now, step.disclosed)
            assert covers(tuple(old | new for old, new in zip(before, step.disclosed, strict=True)), now)
            assert not any(old & new for old, new in zip(before, step.disclosed, strict=True)), "disclosed twice"
            known[seat] = now


@pytest.mark.parametrize(("game", "options"), [pair for pair in VARIANTS if pair[0].pace is not Pace.ROUNDS], ids=name)
def test_in_a_race_a_played_seat_changes_no_other(game: Game, options: dict[str, OptionValue]) -> None:
    table = new_table(game, options)
    before = state(table)
    for entry, _ in random_log(table, "others"):
        now = state(table)
        assert now[: entry.seat] + now[entry.seat + 1 :] == before[: entry.seat] + before[entry.seat + 1 :]
        before = now


@every_variant
def test_legal_moves_are_those_of_the_view_and_all_can_be_played(game: Game, options: dict[str, OptionValue]) -> None:
    table = new_table(game, options, seats=1)
    log: list[Move] = []
    for entry, _ in random_log(table, "legal"):
        assert entry.move is not None
        log.append(entry.move)
        assert table.legal(0) == game.legal(table.view(0))
    assert table.legal(0) == game.legal(table.view(0)) == []
    for moves in (log[: len(log) // 2], log[:-1]):
        position = replayed_to(game, options, moves)
        assert position.legal(0)
        for move in position.legal(0):
            outlook = game.outlook(position.view(0), move)
            assert all(type(part) is int for part in outlook)
            other = replayed_to(game, options, moves)
            assert other.play(0, move).events
            assert other.turn(0) == len(moves) + 1


def replayed_to(game: Game, options: dict[str, OptionValue], moves: list[Move]) -> Table:
    table = new_table(game, options, seats=1)
    for move in moves:
        table.play(0, move)
    return table


@every_variant
def test_a_view_followed_by_events_is_the_next_view(game: Game, options: dict[str, OptionValue]) -> None:
    table = new_table(game, options)
    views = [table.view(seat) for seat in range(table.seats)]
    for entry, step in random_log(table, "follow"):
        for seat in told_of(game, table, entry.seat):
            views[seat] = game.follow(views[seat], step.events)
        assert views == [table.view(seat) for seat in range(table.seats)]


@every_game
@pytest.mark.parametrize("junk", JUNK, ids=repr)
def test_junk_is_refused_and_changes_nothing(game: Game, junk: object) -> None:
    table = new_table(game, {})
    for _ in zip(range(10), random_log(table, "junk"), strict=False):
        before = state(table)
        with pytest.raises((InvalidInput, IllegalMove)) as refused:
            table.play(0, junk)  # type: ignore[arg-type]
        assert refused.value.text
        assert state(table) == before
        for move in table.legal(0)[:1]:
            for key in (key for key, value in move.items() if type(value) is int):
                with pytest.raises((InvalidInput, IllegalMove)):
                    table.play(0, {**move, key: junk if junk != 7 else -7})
                assert state(table) == before


@every_variant
def test_a_seat_can_be_stopped_once(game: Game, options: dict[str, OptionValue]) -> None:
    for ended in (Ended.FORFEIT, Ended.TIME):
        table = new_table(game, options)
        log = random_log(table, "stop")
        entry, _ = next(log)
        assert entry.move is not None
        step = table.stop(0, ended)
        assert step.events[-1]["type"] == "over"
        assert step.events[-1]["ended"] == ended
        assert covers(table.knowledge(0), step.disclosed)
        assert table.ended(0) is ended
        assert table.legal(0) == game.legal(table.view(0)) == []
        stopped = state(table)
        assert table.stop(0, Ended.TIME).events == []
        with pytest.raises(IllegalMove):
            table.play(0, entry.move)
        assert state(table) == stopped


@every_variant
def test_the_outcome_ranks_every_seat(game: Game, options: dict[str, OptionValue]) -> None:
    table = new_table(game, options)
    with pytest.raises(ValueError, match="not over"):
        table.outcome()
    list(random_log(table, "outcome"))
    standings = table.outcome()
    assert sorted(standing.seat for standing in standings) == list(range(table.seats))
    assert standings[0].rank == 1
    scores = [standing.score for standing in standings]
    assert scores == sorted(scores, reverse=True)
    assert all(standing.score == table.score(standing.seat) for standing in standings)


@every_variant
def test_digests_tell_states_apart(game: Game, options: dict[str, OptionValue]) -> None:
    table = new_table(game, options, seats=1)
    digests = [table.digest(0)]
    for entry, _ in random_log(table, "digest"):
        assert entry.digest == table.digest(0)
        digests.append(entry.digest)
    assert len(set(digests)) == len(digests)
    assert all(len(digest) == 16 and int(digest, 16) >= 0 and digest == digest.lower() for digest in digests)
    stopped = new_table(game, options, seats=1)
    stopped.stop(0, Ended.FORFEIT)
    assert stopped.digest(0) != digests[0]


@every_variant
def test_a_drop_limit_stops_a_seat(game: Game, options: dict[str, OptionValue]) -> None:
    table = game.table(game.deal(options, seed="limit"), 1, drop_limit=2)
    events = [event for _, step in random_log(table, "limit") for event in step.events]
    assert 1 <= table.turn(0) <= 2
    assert [event["type"] for event in events].count("over") == 1
    assert events[-1]["type"] == "over"


@every_variant
def test_pictures_are_rectangles_and_stories_are_lines(game: Game, options: dict[str, OptionValue]) -> None:
    table = new_table(game, options, seats=1)
    pictures = [game.render(table.view(0))]
    for _, step in random_log(table, "picture"):
        pictures.append(game.render(table.view(0)))
        story = [*game.describe(step.events), game.summary(step.events)]
        assert len(story) > 1
        assert game.prompt(table.view(0)).isprintable()
        assert all(line and line.isprintable() for line in story)
    for lines in pictures:
        assert len({len(line) for line in lines}) == 1
        assert all(line.isprintable() for line in lines)
    assert len({len(lines) for lines in pictures}) == 1


@every_game
@pytest.mark.parametrize(
    "typed", ["", " ", "x", "-1", "1e3", "9999999999999999999999", "drop", "4 4", "١", "\x00", "0"]
)
def test_what_cannot_be_a_move_is_refused_with_a_word_of_help(game: Game, typed: str) -> None:
    view = new_table(game, {}).view(0)
    with pytest.raises(InvalidInput) as refused:
        game.parse_move(typed, view)
    assert refused.value.text


@pytest.mark.parametrize(("game", "options"), [pair for pair in VARIANTS if pair[0].pace is Pace.ROUNDS], ids=name)
def test_in_rounds_nothing_of_a_decision_is_seen_before_all_have_made_it(
    game: Game, options: dict[str, OptionValue]
) -> None:
    """Whatever a seat decides first: events, views, scores and digests are the same."""
    log = [entry.move for entry, _ in random_log(new_table(game, options), "secret")]
    for turns in range(0, len(log) - 1, 2):
        seen = set()
        for choice in range(4):
            table = new_table(game, options)
            for entry, _ in random_log(table, "secret"):
                if sum(map(table.turn, range(table.seats))) >= turns and all(map(table.due, range(table.seats))):
                    break
                assert entry.move is not None
            due = [seat for seat in range(table.seats) if table.due(seat)]
            if len(due) < 2:
                continue
            moves = table.legal(due[0])
            step = table.play(due[0], moves[choice * (len(moves) - 1) // 3])
            seen.add(json.dumps([step.events, state(table)]))
        assert len(seen) <= 1
