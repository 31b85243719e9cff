"""Over a construct as a whole: `omp next`.

A loop's code has the lines of its directive and its head in it again and again, some compilers give
its beginning the line before, and one of them puts its body elsewhere. So the source tells how far
it reaches (`extents`); the thread is behind it where it comes to a line outside, by the call that
ends the loop where there is one.
"""

from . import constructs, extents
from .motion import MOST_STEPS, Here, at_return, leave, once, out, plain, resume, standing_text, to
from .text import Refused, place

NEXT_HELP = (
    "Step over a construct as a whole, on the selected thread: over a loop where the thread stands "
    "at its directive or\n"
    "its head. Elsewhere as the debugger's next."
)

# What ends a thread's part of a loop, and where it meets the others behind that.
_ENDS = (
    "GOMP_loop_end",
    "GOMP_sections_end",
    "__kmpc_for_static_fini",
    "__kmpc_distribute_static_fini",
    "__kmpc_dispatch_deinit",
)
_MEETS = (
    "GOMP_barrier",
    "__kmpc_barrier",
    "__kmpc_cancel_barrier",
    "__kmpc_end_taskgroup",
)


def next_over(session, arguments):
    """`omp next`."""
    if arguments:
        raise Refused("omp next takes no arguments")
    here, host = Here(session), session.host
    if here.inside:
        return leave(session, here)
    begun = _stands_at(host, here)
    if begun:
        loop = _begun(host, here)
        return _over(session, here, loop, begun) if loop else plain(session, "next")
    loop = extents.of_frame(host, here.frame)
    if loop and loop.is_head(here.frame.line):
        return _over(session, here, _by_code(host, here, loop))
    end = _end_of(here, host) if here.site else None
    if end:
        return to(session, here, end)
    return _on(session, here, loop and (lambda now: loop.is_head_of(host, now.frame)))


def _starts(host, here):
    """The calls of gcc's on the line that begin loops or sections: of a static loop, those that
    work out the thread's share."""
    low, high = here.row
    found, before = [], None
    for site in here.image.sites(_begins) if high else ():
        shares = before and before.name == _SIZE and site.address - before.after < _NEAR
        start = before if shares and site.name == _NUMBER else site
        if start.name not in (_SIZE, _NUMBER) and low <= start.address < high:
            found.append(start)
        elif start is before and low <= start.address < high and not _is_written(host, here):
            found.append(start)
        before = site
    return found


# What gcc's code of a static loop calls, one behind the other, and the bytes between at most.
_SIZE, _NUMBER, _NEAR = "omp_get_num_threads", "omp_get_thread_num", 16


def _stands_at(host, here):
    """The call that begins a loop, if the thread stands at one."""
    starts = _starts(host, here)
    return next((site for site in starts if site.address + here.bias == here.frame.pc), None)


def _begins(name):
    entry = constructs.entry(name)
    return name in (_SIZE, _NUMBER) or entry and entry.construct in ("for", "sections")


def _is_written(host, here):
    """Whether the program's text itself asks for the team's size on the line."""
    file, line = host.path_of(here.frame), here.frame.line
    return file is None or _SIZE in extents.text_of(file, line)


def _begun(host, here):
    """The loop that begins at the call that the thread stands at."""
    file, line = host.path_of(here.frame), here.frame.line
    loop = extents.of_frame(host, here.frame)
    if loop and not any(at <= here.frame.pc for at in _ended(host, here, loop)):
        return loop
    # gcc gives the call the line of what comes before.
    behind = [other for other in extents.of_file(file) if other.first > line] if file else []
    return min(behind, key=lambda other: other.first, default=None)


def _on(session, here, passes=None):
    """The debugger's `next`, and again where `passes(here)` holds; or to a loop that begins on the
    line."""
    host, hooks, came = session.host, [], []

    def begins(register, _read):
        is_here = not here.frame.cfa or register("cfa") == here.frame.cfa
        came.extend([True] if is_here else [])
        return is_here and once(hooks)

    for site in _starts(host, here):
        hooks.append(host.hook(site.address + here.bias, here.thread, begins))
    said = plain(session, "next", passes)
    for hook in hooks:
        if hook.lives():
            hook.delete()
    is_there = came and host.alive() and host.stepped() and not host.runs(here.thread)
    return _at_loop(host, Here(session)) if is_there else said


def _at_loop(host, here):
    """Says which loop a thread is at: the debugger shows the line before."""
    loop = _begun(host, here)
    if loop is None:
        return None
    where = place(loop.path, loop.first)
    return "thread %d is at the construct at %s" % (here.thread.number, where)


