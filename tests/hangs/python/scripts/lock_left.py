# A thread leaves its function with the lock taken: no `with` gives it back, and nothing in the lock
# says whose it was.
# @kind: waits-for-ever
# @says: put has a way past the release at lock_left.py:19: it leaves at lock_left.py:17
import sys
import threading

guard = threading.Lock()
known = {}


def put(key, value):
    guard.acquire()  # <B>
    if key in known:
        print("known:", key, file=sys.stderr)
    if value < 0:
        return
    known[key] = value
    guard.release()


def fill():
    put("a", 1)
    put("b", -1)


filler = threading.Thread(target=fill)
filler.start()
filler.join()
print("ready", flush=True)
guard.acquire()  # <A>
print(known)
