# Jobs of a pool wait for jobs that they give to the same pool: no worker is left.
# @kind: waits-for-ever
# @says: none is left to begin the job that is waited for
# @alone
import ctypes
import signal
import sys
from concurrent.futures import ThreadPoolExecutor

signal.alarm(240)
library = ctypes.CDLL(sys.argv[1])
library.work.restype = ctypes.c_double
library.work(10)


def total(pool, numbers):
    if len(numbers) < 2:
        return sum(numbers)
    half = len(numbers) // 2
    left = pool.submit(total, pool, numbers[:half])
    right = pool.submit(total, pool, numbers[half:])
    return left.result() + right.result()  # <A>


print("ready", flush=True)
with ThreadPoolExecutor(max_workers=3) as pool:
    print(pool.submit(total, pool, list(range(64))).result())
