"""HTTP on the same port: health and history. `routes` finds the answer, `answers` makes it."""
