"""Receives updates by polling or webhook, parses each by itself, and detects when none arrive."""
