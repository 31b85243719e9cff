import ctypes
import sys

from joblib import Parallel, delayed


def job(path):
    work = ctypes.CDLL(path).work
    work.argtypes, work.restype = [ctypes.c_long], ctypes.c_double
    return work(40_000_000)  # region


if __name__ == "__main__":
    Parallel(n_jobs=2)(delayed(job)(sys.argv[1]) for _ in range(4))
