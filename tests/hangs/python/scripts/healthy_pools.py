# Nothing is wrong: a pool's jobs wait for jobs of another pool, and an event loop waits for its
# timers; some workers are idle.
# @kind: none
import asyncio
import ctypes
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor

signal.alarm(240)
library = ctypes.CDLL(sys.argv[1])
library.work.restype = ctypes.c_double
library.work(10)


def work():
    time.sleep(0.2)
    return 1


def outer(inner):
    return inner.submit(work).result() + inner.submit(work).result()


async def rounds(pool, inner):
    loop = asyncio.get_running_loop()
    while True:
        jobs = [loop.run_in_executor(pool, outer, inner) for _ in range(2)]
        await asyncio.gather(*jobs)
        await asyncio.sleep(0.05)


print("ready", flush=True)
with ThreadPoolExecutor(max_workers=2) as pool, ThreadPoolExecutor(max_workers=2) as inner:
    list(pool.map(lambda _: time.sleep(0.01), range(4)))
    asyncio.run(rounds(pool, inner))
