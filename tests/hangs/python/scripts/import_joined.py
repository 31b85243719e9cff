# A module joins, while it is imported, a thread that imports the same module.
# @kind: join-in-cycle
# @says: waits for the import lock 'kernels_of_import_joined', which
# @answer: (by the `import` that it is in at import_joined.py:
import importlib.abc
import importlib.util
import ctypes
import sys

MODULE = "kernels_of_import_joined"
SOURCE = f"""
import threading

def warm_up():
    from {MODULE} import scaled

worker = threading.Thread(target=warm_up)
worker.start()
worker.join()
"""


class Loader(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    def find_spec(self, name, path, target=None):
        return importlib.util.spec_from_loader(name, self) if name == MODULE else None

    def get_source(self, name):
        return SOURCE


library = ctypes.CDLL(sys.argv[1])
library.work.restype = ctypes.c_double
library.work(10)
sys.meta_path.insert(0, Loader())
print("ready", flush=True)
import kernels_of_import_joined  # <A>
