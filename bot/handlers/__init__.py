"""From an update to an answer: one module for each feature, and `dispatch` for the presses of all buttons.

Handlers find out who asks for what, ask the table service or the storage, and answer. They change no table
themselves, and they never wait for a message of a table to be shown: that is the reconciler's.
"""
