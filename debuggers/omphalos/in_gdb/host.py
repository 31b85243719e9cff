"""gdb's answers to what the commands ask."""

import re

import gdb

from ..host import REGISTERS, Frame, Host, Thread, registers
from ..text import Refused, shown
from . import charset, stops, values
from .front import machine
from .places import Places

# Symbols are looked up by these names only: everything else could be an expression.
_NAME = re.compile(r"^[\w.$@]+$")


class Switched:
    """Another thread is selected for a while; nobody is told."""

    def __init__(self, thread):
        self.thread = thread

    def __enter__(self):
        self.before = gdb.selected_thread()
        self.frame = None
        try:
            self.frame = gdb.selected_frame()
        except gdb.error:
            pass
        if self.before is None or self.before.ptid != self.thread.ptid:
            self.thread.switch()

    def __exit__(self, *_):
        try:
            if self.before is not None and self.before.is_valid():
                self.before.switch()
            if self.frame is not None and self.frame.is_valid():
                self.frame.select()
        except gdb.error:
            pass
        return False


def _is_exact(frame):
    """Whether a frame's address is where it stands: it is the innermost one, but for functions that
    are inlined into it."""
    newer = frame.newer()
    while newer is not None and newer.type() == gdb.INLINE_FRAME and newer.pc() == frame.pc():
        newer = newer.newer()
    return newer is None


