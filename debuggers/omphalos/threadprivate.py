"""Threadprivate variables that a compiler leaves to the runtime: flang's, and clang's without
thread-local storage.

Beside such a variable stands a pointer to its table, which has the address of each thread's copy.
"""

import re

from .text import Refused

# What the compilers append to the variable's name.
TABLES = (".cache", ".cache.")
# Threads that a table has room for, as runtime/engine/src/threadprivate.rs has it.
ENTRIES = 1 << 16


# The runtime's description of its own structures (docs/debug-state.md), and bytes that are read of
# it at most.
DESCRIPTION, LONGEST = "omphalos_debug", 1 << 20


def copy_of(session, thread, address):
    """The address of a thread's copy of the variable at an address; None where that is the one to
    read."""
    host, state = session.host, session.state()
    known = state.thread(thread.lwp) if state else None
    name, offset = host.symbol_around(address)
    if not known or not known.get("record") or not name:
        return None
    table = next(filter(None, (host.symbol(name + end) for end in TABLES)), None)
    field = _number(host) if table else None
    if field is None:
        return None
    try:
        number = int.from_bytes(host.read(known["record"] + field, 4), "little")
        place = int.from_bytes(host.read(table, 8), "little")
        if not place or not 0 < number < ENTRIES:
            return None
        copy = int.from_bytes(host.read(place + 8 * number, 8), "little")
    except Refused:
        return None
    # One that the thread has not used yet begins as the original is.
    return copy + offset if copy else None


def _number(host):
    """Where a thread's record has the number that compiled code knows it by, or None."""
    start = host.symbol(DESCRIPTION)
    try:
        head = host.read(start, 32) if start else b""
        if not head.startswith(b"omphalos debug"):
            return None
        roots, length = (int.from_bytes(head[at : at + 4], "little") for at in (20, 24))
        if roots > LONGEST or length > LONGEST:
            return None
        text = host.read(start + 32 + 8 * roots, length)
    except Refused:
        return None
    of_thread = text.partition(b"\nstruct Thread ")[2].partition(b"\nstruct ")[0]
    field = re.search(rb"^\.gtid (\d+) 4$", of_thread, re.M)
    return int(field.group(1)) if field else None
