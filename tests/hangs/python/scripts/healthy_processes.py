# Nothing is wrong: the processes of a pool compute and sleep, wait for each other's events, and
# some of them wait for jobs.
# @kind: none
import ctypes
import multiprocessing
import signal
import sys
import time

library = ctypes.CDLL(sys.argv[1])
library.work.restype = ctypes.c_double


def setup(event):
    global ready
    signal.alarm(240)
    ready = event


def boundary(_):
    time.sleep(0.2)
    library.work(10)
    ready.set()


def interior(_):
    library.work(10)
    ready.wait()


if __name__ == "__main__":
    signal.alarm(240)
    context = multiprocessing.get_context("fork")
    event = context.Event()
    with context.Pool(4, initializer=setup, initargs=(event,)) as pool:
        print("ready", flush=True)
        while True:
            event.clear()
            results = [pool.apply_async(interior, (at,)) for at in range(2)]
            results.append(pool.apply_async(boundary, (0,)))
            for result in results:
                result.get()
