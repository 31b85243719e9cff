import compiled


def many():
    for _ in range(5):
        compiled.total(40_000_000)  # region


many()
