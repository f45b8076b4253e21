"""The protocol: messages, codec and error codes. No I/O.

Normative text: docs/protocol.md. `from_client` and `from_server` are the closed sets of each direction.
"""
