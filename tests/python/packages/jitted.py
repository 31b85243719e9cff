import numba
import numpy

numba.config.THREADING_LAYER = "omp"


@numba.njit(parallel=True)
def total(x):
    s = 0.0
    for i in numba.prange(x.size):
        s += numpy.sqrt(x[i]) * numpy.sin(x[i])
    return s


def many(x):
    for _ in range(30):
        total(x)  # region


many(numpy.ones(3_000_000))
