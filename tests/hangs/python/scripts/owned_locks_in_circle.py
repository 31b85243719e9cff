# Two threads take two locks that know their owners, each in its own order, and without `with`.
# @kind: lock-cycle
import threading

first, second = threading.RLock(), threading.RLock()
both = threading.Barrier(2)


def forth():
    first.acquire()
    both.wait()
    second.acquire()  # <A>
    second.release()
    first.release()


def back():
    second.acquire()
    both.wait()
    first.acquire()  # <B>
    first.release()
    second.release()


threads = [threading.Thread(target=task) for task in (forth, back)]
for thread in threads:
    thread.start()
print("ready", flush=True)
for thread in threads:
    thread.join()
