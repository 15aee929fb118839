"""Screens: pure functions from a table's view and a translator to a `Screen`, the content of a message.

`lobby`, `table` and `result` are the group's messages, `hand` is a player's private one, `score`, `rules` and
`help` answer commands, `answers` has toasts and alerts; `narration`, `phrases`, `standings` and `layout` are
shared. There is no access to Telegram, storage or time: a screen cannot show what its view does not contain.
"""
