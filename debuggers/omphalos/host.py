"""What a debugger must do for the commands: gdb's and lldb's answers are in `in_gdb` and
`in_lldb`."""

from . import code, names
from .frame_types import RUNTIMES, SYSTEM, Frame, Thread, is_runtime
from .text import Refused

__all__ = ["RUNTIMES", "SYSTEM", "Frame", "Host", "Thread", "is_runtime"]

# The registers of a system call.
CALL = ("rax", "orig_rax", "rdi", "rsi", "rdx", "r10", "r8", "r9")
# Those that outlast calls, and those that a system call changes.
SAVED, LOST = ("rbx", "rbp", "r12", "r13", "r14", "r15"), ("rcx", "r11")
REGISTERS = ("rip", "rsp", "fs_base") + CALL + SAVED + LOST
PAGE = 4096


def registers(values):
    """A thread's registers as libompd wants them, of their values by name."""
    found = {name: values[name] for name in ("rip", "rsp", "fs_base")}
    for name, parts in (("call", CALL), ("saved", SAVED), ("lost", LOST)):
        found[name] = [values[part] for part in parts]
    return found


class Host:
    """The debugger. Every method raises `Refused` for what cannot be done, and nothing else."""

    # "gdb" or "lldb".
    kind = ""
    # Whether `plain` tells where it ends.
    tells_steps = False

    def library(self):
        """The libompd.so in use: the session's."""
        raise NotImplementedError

    def write(self, text):
        """Shows text to the user."""
        raise NotImplementedError

    def generation(self):
        """A value that changes whenever the program may have changed."""
        raise NotImplementedError

    def pid(self):
        """The process; 0 for none."""
        raise NotImplementedError

    def alive(self):
        """Whether there is a process, and no core file."""
        raise NotImplementedError

    def here(self):
        """Whether the process is one of this machine."""
        raise NotImplementedError

    def threads(self):
        """The threads."""
        raise NotImplementedError

    def selected(self):
        """The selected thread, or None."""
        raise NotImplementedError

    def stack(self, thread):
        """The frames of a stopped thread, innermost first, one at a time."""
        raise NotImplementedError

    def frames(self, thread, most):
        """The innermost frames of a stopped thread, `most` of them at most; fewer where its stack
        cannot be read any further."""
        frames = []
        try:
            for frame in self.stack(thread):
                frames.append(frame)
                if len(frames) >= most:
                    break
        except Refused:
            pass
        return frames

    def registers(self, thread):
        """The registers of a stopped thread (`registers`), or None."""
        raise NotImplementedError

    def core(self):
        """The path of the core file, where its threads' `orig_rax` is not known otherwise, or
        None."""
        return None

    def register(self, thread, frame, name):
        """A register as the code of a frame has it: of those that outlast calls."""
        raise NotImplementedError

    def number(self, frame, name):
        """The value of a variable of a frame's, if it is a number; else None."""
        raise NotImplementedError

    def read(self, address, length):
        """Reads memory."""
        raise NotImplementedError

    def write_memory(self, address, data):
        """Writes memory."""
        raise NotImplementedError

    def when_started(self, act):
        """Has `act()` called when the program has started, where nothing else leads to
        `Stops.plant` then."""

    def symbol(self, name, library=None):
        """The address of an exported symbol, or None; `library`: only in a file of that name."""
        for path, bias in self.images():
            if library is None or path.rsplit("/", 1)[-1] == library.rsplit("/", 1)[-1]:
                values = code.image(path).exports.get(name)
                if values:
                    return values[0] + bias
        return None

    def anchor(self):
        """The address of the dynamic linker's `_r_debug`, or None."""
        raise NotImplementedError

    def line_at(self, address):
        """(function, file, line) of an address; None for what is not known."""
        raise NotImplementedError

    def source(self, address):
        """(path, line) of the source of an address, the path as the file can be opened; None for
        what is not known."""
        raise NotImplementedError

    def path_of(self, frame):
        """The path of the source that a frame stands in, as the file can be opened, or None."""
        return frame.file

    def starts(self, address):
        """The (address, line)s at which code of a line begins in the function that an address lies
        in, of the file that it begins in; what is inlined into the function is left out."""
        raise NotImplementedError

    def program(self):
        """The path of the program's file, or ""."""
        raise NotImplementedError

    def start_of(self, address):
        """Where the function that an address lies in starts, or None."""
        raise NotImplementedError

    def parts(self, address):
        """The code of each function that an address lies in, as (start, end)s: inlined ones first,
        the machine function last."""
        raise NotImplementedError

    def arguments(self, shown, thread):
        """The arguments of a frame that is shown in a thread's stack as text, or None."""
        raise NotImplementedError

    def sources(self):
        """Paths of the program's source files."""
        raise NotImplementedError

    # What stops the program.

    def body(self, start):
        """Where the user's code begins in the function at `start`, behind its prologue."""
        raise NotImplementedError

    def inner_half(self, start):
        """Where the inner half of a body of clang's starts, by the code of the outer one, which
        starts at `start`; None where it calls none."""
        image, bias = self.image_at(start) or (None, 0)
        handing = image.handing(start - bias) if image else []
        found = (inner + bias for site in handing for inner in site.inner)
        roles = ((inner, names.classify(self.line_at(inner)[0])[0]) for inner in found)
        return next((inner for inner, role in roles if role == names.BODY), None)

    def rows(self, address):
        """The address range of the source line that an address belongs to, or None."""
        raise NotImplementedError

    def stop_at(self, address, condition, label):
        """Sets a breakpoint that the user sees; gives an object with `delete()`, `lives()` and
        `label`."""
        raise NotImplementedError

    def stop_at_line(self, file, line, label):
        """As `stop_at`, for a line of the source."""
        raise NotImplementedError

    def has_code(self, file, line):
        """Whether some code is of exactly that line."""
        raise NotImplementedError

    def hook(self, address, thread, action, label=None):
        """Has `action(register, read)` called when a thread (None: any) comes to an address; it
        stops where that gives True. Gives an object as `stop_at` does. The user sees it only if it
        has a label."""
        raise NotImplementedError

    def set_register(self, name, value):
        """Sets a register of the thread that a hook is called for."""
        raise NotImplementedError

    def resume(self):
        """Lets the program go on; where a hook stops it, nobody is told."""
        raise NotImplementedError

    def stepped(self):
        """Whether the last stop was the end of a step or a hook's, and not a breakpoint or a
        signal."""
        raise NotImplementedError

    def runs(self, _thread):
        """Whether a thread runs while others stand."""
        return False

    def is_in_line(self):
        """Whether the selected thread stands in the middle of a line's code."""
        raise NotImplementedError

    def show(self):
        """Tells the user where the selected thread stands, if the debugger has not."""
        raise NotImplementedError

    def plain(self, command, quiet=False):
        """The debugger's own `step` or `next`, which passes over functions of the runtime; `quiet`:
        `show` tells where it ends."""
        raise NotImplementedError

    def images(self):
        """(path, bias) of each loaded program and library: the bias is what is added to addresses
        in the file.

        From the dynamic linker's list, in the process or the core.
        """
        now = self.generation()
        kept = getattr(self, "_images", None)
        if kept is None or kept[0] != now:
            self._images = kept = (now, list(self._linked()))
        return kept[1]

    def image_at(self, address):
        """The ELF file whose code lies at an address, and its bias, or None."""
        for path, bias in self.images():
            image = code.image(path)
            if image.has(address - bias, is_code=True):
                return image, bias
        return None

    def has_runtime(self):
        """Whether an OpenMP runtime is loaded."""
        return any(is_runtime(path) for path, _ in self.images())

    def _linked(self):
        program = self.program()
        start = self.anchor() if self.pid() else None
        try:
            entry = self._word(start + 8) if start else 0
            if not entry:
                raise Refused("no list")
        except Refused:
            if program:
                yield program, 0
            return
        for at in range(4096):
            try:
                bias, name, following = (
                    self._word(entry),
                    self._word(entry + 8),
                    self._word(entry + 24),
                )
                path = program if at == 0 else self._string(name)
            except Refused:
                return
            if path and path.startswith("/"):
                yield path, bias
            entry = following
            if not entry:
                return

    def _word(self, address):
        return int.from_bytes(self.read(address, 8), "little")

    def _string(self, address):
        text = b""
        while address and len(text) < 4096 and b"\0" not in text:
            text += self.read(address + len(text), 64 - (address + len(text)) % 64)
        return text.split(b"\0")[0].decode("utf-8", "surrogateescape")
