"""Frames that lldb's own unwinder does not come to: it ends in code that g++ has optimised."""

import lldb

from .. import names, outside_look
from ..host import Frame
from ..text import Refused


def frames(host, thread, known):
    """Those further out than lldb's own; nothing where the two do not agree on what is known."""
    innermost = thread.raw.GetFrameAtIndex(0)
    values = {name: innermost.FindRegister(name) for name in outside_look.DWARF}
    registers = {name: it.GetValueAsUnsigned() for name, it in values.items() if it.IsValid()}
    # Of a frame and those that are inlined into it the innermost one has its place.
    own = [frame.pc for at, frame in enumerate(known) if at == 0 or not known[at - 1].inlined]
    level = known[-1].level
    try:
        stack = host.library().stack(outside_look.frame(host, registers))
    except Refused:
        return
    if [pc for pc, _, _ in stack[: len(own)]] != own:
        return
    for raw in stack[len(own) :]:
        for frame in _made(host, level, *raw):
            level += 1
            yield frame


def _made(host, level, pc, lookup, cfa):
    """A frame with those that are inlined into it, innermost first."""
    place = host.at(lookup)
    module = place.GetModule().GetFileSpec().fullpath or ""
    lines, found = host.lines(lookup), []
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
    found.append((mangled if is_made else names.plain(mangled) or host.line_at(lookup)[0], False))
    for number, (name, inlined) in enumerate(found):
        file, line = lines[number]
        # lldb has no frame of its own there, and so no variables.
        yield Frame(
            pc,
            cfa,
            name,
            file or None,
            line or None,
            module,
            level + number + 1,
            inlined,
            lldb.SBFrame(),
        )
