"""Stacks by the unwinding tables of the program's files, as crates/inspect/src/unwind.rs makes
them: for a debugger whose own unwinder ends too early.

Each step must bring the stack pointer up, but for a signal's frame; a walk is bounded besides.
"""

import struct

from . import cfi
from .text import Refused

RBP, RSP, RIP = 6, cfi.RSP, cfi.RIP
# Registers that a call may change.
SCRATCH = (0, 1, 2, 4, 5, 8, 9, 10, 11)
WORD = 2**64 - 1


class Raw:
    """A frame: where it goes on, an address in the call that it is in, the stack pointer behind its
    return address."""

    __slots__ = ("pc", "lookup", "cfa")

    def __init__(self, pc, lookup, cfa):
        self.pc, self.lookup, self.cfa = pc, lookup, cfa


def walk(host, registers, most):
    """The frames of a stack, innermost first; `registers`: by their numbers in DWARF."""
    exact, frames = True, 0
    while frames < most:
        pc, sp = registers.get(RIP), registers.get(RSP)
        if not pc or sp is None or (pc < 4096 and frames):
            return
        lookup = pc if exact else pc - 1
        try:
            step = _by_table(host, registers, lookup)
        except (Refused, ValueError, KeyError, IndexError, TypeError, struct.error):
            step = None
        following, signal = step or (_by_pointers(host, registers), False)
        cfa = following.get(RSP, 0) if following else 0
        yield Raw(pc, lookup, cfa)
        frames += 1
        if not following or (not signal and cfa <= sp):
            return
        registers, exact = following, signal


def _by_table(host, registers, lookup):
    """(the caller's registers or None for the outermost frame, whether the kernel made this one),
    or None."""
    found = host.image_at(lookup)
    known = cfi.entry(found[0], lookup - found[1]) if found else None
    if known is None:
        return None
    place, rules = cfi.row(known, lookup - found[1])
    if place[0] == "register":
        cfa = (registers[place[1]] + place[2]) & WORD
    else:
        cfa = _evaluate(host, place[1], registers, None)
    following = {number: value for number, value in registers.items() if number not in SCRATCH}
    following[RSP] = cfa
    following.pop(RIP, None)
    for number, rule in rules.items():
        value = _value(host, rule, number, registers, cfa)
        if value is None:
            if number == RIP:
                return None, known.signal
            following.pop(number, None)
        else:
            following[number] = value
    return (following, known.signal) if RIP in following else None


def _value(host, rule, number, registers, cfa):
    kind = rule[0]
    if kind == "same":
        return registers.get(number)
    if kind == "register":
        return registers.get(rule[1])
    if kind == "undefined":
        return None
    if kind in ("offset", "value"):
        at = (cfa + rule[1]) & WORD
    else:
        at = _evaluate(host, rule[1], registers, cfa)
    return _word(host, at) if kind in ("offset", "at") else at


def _by_pointers(host, registers):
    """Code without a table: by the frame pointer."""
    base, sp = registers.get(RBP), registers[RSP]
    if base is None or base < sp or base % 8:
        return None
    try:
        back, outer = _word(host, base + 8), _word(host, base)
    except Refused:
        return None
    return {**registers, RBP: outer, RIP: back, RSP: base + 16}


def _word(host, address):
    return int.from_bytes(host.read(address, 8), "little")


def _signed(value):
    return value - 2**64 if value >> 63 else value


_TWO = {
    0x1A: lambda a, b: a & b,
    0x1C: lambda a, b: a - b,
    0x1E: lambda a, b: a * b,
    0x21: lambda a, b: a | b,
    0x22: lambda a, b: a + b,
    0x24: lambda a, b: a << min(b, 64),
    0x25: lambda a, b: a >> min(b, 64),
    0x26: lambda a, b: _signed(a) >> min(b, 64),
    0x27: lambda a, b: a ^ b,
    0x29: lambda a, b: int(a == b),
    0x2A: lambda a, b: int(_signed(a) >= _signed(b)),
    0x2B: lambda a, b: int(_signed(a) > _signed(b)),
    0x2C: lambda a, b: int(_signed(a) <= _signed(b)),
    0x2D: lambda a, b: int(_signed(a) < _signed(b)),
    0x2E: lambda a, b: int(a != b),
}
_NUMBERS = {
    0x03: "Q",
    0x08: "B",
    0x09: "b",
    0x0A: "H",
    0x0B: "h",
    0x0C: "I",
    0x0D: "i",
    0x0E: "Q",
    0x0F: "q",
}


def _evaluate(host, expression, registers, start):
    """The value of a DWARF expression; ways through it that are not used in unwinding tables raise
    ValueError."""
    reader, stack = cfi.Reader(expression, 0), [] if start is None else [start]
    for _ in range(cfi.MOST):
        if not reader.more():
            return stack[-1] & WORD
        code = reader.number("B")
        if code in _NUMBERS:
            value = reader.number(_NUMBERS[code])
        elif code in (0x10, 0x11):
            value = reader.leb(signed=code == 0x11)
        elif 0x30 <= code < 0x50:
            value = code - 0x30
        elif 0x70 <= code < 0x90:
            value = registers[code - 0x70] + reader.leb(signed=True)
        elif code == 0x92:
            register = reader.leb()
            value = registers[register] + reader.leb(signed=True)
        elif code == 0x06:
            value = _word(host, stack.pop())
        elif code == 0x12:
            value = stack[-1]
        elif code == 0x14:
            value = stack[-2]
        elif code == 0x23:
            value = stack.pop() + reader.leb()
        elif code in _TWO:
            second = stack.pop()
            value = _TWO[code](stack.pop(), second)
        else:
            raise ValueError("an operation that no table has")
        stack.append(value & WORD)
    raise ValueError("no end")
