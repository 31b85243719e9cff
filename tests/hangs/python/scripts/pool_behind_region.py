# A pool is forked behind a region, and its processes call the library.
# @kind: members-not-there
# @says: this process has none
# @never: wait for each other
# @stock-only
import ctypes
import multiprocessing
import os
import sys

library = ctypes.CDLL(sys.argv[1])
library.work.restype = ctypes.c_double


def compute(count):
    print("child", os.getpid(), flush=True)
    print("ready", flush=True)
    return library.work(count)  # <A>


library.work(10)
with multiprocessing.get_context("fork").Pool(1) as pool:
    pool.map(compute, [10])
