# The main thread waits for the end of a thread that writes to a full pipe: it reads only then.
# @kind: system-call
# @says: (Thread.join)
# @alone
import ctypes
import os
import signal
import sys
import threading

signal.alarm(240)
library = ctypes.CDLL(sys.argv[1])
reads, writes = os.pipe()


def produce():
    os.write(writes, bytes(1 << 20))  # <A>


producer = threading.Thread(target=produce)
library.work(10)
print("ready", flush=True)
producer.start()
producer.join()  # <B>
os.read(reads, 1)
