"""`omp pr` in gdb: an expression whose variables may be shared with the frame that encountered the
construct."""

import re

import gdb

from .. import names, scopes, threadprivate
from ..text import Refused, shown
from . import charset
from .host import Switched
from .values import (
    Frame, captured, handed_over, is_better, live, place_of, typed, variable,
)  # fmt: skip

HELP = (
    "Print an expression as the user's code sees it.\n"
    "omp pr EXPRESSION: variables are looked up in the selected thread's frame, in what the "
    "construct's body was given,\n"
    "and in the frame that encountered the construct, whichever thread that is on. No code of the "
    "program is executed."
)

# Texts, members and numbers are left alone; a word that is left is a name. `%` is before a member
# in Fortran only.
_WORDS = r"(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|(?:(?:\.|->|::%s)\s*)?[A-Za-z_$][\w$]*|\d[\w.]*)"
_C, _FORTRAN = re.compile(_WORDS % ""), re.compile(_WORDS % "|%")


def show(session, text):
    """Prints an expression's value, and where each variable was found that is not this frame's."""
    if not text:
        raise Refused("omp pr takes an expression")
    form = ""
    if text.startswith("/"):
        form, _, text = text.partition(" ")
    thread = session.host.selected()
    if thread is None or not thread.stopped:
        raise Refused("no stopped thread is selected")
    frames = list(_bounded(session.host.stack(thread)))
    at = _here(frames)
    if at is None:
        raise Refused(
            "no frame of the user's is selected: thread %d is in the runtime there" % thread.number
        )
    around = scopes.around(session, thread, frames, at)
    notes = []
    words = _FORTRAN if re.search(r"\.f\d*$|\.for$", frames[at].file or "", re.I) else _C
    bound = _Bound(session, around, notes)
    try:
        with Frame(frames[at].raw):
            gdb.execute(
                "with may-call-functions off -- print%s %s" % (form, words.sub(bound.word, text))
            )
    except gdb.error as error:
        raise Refused(shown(bound.back(str(error))) + bound.advice(session, around))
    for note in notes:
        charset.write("(%s)\n" % note)


def _bounded(frames, most=2000):
    for number, frame in enumerate(frames):
        if number >= most:
            return
        yield frame


def _here(frames):
    """The index of the selected frame, or of the innermost of the user's outside of it."""
    try:
        level = gdb.selected_frame().level()
    except (gdb.error, AttributeError):
        level = 0
    for at, frame in enumerate(frames):
        if frame.level >= level and frame.is_users():
            return at
    return None


class _Bound:
    """Puts convenience variables in the place of names that other frames have."""

    def __init__(self, session, around, notes):
        self.session = session
        self.around = around
        self.notes = notes
        self.names = {}

    def word(self, match):
        """The text for a word of the expression."""
        text = match.group(0)
        if not re.match(r"[A-Za-z_]", text):
            return text
        if text not in self.names:
            self.names[text] = self._found(text)
        return self.names[text] or text

    def back(self, message):
        """gdb's message, with the user's own names."""
        for name, replaced in self.names.items():
            if replaced:
                message = message.replace(replaced, name)
        return message

    def advice(self, session, around):
        """What would help, where a frame around the construct is not known."""
        if (
            around
            and names.classify(around[-1].frame.name)[0] != names.USER
            and session.state() is None
        ):
            try:
                session.needed()
            except Refused as fault:
                return "\nThe frame that encountered the construct is not known: %s" % fault
        return ""

    def _found(self, name):
        """The replacement of a name; None to leave it to gdb."""
        lost = None
        for number, scope in enumerate(self.around):
            with Switched(scope.thread.raw):
                value = variable(scope.frame.raw, name)
                if value is None:
                    continue
                if lost is not None and scope.thread.lwp == self.around[0].thread.lwp:
                    value = typed(value, lost)
                data = handed_over(self.session.host, scope.frame)
                given = (
                    captured(scope.frame.raw, name, value.type, data) if data is not None else None
                )
                if given is not None:
                    value = given
                elif value.is_optimized_out:
                    given = captured(scope.frame.raw, name, value.type)
                    if given is None:
                        lost = value.type
                        continue
                    value = given
                if given is None:
                    given = live(self.session, scope, name, value)
                    value = value if given is None else given
                better = self._same(name, value, number) if given is None else None
                if better is not None:
                    value, scope = better
                elif number == 0 and given is None:
                    return None
                where = "%s is of the frame of %s on thread %d" % (
                    shown(name),
                    shown(names.plain(names.classify(scope.frame.name)[1] or scope.frame.name)),
                    scope.thread.number,
                )
                if lost is not None:
                    where += "; this frame's own is optimized out: a private one may differ"
                if number or scope.thread.lwp != self.around[0].thread.lwp:
                    self.notes.append(where)
                return _bind(name, value)
        return self._outside(name)

    def _outside(self, name):
        """A name that no scope has: a member of the object whose method the construct stands in, or
        gdb's affair; refused where gdb would take some call of the function around."""
        with Frame(self.around[0].frame.raw):
            try:
                symbol, is_member = gdb.lookup_symbol(name)
            except gdb.error:
                return None
        if symbol is None and not is_member:
            return self._of_module(name)
        if is_member and symbol is None:
            this = self._found("this") if name != "this" else None
            return "(%s)->%s" % (this, name) if this else None
        if symbol is not None and symbol.is_variable and not symbol.needs_frame:
            return self._copy(name, symbol.value())
        ends = names.classify(self.around[-1].frame.name)[0]
        if symbol is not None and symbol.needs_frame and ends not in (names.USER, names.HELPER):
            raise Refused(
                "%s is of the function around the construct, and which of its calls made the "
                "construct is not known" % shown(name)
            )
        return None

    def _of_module(self, name):
        """A variable of a Fortran module, or of another static scope, that the function around the
        construct sees; gcc's body is outside of the module."""
        for scope in self.around[1:]:
            with Switched(scope.thread.raw), Frame(scope.frame.raw):
                symbol = gdb.lookup_symbol(name)[0]
            if symbol is not None and symbol.is_variable and not symbol.needs_frame:
                # Of a threadprivate one, the selected thread's.
                return self._copy(name, symbol.value()) or _bind(name, symbol.value())
        return None

    def _copy(self, name, value):
        """The selected thread's copy of a threadprivate variable that the compiler leaves to the
        runtime; None if it is no such variable."""
        session, thread = self.session, self.around[0].thread
        if value.address is None:
            return None
        address = int(value.address) & (2**64 - 1)
        copy = threadprivate.copy_of(session, thread, address)
        if not copy:
            return None
        return _bind(name, gdb.Value(copy).cast(value.type.pointer()).dereference())

    def _same(self, name, value, number):
        """The variable of a frame further out, where it is the same one with a better type."""
        mine = place_of(value)
        for scope in self.around[number + 1 :] if mine is not None else ():
            with Switched(scope.thread.raw):
                other = variable(scope.frame.raw, name)
                if other is None or other.is_optimized_out or other.address is None:
                    continue
                if int(other.address) == mine and is_better(other.type, value.type):
                    return other, scope
        return None


def _bind(name, value):
    """A convenience variable that stands for a value where it lies."""
    handle = "$omp_" + name
    address = value.address
    if address is not None:
        gdb.set_convenience_variable("omp_" + name, address)
        return "(*%s)" % handle
    gdb.set_convenience_variable("omp_" + name, value)
    return handle
