"""Discs on a board of 7 by 7, numbered and gray: what the games drop7 and number-drop share.

A game keeps its own order of a drop, lines, points and clock. What is here belongs to every version of these games that
is registered: change nothing that they can tell.
"""
