"""Where threads took locks, as far as the code of their functions shows it, as
crates/inspect/src/look/locks.rs has it.

What is not known of the code costs a line, never a false one.
"""

import re

from . import elf
from .host import RUNTIMES, SYSTEM
from .text import Refused

# By kind: parts of the names of functions that take such a lock, and of those that give it back.
KINDS = (
    (("omp_set_lock", "omp_test_lock"), ("omp_unset_lock",)),
    (("omp_set_nest_lock", "omp_test_nest_lock"), ("omp_unset_nest_lock",)),
    (
        ("GOMP_critical_start", "GOMP_critical_name_start", "__kmpc_critical"),
        ("GOMP_critical_end", "GOMP_critical_name_end", "__kmpc_end_critical"),
    ),
    (
        ("mutex_lock", "mutex_timedlock", "mutex_clocklock", "mutex_trylock", "flockfile"),
        ("mutex_unlock", "funlockfile"),
    ),
    (("rwlock_wrlock", "rwlock_timedwrlock", "rwlock_trywrlock"), ("rwlock_unlock",)),
    (("__cxa_guard_acquire",), ("__cxa_guard_release", "__cxa_guard_abort")),
)
# What is called where a call has failed.
OF_FAILURE = re.compile(
    "abort|exit|__assert_fail|__stack_chk_fail|_Unwind_Resume|__cxa_|throw|terminate|"
    "system_error|_category|perror|strerror|"
    "__errno_location|fprintf|fwrite|fputs"
)
# Headers that a compiler brings; clang names them by way of gcc's own folder.
HEADERS = re.compile("/usr/include/|/include/.*/c[+][+]/|/include/c[+][+]/|/rustc/")
# Longer functions are not gone over, and functions that take locks for others not further than
# this.
LONGEST, DEEPEST, MOST_CALLS, MOST_TAKEN = 1 << 16, 4, 64, 3
TAKES, GIVES = "takes", "gives"
# Calls in one file that may take a lock, and places that take one lock.
MOST_SITES, MOST_PLACES = 256, 8


def of_headers(file):
    """Whether a source file is one of the compiler's headers."""
    return bool(HEADERS.search(file or ""))


def _takes_a_lock(name):
    # The last kind is none.
    return any(part in name for takes, _ in KINDS[:-1] for part in takes)


