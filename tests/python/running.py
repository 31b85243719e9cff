import time

from called import work


def compiled():
    work(2_000_000)  # compiled


def pure():
    total = 0
    for i in range(60_000):
        total += i * i
    return total


print("ready", flush=True)
end = time.monotonic() + 600
while time.monotonic() < end:
    compiled()
    pure()
