"""gdb's answers to what the commands ask."""

import re

import gdb

from ..host import CALL, Frame, Host, Thread
from ..text import Refused, shown
from . import charset, kinds, stops

# Symbols are looked up by these names only: everything else could be an expression.
_NAME = re.compile(r"^[\w.$@]+$")


_machine = []


def machine():
    """Whether a front end drives gdb through its machine interface."""
    if _machine:
        return _machine[0]
    try:
        with open("/proc/self/cmdline", "rb") as file:
            words = file.read().split(b"\0")
    except OSError:
        words = []
    _machine.append(False)
    for at, word in enumerate(words):
        if word in (b"-i", b"--interpreter", b"-interpreter"):
            word = b"=" + b"".join(words[at + 1 : at + 2])
        elif not word.startswith((b"-i=", b"--interpreter=", b"-interpreter=")):
            continue
        _machine[0] = word.partition(b"=")[2].startswith(b"mi")
    return _machine[0]


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


class Gdb(stops.Stops, Host):
    """See `Host`."""

    kind = "gdb"

    def __init__(self):
        self._changes = 0
        # gdb is in the middle of something: it must not be asked to execute a command.
        self.busy = False
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
            return self._frames()
        frames = []
        with Switched(thread.raw):
            for frame in self._frames():
                frames.append(frame)
                if len(frames) >= 2000:
                    break
        return iter(frames)

    def _frames(self):
        try:
            frame = gdb.newest_frame()
        except gdb.error as error:
            raise Refused(shown(error))
        while frame is not None:
            try:
                known = self.frame(frame)
            except gdb.error:
                # A damaged core has threads without registers.
                return
            yield known
            try:
                frame = frame.older()
            except gdb.error:
                return

    @staticmethod
    def frame(frame):
        """A frame of gdb's as the commands know it."""
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
                real = frame
                while real is not None and real.type() == gdb.INLINE_FRAME:
                    real = real.older()
                caller = real.older() if real is not None else None
                return int(caller.read_register("rsp")) & (2**64 - 1) if caller is not None else 0
            except gdb.error:
                return 0

        name = charset.read(frame.name)
        return Frame(
            pc, cfa, name, file, line, module, level, frame.type() == gdb.INLINE_FRAME, frame
        )

    def registers(self, thread):
        with Switched(thread.raw):
            try:
                frame = gdb.newest_frame()
                values = {
                    name: int(frame.read_register(name)) & (2**64 - 1)
                    for name in (*CALL, "fs_base")
                }
            except (gdb.error, ValueError):
                return None
        return {"call": [values[name] for name in CALL], "fs_base": values["fs_base"]}

    def read(self, address, length):
        try:
            return bytes(gdb.selected_inferior().read_memory(address, length))
        except (gdb.error, OverflowError, ValueError, MemoryError) as error:
            raise Refused(shown(error))

    def write_memory(self, address, data):
        try:
            gdb.selected_inferior().write_memory(address, data)
        except gdb.error as error:
            raise Refused(shown(error))

    def symbol(self, name, library=None):
        found = super().symbol(name, library)
        # What a file does not export, gdb may know from its symbol table: LLVM's libompd asks for
        # such.
        if found is None and library is None and not self.busy and name and _NAME.match(name):
            try:
                text = gdb.execute(
                    "with language c -- output/x (unsigned long)&'%s'" % name, to_string=True
                )
            except gdb.error:
                return None
            # A warning about the language may come behind it.
            number = re.match(r"0x[0-9a-f]+", text)
            found = int(number.group(0), 16) if number else None
        return found

    def anchor(self):
        try:
            return int(gdb.parse_and_eval("&_r_debug")) & (2**64 - 1)
        except gdb.error:
            return None

    def _symbol(self, address):
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

    def symbol_at(self, address):
        name, offset = self._symbol(address)
        return name if offset == 0 else None

    def variable_at(self, address):
        name, offset = self._symbol(address)
        return kinds.variable(name, address - offset) + (offset,) if name else None

    def start_of(self, address):
        name, offset = self._symbol(address)
        return address - offset if name else None

    def line_at(self, address):
        file, line, function = None, None, None
        try:
            sal = gdb.find_pc_line(address)
            if sal.symtab:
                table = sal.symtab
                file, line = charset.read(lambda: table.filename), sal.line
            block = gdb.block_for_pc(address)
            while block is not None and function is None:
                function = block.function.name if block.function else None
                block = block.superblock
        except (gdb.error, RuntimeError, OverflowError):
            pass
        return function or self._symbol(address)[0], file, line

    def parts(self, address):
        found = []
        try:
            block = gdb.block_for_pc(address)
            # What a body is nested in by the debug information has code of its own.
            while block is not None and not block.is_static and block.start <= address < block.end:
                if block.function is not None:
                    found.append([(block.start, block.end)])
                block = block.superblock
        except (gdb.error, RuntimeError, OverflowError):
            pass
        return found

    def program(self):
        return charset.read(lambda: gdb.current_progspace().filename) or ""

    def function_around(self, frame):
        from .. import names

        # Pragmas stand on the line before the body, at most.
        if not frame.raw or not frame.file:
            return None
        try:
            first = frame.raw.function().line
            symtab = frame.raw.find_sal().symtab
            for line in range(first, max(first - 3, 0), -1):
                for row in symtab.linetable().line(line) or ():
                    function, _, _ = self.line_at(row.pc)
                    if function and names.classify(function)[1]:
                        return names.classify(function)[1]
        except (gdb.error, AttributeError, TypeError):
            pass
        return None

    def sources(self):
        found = []
        try:
            text = gdb.execute("info sources", to_string=True)
        except gdb.error:
            return found
        for line in text.splitlines():
            if line.startswith("/"):
                found += [part.strip() for part in line.split(", ") if part.startswith("/")]
        return sorted(set(found))

    def arguments(self, shown_frame):
        from .filter import arguments_of

        frame = shown_frame.frame
        raw = getattr(frame, "real", frame).raw
        if raw is None:
            return None
        if shown_frame.thread is None:
            return arguments_of(raw)
        with Switched(shown_frame.thread.raw):
            return arguments_of(raw)
