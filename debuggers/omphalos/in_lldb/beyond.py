"""Frames that lldb's own unwinder does not come to: it ends in code that g++ has optimised."""

import lldb

from .. import names, unwind
from ..host import Frame

# DWARF's numbers of the registers.
REGISTERS = {
    "rax": 0, "rdx": 1, "rcx": 2, "rbx": 3, "rsi": 4, "rdi": 5, "rbp": 6, "rsp": 7,
    "r8": 8, "r9": 9, "r10": 10, "r11": 11, "r12": 12, "r13": 13, "r14": 14, "r15": 15, "rip": 16,
}  # fmt: skip
# Frames of one stack.
MOST = 4096


def frames(host, thread, known):
    """Those further out than lldb's own; nothing where the two do not agree on what is known."""
    innermost = thread.raw.GetFrameAtIndex(0)
    registers = {}
    for name, number in REGISTERS.items():
        value = innermost.FindRegister(name)
        if value.IsValid():
            registers[number] = value.GetValueAsUnsigned()
    # Of a frame and those that are inlined into it the innermost one has its place.
    own = [frame.pc for at, frame in enumerate(known) if at == 0 or not known[at - 1].inlined]
    level = known[-1].level
    for at, raw in enumerate(unwind.walk(host, registers, MOST)):
        if at < len(own):
            if raw.pc != own[at]:
                return
            continue
        for frame in _made(host, raw, level):
            level += 1
            yield frame


def _made(host, raw, level):
    """A frame with those that are inlined into it, innermost first."""
    place = host.at(raw.lookup)
    module = place.GetModule().GetFileSpec().fullpath or ""
    lines, found = host.lines(raw.lookup), []
    block = (
        place.GetBlock().GetContainingInlinedBlock()
        if place.GetBlock().IsValid()
        else lldb.SBBlock()
    )
    while block.IsValid() and len(found) + 1 < len(lines):
        found.append((block.GetInlinedName(), True))
        block = (
            block.GetParent().GetContainingInlinedBlock()
            if block.GetParent().IsValid()
            else lldb.SBBlock()
        )
    mangled = place.GetSymbol().GetMangledName() or ""
    is_made = names.classify(mangled)[0] != names.USER
    found.append(
        (mangled if is_made else names.demangled(mangled) or host.line_at(raw.lookup)[0], False)
    )
    for number, (name, inlined) in enumerate(found):
        file, line = lines[number]
        # lldb has no frame of its own there, and so no variables.
        yield Frame(
            raw.pc,
            raw.cfa,
            name,
            file or None,
            line or None,
            module,
            level + number + 1,
            inlined,
            lldb.SBFrame(),
        )
