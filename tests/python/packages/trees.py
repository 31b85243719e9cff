import numpy
import xgboost


def matrix(x, y):
    return xgboost.DMatrix(x, y)  # region, but a short one


def train(data):
    return xgboost.train({"max_depth": 6, "nthread": 2}, data, 15)  # region


x = numpy.random.default_rng(1).random((20_000, 20))
train(matrix(x, x[:, 0] + x[:, 1]))
