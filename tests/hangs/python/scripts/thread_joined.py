# The main thread joins one that waits for an item that nobody puts into its queue.
# @kind: waits-for-ever
# @says: (Thread.join)
# @alone
import ctypes
import queue
import sys
import threading

library = ctypes.CDLL(sys.argv[1])
library.work.restype = ctypes.c_double
orders = queue.Queue()


def compute():
    while True:
        count = orders.get()  # <A>
        if count is None:
            return
        library.work(count)


worker = threading.Thread(target=compute)
worker.start()
orders.put(10)
library.work(10)
print("ready", flush=True)
worker.join()  # <B>
