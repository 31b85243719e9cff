"""Regions of one: `omp serialize`."""

from . import constructs
from .breaks import entry_addresses
from .host import is_runtime
from .text import Refused
from .where import written

SERIALIZE_HELP = "Give the next parallel region that the selected thread encounters a team of one."


def serialize(session, arguments):
    """`omp serialize`."""
    if arguments:
        raise Refused("omp serialize takes no arguments")
    host = session.host
    thread = host.selected()
    if not host.alive() or thread is None:
        raise Refused("no program runs: start it first")
    hooks = []

    def done(address, function):
        for hook in hooks:
            hook.delete()
        # A call that is the last thing in a body is a jump: it returns into the runtime.
        image = host.image_at(address)
        if image and is_runtime(image[0].path):
            address = 0
        where = written(session, address, function)
        host.write("omp: the region in %s has a team of one\n" % where)

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
            address = int.from_bytes(read(register("rsp"), 8), "little")
            done(address, entry.handed(register, read))
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
    kept, places = {}, set()

    def act(host, _entry, register):
        names = ("rax", "rdi", "rsi", "rdx", "rcx", "r8", "r9", "r10", "rsp")
        if kept:
            for name in names:
                host.set_register(name, kept[name])
            constructs.ELSEWHERE.difference_update(places)
            return True
        kept.update({name: register(name) for name in names})
        stack = kept["rsp"] - 16
        # On the way there, and where the call returns to: other stops at the entry point may be
        # asked after this one, or before.
        places.update((stack, stack + 8))
        constructs.ELSEWHERE.update(places)
        host.write_memory(stack, entry_at.to_bytes(8, "little"))
        host.set_register("rsp", stack)
        host.set_register("rdx", 1)
        host.set_register("rip", push)
        return False

    return act
