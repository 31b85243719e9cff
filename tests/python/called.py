"""The library that the scripts of this folder call: its path is the first argument."""

import ctypes
import sys

library = ctypes.CDLL(sys.argv[1])
library.work.argtypes = [ctypes.c_long]
library.work.restype = ctypes.c_double
Call = ctypes.CFUNCTYPE(None, ctypes.c_long)
library.each.argtypes = [ctypes.c_long, Call]
work, each = library.work, library.each
COUNT = 40_000_000
