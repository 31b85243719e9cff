import _imp
import sys
from types import SimpleNamespace

extension = _imp.create_dynamic(SimpleNamespace(name="extension", origin=sys.argv[1]))
_imp.exec_dynamic(extension)


def busy(i):
    total = 0
    for j in range(200_000): total += j * i
    return total


class Work:
    def call(self, i):
        return busy(i)  # inside


def main():
    extension.each(16, Work().call)  # region


main()
