"""What libompd adds to the runtime's state, with the look that `omphalos inspect` takes: stacks,
waits outside the runtime, names and places. The debugger gives registers and memory."""

from . import code
from .host import PAGE


# In the order of DWARF's numbers.
DWARF = "rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 rip".split()
# Parts of one file that are told.
MOST_SEGMENTS = 64


def look(session, snapshot):
    """The snapshot with what the look tells."""
    host = session.host
    seen = {
        "pid": host.pid() if host.here() else None,
        "core": host.core(),
        "threads": [_thread(host, each) for each in host.threads()],
        "maps": maps(host),
    }
    return session.library().look(snapshot, seen)


def _thread(host, thread):
    registers = host.registers(thread) if thread.stopped else None
    return {"lwp": thread.lwp, "name": thread.name or "", "registers": registers}


def frame(host, known):
    """A frame as libompd is told of it, with those of its registers that are known, by name."""
    return {"maps": maps(host), "registers": [known.get(name) for name in DWARF]}


def maps(host):
    """What is mapped, as the kernel lists it; of a core file, the files that the dynamic linker
    knows."""
    try:
        if host.here():
            with open("/proc/%d/maps" % host.pid(), encoding="utf-8", errors="replace") as file:
                return file.read()
    except OSError:
        pass
    spans = []
    for path, bias in host.images():
        for address, offset, length, mapped, flags in code.image(path).segments[:MOST_SEGMENTS]:
            start, end = (address + bias) & -PAGE, (address + bias + length + PAGE - 1) & -PAGE
            rights = "r%s%sp" % ("w" if flags & 2 else "-", "x" if flags & 1 else "-")
            spans.append((start, end, rights, offset & -PAGE, path))
            # Data that the file does not hold.
            rest = (address + bias + mapped + PAGE - 1) & -PAGE
            if rest > end:
                spans.append((end, rest, rights, 0, ""))
    return "\n".join("%x-%x %s %08x 00:00 0 %s" % span for span in sorted(spans))
