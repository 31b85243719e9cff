# Nothing is wrong: threads hand numbers on by queues, with pauses, and call the library.
# @kind: none
import ctypes
import queue
import sys
import threading
import time

library = ctypes.CDLL(sys.argv[1])
library.work.restype = ctypes.c_double
orders, results = queue.Queue(2), queue.Queue()


def produce():
    while True:
        time.sleep(0.05)
        orders.put(200)


def compute():
    while True:
        results.put(library.work(orders.get()))


for task in (produce, compute, compute):
    threading.Thread(target=task, daemon=True).start()
print("ready", flush=True)
while True:
    results.get()