def _all_ended(host, here):
    """The calls that end loops in the function that the thread is in, with each one's loop."""
    bounds = (host.parts(here.frame.pc) or [[]])[-1]
    for site in here.image.sites(lambda name: name.startswith(_ENDS + _MEETS)):
        address = site.address + here.bias
        if any(low <= address < high for low, high in bounds) and not site.tail:
            loop = extents.around(host, address)
            if loop:
                yield site, loop


def _ended(host, here, loop):
    """The addresses behind the calls that end a loop."""
    ends, meets = [], []
    for site, other in _all_ended(host, here):
        if other.is_same(loop):
            kind = ends if site.name.startswith(_ENDS) else meets
            kind.append(site.after + here.bias)
    return ends or meets


def _by_code(host, here, loop):
    """The loop that a thread is at, which stands at the head of one by the line alone: flang -O2
    gives the beginnings of several the line of one, but not their ends."""
    at = here.frame.pc - here.bias
    ends = [other for site, other in _all_ended(host, here) if site.address > at]
    return ends[0] if any(other.is_same(loop) for other in ends) else loop


def _over(session, here, loop, begun=None):
    """Runs until the thread has come out of a loop, in the same call of the function; `begun`: the
    call that it stands at."""
    host, hooks = session.host, []
    ends = _ended(host, here, loop)
    if begun and not ends and begun.name != _SIZE:
        # gcc gives the end of sections the line of what comes before.
        behind = here.image.sites(lambda name: name.startswith(_ENDS))
        ends = [site.after + here.bias for site in behind if site.address > begun.address][:1]
    rows = host.starts(here.frame.pc)
    inside = [address for address, line in rows if loop.has(line)]
    # Where no call ends it, or the thread has no part and passes that by. Code of other lines may
    # be moved into a loop, and is before its end then.
    last = max(ends or inside, default=0)
    outside = [row for row in rows if row[1] > loop.last or not ends and row[1] < loop.first]
    behind = sorted(address for address, _ in outside if address > last)[:MOST_STEPS]

    def comes(register, _read):
        return (not here.frame.cfa or register("cfa") == here.frame.cfa) and once(hooks)

    for address in {*ends, *behind}:
        hooks.append(host.hook(address, here.thread, comes))
    guard = at_return(host, here)
    resume(host, here, hooks)
    for hook in hooks + [guard] if guard else hooks:
        if hook.lives():
            hook.delete()
    if not host.alive() or not host.stepped() or host.runs(here.thread):
        return standing_text(host, here)
    now = Here(session)
    if now.inside:
        return out(now) if now.frame is None else leave(session, now)
    if not (loop.has_frame(host, now.frame) or host.is_in_line()):
        return standing_text(host, here)
    if _stands_at(host, now):
        standing_text(host, here)
        return _at_loop(host, now)
    return _on(session, now, lambda now: loop.has_frame(host, now.frame))


def _end_of(here, host):
    """The address behind the construct that starts at the site, or None."""
    site, entry = here.site, constructs.entry(here.site.name)
    if entry.where == constructs.BODY:
        return None
    if entry.where == constructs.BEFORE and not entry.ends:
        return None
    if not entry.ends:
        return _skipped(host, here)
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


def _skipped(host, here):
    """Where the code goes on that does not execute gcc's `single`: a comparison and a jump come
    behind the call."""
    code = host.read(here.site.after + here.bias, 16)
    for comparison, equal_is_body in _COMPARISONS:
        if not code.startswith(comparison):
            continue
        at = here.site.after + here.bias + len(comparison)
        for jump, size, jumps_if_equal in _JUMPS:
            if code.startswith(jump, len(comparison)):
                start = len(comparison) + len(jump)
                behind = at + len(jump) + size
                target = behind + int.from_bytes(code[start : start + size], "little", signed=True)
                return behind if jumps_if_equal == equal_is_body else target
    return None


# cmp $1,%al; test %al,%al; test %rax,%rax (the pointer of a `copyprivate` is null in its body), and
# whether the thread that finds them equal executes the body.
_COMPARISONS = ((b"\x3c\x01", True), (b"\x84\xc0", False), (b"\x48\x85\xc0", True))
# je and jne, the bytes of their displacements, and whether they jump then.
_JUMPS = (
    (b"\x74", 1, True),
    (b"\x0f\x84", 4, True),
    (b"\x75", 1, False),
    (b"\x0f\x85", 4, False),
)
