"""The storage, against real SQLite files."""
