from called import COUNT, work


def produce(count):
    for _ in range(count):
        yield work(COUNT)  # region


def middle(count):
    yield from produce(count)


print(sum(x for x in middle(4)) > 0)
