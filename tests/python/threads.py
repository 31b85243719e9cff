import threading

from called import COUNT, work


def left():
    for _ in range(3):
        work(COUNT)  # region


def right():
    for _ in range(3):
        work(COUNT)  # region


threads = [threading.Thread(target=target) for target in (left, right)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
