# cython: language_level=3
from cython.parallel import prange
from libc.math cimport sqrt


def total(long n):
    cdef double s = 0
    cdef long i
    for i in prange(n, nogil=True):
        s += sqrt(<double>i)
    return s
