# A coroutine calls a function for threads outside the loop: it waits in the loop's own thread for
# what only this loop can run.
# @kind: waits-for-ever
# @says: runs an event loop (asyncio) and waits at loop_waits_for_itself.py:26
# @alone
import asyncio
import ctypes
import signal
import sys
import threading

signal.alarm(240)
library = ctypes.CDLL(sys.argv[1])
library.work.restype = ctypes.c_double
library.work(10)
loop = asyncio.new_event_loop()
threading.Thread(target=loop.run_forever, daemon=True).start()


async def norm(count):
    await asyncio.sleep(0.01)
    return count * 0.5


def norm_for_threads(count):
    return asyncio.run_coroutine_threadsafe(norm(count), loop).result()  # <A>


async def ratio(count):
    return norm_for_threads(count) / norm_for_threads(2 * count)


print("ready", flush=True)
print(asyncio.run_coroutine_threadsafe(ratio(8), loop).result())
