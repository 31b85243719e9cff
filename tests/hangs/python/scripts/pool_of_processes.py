# Both processes of a pool wait in jobs for an event that a job behind them in the queue would set.
# @kind: waits-for-ever
# @says: ApplyResult.get
# @alone
# @answer: None is left to begin the jobs behind these in the queue.
# @answer: waits at pool_of_processes.py:29 in interior; process
import ctypes
import multiprocessing
import signal
import sys

library = ctypes.CDLL(sys.argv[1])
library.work.restype = ctypes.c_double


def setup(event):
    global ready
    signal.alarm(240)
    ready = event


def boundary(_):
    library.work(10)
    ready.set()


def interior(_):
    library.work(10)
    ready.wait()


if __name__ == "__main__":
    signal.alarm(240)
    context = multiprocessing.get_context("fork")
    with context.Pool(2, initializer=setup, initargs=(context.Event(),)) as pool:
        results = [pool.apply_async(interior, (at,)) for at in range(3)]
        results.append(pool.apply_async(boundary, (0,)))
        print("ready", flush=True)
        for result in results:
            result.get()
