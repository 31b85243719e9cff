"""Calls the function `work` of a library, with and without the interpreter's lock, or with one of
the program's own."""

import contextlib
import ctypes
import sys
import threading

libraries = {"keeps": ctypes.PyDLL, "releases": ctypes.CDLL, "locks": ctypes.CDLL}
CALLBACK = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)


# "locks": what the caller of the library holds each callback wants.
lock = threading.Lock() if sys.argv[1] == "locks" else contextlib.nullcontext()


def square(value):
    total = 0.0
    with lock:
        for step in range(1000):
            total += value * value / (step + 1)
    return total


library = libraries[sys.argv[1]](sys.argv[2])
library.work.restype = ctypes.c_double
print("ready", flush=True)
with lock:
    library.work(CALLBACK(square))
