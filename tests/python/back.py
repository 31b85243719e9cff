from called import Call, each


def busy(i):
    total = 0
    for j in range(800_000): total += j * j  # own: busy
    return total


@Call
def call(i):
    busy(i)  # inside


def main():
    each(16, call)  # region


main()
