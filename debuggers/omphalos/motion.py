"""Steps in the terms of OpenMP's constructs: `omp step`, and what `omp next` (`step_over.py`) has
of it; and `omp library`."""

import os

from . import constructs, extents, names
from .breaks import entry_addresses
from .text import Refused, shown

STEP_HELP = (
    "Step from a construct into its body, on the selected thread; elsewhere as the debugger's "
    "step.\n"
    "A task's body is entered on whichever thread executes it."
)
LIBRARY_HELP = (
    "Name the libompd.so to use; without a name: say which one is used, and whether it works."
)


# Lines that end in a call of the runtime, one behind the other.
MOST_STEPS = 64


class Here:
    """Where the selected thread stands: its innermost frame of the user's, and the construct on its
    line."""

    def __init__(self, session):
        host = session.host
        if not host.alive():
            raise Refused("no program runs")
        self.thread = host.selected()
        if self.thread is None or not self.thread.stopped:
            raise Refused("no stopped thread is selected")
        self.frame, self.inside = None, False
        for frame in host.stack(self.thread):
            if frame.runtime() or names.classify(frame.name)[0] == names.HELPER:
                # Code that compilers add for the runtime is passed over too.
                self.inside = True
            elif not frame.system():
                self.frame = frame
                break
        self.site, self.row, self.bias, self.image = None, (0, 0), 0, None
        if self.frame is None or self.inside:
            return
        found = session.stacks.image_at(self.frame.pc)
        if not found:
            return
        self.image, self.bias = found
        rows = host.rows(self.frame.pc)
        if not rows:
            return
        low = max(rows[0], self.frame.pc) - self.bias
        sites = self.image.sites(lambda name: constructs.entry(name) is not None)
        if any(site.after + self.bias == self.frame.pc and _chooses(site) for site in sites):
            # What else the line calls may be for the threads that are not chosen.
            return
        # The line's code from here on, in the file.
        self.row = low, rows[1] - self.bias
        found = [site for site in sites if low <= site.address < self.row[1]]
        # A taskloop is a task in a taskgroup; clang's comes to the call that allocates it first.
        bodies = [site for site in found if constructs.entry(site.name).where == constructs.BODY]
        self.site = next(iter(bodies or found), None)


def _chooses(site):
    """Whether a call says which thread executes the construct."""
    entry = constructs.entry(site.name)
    return entry.where == constructs.AFTER and entry.condition is not None


def step(session, arguments):
    """`omp step`."""
    if arguments:
        raise Refused("omp step takes no arguments")
    here, host = Here(session), session.host
    if here.inside:
        return leave(session, here)
    if here.site is None:
        loop = extents.of_frame(host, here.frame)
        if loop and loop.is_head(here.frame.line):
            return plain(session, "next", lambda now: loop.is_head_of(host, now.frame))
        return plain(session, "step")
    entry = constructs.entry(here.site.name)
    if entry.where != constructs.BODY:
        return to(session, here, here.site.after + here.bias)
    is_task = entry.construct in constructs.kinds("task")
    first, made = [], []

    def handed(register, read):
        if register("rsp") in constructs.ELSEWHERE:
            return False
        start = entry.handed(register, read)
        if start:
            made.append(
                host.hook(
                    host.body(start), None if is_task else here.thread, lambda *_: once(made)
                )
            )
        for hook in first:
            hook.delete()
        return False

    first += [
        host.hook(address, here.thread, handed) for address in entry_addresses(host, here.site.name)
    ]
    if not first:
        return plain(session, "step")
    resume(host, here, first, made)
    return standing_text(host, here)


def resume(host, here, *hooks):
    """Lets the program go on. What stops the thread before a hook does ends the command."""
    host.resume()
    if host.alive() and not host.stepped() and not host.runs(here.thread):
        for hook in sum(hooks, []):
            hook.delete()


def standing_text(host, here):
    """Says where the thread stands, if it does."""
    if host.alive() and host.runs(here.thread):
        # In non-stop mode; the debugger tells when it stops.
        return "thread %d runs on: another one has stopped" % here.thread.number
    return host.show()


def once(hooks):
    for hook in hooks:
        hook.delete()
    return True


