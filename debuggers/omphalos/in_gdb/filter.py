"""The frame filter: gdb's `backtrace`, `thread apply all bt` and `-stack-list-frames` without the
runtime, joined."""

import gdb
from gdb.FrameDecorator import FrameDecorator

from ..text import Refused, shown
from . import charset
from .front import machine
from .host import Gdb

NAME = "omphalos"
# Bytes of a variable that gdb can show: `max-value-size`, unless set otherwise.
LARGEST = 65536
# The kinds of variables that have a place; others are constants, or optimized out.
_PLACES = (
    gdb.SYMBOL_LOC_STATIC,
    gdb.SYMBOL_LOC_REGISTER,
    gdb.SYMBOL_LOC_ARG,
    gdb.SYMBOL_LOC_REF_ARG,
    gdb.SYMBOL_LOC_LOCAL,
    gdb.SYMBOL_LOC_REGPARM_ADDR,
    gdb.SYMBOL_LOC_COMPUTED,
)


class Decorator(FrameDecorator):
    """A frame in its author's model."""

    def __init__(self, base, view):
        super().__init__(base)
        self.view = view
        # Of a frame of another thread, one that is gone, and of the runtime's, gdb's frame is only
        # lent: it must not speak.
        self.lent = view.marker or view.gone or view.thread is not None

    def function(self):
        """The function's name, with the construct and the thread."""
        return charset.fit(self.view.title())

    def address(self):
        """Where it goes on."""
        # Front ends need one for each frame.
        return None if self.view.marker and not machine() else self.view.frame.pc

    def filename(self):
        """The source file."""
        return (
            charset.fit(shown(self.view.frame.file))
            if self.view.frame.file and not self.view.marker
            else None
        )

    def line(self):
        """The line."""
        if self.lent:
            return None if self.view.marker else self.view.frame.line
        return super().line()

    def frame_args(self):
        """The arguments that the user wrote."""
        return None if self.lent else _variables(self.inferior_frame(), True)

    def frame_locals(self):
        """The local variables that the user wrote."""
        return None if self.lent else _variables(self.inferior_frame(), False)


class _Valued:
    """A variable, and its value where that is told: gdb would not read it, or would not come back
    from it."""

    def __init__(self, symbol, value):
        self._symbol = symbol
        self._value = value

    def symbol(self):
        """The name."""
        return self._symbol

    def value(self):
        """The value, or a text in its place; without one gdb reads it."""
        return self._value


def _variables(frame, arguments):
    """The arguments or the local variables of a frame's function that the user wrote: a compiler's
    begin with a dot.

    gdb's own lists go on into the functions around an inlined one.
    """
    found = []
    try:
        block = frame.block()
    except RuntimeError:
        return None
    while block is not None and not block.is_global and not block.is_static:
        # Arguments belong to the function's own block.
        for symbol in block if block.function is not None or not arguments else ():
            if (
                symbol.is_argument == arguments
                and (arguments or symbol.is_variable)
                and not symbol.name.startswith(".")
            ):
                found.append(_variable(frame, symbol, block))
        if block.function is not None:
            break
        block = block.superblock
    return found or None


def _variable(frame, symbol, block):
    try:
        value = frame.read_var(symbol, block)
        # An array whose bounds are not set yet has any size.
        if value.type.sizeof > LARGEST:
            return _Valued(symbol, "...")
        # gdb 13 loops without end over an argument that is of another kind.
        if symbol.addr_class not in _PLACES:
            return _Valued(symbol.name, value)
        # What cannot be read would end gdb's whole list of frames.
        value.fetch_lazy()
    except (gdb.error, RuntimeError, ValueError):
        return _Valued(symbol.name, "?")
    return _Valued(symbol, None)


def arguments_of(frame):
    """The arguments of a frame as text, as `print frame-arguments scalars` has it."""
    parts = []
    try:
        block = frame.block()
        while block is not None and block.function is None:
            block = block.superblock
        for symbol in block if block is not None else ():
            if not symbol.is_argument or symbol.name.startswith("."):
                continue
            try:
                value = frame.read_var(symbol, block)
                text = _short(value)
            except (gdb.error, TypeError, RuntimeError):
                text = "?"
            parts.append("%s=%s" % (shown(symbol.name), shown(text)))
    except (gdb.error, RuntimeError):
        return None
    return ", ".join(parts)


def _short(value):
    """A value as one word or a few. A printer may fail, which gdb would tell: clang leaves out what
    std::string is made of."""
    raw, kind = False, value.type.strip_typedefs().code
    is_reference = kind in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)
    try:
        printer = gdb.default_visualizer(value.referenced_value() if is_reference else value)
        if hasattr(printer, "to_string"):
            printer.to_string()
    except Exception:  # pylint: disable=broad-except
        raw = True
    return value.format_string(max_elements=8, summary=True, styling=False, raw=raw)


class Filter:
    """gdb's interface for frame filters."""

    def __init__(self, session):
        self.name = NAME
        self.priority = 100
        self.enabled = True
        self.session = session
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        """The frames to be shown, of the frames that are there."""
        thread = self.session.host.selected()
        if thread is None:
            return frames
        self.session.host.listing = machine()
        try:
            # Before gdb prints: another thread must not be selected while it does, since it knows
            # frames by their place.
            self.session.stacks.prepare(thread)
        except (gdb.error, RuntimeError, Refused) as error:
            charset.write("omp: %s\n" % shown(error), gdb.STDERR)
        finally:
            self.session.host.listing = False
        return self._filtered(thread, frames)

    def _filtered(self, thread, frames):
        source, levels = _Source(frames, thread), set()
        try:
            for view in self.session.stacks.model(thread, source):
                if view.frame.level in levels and view.thread is not None and machine():
                    # Front ends need a number of its own for each frame, and none is left: `omp bt`
                    # has the rest.
                    return
                levels.add(view.frame.level)
                yield Decorator(view.frame.decorator, view)
        except (gdb.error, RuntimeError, ValueError, KeyError, TypeError, AttributeError) as error:
            # A stack as it is is better than none.
            charset.write("omp: the stack is shown as it is: %s\n" % shown(error), gdb.STDERR)
            yield from source.rest()


class _Source:
    """gdb's frames, kept with the decorators that other filters put around them."""

    def __init__(self, frames, thread):
        self.frames, self.thread = iter(frames), thread.raw

    def __iter__(self):
        for decorator in self.frames:
            frame = Gdb.frame(decorator.inferior_frame(), self.thread)
            frame.decorator = decorator
            yield frame

    def rest(self):
        """What was not taken yet."""
        return self.frames


def add(session):
    """Puts the filter in place, for machine interfaces too: a front end must ask for filters, and
    none does."""
    Filter(session)
    if machine():
        # Not now: gdb may be reading a library's symbols.
        gdb.post_event(_enable)


def _enable():
    try:
        gdb.execute('interpreter-exec mi "-enable-frame-filters"', to_string=True)
    except gdb.error:
        pass
