"""Another process: holds the database it is given until its standard input is closed. Run by the tests."""

import asyncio
import sys

from bot.storage.database import Database


async def hold(path: str) -> None:
    database = await Database.open(path)
    await database.execute("INSERT INTO heartbeat (id, at) VALUES (1, 5.0) ON CONFLICT DO NOTHING")
    print("open", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await database.close()


if __name__ == "__main__":
    asyncio.run(hold(sys.argv[1]))
