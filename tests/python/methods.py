from called import COUNT, work


class Model:
    def fit(self):
        for _ in range(3):
            work(COUNT)  # region

    def score(self):
        return work(COUNT)  # region


def pure(count):
    total = 0
    for i in range(count):
        total += i * i  # own: pure
    return total


def main():
    model = Model()
    model.fit()
    model.score()
    pure(4_000_000)


main()
