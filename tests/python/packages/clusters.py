import numpy
from sklearn.cluster import KMeans


def fit(x):
    return KMeans(n_clusters=20, n_init=2, max_iter=20).fit(x)  # region


fit(numpy.random.default_rng(1).random((40_000, 8)))
