"""Sample messages: at least one of every type, telling the story of one short race of two on seed "friday"."""

from __future__ import annotations

from msgspec.structs import replace

from samedrop_protocol import from_client as c
from samedrop_protocol import from_server as s
from samedrop_protocol import model as m

ADA, BOB = "p4t7w0zk3m9a", "7c1x5rj8q2dn"
ROOM, MATCH = "K7QXM2", "b2n5w8c0rhxe"
START, END = 1_900_000_003_000, 1_900_000_063_500
TOKEN = "3q2-7wAAECAwQFBgcICQoLDA0ODw-EXAMPLE-TOKEN0"
DEAL = m.Deal(
    deal="f067wk609w6k",
    game="drop7",
    version=1,
    options={"start_rows": 1, "latent": False, "drops_per_rise": 5},
    known=m.Known.OPEN,
    commitment="0d558a1a725b6ed1f2d97444acb1e3427b80bae617551d53fb06ece982894aee",
)
GHOST = m.Ghost(seat=1, run=m.RunId(match="9c4q0m6r1xkd", seat=1), player=BOB, name="Bob")
DISCLOSED = m.Deal(
    deal=DEAL.deal,
    game=DEAL.game,
    version=DEAL.version,
    options=DEAL.options,
    known=DEAL.known,
    commitment=DEAL.commitment,
    seed="friday",
)
FACTS = m.Match(
    match=MATCH,
    room=ROOM,
    deal=DEAL,
    seats=[m.Seat(seat=0, player=ADA, name="Ada"), m.Seat(seat=1, player=BOB, name="Bob")],
    started=START,
    drop_limit=2,
)
STORED = m.Match(match=MATCH, room=ROOM, deal=DISCLOSED, seats=FACTS.seats, started=START, drop_limit=FACTS.drop_limit)
GAME = m.GameInfo(
    game="drop7",
    version=1,
    title="Drop7",
    pace="race",
    seats=16,
    options=[
        m.Option(name="start_rows", help="covered rows at the start", default=1, minimum=0, maximum=6),
        m.Option(name="latent", help="numbers under gray discs are fixed in advance", default=False),
    ],
)
VIEW: dict[str, object] = {
    "board": "0" * 42 + "8" * 7,
    "disc": 3,
    "clock": 5,
    "score": 0,
    "turn": 0,
    "ended": None,
    "drops_per_rise": 5,
}
LATER_VIEW: dict[str, object] = {
    "board": "0" * 35 + "3000000" + "8" * 7,
    "disc": 2,
    "clock": 4,
    "score": 0,
    "turn": 1,
    "ended": None,
    "drops_per_rise": 5,
}
FIRST_STEP = s.Step(
    seat=0,
    turn=0,
    at=2150,
    score=0,
    digest="1c901a2c52e7d3be",
    events=[{"type": "drop", "disc": 3, "cell": [5, 0]}, {"type": "next", "disc": 2, "clock": 4}],
    move={"column": 0},
    id="ada-6",
)
CHAIN_STEP = s.Step(
    seat=0,
    turn=1,
    at=4730,
    score=46,
    digest="bb42734f60e72c7a",
    events=[
        {"type": "drop", "disc": 2, "cell": [4, 0]},
        {
            "type": "wave",
            "wave": 1,
            "cleared": [[5, 0, 3]],
            "cracked": [[6, 0]],
            "revealed": [],
            "points": 7,
            "falls": [[4, 0, 5]],
        },
        {
            "type": "wave",
            "wave": 2,
            "cleared": [[5, 0, 2]],
            "cracked": [],
            "revealed": [[6, 0, 2]],
            "points": 39,
            "falls": [],
        },
        {"type": "next", "disc": 1, "clock": 3},
        {"type": "over", "ended": "censored", "cause": "drop_limit"},
    ],
    move={"column": 0},
    id="ada-7",
)
FORFEIT_STEP = s.Step(
    seat=1,
    turn=0,
    at=60_500,
    score=0,
    digest="6a0f5f0d0c1b2a39",
    events=[{"type": "over", "ended": "forfeit", "cause": "forfeit"}],
    stopped="forfeit",
    id="bob-9",
)
EVERY_EVENT_STEP = s.Step(
    seat=0,
    turn=4,
    at=9000,
    score=87_007,
    digest="0123456789abcdef",
    events=[
        {"type": "drop", "disc": 1, "cell": [6, 2]},
        {
            "type": "wave",
            "wave": 1,
            "cleared": [[6, 2, 1]],
            "cracked": [],
            "revealed": [],
            "points": 7,
            "falls": [],
        },
        {"type": "rise", "points": 17_000},
        {"type": "bonus", "reason": "clear", "points": 70_000},
        {"type": "next", "disc": 6, "clock": 5},
        {"type": "place", "tiles": [[10, 0, 4], [11, 1, 2]]},
        {
            "type": "merge",
            "step": 1,
            "merged": [[11, 0, 11, 0], [11, 1, 11, 0]],
            "made": [[11, 0, 2048]],
            "points": 2048,
            "falls": [[9, 0, 10]],
        },
        {"type": "milestone", "tile": 2048},
        {"type": "rise_row", "numbers": [2, 8, 2, 4, 4, 16]},
        {"type": "next_piece", "piece": [2, 4], "next": [8, 2], "clock": 8},
        {"type": "place_piece", "piece": "I", "rotation": 0, "column": 0, "cells": [[7, 0], [7, 1], [7, 2], [7, 3]]},
        {
            "type": "propose",
            "piece": "O",
            "rotation": 0,
            "column": 4,
            "cells": [[6, 4], [6, 5], [7, 4], [7, 5]],
            "by": 1,
        },
        {"type": "confirm", "by": 0},
        {"type": "reject", "by": 0, "reason": "too high"},
        {"type": "too_high", "piece": "I", "rotation": 1, "column": 5},
        {"type": "rows", "cleared": [7], "points": 1, "falls": [[5, 6], [6, 7]]},
        {"type": "restart", "by": 1, "attempt": 2, "used": 4, "points": -1},
        {"type": "next_shape", "piece": "T", "next": None, "used": 9, "by": 1, "check": False},
        {"type": "decided", "seat": 1},
        {"type": "opening", "seat": 1, "number": 2, "cell": [13, 6]},
        {"type": "slide", "seat": 0, "letter": "B", "notch": 4},
        {"type": "block", "seat": 0, "letter": "B", "cells": [[13, 0], [13, 1], [13, 2]], "default": True},
        {
            "type": "fill",
            "seat": 0,
            "shape": "T",
            "cells": [[11, 3], [12, 3], [13, 3], [12, 4]],
            "numbers": [5, 1, 7, 2],
        },
        {
            "type": "combo",
            "seat": 0,
            "kind": "identical",
            "size": 3,
            "cells": [[12, 0], [13, 0], [13, 1]],
            "points": 3,
        },
        {"type": "column_done", "seat": 0, "kind": "identical", "points": 10},
        {"type": "circle", "seat": 0, "letter": "A"},
        {"type": "full_rows", "seat": 0, "rows": [13], "points": 2},
        {"type": "penalty", "seat": 0, "rows": [2], "points": -5},
        {"type": "cross", "letter": "A"},
        {"type": "throw", "round": 1, "dice": "51*7", "shape": "T", "block": None, "due": [0, 1]},
        {"type": "over", "ended": "rules", "cause": "full"},
        {"type": "sparkle", "where": [3, 3], "note": "a type of a newer version, to be skipped"},
    ],
    move={"column": 2},
    id="ada-11",
)
STANDINGS = [
    m.Standing(seat=0, player=ADA, name="Ada", rank=1, score=46, turns=2, ended="censored"),
    m.Standing(seat=1, player=BOB, name="Bob", rank=2, score=0, turns=0, ended="forfeit"),
]
PROGRESS = [
    m.SeatProgress(seat=0, turn=2, score=46, ended="censored"),
    m.SeatProgress(seat=1, turn=0, score=0),
]
MEMBERS = [
    m.Member(player=ADA, name="Ada", role=m.Role.PLAYER, ready=True, online=True),
    m.Member(player=BOB, name="Bob", role=m.Role.PLAYER, ready=False, online=True),
    m.Member(player="cz6m3n8t1v0d", name="Cy", role=m.Role.SPECTATOR, ready=False, online=False),
]
LOBBY = m.Room(
    code=ROOM,
    title="Friday race",
    public=True,
    host=ADA,
    phase=m.Phase.LOBBY,
    settings=m.Settings(drop_limit=2),
    known=m.Known.OPEN,
    members=MEMBERS,
)

