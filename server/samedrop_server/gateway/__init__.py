"""The gateway: sockets on one side, rooms and matches on the other.

`sockets` hides what carries the frames, `connection` is one client, `handlers` binds each message to what it does.
"""
