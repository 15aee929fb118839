"""How long tests wait for what has to happen: as long as they may run at all.

No test may need a quick machine, so this is the only bound on real time, for processes, pages and connections
alike. It ends just before the suite's own `timeout` (pyproject.toml), which would end the test without a word
on what it was waiting for.
"""

PATIENCE = 540.0
"""In seconds."""