def to(session, here, address):
    """Runs until the thread comes to an address in the same call of the function, and to the end of
    the construct's line if that is in the middle of it."""
    host = session.host
    _run_to(host, here, address)
    if host.alive() and host.stepped() and not host.runs(here.thread):
        now = Here(session)
        if now.inside:
            # The body is over: compilers lead to its end on ways of their own.
            return out(now) if now.frame is None else leave(session, now)
    line = session.host.line_at(here.frame.pc)[1:]
    return _settled(session, here, lambda now: session.host.line_at(now.frame.pc)[1:] == line)


def _run_to(host, here, address):
    low = here.frame.cfa

    def act(register, _read):
        # Not in one that it made of itself.
        return (not low or register("cfa") == low) and once([hook])

    hook = host.hook(address, here.thread, act)
    guard = at_return(host, here)
    resume(host, here, [hook])
    if guard:
        guard.delete()
        if host.alive() and hook.lives():
            hook.delete()


def _settled(session, here, on=lambda _now: True):
    """Says where the thread stands; in the middle of a line, it goes on to the end first."""
    host = session.host
    is_there = host.alive() and host.stepped() and not host.runs(here.thread)
    if is_there and host.is_in_line() and on(Here(session)):
        return plain(session, "next")
    return standing_text(host, here)


def plain(session, command, goes_on=None):
    """The debugger's own step. Where the thread comes into the runtime, it goes on to the user's
    next line; so it does where `goes_on(here)` holds."""
    host, quiet = session.host, goes_on is not None
    for _ in range(MOST_STEPS):
        before = Here(session)
        guard = at_return(host, before) if host.tells_steps else None
        host.plain(command, quiet)
        if guard:
            guard.delete()
        if not host.alive() or not host.has_runtime() or not host.stepped():
            break
        if host.runs(before.thread):
            break
        try:
            here = Here(session)
        except Refused:
            break
        if not here.inside:
            if not host.tells_steps and _is_outer_half(before, here):
                continue
            if here.frame is not None and quiet and goes_on(here):
                continue
            break
        if here.frame is None:
            return out(here)
        _run_to(host, here, here.frame.pc)
        if not host.alive() or not host.stepped() or host.runs(here.thread):
            break
        if not _is_behind(host, here.frame.pc) and not (quiet and goes_on(Here(session))):
            break
    return standing_text(host, before)


def _is_behind(host, returned):
    """Whether a call that has come back there has not ended its line: the code behind it has the
    same one, though compilers may begin a row of the line table there."""
    return host.is_in_line() or host.line_at(returned - 1)[1:] == host.line_at(returned)[1:]


def out(here):
    return (
        "thread %d has left the construct's body: nothing of the user's is on its stack"
        % here.thread.number
    )


def _is_outer_half(before, here):
    """Whether a thread has come from a body of clang's into the function that only calls it."""
    roles = [names.classify(at.frame.name)[0] if at.frame else None for at in (before, here)]
    return roles[0] == names.BODY and roles[1] in names.HALVES


def at_return(host, here):
    """A stop where the frames of the user's, of which the innermost is one, return into the
    runtime; None where they do not."""
    if here.frame is None or here.inside:
        return None
    inner, outer = None, None
    for outer in host.stack(here.thread):
        if outer.runtime():
            break
        inner = outer
    if inner is None or outer is None or not outer.runtime():
        return None
    low = inner.cfa
    return host.hook(
        outer.pc, here.thread, lambda register, _read: not low or register("rsp") == low
    )


def leave(session, here):
    """Runs until the thread is back from the runtime in the user's code."""
    if here.frame is None:
        raise Refused(
            "thread %d has no frame of the user's to come back to: choose another thread"
            % here.thread.number
        )
    _run_to(session.host, here, here.frame.pc)
    return _settled(session, here)


def library(session, arguments):
    """`omp library`."""
    if len(arguments) > 1:
        raise Refused("omp library takes one file")
    if arguments:
        session.use(os.path.abspath(os.path.expanduser(arguments[0])))
    loaded = session.library()
    state = session.needed()
    return "%s: %s" % (
        shown(loaded.path),
        shown(state.snapshot.get("runtime")) or "a runtime without a name",
    )
