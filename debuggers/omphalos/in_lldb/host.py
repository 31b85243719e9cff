"""lldb's answers to what the commands ask."""

import lldb

from .. import names
from ..host import REGISTERS, Frame, Host, Thread, registers
from ..text import Refused, shown
from . import beyond, stops
from .places import Places

# What starts a program, or a thread: nothing is further out.
OUTERMOST = ("_start", "clone", "clone3", "__clone", "__clone3")


def _inlined(block):
    """The innermost inlined function's block that a block is in; one that is not valid if it is in
    none."""
    return block.GetContainingInlinedBlock() if block.IsValid() else block


class Lldb(stops.Stops, Places, Host):
    """See `Host`."""

    kind = "lldb"

    def __init__(self, debugger):
        self.debugger = debugger
        self.context = None

    def use(self, debugger, context):
        """Takes what the command is about."""
        self.debugger, self.context = debugger, context
        while self.dead:
            self.target().BreakpointDelete(self.dead.pop())

    def target(self):
        """lldb's target."""
        return self.debugger.GetSelectedTarget()

    def process(self):
        """lldb's process."""
        return self.target().GetProcess()

    def write(self, text):
        self.debugger.GetOutputFile().Write(text.encode("utf-8", "replace"))
        self.debugger.GetOutputFile().Flush()

    def generation(self):
        process = self.process()
        return (process.GetUniqueID(), process.GetStopID(True)) if process.IsValid() else (0, 0)

    def pid(self):
        process = self.process()
        if not process.IsValid() or process.GetState() in (
            lldb.eStateExited,
            lldb.eStateInvalid,
            lldb.eStateUnloaded,
        ):
            return 0
        # A core need not say whose it is.
        return process.GetProcessID() or process.GetUniqueID()

    def alive(self):
        return bool(self.pid()) and "core" not in (self.process().GetPluginName() or "")

    def here(self):
        return self.alive() and self.target().GetPlatform().GetName() == "host"

    def threads(self):
        return [self._thread(thread) for thread in self.process()] if self.pid() else []

    @staticmethod
    def _thread(thread):
        stopped = lldb.SBDebugger.StateIsStoppedState(thread.GetProcess().GetState())
        # glibc's `pthread_self()` is the base of the thread's own storage.
        base = 0
        return Thread(
            thread.GetIndexID(), thread.GetThreadID(), base, stopped, thread.GetName() or "", thread
        )

    def selected(self):
        thread = self.process().GetSelectedThread()
        # lldb keeps the threads of a process that has ended.
        return self._thread(thread) if thread.IsValid() and self.pid() else None

    def stack(self, thread):
        frames = []
        for number in range(thread.raw.GetNumFrames()):
            frames.append(self.frame(thread.raw.GetFrameAtIndex(number)))
            # lldb gives the end of what is inlined: the call that the frames are in is one.
            if number and frames[-2].inlined:
                frames[-1].pc, frames[-1].exact = frames[-2].pc, frames[-2].exact
            yield frames[-1]
        if frames and frames[-1].name not in OUTERMOST:
            yield from beyond.frames(self, thread, frames)

    @staticmethod
    def frame(frame):
        """A frame of lldb's as the commands know it."""
        line = frame.GetLineEntry()
        file = line.GetFileSpec().fullpath if line.IsValid() else None
        name = frame.GetFunctionName() or frame.GetSymbol().GetName()
        module = frame.GetModule().GetFileSpec().fullpath or ""
        if frame.GetSymbol().GetType() == lldb.eSymbolTypeTrampoline:
            # As gdb calls it.
            name = (name or "") + "@plt"
        # Names of functions come with their parameters in C++.
        if name and frame.IsInlined():
            name = name if name.startswith("(") else names.plain(name)
        elif name and "(" in name and not name.startswith("("):
            mangled = frame.GetSymbol().GetMangledName() or ""
            if names.classify(mangled)[0] == names.USER:
                # lldb takes the symbol before, where the code has just begun.
                mangled = frame.GetFunction().GetMangledName() or ""
            name = (
                mangled
                if names.classify(mangled)[0] != names.USER
                else names.plain(frame.GetFunction().GetName() or name)
            )
        return Frame(
            frame.GetPC(),
            frame.GetCFA(),
            name,
            file,
            line.GetLine() or None,
            module,
            frame.GetFrameID(),
            frame.IsInlined(),
            frame,
        )

    def registers(self, thread):
        frame = thread.raw.GetFrameAtIndex(0)
        values = {}
        for name in REGISTERS:
            value = frame.FindRegister(name)
            values[name] = value.GetValueAsUnsigned() if value.IsValid() else None
        # lldb does not show `orig_rax`: libompd asks the kernel, or the core file.
        unknown = {name for name, value in values.items() if value is None}
        return None if unknown - {"orig_rax"} else registers(values)

    def core(self):
        has_core = self.pid() and not self.alive() and hasattr(self.process(), "GetCoreFile")
        return self.process().GetCoreFile().fullpath if has_core else None

    def register(self, _thread, frame, name):
        value = frame.raw.FindRegister(name) if frame.raw else None
        if value is None or not value.IsValid():
            raise Refused("no register " + name)
        return value.GetValueAsUnsigned() & (2**64 - 1)

    def number(self, frame, name):
        value = frame.raw.FindVariable(name) if frame.raw else None
        if value is None or not value.IsValid() or value.GetError().Fail():
            return None
        error = lldb.SBError()
        number = value.GetValueAsSigned(error)
        return number if error.Success() else None

    def read(self, address, length):
        error = lldb.SBError()
        data = self.process().ReadMemory(address, length, error) if 0 < length < 1 << 30 else None
        if not error.Success() or data is None:
            raise Refused("cannot read %d bytes at %#x" % (length, address))
        return bytes(data)

    def write_memory(self, address, data):
        error = lldb.SBError()
        self.process().WriteMemory(address, data, error)
        if not error.Success():
            raise Refused(shown(error.GetCString()))

    def symbol(self, name, library=None):
        found = super().symbol(name, library)
        if found is None and library is None:
            for context in self.target().FindSymbols(name):
                address = context.GetSymbol().GetStartAddress().GetLoadAddress(self.target())
                if address != lldb.LLDB_INVALID_ADDRESS:
                    return address
        return found

    def anchor(self):
        for context in self.target().FindSymbols("_r_debug"):
            address = context.GetSymbol().GetStartAddress().GetLoadAddress(self.target())
            if address != lldb.LLDB_INVALID_ADDRESS:
                return address
        return None

    def at(self, address):
        """What lldb knows of an address."""
        return self.target().ResolveLoadAddress(address)

    def start_of(self, address):
        span = self._span(address)
        return span[0] if span else None

    def _span(self, address):
        """(start, end) of the machine function that an address lies in, or None.

        The symbol goes first: of a function in two parts lldb takes all that lies between them for
        its code.
        """
        place = self.at(address)
        for found in (place.GetSymbol(), place.GetFunction()):
            if found.IsValid():
                start, end = (
                    end.GetLoadAddress(self.target())
                    for end in (found.GetStartAddress(), found.GetEndAddress())
                )
                if start != lldb.LLDB_INVALID_ADDRESS and (
                    start <= address < end or start == address
                ):
                    return start, end
        return None

    def line_at(self, address):
        place = self.at(address)
        line = place.GetLineEntry()
        function = (
            place.GetFunction().GetName()
            if place.GetFunction().IsValid()
            else place.GetSymbol().GetName()
        )
        mangled = place.GetSymbol().GetMangledName()
        if mangled and names.classify(mangled)[0] != names.USER:
            function = mangled
        if not line.IsValid():
            return function, None, None
        return function, line.GetFileSpec().fullpath, line.GetLine()

    def lines(self, address):
        line, found = self.at(address).GetLineEntry(), []
        file, number = line.GetFileSpec().fullpath, line.GetLine()
        block = _inlined(self.at(address).GetBlock())
        while block.IsValid():
            found.append((file, number))
            file, number = block.GetInlinedCallSiteFile().fullpath, block.GetInlinedCallSiteLine()
            block = _inlined(block.GetParent())
        return found + [(file, number)]

    def parts(self, address):
        target, found = self.target(), []
        place = self.at(address)
        block = _inlined(place.GetBlock())
        while block.IsValid():
            ranges = range(block.GetNumRanges())
            ends = [(block.GetRangeStartAddress(at), block.GetRangeEndAddress(at)) for at in ranges]
            found.append([tuple(end.GetLoadAddress(target) for end in both) for both in ends])
            block = _inlined(block.GetParent())
        span = self._span(address)
        return found + ([[span]] if span else [])

    def program(self):
        return self.target().GetExecutable().fullpath or ""

    def sources(self):
        found = set()
        for module in self.target().module_iter():
            for unit in module.compile_unit_iter():
                found.add(unit.GetFileSpec().fullpath)
        return sorted(path for path in found if path)

    def arguments(self, shown_frame, _thread):
        frame = shown_frame.frame
        raw = (frame.real or frame).raw
        parts = []
        for value in raw.GetVariables(True, False, False, False):
            name = value.GetName() or ""
            if name and not name.startswith("."):
                text = value.GetValue() or value.GetSummary() or "..."
                parts.append("%s=%s" % (shown(name), shown(text)))
        return ", ".join(parts) if raw.GetFunction().IsValid() else None
