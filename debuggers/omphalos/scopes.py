"""Where a variable that a construct's body shares is to be found: the frames whose variables a
frame may see."""

from . import names

# Scopes that are looked through: regions may be nested deep, but a damaged chain has no end.
MOST = 32


class Scope:
    """A frame, the thread that it is on, and how it is spoken of."""

    def __init__(self, thread, frame):
        self.thread = thread
        self.frame = frame


def around(session, thread, frames, at):
    """The scopes of `frames[at]`, the innermost first: itself, the frame that encountered its
    construct, and so on."""
    found = [Scope(thread, frames[at])]
    while len(found) < MOST:
        outer = _outer(session, thread, frames, at)
        if outer is None:
            break
        thread, frames, at = outer
        found.append(Scope(thread, frames[at]))
    return found


def _outer(session, thread, frames, at):
    """(thread, its frames, index) of the frame around a construct's body; None where there is none,
    or none is known."""
    role, base = names.classify(frames[at].name)
    if role in (names.USER, names.HELPER):
        return None
    if role == names.BODY and at + 1 < len(frames):
        # The outer half has the same variables, and is looked into as well.
        if (
            names.classify(frames[at + 1].name)[0] in (names.REGION, names.TASK)
            and not frames[at + 1].runtime()
        ):
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
    """The frame of the function that made a task, if that is on a stack exactly once: it may have
    gone on, or be many."""
    host = session.host
    start = host.start_of(frame.pc - 1)
    if names.classify(frame.name)[0] == names.BODY:
        # clang hands the outer half of the body to the runtime.
        state = session.state()
        known = state.thread(thread.lwp) if state else None
        task = state.task(known.get("task")) if known else None
        start = task.get("function") if task else None
    if not start:
        return None
    bias = session.stacks.bias(start)
    makers = {host.start_of(site.address + bias) for site in session.stacks.sites_of(start)}
    found = []
    for other in host.threads():
        if not other.stopped:
            return None
        frames = session.stacks.other(other)
        for at, each in enumerate(frames):
            if (
                not each.runtime()
                and not each.inlined
                and host.start_of(each.pc - (1 if at else 0)) in makers
            ):
                found.append((other, frames, at))
    return found[0] if len(found) == 1 else None
