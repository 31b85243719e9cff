# Two threads take two locks, each the other one's first; the main thread joins them.
# @kind: lock-cycle
# @says: holds (by the `with` that it is in at locks_in_circle.py:
import ctypes
import sys
import threading

library = ctypes.CDLL(sys.argv[1])
library.work.restype = ctypes.c_double
first, second = threading.Lock(), threading.Lock()
both = threading.Barrier(2)


def take(one, other):
    with one:
        both.wait()
        with other:  # <A>
            library.work(10)


threads = [
    threading.Thread(target=take, args=locks)
    for locks in ((first, second), (second, first))
]
for thread in threads:
    thread.start()
library.work(10)
print("ready", flush=True)
for thread in threads:
    thread.join()
