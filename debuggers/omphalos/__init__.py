"""OpenMP in gdb and lldb, for programs on the Omphalos runtime.

gdb loads this through `libomphalos.so-gdb.py`, lldb through `command script import`. Everything
that the two debuggers share is here and in `commands`; `in_gdb` and `in_lldb` say how each debugger
does what `host.Host` asks for.
"""


def __lldb_init_module(debugger, _dictionary):
    """What lldb calls after `command script import .../omphalos`."""
    from .in_lldb import load

    load(debugger)
