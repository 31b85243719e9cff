# Adds the commands `omp ...` and the frame filter to gdb. They are in the folder
# share/omphalos/python of the installed tree.
#
# The installed file is libomphalos.so-gdb.py, beside libomphalos.so: gdb reads it when
# a program loads that library, if `set auto-load safe-path` allows. `source FILE` does the same.

import os
import sys

import gdb


def _load():
    library = gdb.current_objfile()
    mine = library.filename if library is not None else globals().get("__file__")
    if not mine:
        mine = os.path.join(os.getcwd(), "libomphalos.so-gdb.py")
    lib = os.path.dirname(os.path.realpath(mine))
    for up in ("..", "../.."):
        package = os.path.normpath(os.path.join(lib, up, "share/omphalos/python"))
        if os.path.isfile(os.path.join(package, "omphalos/__init__.py")):
            if package not in sys.path:
                sys.path.insert(0, package)
            from omphalos.in_gdb import load

            load()
            if library is None and ":" not in mine:
                # Whoever sources this file has said that it may be read. gdb would warn at each
                # start of a program that it does not read it by itself.
                gdb.execute("add-auto-load-safe-path " + os.path.realpath(mine), to_string=True)
            return
    raise gdb.GdbError(
        "omphalos: the commands for gdb were not found: %s/../share/omphalos/python is not there"
        % lib
    )


_load()
