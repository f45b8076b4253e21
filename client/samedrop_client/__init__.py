"""The samedrop_client package."""
