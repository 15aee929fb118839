"""Handles updates: one module for each feature, and `dispatch` for all callback queries.

Handlers identify the person and the request, call the table service or the storage, and answer. They never
change a table themselves or wait until a table's message is shown, which is the reconciler's job.
"""
