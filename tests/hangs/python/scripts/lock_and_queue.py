# A thread waits, with a lock, for what another one puts into a queue under the same lock.
# @kind: waits-for-ever
# @says: holds (by the `with` that it is in at lock_and_queue.py:
import ctypes
import queue
import sys
import threading

library = ctypes.CDLL(sys.argv[1])
library.work.restype = ctypes.c_double
lock = threading.Lock()
begun = threading.Event()
results = queue.Queue()


def produce():
    begun.wait()
    with lock:  # <A>
        results.put(library.work(10))


def collect():
    with lock:
        begun.set()
        return results.get()  # <B>


threading.Thread(target=produce, daemon=True).start()
print("ready", flush=True)
collect()
