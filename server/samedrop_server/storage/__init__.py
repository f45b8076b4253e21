"""Storage: what is kept for good. `models` describes it, `database` connects, `ledger` writes, `loading` reads."""
