import numpy


def product(a):
    return a @ a  # region


a = numpy.ones((800, 800))
for _ in range(8):
    product(a)
