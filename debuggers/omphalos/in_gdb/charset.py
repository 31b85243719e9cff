"""Names in the letters of the host.

gdb turns names into Python's strings and back by its host's character set. Where that is ASCII (no
locale is set, as in a container), a name with other letters is an exception, from either way.
"""

import gdb

# The second takes any bytes.
OTHERS = ("UTF-8", "ISO-8859-1")


def read(ask):
    """What `ask` answers, a text of gdb's."""
    try:
        return ask()
    except UnicodeError:
        pass
    before = gdb.parameter("host-charset")
    try:
        for name in OTHERS:
            gdb.execute("set host-charset " + name, to_string=True)
            try:
                return ask()
            except UnicodeError:
                pass
    finally:
        gdb.execute("set host-charset " + before, to_string=True)
    return None


def fit(text):
    """The text in letters that the host has; others are shown as their numbers."""
    try:
        name = gdb.host_charset()
        return text.encode(name, "backslashreplace").decode(name)
    except (LookupError, AttributeError):
        return text.encode("ascii", "backslashreplace").decode("ascii")


def write(text, stream=None):
    """Writes the text, in letters that the host has."""
    gdb.write(fit(text), gdb.STDOUT if stream is None else stream)