FROM_CLIENT: dict[str, c.ClientMessage] = {
    "hello-new": c.Hello(versions=[1], name="Ada", client="example 1.0"),
    "hello-again": c.Hello(versions=[1], name="Ada", token=TOKEN),
    "ping": c.Ping(id="ada-1"),
    "create-room": c.CreateRoom(
        id="ada-2", title="Friday race", public=True, settings=m.Settings(seed="friday", drop_limit=2)
    ),
    "create-room-tape": c.CreateRoom(
        id="ada-2", settings=m.Settings(tape={"discs": [1, 2, 3], "latent_rows": [[1, 2, 3, 4, 5, 6, 7]]})
    ),
    "create-room-ghosts": c.CreateRoom(
        id="ada-2", settings=m.Settings(ghosts=[m.RunId(match=MATCH), m.RunId(match=MATCH, seat=1)], align=m.Align.TIME)
    ),
    "create-room-plain": c.CreateRoom(id="ada-2"),
    "create-room-password": c.CreateRoom(id="ada-2", password="herring"),
    "list-rooms": c.ListRooms(id="bob-1"),
    "join-room": c.JoinRoom(id="bob-2", code="k7q-xm2"),
    "join-room-spectator": c.JoinRoom(id="bob-2", code=ROOM, role=m.Role.SPECTATOR),
    "join-room-password": c.JoinRoom(id="bob-2", code=ROOM, password="herring"),
    "configure-room-password": c.ConfigureRoom(id="ada-3", password=""),
    "configure-room": c.ConfigureRoom(
        id="ada-3",
        title="Saturday race",
        public=False,
        settings=m.Settings(
            version=1,
            options={"latent": True, "drops_per_rise": 7},
            seats=4,
            time_limit=600,
            lockstep=True,
            rivals=m.Rivals.SCORES,
            countdown=0,
            spectators=False,
            spectator_delay=30,
        ),
    ),
    "ready": c.Ready(id="bob-3"),
    "ready-not": c.Ready(id="bob-4", ready=False),
    "start": c.Start(id="ada-4"),
    "start-force": c.Start(id="ada-4", force=True),
    "cancel-start": c.CancelStart(id="ada-5"),
    "move": c.Move(id="ada-7", match=MATCH, turn=1, move={"column": 0}),
    "forfeit": c.Forfeit(id="bob-9", match=MATCH),
    "pause": c.Pause(id="bob-10", match=MATCH),
    "pause-not": c.Pause(id="bob-11", match=MATCH, agree=False),
    "create-challenge": c.CreateChallenge(id="ada-17", settings=m.Settings(drop_limit=30), hours=72, title="Beat me"),
    "get-challenge": c.GetChallenge(id="ada-18", code="H4PW-2Z"),
    "close-challenge": c.CloseChallenge(id="ada-19", code="H4PW2Z"),
    "get-daily": c.GetDaily(id="ada-16", game="drop7"),
    "get-daily-before": c.GetDaily(id="ada-23", game="drop7", before="2030-01-31", limit=7),
    "get-deal-each": c.GetDeal(id="ada-24", deal=DEAL.deal, each=m.Each.FIRST),
    "get-deal": c.GetDeal(id="ada-15", deal=DEAL.deal, first_sight=False, limit=2),
    "advise": c.Advise(id="ada-9", match=MATCH),
    "advise-draft": c.Advise(id="ada-9", match=MATCH, draft={"column": 3}),
    "resume": c.Resume(id="ada-8", match=MATCH, last=1),
    "resume-snapshot": c.Resume(id="ada-8", match=MATCH),
    "watch": c.Watch(id="bob-10", match=MATCH),
    "unwatch": c.Unwatch(id="bob-11", match=MATCH),
    "chat": c.Chat(id="bob-12", text="well played, Ada 🎉"),
    "kick": c.Kick(id="ada-9", player=BOB),
    "rematch": c.Rematch(id="ada-10", same_deal=True),
    "leave-room": c.LeaveRoom(id="bob-13"),
    "list-matches": c.ListMatches(id="ada-12", player="Ada", game="drop7", since=START, limit=2),
    "get-match": c.GetMatch(id="ada-13", match=MATCH, first=1, limit=1),
}

