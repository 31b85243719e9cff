# A process is forked while a thread holds a lock, which the child wants: that thread is not there.
# @kind: waits-for-ever
# @says: This process was forked from process
import os
import signal
import threading
import time

guard = threading.Lock()
taken = threading.Event()


def refresh():
    with guard:
        taken.set()
        time.sleep(240)


def work():
    with guard:  # <A>
        print("done")


threading.Thread(target=refresh, daemon=True).start()
taken.wait()
if os.fork() == 0:
    signal.alarm(240)
    print("child", os.getpid())
    print("ready", flush=True)
    work()
    os._exit(0)
time.sleep(240)
