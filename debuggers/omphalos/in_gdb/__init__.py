"""The commands in gdb."""

import gdb

from . import charset, commands, filter as frames
from .host import Gdb
from ..session import Session
from ..text import Refused, shown

_loaded = None


def load():
    """Adds the commands and the frame filter; a second time nothing."""
    global _loaded
    if _loaded is None:
        if gdb_version() < (9, 1):
            raise gdb.GdbError("omphalos: gdb 9.1 or later is needed, this is %s" % gdb.VERSION)
        _steps_in_place()
        _loaded = Session(Gdb())
        commands.add(_loaded)
        frames.add(_loaded)
        _follow(_loaded.stops)
    return _loaded


def _follow(stops):
    """Keeps the stops at constructs true: libraries come, and the process goes."""

    def loaded(_event):
        if not stops.wanted:
            return
        stops.host.busy = True
        try:
            stops.plant()
        except (gdb.error, Refused) as error:
            charset.write("omp: %s\n" % shown(error), gdb.STDERR)
        finally:
            stops.host.busy = False

    gdb.events.new_objfile.connect(loaded)
    gdb.events.stop.connect(stops.host.stopped)
    gdb.events.exited.connect(lambda _event: stops.forget())


def _steps_in_place():
    """Has gdb step over breakpoints where they are, unless the user has chosen.

    Before gdb 14, a step elsewhere that another thread's stop interrupts leaves a register changed,
    if the instruction addresses memory by %rip; programs went on with wrong arguments.
    """
    if gdb_version() < (14, 0) and gdb.parameter("displaced-stepping") is None:
        gdb.execute("set displaced-stepping off", to_string=True)


def gdb_version():
    """gdb's version as two numbers."""
    parts = gdb.VERSION.split(".")
    try:
        return int(parts[0]), int("".join(letter for letter in parts[1] if letter.isdigit()) or 0)
    except (ValueError, IndexError):
        return (99, 0)
