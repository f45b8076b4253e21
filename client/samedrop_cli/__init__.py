"""The samedrop_cli package."""
