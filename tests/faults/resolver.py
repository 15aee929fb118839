"""`python -m bot` on a machine whose names are looked up as a file says: for tests of bad networks.

The file named by the environment holds a trouble: `name unknown`, `no name server` (a look-up takes until
that is over), or nothing; then the proxy's name is this machine's.
"""

from __future__ import annotations

import os
import socket
import sys
import time
from pathlib import Path
from typing import Any

PROXY_NAME = "proxy.test"
CONTROL = "TEST_NAMES"
LONGEST_SECONDS = 10.0
"""The timeout of a resolver."""

_look_up = socket.getaddrinfo


def getaddrinfo(host: Any, *arguments: Any, **options: Any) -> Any:
    """Replaces `socket.getaddrinfo`."""
    if host not in (PROXY_NAME, PROXY_NAME.encode()):
        return _look_up(host, *arguments, **options)
    control = Path(os.environ[CONTROL])
    began = time.monotonic()
    while (trouble := control.read_text()) == "no name server":
        if time.monotonic() - began > LONGEST_SECONDS:
            raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
        time.sleep(0.1)
    if trouble == "name unknown":
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    return _look_up("127.0.0.1", *arguments, **options)


if __name__ == "__main__":
    from bot.__main__ import main

    socket.getaddrinfo = getaddrinfo
    sys.exit(main([]))
