"""`python -m bot` with patience: for end-to-end tests, whose machine may be slow.

Whoever presses a button at a phone waits for seconds at most, so the bot answers late presses without words,
does without rights that it could not look up in time, and notifies whoever has not pressed lately. All that
depends on the speed of the machine. Here these limits are as long as a test may wait for anything.
"""

from __future__ import annotations

import sys

from bot.__main__ import main
from bot.handlers import dispatch, permissions
from bot.messages import reconcile, reconciler
from tests.patience import PATIENCE

if __name__ == "__main__":
    dispatch.PATIENCE_SECONDS = PATIENCE
    permissions.PRESS_PATIENCE_SECONDS = PATIENCE
    reconciler.ANSWER_SECONDS = PATIENCE
    for module in (reconcile, reconciler):
        vars(module)["ACTIVE_SECONDS"] = PATIENCE
    sys.exit(main())
