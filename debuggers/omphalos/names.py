"""The names that compilers give to the code of a construct.

The libompd.so that is installed beside this package takes them apart: it alone knows the compilers'
ways. Without it every function counts as the user's.
"""

import ctypes
import functools

from .text import Refused

USER, OUTLINED, REGION, TASK, BODY, HELPER = "user", "outlined", "region", "task", "body", "helper"
TARGET = "target"
# What only calls the function with the body, of clang's.
HALVES = (REGION, TASK, TARGET)


# Names whose parts are kept.
MOST = 1 << 16


@functools.lru_cache(None)
def _library():
    from . import ompd

    try:
        lib = ctypes.CDLL(ompd.find())
    except OSError:
        return lambda _name: {}
    return lambda name: ompd.answer(lib, "omphalos_name", name.encode("utf-8", "surrogateescape"))


@functools.lru_cache(MOST)
def _parts(name):
    parts = {"role": USER, "around": name or "", "plain": name or ""}
    try:
        parts.update(_library()(name) if name else {})
    except Refused:
        # Another library.
        pass
    return parts


def classify(name):
    """What a function is, and the function that its construct stands in: "" where the name does not
    tell."""
    parts = _parts(name)
    return parts["role"], parts["around"]


def plain(name):
    """A function's name as the user wrote it."""
    return _parts(name)["plain"]


def is_inner(name):
    """Whether a function has the user's code, and the one that calls it has none."""
    return bool(_parts(name).get("inner"))


def is_scattered(name):
    """Whether the lines of an outlined function do not tell where its construct stands."""
    return bool(_parts(name).get("scattered"))
