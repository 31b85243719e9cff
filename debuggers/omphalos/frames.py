"""A frame as it is shown, and one that stands in another thread's stack."""

import copy

from .text import place, shown


class Shown:
    """A frame as it is shown."""

    __slots__ = ("frame", "function", "construct", "marker", "thread", "gone")

    def __init__(self, frame, function, construct=None, marker=False, thread=None, gone=False):
        self.frame = frame
        # The function as its author wrote it, and the construct whose body it is.
        self.function = function
        self.construct = construct
        # No code of the user's: what the thread does in the runtime.
        self.marker = marker
        # Another thread's, whose stack goes on where this one's ends.
        self.thread = thread
        # On no stack: its last statement was a construct, for which it left by a jump.
        self.gone = gone

    def title(self):
        """The function's name with what is to be said of it."""
        if self.marker:
            return "<%s>" % shown(self.function)
        notes = []
        if self.construct:
            notes.append(self.construct)
        if self.thread:
            notes.append("thread %d" % self.thread.number)
        title = shown(self.function) or "??"
        return "%s [%s]" % (title, ", ".join(notes)) if notes else title

    def place(self):
        """Where it stands in the source."""
        if self.marker:
            return ""
        return place(self.frame.file, self.frame.line)


def borrowed(frame, lender):
    """A frame of another thread, with the debugger's object of one of this thread's."""
    lent = copy.copy(frame)
    lent.real = frame
    lent.level, lent.raw, lent.decorator = lender.level, lender.raw, lender.decorator
    return lent
