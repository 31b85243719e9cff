"""Who does what is done once, of those that threads wait for, as crates/inspect/src/look/locks.rs
has it."""

import re

from .locks import KINDS, of_headers
from .text import Refused, place

# The kind of the initialisers of static variables: the last one.
STATIC = len(KINDS) - 1
# What calls a function once, by the end of the name.
CALLS = ("pthread_once", "call_once")
# Bytes of a part of a stack that are looked through.
LONGEST = 1 << 12
# Whatever writes rdi: lea, from rax, from another register or memory, a number.
_WRITES = re.compile(
    rb"\x48\x8d\x3d(?P<near>....)|\x48\x8d\x05(?P<by_rax>....)\x48\x89\xc7"
    rb"|\xbf(?P<number>....)|[\x48\x4c]\x89[\xc7\xcf\xd7\xdf\xe7\xef\xf7\xff]"
    rb"|[\x48-\x4b]\x8b[\x38-\x3f\x78-\x7f\xb8-\xbf\xf8-\xff]|\x48\xc7\xc7...."
    rb"|\x48\x8d[\x38-\x3c\x3e-\x3f\x78-\x7f\xb8-\xbf]",
    re.S,
)


class Doer:
    """A thread that does what is done once."""

    __slots__ = ("lwp", "flag", "span", "of_static", "place")

    def __init__(self, lwp, flag, span, of_static, place):
        self.lwp = lwp
        # The flag's address, where the code of the call shows it.
        self.flag = flag
        # The part of the stack on which the C library does it: it keeps the flag's address there.
        self.span = span
        self.of_static = of_static
        # Where it was begun, unless it is a static variable: "a.cpp:3".
        self.place = place


def find(code, threads, stacks):
    """Says who does what threads wait for, and where that was begun; `code`: `locks.Locks`,
    `stacks`: frames by LWP."""
    waiting = [thread for thread in threads if (thread.get("waits") or {}).get("for") == "once"]
    if not waiting:
        return
    doers = [doer for lwp, frames in stacks.items() for doer in _doers(code, lwp, frames)]
    for thread in waiting:
        wait = thread["waits"]
        alike = [doer for doer in doers if doer.of_static == bool(wait.get("of_static"))]
        unknown = [doer for doer in alike if doer.flag is None]
        found = next((doer for doer in alike if doer.flag == wait.get("flag")), None)
        found = found or next(
            (doer for doer in unknown if _keeps(code.host, doer.span, wait.get("flag") or 0)), None
        )
        # What is not to be seen may be this one, if there is no other.
        found = found or (unknown[0] if len(unknown) == 1 else None)
        wait["owner"] = found.lwp if found else None
    for doer in doers:
        thread = next((thread for thread in threads if thread.get("lwp") == doer.lwp), None)
        if thread is not None and doer.place:
            thread.setdefault("taken", []).append({"by": "pthread_once", "place": doer.place})


def _doers(code, lwp, frames):
    """What the functions of a stack do once."""
    inside, seen = None, set()
    own = [frame for frame in frames if not frame.runtime() and not frame.system()]
    for at, frame in enumerate(own):
        if frame.pc in seen:
            continue
        seen.add(frame.pc)
        calls = code.calls(frame.pc - 1)
        open_ = code.opened([call for call in calls if call[0] < frame.pc], STATIC)
        if open_:
            flag = first_argument(code, open_[0])
            yield Doer(lwp, flag, (inside or frame.cfa, frame.cfa), True, None)
        called = next((call for call in calls if call[0] == frame.pc), None)
        if inside is not None and called and (called[1] or "").endswith(CALLS):
            # The headers of C++ stand between.
            by = next(
                (outer for outer in own[at:] if outer.file and not of_headers(outer.file)), frame
            )
            yield Doer(
                lwp,
                first_argument(code, frame.pc),
                (inside, frame.cfa),
                False,
                place(by.file, by.line) or None,
            )
        inside = frame.cfa


def first_argument(code, after):
    """The constant that the call which returns to `after` is given first, where the code right
    before it shows that."""
    bounds, found = code.host.bounds(after - 1), code.stacks.image_at(after - 1)
    if not bounds or not found:
        return None
    image, bias = found
    # What is in such a register does not outlast a call.
    start = max([call[0] for call in code.calls(after - 1) if call[0] < after], default=bounds[0])
    text = image.bytes_at(start - bias, after - 5 - start)
    last = None
    for last in _WRITES.finditer(text):
        pass
    if last is None:
        return None
    for name, length in (("near", 7), ("by_rax", 7)):
        if last.group(name):
            return (
                start
                + last.start()
                + length
                + int.from_bytes(last.group(name), "little", signed=True)
            )
    return (
        int.from_bytes(last.group("number"), "little")
        if last.group("number") and not image.movable
        else None
    )


def _keeps(host, span, value):
    """Whether a part of a stack has a word of that value."""
    start, end = span
    if not start or end < start or not value:
        return False
    try:
        data = host.read(start, min(end - start, LONGEST) & ~7)
    except Refused:
        return False
    return any(
        data[at : at + 8] == value.to_bytes(8, "little") for at in range(0, len(data) - 7, 8)
    )
