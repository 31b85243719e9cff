"""`omp pr` in gdb: an expression whose variables may be shared with the frame that encountered the
construct."""

import re

import gdb

from .. import names, scopes
from ..text import Refused, shown
from . import charset
from .host import Switched

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
        if frame.level >= level and not frame.runtime() and not frame.system():
            return at
    return None


class Frame:
    """Selects a frame for a while."""

    def __init__(self, frame):
        self.frame = frame

    def __enter__(self):
        self.before = gdb.selected_frame()
        self.frame.select()

    def __exit__(self, *_):
        if self.before.is_valid():
            self.before.select()
        return False


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
                    value = _handed(value, lost)
                data = self._handed_over(scope.frame)
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
                if number == 0 and given is None and not _opaque(value):
                    return None
                if number == 0 and given is None:
                    better = self._same(name, value)
                    if better is None:
                        return None
                    value, scope = better
                where = "%s is of the frame of %s on thread %d" % (
                    shown(name),
                    shown(names.classify(scope.frame.name)[1] or scope.frame.name),
                    scope.thread.number,
                )
                if lost is not None:
                    where += "; this frame's own is optimized out"
                if number or scope.thread.lwp != self.around[0].thread.lwp:
                    self.notes.append(where)
                return _bind(name, value)
        return None

    def _handed_over(self, frame):
        """What gcc's outlined function was handed, where its own variables have no values yet; else
        None.

        Unoptimised, it copies them behind the place where stops are, and its argument has no name.
        """
        if frame.level or names.classify(frame.name)[0] != names.OUTLINED:
            return None
        host = self.session.host
        start = host.start_of(frame.pc)
        body = host.body(start) if start is not None else 0
        if not start or frame.pc != body or not 0 < body - start <= 256:
            return None
        # mov %rdi,disp(%rbp)
        kept = re.search(
            rb"\x48\x89\x7d(.)|\x48\x89\xbd(....)", host.read(start, body - start), re.S
        )
        if kept is None:
            return None
        try:
            base = int(frame.raw.read_register("rbp")) & (2**64 - 1)
            at = base + int.from_bytes(kept.group(1) or kept.group(2), "little", signed=True)
            kind = frame.raw.function().type.fields()[0].type
            return gdb.Value(host.read(at, 8), _pointer(kind)).dereference()
        except (gdb.error, RuntimeError, AttributeError, IndexError, ValueError):
            return None

    def _same(self, name, value):
        """The encountering frame's variable, where it is the same one with a better type."""
        for scope in self.around[1:]:
            with Switched(scope.thread.raw):
                other = variable(scope.frame.raw, name)
                if other is None or other.is_optimized_out:
                    continue
                address = int(other.address) if other.address is not None else None
                try:
                    mine = int(value)
                except (gdb.error, ValueError, OverflowError):
                    mine = None
                return (other, scope) if address is not None and address == mine else None
        return None


def _opaque(value):
    """gfortran's artificial pointer for an array that is shared."""
    kind = value.type.strip_typedefs()
    return (
        kind.code == gdb.TYPE_CODE_PTR
        and kind.target().strip_typedefs().code == gdb.TYPE_CODE_ARRAY
    )


def _handed(value, kind):
    """A value that clang's outer half of a body got as a number, in the type that the user gave
    it."""
    mine = value.type.strip_typedefs().unqualified()
    kind = kind.strip_typedefs().unqualified()
    if kind.code == gdb.TYPE_CODE_REF:
        kind = kind.target().strip_typedefs().unqualified()
    if mine == kind or mine.code != gdb.TYPE_CODE_INT or kind.sizeof > mine.sizeof:
        return value
    return gdb.Value(
        (int(value) & (256**mine.sizeof - 1)).to_bytes(mine.sizeof, "little")[: kind.sizeof], kind
    )


def variable(frame, name):
    """A variable of a frame's function, or None."""
    if frame is None or not frame.is_valid():
        return None
    try:
        block = frame.block()
        while block is not None:
            for symbol in block:
                if (symbol.is_variable or symbol.is_argument) and symbol.name in (
                    name,
                    name.lower(),
                ):
                    value = frame.read_var(symbol, block)
                    if value.type.strip_typedefs().code in (gdb.TYPE_CODE_REF,):
                        value = value.referenced_value()
                    value.fetch_lazy()
                    return value
            if block.function is not None:
                return None
            block = block.superblock
    except (gdb.error, RuntimeError, ValueError):
        pass
    return None


def _pointer(kind):
    """The pointer type for a parameter that is a pointer or a reference."""
    kind = kind.strip_typedefs().unqualified()
    return kind.target().pointer()


def captured(frame, name, kind, data=None):
    """What gcc's outlined function was handed (`data`, if that is known) as a variable of that name
    and type, or None."""
    try:
        if data is None:
            data = frame.read_var(".omp_data_i")
            if data.is_optimized_out:
                return None
            is_reference = data.type.strip_typedefs().code == gdb.TYPE_CODE_REF
            data = data.referenced_value() if is_reference else data.dereference()
        for field in data.type.strip_typedefs().fields():
            if field.name in (name, name.lower()):
                value, kind = data[field], kind.strip_typedefs().unqualified()
                # A shared variable is handed by its address, one that is copied by its value.
                given = field.type.strip_typedefs().unqualified()
                if given != kind:
                    if (
                        given.code != gdb.TYPE_CODE_PTR
                        or given.target().strip_typedefs().unqualified() != kind
                    ):
                        return None
                    value = value.dereference()
                value.fetch_lazy()
                return value
    except (gdb.error, RuntimeError, ValueError, TypeError):
        pass
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
