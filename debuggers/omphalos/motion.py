"""Steps in the terms of OpenMP's constructs: `omp step`, `next`, `serialize`; and `omp library`."""

import os

from . import constructs
from .breaks import entry_addresses
from .text import Refused, place, shown

STEP_HELP = (
    "Step from a construct into its body, on the selected thread; elsewhere as the debugger's "
    "step.\n"
    "A task's body is entered on whichever thread executes it."
)
NEXT_HELP = (
    "Step over a construct as a whole, on the selected thread; elsewhere as the debugger's next."
)
SERIALIZE_HELP = "Give the next parallel region that the selected thread encounters a team of one."
LIBRARY_HELP = (
    "Name the libompd.so to use; without a name: say which one is used, and whether it works."
)


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
            if frame.runtime():
                self.inside = True
            elif not frame.system():
                self.frame = frame
                break
        self.site, self.bias, self.image = None, 0, None
        if self.frame is None or self.inside:
            return
        found = session.stacks.image_at(self.frame.pc)
        if not found:
            return
        self.image, self.bias = found
        rows = host.rows(self.frame.pc)
        if not rows:
            return
        for site in self.image.sites(lambda name: constructs.entry(name) is not None):
            address = site.address + self.bias
            if max(rows[0], self.frame.pc) <= address < rows[1]:
                self.site = site
                break


def step(session, arguments):
    """`omp step`."""
    if arguments:
        raise Refused("omp step takes no arguments")
    here, host = Here(session), session.host
    if here.inside:
        return leave(host, here)
    if here.site is None:
        return plain(session, "step")
    entry = constructs.entry(here.site.name)
    if entry.where != constructs.BODY:
        host.hook(here.site.after + here.bias, here.thread, _returned(here))
        return host.resume()
    is_task = entry.construct == "task"
    first, made = [], []

    def handed(register, _read):
        start = register(entry.body)
        if start:
            made.append(
                host.hook(
                    host.body(start), None if is_task else here.thread, lambda *_: _once(made)
                )
            )
        for hook in first:
            hook.delete()
        return False

    first += [
        host.hook(address, here.thread, handed) for address in entry_addresses(host, here.site.name)
    ]
    return host.resume() if first else plain(session, "step")


def _once(hooks):
    for hook in hooks:
        hook.delete()
    return True


def _returned(here):
    """A hook that stops in the same call of the function, not in one that it made of itself."""
    low = here.frame.cfa

    def act(register, _read):
        return not low or register("rsp") <= low

    return act


def plain(session, command):
    """The debugger's own step, which may end in the runtime where the body of a construct ends."""
    host = session.host
    host.plain(command)
    if not host.alive() or not host.has_runtime():
        return None
    try:
        here = Here(session)
    except Refused:
        return None
    if not here.inside or not host.stepped():
        return None
    if here.frame is not None:
        return leave(host, here)
    return (
        "thread %d has left the construct's body: nothing of the user's is on its stack"
        % here.thread.number
    )


def leave(host, here):
    """Runs until the thread is back from the runtime in the user's code."""
    if here.frame is None:
        raise Refused(
            "thread %d has no frame of the user's to come back to: choose another thread"
            % here.thread.number
        )
    hook = host.hook(here.frame.pc, here.thread, lambda *_: _once([hook]))
    return host.resume()


def next_over(session, arguments):
    """`omp next`."""
    if arguments:
        raise Refused("omp next takes no arguments")
    here, host = Here(session), session.host
    if here.inside:
        return leave(host, here)
    end = _end_of(here, host) if here.site else None
    if not end:
        return plain(session, "next")
    returned = _returned(here)
    hook = host.hook(end, here.thread, lambda *state: returned(*state) and _once([hook]))
    return host.resume()


def _end_of(here, host):
    """The address behind the construct that starts at the site, or None."""
    site, entry = here.site, constructs.entry(here.site.name)
    if entry.where == constructs.BODY:
        return None
    if entry.where == constructs.BEFORE and not entry.ends:
        return None
    if not entry.ends:
        return _skipped(here)
    start = host.start_of(site.address + here.bias)
    depth = 1
    for other in here.image.sites(lambda name: name == site.name or name in entry.ends):
        if other.address <= site.address:
            continue
        if start is not None and host.start_of(other.address + here.bias) != start:
            break
        depth += 1 if other.name == site.name else -1
        if depth == 0:
            return None if other.tail else other.after + here.bias
    return None


def _skipped(here):
    """Where the code goes on that does not execute gcc's `single`: a comparison and a jump come
    behind the call."""
    code = here.image.bytes_at(here.site.after, 16)
    for length in (2, 3):
        jump = code[length : length + 6]
        at = here.site.after + length
        # jne away; je to the body and what comes next is away.
        if jump[:1] == b"\x75":
            return here.bias + at + 2 + int.from_bytes(jump[1:2], "little", signed=True)
        if jump[:2] == b"\x0f\x85":
            return here.bias + at + 6 + int.from_bytes(jump[2:6], "little", signed=True)
        if jump[:1] == b"\x74":
            return here.bias + at + 2
        if jump[:2] == b"\x0f\x84":
            return here.bias + at + 6
    return None


def serialize(session, arguments):
    """`omp serialize`."""
    if arguments:
        raise Refused("omp serialize takes no arguments")
    host = session.host
    thread = host.selected()
    if not host.alive() or thread is None:
        raise Refused("no program runs: start it first")
    hooks = []

    def done(address):
        for hook in hooks:
            hook.delete()
        function, file, line = host.line_at(address - 1)
        host.write(
            "omp: the region in %s at %s has a team of one\n" % (shown(function), place(file, line))
        )

    for name in constructs.of("region"):
        entry = constructs.entry(name)
        for address in entry_addresses(host, name) if entry.threads else ():
            act = _one_thread if entry.threads != "push" else _pushed(host, address)
            if act:
                hooks.append(host.hook(address, thread, _serializing(act, host, entry, done)))
    if not hooks:
        raise Refused("no OpenMP runtime is loaded yet: start the program first")
    return "thread %d: the next region that it encounters has a team of one" % thread.number


def _serializing(act, host, entry, done):
    def hit(register, read):
        if act(host, entry, register):
            done(int.from_bytes(read(register("rsp"), 8), "little"))
        return False

    return hit


def _one_thread(host, entry, _register):
    """gcc's entries take the number of threads: 0 for none, else the clause's."""
    host.set_register(entry.threads, 1)
    return True


def _pushed(host, entry_at):
    """LLVM's entry takes the number from a call before it: has the thread make that call, and come
    back here."""
    push = next(iter(entry_addresses(host, "__kmpc_push_num_threads")), None)
    if not push:
        return None
    kept = {}

    def act(host, _entry, register):
        names = ("rax", "rdi", "rsi", "rdx", "rcx", "r8", "r9", "r10", "rsp")
        if kept:
            for name in names:
                host.set_register(name, kept[name])
            return True
        kept.update({name: register(name) for name in names})
        stack = kept["rsp"] - 16
        host.write_memory(stack, entry_at.to_bytes(8, "little"))
        host.set_register("rsp", stack)
        host.set_register("rdx", 1)
        host.set_register("rip", push)
        return False

    return act


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
