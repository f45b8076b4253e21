"""Golden files, shared by all languages, and what writes them (`generate`)."""
