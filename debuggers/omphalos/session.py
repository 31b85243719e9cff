"""What one debugger knows of one process: the library, the runtime's state, the stacks."""

from . import ompd, outside_look
from .breaks import Stops
from .stacks import Stacks
from .state import State
from .text import Refused


class Session:
    """The state is read when it is first asked for, and again after the program has run."""

    def __init__(self, host):
        self.host = host
        host.library = self.library
        self.path = ompd.find()
        self._library = None
        self._pid = None
        self._state, self._fault, self._when = None, None, None
        self.earlier = None
        self._threads, self._listed = {}, None
        # By process and construct: where that stands (`where`).
        self.places = {}
        self.stacks = Stacks(host, self.state)
        self.stops = Stops(self)

    def use(self, path):
        """Takes another libompd; one that is none leaves the one in use."""
        before = self.path, self._library, self._pid
        self.path, self._library, self._when = path, None, None
        try:
            self.library()
        except Refused:
            self.path, self._library, self._pid = before
            raise

    def library(self):
        """The library, for the process that is debugged now."""
        if self._library is None:
            self._library = ompd.Library(self.host, self.path)
        if self._pid != self.host.pid():
            self._library.detach()
            self._pid = self.host.pid()
        return self._library

    def state(self):
        """The runtime's state, or None where it cannot be known; `needed` says why."""
        now = self.host.generation()
        if self._when != now:
            self._when, self._state, self._fault = now, None, None
            try:
                if not self.host.pid():
                    raise Refused("no program runs, and no core file is loaded")
                self._state = State(self.library().snapshot(), self._describe)
            except Refused as fault:
                self._fault = fault
                if self._library:
                    # Next time, the runtime may be there.
                    self._library.detach()
        return self._state

    def _describe(self, snapshot, locks):
        """Says what the look tells of locks: their names, and which ones processes share."""
        try:
            seen = State(outside_look.look(self, snapshot))
        except Refused:
            return
        for lock in locks:
            lock.update(seen.lock(lock.get("address")) or {})

    def needed(self):
        """The runtime's state; says what is missing where it cannot be known."""
        state = self.state()
        if state is None:
            raise Refused(str(self._fault))
        return state

    def threads(self):
        """The debugger's threads by LWP."""
        now = self.host.generation()
        if self._listed != now:
            self._threads = {thread.lwp: thread for thread in self.host.threads()}
            self._listed = now
        return self._threads

    def frames(self, thread, join=True):
        """A thread's stack in its author's model."""
        if not thread.stopped:
            raise Refused("thread %d runs: interrupt it first" % thread.number)
        return self.stacks.model(thread, self.host.stack(thread), join)
