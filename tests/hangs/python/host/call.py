"""Calls the function `work` of a library, with and without the interpreter's lock."""

import ctypes
import sys

libraries = {"keeps": ctypes.PyDLL, "releases": ctypes.CDLL}
CALLBACK = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)


def square(value):
    total = 0.0
    for step in range(1000):
        total += value * value / (step + 1)
    return total


library = libraries[sys.argv[1]](sys.argv[2])
library.work.restype = ctypes.c_double
print("ready", flush=True)
library.work(CALLBACK(square))
