import multiprocessing

from called import COUNT, work


def job(i):
    return work(COUNT)  # region


if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        pool.map(job, range(6))