class Gdb(stops.Stops, Places, Host):
    """See `Host`."""

    kind = "gdb"

    def __init__(self):
        self._changes = 0
        # gdb is in the middle of something: it must not be asked to execute a command.
        self.busy = False
        # A front end's list of frames is being written, where gdb must tell of nothing else.
        self.listing = False
        events = gdb.events
        changes = "cont exited new_objfile clear_objfiles memory_changed register_changed"
        for name in ("stop", *changes.split(), "before_prompt"):
            if hasattr(events, name):
                getattr(events, name).connect(self._changed)

    def _changed(self, *_):
        self._changes += 1

    def write(self, text):
        charset.write(text)

    def generation(self):
        return (self._changes, self.pid())

    def pid(self):
        return gdb.selected_inferior().pid

    def alive(self):
        if not self.pid():
            return False
        try:
            connection = gdb.selected_inferior().connection
            return connection is None or connection.type != "core"
        except AttributeError:
            return "core" not in gdb.execute("info target", to_string=True).split("\n")[0].lower()

    def here(self):
        if not self.alive():
            return False
        try:
            connection = gdb.selected_inferior().connection
            return connection is None or connection.type == "native"
        except AttributeError:
            return True

    def threads(self):
        found = []
        for thread in gdb.selected_inferior().threads():
            found.append(self._thread(thread))
        return found

    @staticmethod
    def _thread(thread):
        pthread = 0
        try:
            pthread = int.from_bytes(thread.handle(), "little")
        except (gdb.error, AttributeError, RuntimeError):
            pass
        return Thread(
            thread.num,
            thread.ptid[1] or thread.ptid[2],
            pthread,
            thread.is_stopped(),
            charset.read(lambda: thread.name),
            thread,
        )

    def selected(self):
        thread = gdb.selected_thread()
        return self._thread(thread) if thread is not None else None

    def stack(self, thread):
        current = gdb.selected_thread()
        if current is not None and current.ptid == thread.raw.ptid:
            return self._frames(thread.raw)
        frames = []
        with Switched(thread.raw):
            for frame in self._frames(thread.raw):
                frames.append(frame)
                if len(frames) >= 2000:
                    break
        return iter(frames)

    def _frames(self, thread):
        try:
            frame = gdb.newest_frame()
        except gdb.error as error:
            raise Refused(shown(error))
        while frame is not None:
            try:
                known = self.frame(frame, thread)
            except gdb.error:
                # A damaged core has threads without registers.
                return
            yield known
            try:
                frame = frame.older()
            except gdb.error:
                return

    @staticmethod
    def frame(frame, thread):
        """A frame of a thread's stack in gdb as the commands know it."""
        pc = frame.pc()
        file, line = None, None
        try:
            sal = frame.find_sal()
            if sal.symtab:
                # Front ends open the file by the name.
                table = sal.symtab
                file = charset.read(lambda: table.fullname() if machine() else table.filename)
                line = sal.line
        except gdb.error:
            pass
        module = charset.read(lambda: gdb.solib_name(pc) or gdb.current_progspace().filename)
        level = frame.level() if hasattr(frame, "level") else 0

        def cfa():
            try:
                with Switched(thread):
                    return stops.cfa(frame)
            except gdb.error:
                return 0

        name = charset.read(frame.name)
        known = Frame(
            pc, cfa, name, file, line, module, level, frame.type() == gdb.INLINE_FRAME, frame
        )
        known.exact = _is_exact(frame)
        return known

    def registers(self, thread):
        with Switched(thread.raw):
            try:
                frame = gdb.newest_frame()
                return registers(
                    {name: int(frame.read_register(name)) & (2**64 - 1) for name in REGISTERS}
                )
            except (gdb.error, ValueError):
                return None

    def register(self, thread, frame, name):
        with Switched(thread.raw):
            try:
                return int(frame.raw.read_register(name)) & (2**64 - 1)
            except (gdb.error, ValueError) as error:
                raise Refused(shown(error))

    def number(self, frame, name):
        value = values.variable(frame.raw, name)
        try:
            return None if value is None or value.is_optimized_out else int(value)
        except gdb.error:
            return None

    def read(self, address, length):
        try:
            return bytes(gdb.selected_inferior().read_memory(address, length))
        except (gdb.error, OverflowError, ValueError, MemoryError) as error:
            raise Refused(shown(error))

    def write_memory(self, address, data):
        if self.listing:
            # gdb tells front ends of memory that changes: once the list is done.
            gdb.post_event(lambda pid=self.pid(): self._write_later(pid, address, data))
            return
        try:
            gdb.selected_inferior().write_memory(address, data)
        except gdb.error as error:
            raise Refused(shown(error))

    def _write_later(self, pid, address, data):
        try:
            if self.pid() == pid:
                self.write_memory(address, data)
        except Refused:
            # The program runs again already: what libompd asks for is wanted, not needed.
            pass

    def symbol(self, name, library=None):
        found = super().symbol(name, library)
        # What a file does not export, gdb may know from its symbol table: LLVM's libompd asks for
        # such.
        if found is None and library is None and name and _NAME.match(name):
            found = self._known(name)
        return found

    def anchor(self):
        try:
            return int(gdb.parse_and_eval("&_r_debug")) & (2**64 - 1)
        except gdb.error:
            # In a frame of the runtime the language is Rust, which finds no such symbol.
            return self._known("_r_debug")

    def _known(self, name):
        """The address of what gdb knows by a name, in whatever language the frame is."""
        if self.busy:
            return None
        try:
            text = gdb.execute("info address " + name, to_string=True)
        except gdb.error:
            return None
        number = re.search(r" at (?:address )?(0x[0-9a-f]+)", text)
        return int(number.group(1), 16) if number else None

    def symbol_around(self, address):
        """(name, offset) of the symbol that an address lies in."""
        if self.busy:
            return None, 0
        try:
            text = (
                charset.read(lambda: gdb.execute("info symbol %#x" % address, to_string=True)) or ""
            )
        except gdb.error:
            return None, 0
        found = re.match(r"^(.*?)(?: \+ (\d+))? in section ", text, re.S)
        return (found.group(1), int(found.group(2) or 0)) if found else (None, 0)

    def start_of(self, address):
        name, offset = self.symbol_around(address)
        return address - offset if name else None

    def arguments(self, shown_frame, thread):
        from .filter import arguments_of

        frame = shown_frame.frame
        raw = (frame.real or frame).raw
        if raw is None:
            return None
        # gdb finds the frames of the selected thread only.
        with Switched((shown_frame.thread or thread).raw):
            return arguments_of(raw)
