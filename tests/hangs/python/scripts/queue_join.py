# A worker leaves an item of a queue without a word that it is done: who waits for all of them waits
# for ever, and the other workers, who wait for items, are not to blame.
# @kind: waits-for-ever
# @says: run has a way past where it says that an item of a queue is done
# @alone
import queue
import threading

jobs = queue.Queue()
sums = []


def run():
    while True:
        item = jobs.get()
        if item < 0:
            continue  # <B>
        sums.append(2 * item)
        jobs.task_done()


for _ in range(3):
    threading.Thread(target=run, daemon=True).start()
for number in (1, 2, -3, 4):
    jobs.put(number)
print("ready", flush=True)
jobs.join()  # <A>
print(sum(sums))
