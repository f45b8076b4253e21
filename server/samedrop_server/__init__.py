"""The server: gateway, rooms, matches, journal, history, HTTP."""
