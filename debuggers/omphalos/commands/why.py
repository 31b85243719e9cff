"""Why nothing goes on: the runtime's state, the debugger's stacks and registers, put before
libompd's analysis."""

import os

from .. import elf, locks, naming, once, shared
from ..state import State
from ..text import shown
from .look import no_arguments, standing

# What other waits are for, by the field with its address.
KINDS = {"mutex": "pthread mutex", "condition": "condition variable", "once": "once flag"}
# How many functions around the innermost frame are named by those who call them.
CALLERS = 16
# Frames of a thread's stack that are read at most.
FRAMES_READ = 256


def seen(session, snapshot):
    """The snapshot with the stacks of all threads, what the analysis of their waits needs of their
    registers, and the code and the stacks that this is from."""
    snapshot, host = dict(snapshot), session.host
    debugged = session.threads()
    # Threads that OpenMP does not know may hold what it waits for.
    threads = [dict(thread) for thread in State(snapshot).threads()]
    known = {thread.get("lwp") for thread in threads}
    threads += [
        {"lwp": lwp, "name": each.name or ""} for lwp, each in debugged.items() if lwp not in known
    ]
    stopped, code, stacks = [], locks.Locks(session), {}
    for thread in threads:
        each = debugged.get(thread.get("lwp"))
        if each is None or not each.stopped:
            continue
        frames = stacks[each.lwp] = host.frames(each, FRAMES_READ)
        thread["stack"] = [_in_snapshot(session, frame) for frame in frames]
        thread["taken"] = locks.seen(code, frames, thread["stack"])
        system = _system(session, each.lwp)
        if system:
            thread["os"] = system
        registers = host.registers(each)
        if registers:
            stopped.append(dict(registers, lwp=each.lwp, called=_called(session, frames)))
    snapshot["threads"] = threads
    snapshot.setdefault("pid", host.pid())
    loader = None
    for path, bias in host.images():
        if path.rsplit("/", 1)[-1].startswith("ld-linux"):
            spans = elf.image(path).spans
            loader = (
                [
                    bias + min(low for low, _ in spans),
                    bias + max(low + length for low, length in spans),
                ]
                if spans
                else None
            )
    seen_of = {"pid": host.pid() if host.alive() else None, "loader": loader, "threads": stopped}
    return snapshot, seen_of, code, stacks


def _in_snapshot(session, frame):
    """A frame in the snapshot's words."""
    runtime = frame.runtime()
    function, construct = frame.name or "", None
    if not runtime and not frame.system():
        function, construct = session.stacks.body(frame)
    return {
        "address": frame.pc,
        "cfa": frame.cfa,
        "function": function,
        "construct": construct,
        "file": frame.file,
        "line": frame.line,
        "module": os.path.basename(frame.module),
        "runtime": runtime,
        "inlined": frame.inlined,
    }


def _called(session, frames):
    """The functions that a thread is in, as their callers name them: a stripped library has no
    names of its own."""
    found = [session.stacks.entered(frame.pc) for frame in frames[1:CALLERS] if not frame.inlined]
    return [name for name in found if name][:4]


def _system(session, lwp):
    """What the kernel says of a thread of a live process on this machine."""
    if not session.host.alive():
        return None
    try:
        with open(
            "/proc/%d/task/%d/stat" % (session.host.pid(), lwp), encoding="ascii", errors="replace"
        ) as file:
            fields = file.read().rpartition(")")[2].split()
    except (OSError, IndexError):
        return None
    # A stopped thread's own state is hidden by the debugger's stop.
    tick = os.sysconf("SC_CLK_TCK") or 100
    return {
        "state": "",
        "call": None,
        "cpu": (int(fields[11]) + int(fields[12])) * 1000000000 // tick,
    }


