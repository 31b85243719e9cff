from called import COUNT, work


def größe():
    return work(COUNT)  # region


def λ():
    return work(COUNT)  # region


class 名前:
    def 方法(self):
        return work(COUNT)  # region


größe()
λ()
名前().方法()
