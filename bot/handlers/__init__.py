"""From an update to an intention: one module for each room a person is in, and `presses` for all buttons.

Handlers find out who asks for what, ask the table service or the storage, and answer. They change no table
themselves, and they never wait for a message of a table to be shown: that is the presenter's.
"""