class Locks:
    """The code of one stopped program."""

    def __init__(self, session):
        self.host, self.stacks = session.host, session.stacks
        self._calls, self._effects = {}, {}

    def calls(self, address):
        """The calls, and jumps out, of the function around an address: (behind it, its name, where
        it starts)."""
        bounds = self.host.bounds(address)
        found = self.stacks.image_at(address)
        if not bounds or not found or bounds[1] - bounds[0] > LONGEST:
            return []
        if bounds not in self._calls:
            image, bias = found
            self._calls[bounds] = [
                (after + bias, name, target + bias if target else None)
                for after, name, target in image.ways_out(bounds[0] - bias, bounds[1] - bias)
            ]
        return self._calls[bounds]

    def _known(self, call):
        """Whether a way out goes to another file's function, or to the start of one of this
        file."""
        return bool(call[1]) or (call[2] is not None and self.host.start_of(call[2]) == call[2])

    def effect(self, call, kind, depth=0):
        """(TAKES or GIVES, by which function), or None."""
        _, name, start = call
        takes, gives = KINDS[kind]
        if name:
            if any(part in name for part in gives):
                return GIVES, name
            return (TAKES, name) if any(part in name for part in takes) else None
        return self._of_function(start, depth)[kind] if start else None

    def _of_function(self, start, depth):
        """A function that takes a lock and gives none back does so for who calls it."""
        nothing = (None,) * len(KINDS)
        if start in self._effects:
            return self._effects[start]
        if depth >= DEEPEST or self.host.start_of(start) != start:
            return nothing
        self._effects[start] = nothing
        calls = self.calls(start)
        if len(calls) <= MOST_CALLS:
            self._effects[start] = tuple(
                self._sum(calls, kind, depth + 1) for kind in range(len(KINDS))
            )
        return self._effects[start]

    def _sum(self, calls, kind, depth):
        effects = [
            effect for effect in (self.effect(call, kind, depth) for call in calls) if effect
        ]
        takes = [effect for effect in effects if effect[0] == TAKES]
        gives = [effect for effect in effects if effect[0] == GIVES]
        return (takes or gives)[0] if bool(takes) != bool(gives) else None

    def place(self, after):
        """The user's line of the call that returns to an address: not one in a header of the
        compiler's."""
        lines = self.host.lines(after - 1)
        for level, (file, line) in enumerate(lines):
            if (
                file
                and line
                and not of_headers(file)
                and (level + 1 == len(lines) or not self._only_calls(after, level))
            ):
                return "%s:%d" % (file.rsplit("/", 1)[-1], line)
        bounds = self.host.bounds(after - 1)
        for address in range(
            after - 1, max(bounds[0] - 1 if bounds else after - 1, after - 400), -1
        ):
            _, file, line = self.host.line_at(address)
            if file and line and not of_headers(file):
                return "%s:%d" % (file.rsplit("/", 1)[-1], line)
        return None

    def taken(self, frames):
        """What the functions of a stack took last: [{"by", "place"}]."""
        found, seen = [], set()
        for frame in frames:
            if frame.pc in seen or frame.runtime() or frame.system():
                continue
            seen.add(frame.pc)
            calls = [call for call in self.calls(frame.pc - 1) if call[0] < frame.pc]
            for kind in range(len(KINDS)):
                opened = self.opened(calls, kind)
                place = self.place(opened[0]) if opened else None
                taken = {"by": opened[1], "place": place} if place else None
                if taken and taken not in found:
                    found.append(taken)
            if len(found) >= MOST_TAKEN:
                break
        return found

    def opened(self, calls, kind):
        """The last of some calls that took a lock of a kind which none behind it gives back:
        (behind it, which function)."""
        opened = []
        for call in calls:
            effect = self.effect(call, kind)
            if effect and effect[0] == TAKES:
                opened.append((call[0], effect[1]))
            elif effect and opened:
                opened.pop()
        return opened[-1] if opened else None

    def takers(self, address):
        """The places in the code that take a lock: no stack tells where, if its holder is no
        more."""
        places = []
        for path, bias in self.host.images():
            name = path.rsplit("/", 1)[-1]
            if RUNTIMES.match(name) or SYSTEM.match(name):
                continue
            image = elf.image(path)
            for site in image.sites(_takes_a_lock)[:MOST_SITES]:
                after = site.after + bias
                # What is in such a register does not outlast a call.
                before = max(
                    (call[0] for call in self.calls(after - 1) if call[0] < after),
                    default=after - elf.REACH,
                )
                given = image.constants_before(site.address, site.address + bias - before)
                place = self.place(after) if address - bias in given else None
                if place and place not in places:
                    places.append(place)
        return places[:MOST_PLACES]

    def mark(self, frames, shown):
        """Marks the innermost functions that do no more than to take a lock for those who call
        them."""
        own = [at for at, frame in enumerate(frames) if not frame.runtime() and not frame.system()]
        if not own or not self._takes(frames[own[0]].pc):
            return
        for at in range(own[0], len(frames) - 1):
            frame, by = frames[at], frames[at + 1]
            if (
                frame.runtime()
                or frame.system()
                or shown[at]["construct"]
                or by.runtime()
                or by.system()
            ):
                return
            level = sum(1 for inner in frames[:at] if inner.pc == frame.pc)
            if not of_headers(frame.file) and not self._only_calls(frame.pc, level):
                return
            shown[at]["stands_for_call"] = True

    def _takes(self, after):
        call = next((call for call in self.calls(after - 1) if call[0] == after), None)
        effects = (self.effect(call, kind) for kind in range(len(KINDS))) if call else ()
        return any(effect and effect[0] == TAKES for effect in effects)

    def _only_calls(self, after, level):
        """Whether a function calls nothing besides the call that returns to `after`, but where
        something has failed."""
        parts = self.host.parts(after - 1)
        if level >= len(parts):
            return False
        for call in self.calls(after - 1):
            if (
                call[0] == after
                or not any(start < call[0] <= end for start, end in parts[level])
                or not self._known(call)
            ):
                continue
            name = call[1] or self.host.line_at(call[2])[0] or ""
            if not OF_FAILURE.search(name):
                return False
        return True


def seen(locks, frames, shown):
    """What is known of a thread's locks: nothing where the debugger refuses."""
    try:
        locks.mark(frames, shown)
        return locks.taken(frames)
    except Refused:
        return []
