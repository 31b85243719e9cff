"""Who drives gdb."""

_machine = []


def machine():
    """Whether a front end drives gdb through its machine interface."""
    if _machine:
        return _machine[0]
    try:
        with open("/proc/self/cmdline", "rb") as file:
            words = file.read().split(b"\0")
    except OSError:
        words = []
    _machine.append(False)
    for at, word in enumerate(words):
        if word in (b"-i", b"--interpreter", b"-interpreter"):
            word = b"=" + b"".join(words[at + 1 : at + 2])
        elif not word.startswith((b"-i=", b"--interpreter=", b"-interpreter=")):
            continue
        _machine[0] = word.partition(b"=")[2].startswith(b"mi")
    return _machine[0]
