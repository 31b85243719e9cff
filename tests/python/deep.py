import sys

from called import COUNT, work

sys.setrecursionlimit(3000)


def down(depth):
    if depth == 0:
        return work(COUNT)  # region
    return down(depth - 1)


def over(items):
    """Each step is another call of the interpreter's."""
    if not items:
        return work(COUNT)  # region
    return max(map(over, [items[1:]]))


down(200)
over([0] * 20)
