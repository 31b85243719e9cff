"""A 2000×2000 matrix product over OpenBLAS; prints a digest of its bytes and the BLAS it used."""
import hashlib
import numpy

generator = numpy.random.default_rng(7)
a = generator.random((2000, 2000))
b = generator.random((2000, 2000))
print(hashlib.sha256((a @ b).tobytes()).hexdigest())
maps = open("/proc/self/maps").read()
print("openblas-openmp" if "openblas-openmp" in maps else "another BLAS")
print("omphalos" if "libomphalos.so" in maps else "stock")
