"""Threadprivate variables that a compiler leaves to the runtime: flang's, and clang's without
thread-local storage.

Beside such a variable stands a pointer to its table, which has the address of each thread's copy.
"""

from .text import Refused

# What the compilers append to the variable's name.
TABLES = (".cache", ".cache.")


def copy_of(session, thread, address):
    """The address of a thread's copy of the variable at an address; None where that is the one to
    read."""
    host = session.host
    name, offset = host.symbol_around(address)
    tables = (host.symbol(name + end) for end in TABLES if name)
    table = next(filter(None, tables), None)
    try:
        copy = session.library().copy_of(thread.lwp, table) if table else None
    except Refused:
        return None
    return copy + offset if copy else None
