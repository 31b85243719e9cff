"""A thread's stack in its author's model: without the runtime, and joined to the thread that began
the region."""

from . import constructs, host as hosts, names
from .bodies import Bodies
from .frames import Shown, borrowed

# Threads that a stack is joined over at most: a damaged chain has no end.
DEEPEST = 64
# The runtime notes the frame pointer of the frame that it left from, which is so far below the
# stack pointer of the caller.
NEAR = 16
# Frames of another thread that are looked at for the one that began a region.
FARTHEST = 2000


class Stacks(Bodies):
    """Makes stacks: `host` gives the frames, `state()` the runtime's snapshot or None."""

    def __init__(self, host, state):
        super().__init__(host, state)
        # By LWP: frames of other threads, and when they were read.
        self._others, self._when = {}, None

    def model(self, thread, frames, join=True, inside=None):
        """The frames to be shown, innermost first. `inside`: where the body starts that the first
        one is outside of."""
        run, first, inner, body = [], True, False, inside
        for frame in frames:
            if frame.runtime() or frame.system():
                run.append(frame)
                continue
            yield from self._between(thread, run, first, frame)
            if any(other.runtime() for other in run):
                body = body or self._ended(thread.lwp).get("function") if first else body
            if body and (run or inside):
                yield from self._gone(body, frame, run)
                self._place(frame, body)
            if run:
                inner = False
            run, first, body, inside = [], False, None, None
            role, base = names.classify(frame.name)
            if role not in (names.USER, names.HELPER):
                body = self.host.start_of(frame.inside)
            # clang's outer half of a body only calls the inner half, or holds it inlined.
            outer = inner and role in names.HALVES
            inner = names.is_inner(frame.name)
            if role == names.USER:
                yield Shown(frame, names.plain(frame.name or "??"))
                if frame.name == "main" and not frame.inlined:
                    # What started the program is of no interest.
                    return
            elif role != names.HELPER and not outer:
                yield Shown(frame, *self._body(frame, role, base))
        yield from self._end(thread, run, first, join)

    def _between(self, thread, run, first, user):
        """What is shown of the frames between two of the user's."""
        if not any(frame.runtime() for frame in run):
            for frame in run:
                yield Shown(frame, frame.name or "??")
            return
        if first:
            last = max(at for at, frame in enumerate(run) if frame.runtime())
            yield Shown(run[last], self._doing(thread, self.entered(user.pc)), marker=True)

    def _ended(self, lwp):
        """The team at the end of whose region a thread waits, or {}."""
        state = self.state()
        known = (state.thread(lwp) if state else None) or {}
        wait = known.get("waits") or {}
        is_end = wait.get("for") == "barrier" and wait.get("kind") == "region"
        return state.team(wait.get("team")) or {} if is_end else {}

    def _gone(self, body, user, run):
        """The function around a construct that left for it by a jump, between its body's frames and
        a user's one."""
        sites = self.left(body)
        if not sites or constructs.entry(self.entered(user.pc) or ""):
            return
        bias = self.bias(body)
        found = {self.host.line_at(site.address + bias) for site in sites}
        function, file, line = next(iter(found))
        if (
            len(found) > 1
            or not function
            or names.classify(function)[0] != names.USER
            or function == user.name
        ):
            return
        lender = run[-1] if run else user
        frame = hosts.Frame(
            sites[0].address + bias,
            0,
            function,
            file,
            line,
            user.module,
            lender.level,
            raw=lender.raw,
        )
        frame.decorator = lender.decorator
        yield Shown(frame, function, gone=True)

    def _place(self, frame, body):
        """Gives a call of the runtime that has no line that of the body which it hands over: a
        compiler makes one call of those that two branches end in."""
        entry = (
            None if frame.line or frame.inlined else constructs.entry(self.entered(frame.pc) or "")
        )
        if entry and entry.where == constructs.BODY:
            _, file, line = self.host.line_at(body)
            frame.file, frame.line = file or frame.file, line

    def _end(self, thread, run, first, join):
        """What is shown at the outer end of a stack."""
        runtimes = [at for at, frame in enumerate(run) if frame.runtime()]
        if not runtimes:
            for frame in run:
                yield Shown(frame, frame.name or "??")
            return
        if first:
            yield Shown(run[runtimes[0]], self._doing(thread, None), marker=True)
        if join:
            spare = run[runtimes[0] + (1 if first else 0) :] or run[-1:]
            yield from self._joined(thread, spare, {thread.lwp})

    def _doing(self, thread, entry):
        """What a thread does in the runtime."""
        state = self.state()
        known = state.thread(thread.lwp) if state else None
        if known:
            waits = state.waiting(known)
            if waits:
                return waits
            name = (known.get("state_name") or "").replace("ompt_state_", "")
            if not entry and name and not name.startswith("work"):
                return name.replace("_", " ")
        return constructs.written(entry) if entry else "OpenMP runtime"

    def prepare(self, thread):
        """Reads what a thread's stack needs of other threads' ones, and of locks."""
        state, visited = self.state(), set()
        state and state.waiting(state.thread(thread.lwp) or {})
        while thread and thread.lwp not in visited and len(visited) <= DEEPEST:
            visited.add(thread.lwp)
            found = self.encountering(thread)
            thread = found[0] if found else None

    def encountering(self, thread):
        """(thread, its frames, index) of the frame that encountered the region which a thread works
        for, or None."""
        state = self.state()
        team = state.joined_team(thread.lwp) if state else None
        other = state.encounterer(team) if team else None
        lwp = other.get("lwp") if other else None
        debugged = next((known for known in self.host.threads() if known.lwp == lwp), None)
        if not debugged or lwp == thread.lwp:
            return None
        frames = self.other(debugged) if debugged.stopped else []
        at = self._beginning(frames, team, other) if debugged.stopped else None
        if debugged.stopped and at is None:
            return None
        return debugged, frames, at

    def _joined(self, thread, spare, visited):
        """The stack of the thread that encountered the region which this thread works for."""
        found = self.encountering(thread) if len(visited) <= DEEPEST else None
        if not found or found[0].lwp in visited:
            return
        other, frames, at = found
        if not other.stopped:
            yield Shown(
                spare[0], "thread %d, which began this region, runs" % other.number, marker=True
            )
            return
        visited.add(other.lwp)
        team, rest = self.state().joined_team(thread.lwp), frames[at:]
        lenders, last = iter(spare), spare[-1]
        for view in self.model(other, iter(rest), join=False, inside=(team or {}).get("function")):
            last = next(lenders, last)
            yield Shown(
                borrowed(view.frame, last), view.function, view.construct, view.marker, other
            )
        if any(frame.runtime() for frame in rest) and rest[-1].system():
            yield from self._joined(other, list(lenders) or [last], visited)

    def _beginning(self, frames, team, encounterer):
        """The index of the frame that encountered a team's region, on the stack of the thread that
        did: the user's first one outside of where the runtime left for the code of the region's
        tasks; of one at whose end the thread waits, its first one. None if unknown."""
        state, own = self.state(), team.get("address")
        teams = [own] + [it.get("address") for it in state.teams() if it.get("league") == own]
        exits = [task.get("exit_frame") for task in state.tasks() if task.get("team") in teams]
        high = next((frame.cfa for frame in reversed(frames) if frame.cfa), 0)
        here = [exit for exit in exits if exit and frames and frames[0].cfa <= exit <= high]
        left = max(here, default=0)
        if not left and self._ended(encounterer.get("lwp")).get("address") != own:
            return None
        at = len(frames)
        while at and not 0 < frames[at - 1].cfa <= left + NEAR:
            at -= 1
        outside = range(at, len(frames))
        return next((at for at in outside if frames[at].is_users()), None)

    def other(self, thread):
        """The frames of another thread, kept until the program goes on."""
        now = self.host.generation()
        if self._when != now:
            self._others, self._when = {}, now
        if thread.lwp not in self._others:
            self._others[thread.lwp] = self.host.frames(thread, FARTHEST)
        return self._others[thread.lwp]
