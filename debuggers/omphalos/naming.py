"""What locks and other objects are called in the program's source."""

import re

from . import elf, host as hosts, shared

# gcc and clang name the lock of the critical section NAME so; clang adds `.var`, of which gdb makes
# `[var]`.
CRITICAL = re.compile(r"^\.?gomp_critical_user_(.*?)(\.var|\[var\])?$")

# Types that are shown as a whole, and names that no program may give.
WHOLE = re.compile(r"(struct )?(omp_|pthread_)")
RESERVED = re.compile(r"_[_A-Z]")
# How far types are followed.
DEEPEST = 32


def locks(session, state):
    """The state, whose locks have their names: "" for the critical section without one, None for
    what is not known."""
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
    if critical:
        return critical.group(1)
    found = host.variable_at(address)
    if not found:
        return name
    name, kind, offset = found
    path, rest = part(kind, offset) if kind else ("", offset)
    return name + path + ("+%d" % rest if rest else "")


class Kind:
    """A variable's type as a debugger tells it."""

    # How the language writes an element and a member.
    element, member = "[%s]", "."

    def name(self):
        """What it is called, or ""."""
        raise NotImplementedError

    def size(self):
        """In bytes; 0 if that is not known."""
        raise NotImplementedError

    def plain(self):
        """The type that this one is another name of, or None."""
        raise NotImplementedError

    def elements(self):
        """(the first index, the elements' type) of an array, or None."""
        raise NotImplementedError

    def members(self):
        """[(name, offset, type)] of a structure; None stands for the name of a part that it
        inherits."""
        raise NotImplementedError


def part(kind, offset):
    """Which part of a variable stands at an offset: (as its author writes it behind the name, how
    far into that)."""
    path, indices = "", []
    for _ in range(DEEPEST):
        plain, array = kind.plain(), kind.elements()
        if not array and WHOLE.match(kind.name() or ""):
            break
        if plain:
            kind = plain
        elif array:
            low, of = array
            size = of.size()
            if size <= 0 or not 0 <= offset < kind.size():
                break
            indices.append(str(low + offset // size))
            kind, offset = of, offset % size
        else:
            path, indices = path + _written(kind, indices), []
            found = next(
                (
                    (name, at, of)
                    for name, at, of in kind.members()
                    if at <= offset < at + of.size()
                ),
                None,
            )
            if not found or RESERVED.match(found[0] or ""):
                break
            path += kind.member + found[0] if found[0] else ""
            kind, offset = found[2], offset - found[1]
    return path + _written(kind, indices), offset


def _written(kind, indices):
    # Fortran writes the index that goes fastest first.
    if indices and kind.element == "(%s)":
        return kind.element % ",".join(reversed(indices))
    return "".join(kind.element % index for index in indices)


def _of_runtime(host, address):
    """Whether an address lies in a runtime's file: a program's critical sections with a name have
    locks of its own."""
    for path, bias in host.images():
        if hosts.RUNTIMES.match(path.rsplit("/", 1)[-1]):
            if any(low <= address - bias < low + length for low, length in elf.image(path).spans):
                return True
    return False