FROM_SERVER: dict[str, s.ServerMessage] = {
    "welcome-new": s.Welcome(
        version=1, server="samedrop 0.1.0", player=ADA, name="Ada", time=START - 9000, games=[GAME], token=TOKEN
    ),
    "welcome-back": s.Welcome(
        version=1,
        server="samedrop 0.1.0",
        player=ADA,
        name="Ada",
        time=START + 9000,
        games=[GAME],
        room=LOBBY,
        matches=[MATCH],
    ),
    "error": s.Error(
        code="protocol.invalid",
        text="Field turn must be a whole number of 0 or more, 3.0 is not.",
        re="ada-7",
        field="turn",
    ),
    "error-stale": s.Error(
        code="move.stale_turn", text="Turn 0 is over; the turn is 1.", re="ada-7", field="turn", turn=1
    ),
    "error-wait": s.Error(code="server.rate_limited", text="Too many rooms at once.", re="ada-2", retry_after=2.5),
    "error-version": s.Error(
        code="protocol.version",
        text="This server speaks protocol versions [1], you offered [7].",
        field="versions",
        versions=[1],
    ),
    "ok": s.Ok(re="bob-3"),
    "pong": s.Pong(re="ada-1", time=START - 8000),
    "rooms": s.Rooms(
        re="bob-1",
        rooms=[
            m.RoomSummary(
                code=ROOM, title="Friday race", phase=m.Phase.LOBBY, game="drop7", players=2, spectators=1, host="Ada"
            )
        ],
    ),
    "room": s.RoomState(room=LOBBY),
    "room-answer": s.RoomState(room=LOBBY, re="ada-2"),
    "room-locked": s.RoomState(room=replace(LOBBY, locked=True), re="ada-2"),
    "room-left": s.RoomLeft(reason="left", re="bob-13"),
    "room-left-kicked": s.RoomLeft(reason="kicked"),
    "chat": s.ChatLine(player=BOB, name="Bob", text="well played, Ada 🎉", time=END + 2000),
    "countdown": s.Countdown(starts=START, seconds=3),
    "countdown-cancelled": s.Countdown(starts=START - 1500, seconds=0, cancelled=True),
    "started": s.Started(match=FACTS, views=[VIEW, VIEW], time=START),
    "started-ghost": s.Started(
        match=replace(FACTS, seats=FACTS.seats[:1], ghosts=[GHOST], align=m.Align.TIME), views=[VIEW, VIEW], time=START
    ),
    "events": s.Events(match=MATCH, first=2, steps=[CHAIN_STEP]),
    "events-two": s.Events(match=MATCH, first=1, steps=[FIRST_STEP, CHAIN_STEP]),
    "events-progress": s.Events(
        match=MATCH, first=2, steps=[CHAIN_STEP], progress=[m.SeatProgress(seat=1, turn=9, score=420)]
    ),
    "events-repeat": s.Events(match=MATCH, first=2, steps=[CHAIN_STEP], repeat=True),
    "events-forfeit": s.Events(match=MATCH, first=3, steps=[FORFEIT_STEP]),
    "events-every-kind": s.Events(match=MATCH, first=3, steps=[EVERY_EVENT_STEP]),
    "progress": s.Progress(match=MATCH, seats=PROGRESS[:1]),
    "advice": s.Advice(re="ada-9", match=MATCH, turn=1, advice={"moves": [{"column": 0}, {"column": 1}]}),
    "resumed-up-to-date": s.Resumed(
        re="ada-8", match=FACTS, answer="up_to_date", last=2, progress=PROGRESS, time=START + 9000
    ),
    "resumed-events": s.Resumed(re="ada-8", match=FACTS, answer="events", last=1, progress=PROGRESS, time=START + 9000),
    "resumed-snapshot": s.Resumed(
        re="ada-8",
        match=FACTS,
        answer="snapshot",
        last=1,
        progress=PROGRESS,
        time=START + 9000,
        views=[LATER_VIEW, VIEW],
    ),
    "over": s.MatchOver(match=MATCH, standings=STANDINGS, deal=DISCLOSED),
    "over-tape": s.MatchOver(
        match=MATCH,
        standings=STANDINGS,
        deal=m.Deal(
            deal="0a1b2c3d4e5f",
            game="drop7",
            version=1,
            options={},
            known=m.Known.TAPE,
            commitment="00" * 32,
            tape={"discs": [1, 2, 3], "latent_rows": [[1, 2, 3, 4, 5, 6, 7]], "maximum_moves": None},
        ),
    ),
    "paused": s.Paused(match=MATCH, agreed=[0, 1], paused=True),
    "paused-asked": s.Paused(match=MATCH, agreed=[1], paused=False),
    "suspended": s.Suspended(match=MATCH, text="The server cannot store moves at the moment."),
    "continued": s.Continued(match=MATCH),
    "matches": s.Matches(
        re="ada-12",
        matches=[
            m.MatchSummary(
                match=MATCH,
                deal=DEAL.deal,
                game="drop7",
                version=1,
                known=m.Known.OPEN,
                started=START,
                finished=END,
                standings=STANDINGS,
            )
        ],
        next="MTkwMDAwMDAwMzAwMA",
    ),
    "match": s.MatchPage(
        re="ada-13",
        record=m.MatchRecord(
            match=STORED,
            finished=END,
            standings=STANDINGS,
            entries=3,
            first=1,
            log=[m.LogEntry(seat=0, turn=1, at=4730, score=46, digest="bb42734f60e72c7a", move={"column": 0})],
        ),
        next=2,
    ),
    "match-last": s.MatchPage(
        re="ada-14",
        record=m.MatchRecord(
            match=STORED,
            finished=END,
            standings=STANDINGS,
            entries=3,
            first=2,
            log=[m.LogEntry(seat=1, turn=0, at=60_500, score=0, digest="6a0f5f0d0c1b2a39", stopped="forfeit")],
        ),
    ),
    "challenge": s.ChallengePage(
        re="ada-17",
        challenge=m.Challenge(
            code="H4PW2Z",
            title="Beat me",
            host=ADA,
            host_name="Ada",
            deal=DEAL,
            settings=m.Settings(drop_limit=30),
            opened=START,
            closes=START + 72 * 3_600_000,
            open=True,
            runs=[],
        ),
    ),
    "daily": s.DailyPage(
        re="ada-16",
        game="drop7",
        day="2030-03-17",
        ends=1_900_022_400_000,
        days=[m.Day(day="2030-03-17", deal=DEAL.deal, matches=3)],
        streak=2,
    ),
    "deal": s.DealPage(
        re="ada-15",
        deal=DISCLOSED,
        runs=[
            m.Run(
                rank=1,
                match=MATCH,
                seat=0,
                player=ADA,
                name="Ada",
                score=46,
                turns=2,
                ended="censored",
                started=START,
                first_sight=False,
            )
        ],
        next=1,
    ),
    "closing": s.Closing(text="The server is restarting; please come back and resume."),
}
