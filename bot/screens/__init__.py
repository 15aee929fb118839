"""Screens: what people see, as pure functions from a table's view and a language's words to a `Screen`.

`lobby`, `table` and `result` are the group's messages, `hand` is a player's private one, `score`, `rules` and
`help` answer commands, `answers` holds toasts and alerts; `narration`, `phrases`, `standings` and `layout`
are shared. No Telegram, no storage, no clock: a screen cannot show what its view does not hold.
"""
