"""A whole client, from docs/protocol.md alone: python examples/minimal_client.py ws://127.0.0.1:7077/ws [ROOM-CODE]"""

import sys
from typing import Any

import msgpack
from websockets.sync.client import connect

url, code = [*sys.argv[1:], ""][:2]
with connect(url, subprotocols=["samedrop.v1.msgpack"]) as socket:  # type: ignore[list-item]

    def send(kind: str, **fields: object) -> None:
        socket.send(msgpack.packb({"type": kind, **fields}))

    def receive(*kinds: str) -> Any:  # the next message of these types; this client can do without the others
        while (message := msgpack.unpackb(socket.recv()))["type"] not in kinds:
            if message["type"] == "error":
                sys.exit(message["text"])
        return message

    send("hello", versions=[1], name="Minimal")
    me = receive("welcome")["player"]
    send("join_room", id="enter", code=code) if code else send("create_room", id="enter")
    print("room", (room := receive("room")["room"])["code"], flush=True)
    send("ready", id="ready")
    while sum(member["ready"] for member in room["members"]) < 2:
        room = receive("room")["room"]
    if room["host"] == me:
        send("start", id="start")
    match, turn, tries, over = receive("started")["match"], 0, 0, False
    seat = [one["player"] for one in match["seats"]].index(me)
    while not over:
        column = (turn + tries) % 7  # 0 is the leftmost
        send("move", id=f"{turn}-{tries}", match=match["match"], turn=turn, move={"column": column})
        tries += 1  # an error says that the column is full; the step that our move made says that it is stored
        while (news := receive("events", "error"))["type"] == "events":
            if mine := [step for step in news["steps"] if step["seat"] == seat]:
                turn, tries, over = mine[-1]["turn"] + 1, 0, mine[-1]["events"][-1]["type"] == "over"
                break
    print(*[f"{one['rank']}. seat {one['seat']}: {one['score']}" for one in receive("over")["standings"]], sep="\n")
