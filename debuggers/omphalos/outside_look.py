"""What libompd adds to the runtime's state, with the look that `omphalos inspect` takes: stacks,
waits outside the runtime, names and places. The debugger gives registers and memory."""

from . import code
from .host import PAGE


# Parts of one file that are told.
MOST_SEGMENTS = 64


def look(session, snapshot):
    """The snapshot with what the look tells, and the LWPs of the threads that it was told of."""
    threads = [_thread(session.host, each) for each in session.threads().values()]
    pid = session.host.pid() if session.host.here() else None
    seen = {"pid": pid, "threads": threads, "maps": maps(session.host)}
    judged = {thread["lwp"] for thread in threads if thread["registers"]}
    # An older library has no such function.
    library = session.library()
    if not library.has("omphalos_look"):
        return snapshot, set()
    return library.look(snapshot, seen), judged


def _thread(host, thread):
    registers = host.registers(thread) if thread.stopped else None
    cpu = _cpu(host.pid(), thread.lwp) if host.here() else None
    return {"lwp": thread.lwp, "name": thread.name or "", "cpu": cpu, "registers": registers}


def _cpu(pid, lwp):
    """The CPU time of a thread of this machine, in nanoseconds."""
    try:
        with open(
            "/proc/%d/task/%d/schedstat" % (pid, lwp), encoding="ascii", errors="replace"
        ) as file:
            return int(file.read().split()[0])
    except (OSError, IndexError, ValueError):
        return None


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
