"""The names that compilers give to the code of a construct.

The libompd.so that is installed beside this package takes them apart: it alone knows the compilers'
ways, and what files of programs have in them (`code.py`). Without it every function counts as the
user's, and nothing is known of files.
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
        return lambda *_: {}
    return lambda function, text: ompd.answer(lib, function, text)


def ask_library(function, text):
    """What a function of the library tells of a text; nothing where it is not there."""
    try:
        return _library()(function, text.encode("utf-8", "surrogateescape"))
    except Refused:
        # Another library, or no such file.
        return {}


@functools.lru_cache(MOST)
def _parts(name):
    parts = {"role": USER, "around": name or "", "plain": name or ""}
    parts.update(ask_library("omphalos_name", name) if name else {})
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
