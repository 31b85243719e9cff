"""Threads, locks, control variables, and why nothing goes on."""

import os

from .. import icvs as control
from ..text import Refused, shown, table


def no_arguments(arguments, command):
    """Refuses arguments."""
    if arguments:
        raise Refused("omp %s takes no arguments: %s" % (command, shown(" ".join(arguments))))


def standing(session, debugged):
    """Where a thread stands in the user's code: `main [parallel] at a.c:12`."""
    if debugged is None:
        return "(not known to the debugger)"
    if not debugged.stopped:
        return "(runs)"
    try:
        for frame in session.frames(debugged, join=False):
            if frame.marker or frame.frame.system():
                continue
            place = frame.place()
            return frame.title() + (" at " + place if place else "")
    except Refused as fault:
        return "(%s)" % fault
    return ""


def threads(session, arguments):
    """`omp threads`."""
    no_arguments(arguments, "threads")
    state, debugged = session.needed(), session.threads()
    selected = session.host.selected()
    rows, others = [], 0
    seen = set()
    for thread in state.threads():
        lwp = thread.get("lwp")
        seen.add(lwp)
        if thread.get("number") is None:
            others += 1
            continue
        known = debugged.get(lwp)
        team = state.team(thread.get("team"))
        mine = "*" if selected and selected.lwp == lwp else " "
        rows.append(
            (
                "%s %s" % (mine, known.number if known else "-"),
                lwp or "-",
                thread["number"],
                shown(thread.get("kind")),
                "%s of %s, level %s" % (thread.get("thread_num"), team.get("size"), team.get("level")) if team else "-",
                state.does(thread) or "-",
                standing(session, known),
            )
        )
    text = table(["  %s" % session.host.kind, "LWP", "OpenMP", "kind", "team", "does", "stands"], rows)
    strange = others + len([lwp for lwp in debugged if lwp not in seen])
    if strange:
        text += "\n%d threads that OpenMP does not know" % strange
    return "\n".join([text] + state.notes())


def locks(session, arguments):
    """`omp locks`."""
    no_arguments(arguments, "locks")
    state, debugged = session.needed(), session.threads()
    lines = []
    for lock in state.locks():
        address = lock.get("address") or 0
        name = lock.get("name") or session.host.symbol_at(address)
        text = "%s %#x%s" % (shown(lock.get("kind")) or "lock", address, " " + shown(name) if name else "")
        holder = state.number(lock.get("holder"))
        if lock.get("holder_gone"):
            text += ": held by thread %s, which has ended" % lock.get("holder")
        elif lock.get("holder") is not None:
            where = standing(session, debugged.get(holder.get("lwp"))) if holder else ""
            text += ": held by thread %s" % lock["holder"] + (", in %s" % where if where else "")
        else:
            text += ": no holder known"
        lines.append(text)
        for thread in state.threads():
            wait = thread.get("waits") or {}
            if wait.get("for") == "lock" and wait.get("lock") == address:
                where = standing(session, debugged.get(thread.get("lwp")))
                lines.append("    thread %s waits for it%s" % (thread.get("number"), ", in " + where if where else ""))
    return "\n".join((lines or ["no lock is held or waited for"]) + state.notes())


def icvs(session, arguments):
    """`omp icvs`."""
    no_arguments(arguments, "icvs")
    selected = session.host.selected()
    rows = control.all_of(session.library(), selected.lwp if selected else 0)
    if not rows:
        raise Refused("libompd names no control variables")
    return table(["scope", "variable", "value"], sorted(rows))


def with_stacks(session, state):
    """The snapshot with the debugger's stacks, for the analysis."""
    snapshot = dict(state.snapshot)
    debugged = session.threads()
    # Threads that OpenMP does not know may hold what it waits for.
    threads = [dict(thread) for thread in state.threads()]
    known = {thread.get("lwp") for thread in threads}
    threads += [{"lwp": lwp, "name": each.name or ""} for lwp, each in debugged.items() if lwp not in known]
    for thread in threads:
        each = debugged.get(thread.get("lwp"))
        if each is None or not each.stopped:
            continue
        thread["stack"] = stack_of(session, each)
        system = _system(session, each.lwp)
        if system:
            thread["os"] = system
    snapshot["threads"] = threads
    snapshot["locks"] = [dict(lock, name=lock.get("name") or _lock_name(session, lock)) for lock in state.locks()]
    snapshot.setdefault("pid", session.host.pid())
    return snapshot


# gcc and clang name the lock of the critical section NAME so; clang adds `.var`.
CRITICAL = ".gomp_critical_user_"


def _lock_name(session, lock):
    """The variable that a lock is, or the name of the critical section, or None."""
    name = session.host.symbol_at(lock.get("address") or 0)
    if name and name.startswith(CRITICAL):
        return name[len(CRITICAL) :].removesuffix(".var")
    return name


def stack_of(session, thread, most=256):
    """A raw stack in the snapshot's words."""
    frames = []
    for frame in session.host.stack(thread):
        runtime = frame.runtime()
        function, construct = frame.name or "", None
        if not runtime and not frame.system():
            function, construct = session.stacks.body(frame)
        frames.append(
            {
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
        )
        if len(frames) >= most:
            break
    return frames


def _system(session, lwp):
    """What the kernel says of a thread of a live process on this machine."""
    if not session.host.alive():
        return None
    try:
        with open("/proc/%d/task/%d/stat" % (session.host.pid(), lwp), encoding="ascii", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
    except (OSError, IndexError):
        return None
    # A stopped thread's own state is hidden by the debugger's stop.
    tick = os.sysconf("SC_CLK_TCK") or 100
    return {"state": "", "call": None, "cpu": (int(fields[11]) + int(fields[12])) * 1000000000 // tick}


def why(session, arguments):
    """`omp why`."""
    no_arguments(arguments, "why")
    snapshot = with_stacks(session, session.needed())
    earlier, session.earlier = session.earlier, snapshot
    if earlier and (earlier.get("pid") != snapshot.get("pid") or not session.host.alive()):
        earlier = None
    findings = session.library().why(snapshot, earlier)
    lines = []
    for finding in findings if isinstance(findings, list) else []:
        lines += _finding(finding)
    return "\n".join(lines or ["nothing is found that blocks"])


def _finding(finding):
    """A finding's text: its headline, and its details indented."""
    if not isinstance(finding, dict):
        return [shown(finding)]
    head = next((finding[key] for key in ("headline", "title", "text", "says", "summary") if finding.get(key)), None)
    details = next((finding[key] for key in ("details", "lines", "evidence") if isinstance(finding.get(key), list)), [])
    lines = [shown(line) for line in str(head or finding).splitlines()]
    return lines + ["    " + shown(detail) for detail in details]
