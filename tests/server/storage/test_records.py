from __future__ import annotations

from samedrop_server.storage.records import Logged


def test_the_order_of_a_logged_entry_is_the_stored_form() -> None:
    """Databases hold lists in this order; a change of it needs a migration."""
    assert Logged._fields == (
        "match_id",
        "number",
        "seat",
        "turn",
        "request_id",
        "move",
        "stopped",
        "at",
        "score",
        "digest",
    )
