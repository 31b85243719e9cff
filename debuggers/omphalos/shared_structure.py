"""What gcc's code hands to a region: a structure on the stack of the function around the construct.

A shared variable whose address the program takes nowhere is copied into it, and back where the
region ends: meanwhile the copy is the variable.
"""

import re
import struct

from . import constructs, names
from .text import Refused

# Bytes of code before the call that are looked through.
REACH = 64
_LAST = {0xE6: "r12", 0xEE: "r13", 0xF6: "r14", 0xFE: "r15"}
# mov %reg,%rdi, from those that outlast calls.
_FIRST = {
    b"\x48\x89\xdf": "rbx",
    b"\x48\x89\xef": "rbp",
    b"\x4c\x89\xe7": "r12",
    b"\x4c\x89\xef": "r13",
    b"\x4c\x89\xf7": "r14",
    b"\x4c\x89\xff": "r15",
}
_MOVED = re.compile(b"|".join(re.escape(move) for move in _FIRST))


def structure(session, thread, frame):
    """(where the region's body starts, the address of what it was given), of a frame that a region
    was encountered in; None where the code does not show it."""
    stacks = session.stacks
    found = stacks.image_at(frame.pc)
    if not found:
        return None
    image, bias = found
    name = image.called(frame.pc - bias)
    entry = constructs.entry(name) if name and name.startswith("GOMP_") else None
    if not entry or entry.construct != "region":
        return None
    for site in image.sites(lambda other: other == name):
        if site.after + bias == frame.pc:
            body = next(iter(site.bodies), None)
            try:
                code = session.host.read(site.address + bias - REACH, REACH)
                place, kept = _second(code), _MOVED.findall(code)
                if place is None:
                    return None
                address = session.host.register(thread, frame, place[0]) + place[1]
                if kept and entry.body == "rdi":
                    # A loop around the construct keeps the body's address.
                    moved = session.host.register(thread, frame, _FIRST[kept[-1]])
                    if names.classify(session.host.line_at(moved)[0])[0] == names.OUTLINED:
                        body = moved - bias
            except Refused:
                return None
            return (body + bias, address & (2**64 - 1)) if body is not None else None
    return None


def _second(code):
    """(register, offset) that the code leaves the second argument as: the load next to the call
    counts."""
    best = (-1, None)
    # mov %rsp,%rsi; lea disp(%rsp),%rsi
    for pattern, register, displaced in (
        (rb"\x48\x89\xe6", "rsp", ""),
        (rb"\x48\x8d\x74\x24(.)", "rsp", "<b"),
        (rb"\x48\x8d\xb4\x24(....)", "rsp", "<i"),
        (rb"\x48\x8d\x75(.)", "rbp", "<b"),
        (rb"\x48\x8d\xb5(....)", "rbp", "<i"),
        (rb"\x48\x89\xde", "rbx", ""),
        (rb"\x48\x89\xee", "rbp", ""),
        # mov %r12 to %r15,%rsi: they outlast the call.
        (rb"\x4c\x89([\xe6\xee\xf6\xfe])", None, ""),
        # Unoptimised: through %rax.
        (rb"\x48\x8d\x45(.)(?=.{0,24}\x48\x89\xc6)", "rbp", "<b"),
        (rb"\x48\x8d\x85(....)(?=.{0,24}\x48\x89\xc6)", "rbp", "<i"),
    ):
        for found in re.finditer(pattern, code, re.S):
            if found.start() > best[0]:
                offset = struct.unpack(displaced, found.group(1))[0] if displaced else 0
                best = found.start(), (register or _LAST[found.group(1)[0]], offset)
    return best[1]
