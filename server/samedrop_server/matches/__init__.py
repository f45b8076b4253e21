"""Matches: decide, record, tell.

`match` decides on a pure table and hands each decision to the journal; once it is stored it goes through `streams`
(who may be told what, and in which order) to the `follow`ers. `deals` makes what is played.
"""
