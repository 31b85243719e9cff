import time

from called import Call, each


def inner():
    print("ready", flush=True)
    time.sleep(600)  # standing


@Call
def call(i):
    inner()  # standing


def main():
    each(1, call)  # standing, from here a region


main()  # standing
