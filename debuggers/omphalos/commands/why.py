"""Why nothing goes on: the runtime's state and a look at the threads, put before libompd's
analysis."""

from .. import outside_look
from ..state import State
from ..text import shown
from .look import no_arguments, standing


# Threads that run, of that so many are listed.
MOST_RUNNING = 8


def why(session, arguments):
    """`omp why`."""
    no_arguments(arguments, "why")
    snapshot = outside_look.look(session, session.needed().snapshot)
    snapshot["pid"] = snapshot.get("pid") or session.host.pid()
    earlier, session.earlier = session.earlier, snapshot
    if earlier and (earlier.get("pid") != snapshot.get("pid") or not session.host.alive()):
        earlier = None
    lines = []
    for finding in session.library().why(snapshot, earlier):
        lines.append(shown(finding["summary"]))
        lines += ["    " + shown(detail) for detail in finding["details"]]
    return "\n".join(lines or _halves(session, State(snapshot)) or ["nothing is found that blocks"])


def _halves(session, state):
    """What is known where no cause is found: who waits for what, and of whom nothing is known."""
    debugged = session.threads()
    waits, runs, unknown = [], [], []
    for thread in state.threads():
        number, lwp = thread.get("number"), thread.get("lwp")
        name = state.who(number) if number is not None else "LWP %s" % lwp
        where = standing(session, thread)
        name += " at " + where if where else ""
        kind = (thread.get("waits") or {}).get("for")
        system = (thread.get("os") or {}).get("state")
        if kind == "work":
            continue
        if kind == "call":
            waits.append("%s: sleeps in the system call %s" % (name, state.waiting(thread)))
        elif kind:
            waits.append("%s: %s" % (name, state.waiting(thread)))
        elif lwp in debugged and not debugged[lwp].stopped:
            unknown.append("%s: whether it sleeps is not known: interrupt it first" % name)
        elif not system:
            unknown.append(
                "%s: whether it sleeps, and what for, is not known: its registers cannot be read"
                % name
            )
        elif system == "R":
            runs.append("%s: runs" % name)
    if not waits and not unknown:
        return []
    head = "no cause is found that blocks for good; this is known:"
    if runs:
        head = "no cause is found that blocks for good: some thread runs; this is known:"
    return [head] + ["    " + line for line in runs[:MOST_RUNNING] + waits + unknown]
