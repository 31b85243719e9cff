"""What locks and other objects are called in the program's source."""

import re

from . import elf, host as hosts, shared

# gcc and clang name the lock of the critical section NAME so; clang adds `.var`, of which gdb makes `[var]`.
CRITICAL = re.compile(r"^\.?gomp_critical_user_(.*?)(\.var|\[var\])?$")


def locks(session, state):
    """The state, whose locks have their names: "" for the critical section without one, None for what is not known."""
    for lock in state.locks():
        if lock.get("name") is None:
            lock["name"] = name_of(session.host, lock.get("address") or 0, lock.get("kind"))
    shared.mark(session, state, state.locks())
    return state


def name_of(host, address, kind):
    """The variable that stands at an address, or the name of the critical section, or None."""
    if kind == "critical" and _of_runtime(host, address):
        return ""
    name = host.symbol_at(address)
    critical = CRITICAL.match(name or "")
    return critical.group(1) if critical else name


def _of_runtime(host, address):
    """Whether an address lies in a runtime's file: a program's critical sections with a name have locks of its own."""
    for path, bias in host.images():
        if hosts.RUNTIMES.match(path.rsplit("/", 1)[-1]):
            if any(low <= address - bias < low + length for low, length in elf.image(path).spans):
                return True
    return False
