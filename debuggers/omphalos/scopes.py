"""Where a variable that a construct's body shares is to be found: the frames whose variables a frame may see."""

from . import names

# Scopes that are looked through: regions may be nested deep, but a damaged chain has no end.
MOST = 32


class Scope:
    """A frame, the thread that it is on, and how it is spoken of."""

    def __init__(self, thread, frame):
        self.thread = thread
        self.frame = frame


def around(session, thread, frames, at):
    """The scopes of `frames[at]`, the innermost first: itself, the frame that encountered its construct, and so on."""
    found = [Scope(thread, frames[at])]
    while len(found) < MOST:
        outer = _outer(session, thread, frames, at)
        if outer is None:
            break
        thread, frames, at = outer
        found.append(Scope(thread, frames[at]))
    return found


def _outer(session, thread, frames, at):
    """(thread, its frames, index) of the frame around a construct's body; None where there is none, or none is known."""
    role, base = names.classify(frames[at].name)
    if role in (names.USER, names.HELPER):
        return None
    if role == names.BODY and at + 1 < len(frames):
        # The outer half has the same variables, and is looked into as well.
        if names.classify(frames[at + 1].name)[0] in (names.REGION, names.TASK) and not frames[at + 1].runtime():
            return thread, frames, at + 1
    _, construct = session.stacks.body(frames[at])
    if construct in ("task", "taskloop"):
        return _maker(session, thread, frames[at])
    for outer in range(at + 1, len(frames)):
        frame = frames[outer]
        if not frame.runtime() and not frame.system():
            return thread, frames, outer
    return session.stacks.encountering(thread)


def _maker(session, thread, frame):
    """The frame of the function that made a task, if that is on a stack exactly once."""
    state = session.state()
    start = session.host.start_of(frame.pc - 1)
    known = state.thread(thread.lwp) if state else None
    if not known:
        return None
    mine = [task for task in state.tasks() if task.get("thread") == known.get("record") and start is not None]
    task = state.task(known.get("task"))
    if task is None or (task.get("function") and session.host.start_of(task["function"]) != start):
        # clang's outer half is another function than its body: what the thread executes is it all the same.
        others = [each for each in mine if session.host.start_of(each.get("function") or 0) == start]
        task = others[0] if len(others) == 1 else task
    parent = state.task(task.get("parent")) if task else None
    maker = state.record(parent.get("thread")) if parent else None
    if not maker or not task.get("codeptr"):
        return None
    debugged = next((each for each in session.host.threads() if each.lwp == maker.get("lwp")), None)
    if debugged is None or not debugged.stopped:
        return None
    function = session.host.start_of(task["codeptr"] - 1)
    frames = session.stacks.other(debugged)
    found = [
        at
        for at, each in enumerate(frames)
        if not each.runtime() and not each.inlined and session.host.start_of(each.pc - (1 if at else 0)) == function
    ]
    return (debugged, frames, found[0]) if len(found) == 1 else None
