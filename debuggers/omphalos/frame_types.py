"""Frames and threads as a debugger knows them, and whose files they are in."""

import re

# The file names under which programs load an OpenMP runtime.
RUNTIMES = re.compile(r"^(libomphalos|libgomp|libomp|libiomp5)(\.so|-)")
# Libraries whose frames, next to the runtime's own, are the runtime's affair.
SYSTEM = re.compile(
    r"^(libc|libpthread|ld-linux|ld|libdl|librt|linux-vdso|linux-gate|vdso|\[vdso\])[.-]?"
)


def is_runtime(path):
    """Whether a file is an OpenMP runtime, by its name."""
    return bool(RUNTIMES.match(path.rsplit("/", 1)[-1]))


class Frame:
    """A frame of a thread's stack, as the debugger unwound it."""

    __slots__ = (
        "pc",
        "_cfa",
        "name",
        "file",
        "line",
        "module",
        "level",
        "inlined",
        "raw",
        "decorator",
        "exact",
        "real",
    )

    def __init__(self, pc, cfa, name, file, line, module, level, inlined=False, raw=None):
        # Where it goes on: of all but the innermost a return address.
        self.pc = pc
        # A function that gives the stack pointer behind the return address, 0 if not known: it
        # costs.
        self._cfa = cfa
        self.name = name
        self.file = file
        self.line = line
        # The path of the program or library that the code belongs to.
        self.module = module or ""
        self.level = level
        self.inlined = inlined
        # The debugger's own object.
        self.raw = raw
        # What gdb's other frame filters made of it.
        self.decorator = None
        # `pc` is where it stands, and no return address.
        self.exact = not level
        # The frame that this one stands for on another thread's stack.
        self.real = None

    @property
    def inside(self):
        """An address in the code that it executes: of a call, the call's."""
        return self.pc if self.exact else self.pc - 1

    @property
    def cfa(self):
        """The stack pointer behind the return address; 0 if not known."""
        if callable(self._cfa):
            self._cfa = self._cfa()
        return self._cfa

    def runtime(self):
        """Whether the OpenMP runtime's code runs in it."""
        # A linkage stub is on the way there.
        return is_runtime(self.module) or (self.name or "").endswith("@plt")

    def system(self):
        """Whether it is the C library's or the dynamic linker's."""
        return bool(SYSTEM.match(self.module.rsplit("/", 1)[-1]))

    def is_users(self):
        """Whether it is neither's."""
        return not self.runtime() and not self.system()


class Thread:
    """A thread as the debugger knows it."""

    __slots__ = ("number", "lwp", "pthread", "stopped", "name", "raw")

    def __init__(self, number, lwp, pthread, stopped, name, raw=None):
        # The debugger's own number of it.
        self.number = number
        self.lwp = lwp
        # `pthread_self()` of it; 0 if not known.
        self.pthread = pthread
        # Threads that run have no stack to show.
        self.stopped = stopped
        self.name = name
        self.raw = raw
