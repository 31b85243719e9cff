# Each task of an event loop waits for a lock, and the task that has it waits for it once more.
# @kind: system-call
# @says: It is an event loop (asyncio) that has no timer
# @says: its tasks wait for each other, or for a call from another thread (call_soon_threadsafe)
import asyncio
import ctypes
import sys

library = ctypes.CDLL(sys.argv[1])


class Store:
    def __init__(self):
        self.lock = asyncio.Lock()
        self.total = 0

    async def update(self, step):
        async with self.lock:
            self.total += step
            await self.compact()

    async def compact(self):
        async with self.lock:
            self.total = 0


async def main():
    store = Store()
    print("ready", flush=True)
    await asyncio.gather(*(store.update(step) for step in range(4)))


asyncio.run(main())  # <A>
