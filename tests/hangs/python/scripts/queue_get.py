# Two threads wait for what the other one puts into its queue behind that: a finding for each.
# @kind: waits-for-ever
# @says: Queue.get (queue.py:
import ctypes
import queue
import sys
import threading

library = ctypes.CDLL(sys.argv[1])
library.work.restype = ctypes.c_double
orders, results = queue.Queue(), queue.Queue()


def compute():
    count = orders.get()
    results.put(library.work(count))


def collect():
    return results.get()  # <A>


threading.Thread(target=compute, daemon=True).start()
library.work(10)
print("ready", flush=True)
collect()
orders.put(10)
