# An exception ends a worker between an item and the word that it is done; the other worker waits
# for items, of which there are none.
# @kind: waits-for-ever
# @says: run has a way past where it says that an item of a queue is done (task_done), at queue_join_raised.py:19: an exception between
# @answer: for each item of a queue to be done (Queue.join), and no other thread is about to say so
# @answer: waits for an item of a queue (Queue.get)
# @alone
import queue
import threading

jobs = queue.Queue()
sums = []


def run():
    while True:
        name, text = jobs.get()
        sums.append(2 * int(text))
        jobs.task_done()


threading.excepthook = lambda _: None
for _ in range(2):
    threading.Thread(target=run, daemon=True).start()
for item in (("a", "1"), ("b", "2x"), ("c", "3")):
    jobs.put(item)
print("ready", flush=True)
jobs.join()  # <A>
print(sum(sums))
