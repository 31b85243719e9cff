"""Threads, locks, control variables."""

from ..text import Refused, count, shown, table


def no_arguments(arguments, command):
    """Refuses arguments."""
    if arguments:
        raise Refused("omp %s takes no arguments: %s" % (command, shown(" ".join(arguments))))


def standing(session, thread):
    """Where a thread stands in the user's code: `main [parallel] at a.c:12`; "" of no thread."""
    if thread is None:
        return ""
    debugged = session.threads().get(thread.get("lwp"))
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
        device = thread.get("device")
        kind = shown(thread.get("kind")) + ("" if device is None else ", device %d" % device)
        rows.append(
            (
                "%s %s" % (mine, known.number if known else "-"),
                lwp or "-",
                "%d" % thread["number"] if thread["number"] >= 0 else "h%d" % -thread["number"],
                kind,
                (
                    "%s of %s, level %s"
                    % (thread.get("thread_num"), team.get("size"), team.get("level"))
                    if team
                    else "-"
                ),
                state.does(thread) or "-",
                standing(session, thread),
            )
        )
    text = table(
        ["  %s" % session.host.kind, "LWP", "OpenMP", "kind", "team", "does", "stands"], rows
    )
    strange = others + len([lwp for lwp in debugged if lwp not in seen])
    if strange:
        text += "\n%s that OpenMP does not know" % count(strange, "thread")
    return "\n".join([text] + state.notes())


def locks(session, arguments):
    """`omp locks`."""
    no_arguments(arguments, "locks")
    state, lines = session.needed(), []
    for lock in state.locks():
        address = lock.get("address") or 0
        name = lock.get("name")
        text = "%s %#x%s" % (
            shown(lock.get("kind")) or "lock",
            address,
            " " + shown(name) if name else "",
        )
        if name == "":
            text += " without a name"
        if name and lock.get("function"):
            text += " of " + shown(lock["function"])
        holder = state.number(lock.get("holder"))
        if lock.get("shared"):
            text += ": in memory that processes share: one of another process may hold it"
        elif lock.get("damaged"):
            text += ": names a holder that never was: not initialised, or overwritten"
        elif lock.get("holder_gone"):
            text += ": held by %s, which has ended" % state.who(lock.get("holder"))
        elif lock.get("holder") is not None:
            where = standing(session, holder)
            text += ": held by " + state.who(lock["holder"]) + (", in %s" % where if where else "")
        else:
            text += ": no holder known"
        lines.append(text)
        for thread in state.threads():
            wait = thread.get("waits") or {}
            if wait.get("for") == "lock" and wait.get("lock") == address:
                where = standing(session, thread)
                lines.append(
                    "    %s waits for it%s"
                    % (state.who(thread.get("number")), ", in " + where if where else "")
                )
    return "\n".join((lines or ["no thread waits for a lock"]) + state.notes())


def icvs(session, arguments):
    """`omp icvs`."""
    no_arguments(arguments, "icvs")
    selected = session.host.selected()
    known = session.library().icvs(selected.lwp if selected else 0)
    rows = [[shown(cell) for cell in row] for row in known]
    return table(["scope", "variable", "value"], sorted(rows))
