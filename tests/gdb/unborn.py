"""Asks libompd for the state of a region's second member, in gdb."""

import ctypes

import gdb
from omphalos.in_gdb import load

library = load().library()
space, lib = library.attach(), library.lib
handle = ctypes.c_void_p
lwp = ctypes.c_uint64(gdb.selected_inferior().pid)
state, wait = ctypes.c_uint64(), ctypes.c_uint64()
thread, region, member = handle(), handle(), handle()
# OMPD_THREAD_ID_LWP
codes = [
    lib.ompd_get_thread_handle(space, 1, 8, ctypes.byref(lwp), ctypes.byref(thread)),
    lib.ompd_get_curr_parallel_handle(thread, ctypes.byref(region)),
    lib.ompd_get_thread_in_parallel(region, 1, ctypes.byref(member)),
    lib.ompd_get_state(member, ctypes.byref(state), ctypes.byref(wait)),
]
print("answers %s, state %#x" % (codes, state.value))
