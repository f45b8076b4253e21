"""Commands about what was played: they read the database itself, also while a server writes to it."""
