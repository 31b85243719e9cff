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
    role = names.classify(frames[at].name)[0]
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
        return _maker(session, thread, frames, at)
    for outer in range(at + 1, len(frames)):
        frame = frames[outer]
        if frame.is_users():
            return thread, frames, outer
    found = session.stacks.encountering(thread)
    # In non-stop mode that thread may run, and has no frames then.
    return found if found and found[0].stopped else None


def _maker(session, thread, frames, at):
    """The frame of the function that made a task, if the stacks show which one it is: it may have
    gone on, or be many."""
    host, frame, state = session.host, frames[at], session.state()
    if frame.inlined and at + 1 < len(frames):
        # Into the function that made it, which did not defer it.
        return thread, frames, at + 1
    start = host.start_of(frame.inside)
    task = _task_of(state, frames, at) if state else None
    if names.classify(frame.name)[0] == names.BODY:
        # clang hands the outer half of the body to the runtime.
        start = task.get("function") if task else None
    if not start:
        return None
    bias = session.stacks.bias(start)
    makers = {host.start_of(site.address + bias) for site in session.stacks.sites_of(start)}
    if state and not (task and _is_own(frames, at, task)):
        # The thread that came to the construct executed the task at once.
        for outer in range(at + 1, len(frames)):
            if frames[outer].is_users():
                if host.start_of(frames[outer].inside) in makers:
                    return thread, frames, outer
                break
        task = None
    found = []
    for other in host.threads():
        if not other.stopped:
            return None
        stack = session.stacks.other(other)
        for number, each in enumerate(stack):
            if (
                not each.runtime()
                and not each.inlined
                and host.start_of(each.inside) in makers
                and (not task or _is_of(state, stack, number, task.get("parent")))
            ):
                found.append((other, stack, number))
    return found[0] if len(found) == 1 else None


def _task_of(state, frames, at):
    """The task whose code the frame `frames[at]` executes, or None: the innermost one that the
    runtime began outside of it."""
    low, high = frames[at].cfa, max((frame.cfa for frame in frames), default=0)
    around = [
        task for task in state.tasks() if low and low <= (task.get("exit_frame") or 0) <= high
    ]
    return min(around, key=lambda task: task["exit_frame"], default=None)


def _is_own(frames, at, task):
    """Whether a body's frame is the task's own, and not that of a task that was executed at once
    inside of it."""
    return not any(
        frame.cfa and frame.cfa <= task["exit_frame"]
        for frame in frames[at + 1 :]
        if frame.is_users() and frame.cfa > frames[at].cfa
    )


def _is_of(state, frames, at, address):
    """Whether a frame executes code of the task with that address."""
    task, wanted = _task_of(state, frames, at), state.task(address)
    if not wanted:
        return False
    # Of an initial task no frame of the runtime's is outside.
    return task is wanted if wanted.get("exit_frame") else task is None