def _named(session, snapshot):
    """Names locks, and mutexes and condition variables that somebody waits for, as the analysis
    speaks of them."""
    state = naming.locks(session, State(snapshot))
    locks = list(state.locks())
    for thread in state.threads():
        wait = thread.get("waits") or {}
        kind = "read-write lock" if wait.get("read_write") else KINDS.get(wait.get("for"))
        address = (
            wait.get("flag" if wait.get("for") == "once" else wait.get("for")) if kind else None
        )
        if address and all(lock.get("address") != address for lock in locks):
            locks.append(
                {
                    "address": address,
                    "kind": kind,
                    "name": naming.name_of(session.host, address, kind),
                }
            )
    shared.mark(session, state, locks)
    snapshot["locks"] = locks
    return snapshot


def _unknown(state):
    """Locks of which no stack tells where they were taken: their holders have ended, or their code
    is not plain."""
    waits = [thread.get("waits") or {} for thread in state.threads()]
    owners = {
        wait.get("mutex"): wait["owner"]
        for wait in waits
        if wait.get("for") == "mutex" and wait.get("owner")
    }
    for lock in state.locks():
        owner = owners.get(lock.get("address"))
        holder = state.thread(owner) if owner else state.number(lock.get("holder"))
        is_held = owner or lock.get("holder") is not None or lock.get("holder_gone")
        if is_held and (lock.get("holder_gone") or not holder or not holder.get("taken")):
            yield lock


def why(session, arguments):
    """`omp why`."""
    no_arguments(arguments, "why")
    snapshot, registers, code, stacks = seen(session, session.needed().snapshot)
    judged = {each["lwp"] for each in registers["threads"]}
    library = session.library()
    if library.has("omphalos_waits"):
        snapshot = library.waits(snapshot, registers)
        once.find(code, State(snapshot).threads(), stacks)
    else:
        judged = set()
    snapshot = _named(session, snapshot)
    for lock in _unknown(State(snapshot)):
        lock["taken_at"] = code.takers(lock.get("address") or 0)
    earlier, session.earlier = session.earlier, snapshot
    if earlier and (earlier.get("pid") != snapshot.get("pid") or not session.host.alive()):
        earlier = None
    findings = library.why(snapshot, earlier)
    lines = []
    for finding in findings if isinstance(findings, list) else []:
        lines += _finding(finding)
    return "\n".join(
        lines or _halves(session, State(snapshot), judged) or ["nothing is found that blocks"]
    )


def _halves(session, state, judged):
    """What is known where no cause is found: who waits for what, and of whom nothing is known."""
    debugged = session.threads()
    waits, unknown = [], []
    for thread in state.threads():
        number, lwp = thread.get("number"), thread.get("lwp")
        name = state.who(number) if number is not None else "LWP %s" % lwp
        where = standing(session, debugged.get(lwp))
        name += " at " + where if where else ""
        kind = (thread.get("waits") or {}).get("for")
        if kind == "work":
            continue
        if kind == "call":
            waits.append("%s: sleeps in the system call %s" % (name, state.waiting(thread)))
        elif kind:
            waits.append("%s: %s" % (name, state.waiting(thread)))
        elif lwp in debugged and not debugged[lwp].stopped:
            unknown.append("%s: whether it sleeps is not known: interrupt it first" % name)
        elif lwp not in judged:
            unknown.append(
                "%s: whether it sleeps, and what for, is not known: its registers cannot be read"
                % name
            )
    if not waits and not unknown:
        return []
    head = "no cause is found that blocks for good; this is known:"
    if any(
        each
        for each in state.threads()
        if not (each.get("waits") or {}).get("for") and each.get("lwp") in judged
    ):
        head = "no cause is found that blocks for good: some thread runs; this is known:"
    return [head] + ["    " + line for line in waits + unknown]


def _finding(finding):
    """A finding's text: its headline, and its details indented."""
    if not isinstance(finding, dict):
        return [shown(finding)]
    head = next(
        (
            finding[key]
            for key in ("headline", "title", "text", "says", "summary")
            if finding.get(key)
        ),
        None,
    )
    details = next(
        (
            finding[key]
            for key in ("details", "lines", "evidence")
            if isinstance(finding.get(key), list)
        ),
        [],
    )
    lines = [shown(line) for line in str(head or finding).splitlines()]
    return lines + ["    " + shown(detail) for detail in details]
