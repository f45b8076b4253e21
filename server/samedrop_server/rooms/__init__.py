"""Rooms: where people meet. `room` is one of them, `hall` is all of them."""
