"""As control.c, from Python: `control.py KERNEL`."""

import ctypes
import sys
import time

START, PAUSE = 1, 2
kernel = ctypes.CDLL(sys.argv[1])
control = ctypes.CDLL(None).omp_control_tool
control.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_void_p]

print("pause", control(PAUSE, 0, None))
kernel.unmeasured()
print("start", control(START, 0, None))
began = time.perf_counter()
kernel.measured()
print("elapsed", time.perf_counter() - began)
print("pause", control(PAUSE, 0, None))
kernel.unmeasured()
