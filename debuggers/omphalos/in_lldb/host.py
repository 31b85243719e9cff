"""lldb's answers to what the commands ask."""

import __main__

import lldb

from .. import names
from ..host import Frame, Host, Thread
from ..text import Refused, shown

# Breakpoints that have something to ask, by number.
_asked = {}


def on_hit(frame, location, _extra, dictionary):
    """What lldb calls when a breakpoint is hit: whether to stop."""
    act = _asked.get(location.GetBreakpoint().GetID())
    try:
        return True if act is None else act(frame)
    finally:
        # lldb takes its names back out of the globals, also those of callbacks that were made just now.
        for name in list(dictionary):
            __main__.__dict__.setdefault(name, dictionary[name])


class Held:
    """A breakpoint that can be deleted."""

    def __init__(self, host, stop, label=""):
        self.host = host
        self.number = stop.GetID()
        self.label = label

    def delete(self):
        """Deletes it, once lldb no longer asks it."""
        _asked[self.number] = lambda _frame: False
        if self.host.asked:
            self.host.dead.append(self.number)
        else:
            self.host.target().BreakpointDelete(self.number)


class Lldb(Host):
    """See `Host`."""

    kind = "lldb"

    def __init__(self, debugger):
        self.debugger = debugger
        self.context = None
        # Whether lldb asks a breakpoint just now, and those that are to be deleted then.
        self.asked, self.dead = False, []
        self._frame = None
        self._planted_for = None

    def use(self, debugger, context):
        """Takes what the command is about."""
        self.debugger, self.context = debugger, context
        while self.dead:
            self.target().BreakpointDelete(self.dead.pop())

    def catch_up(self, stops):
        """lldb tells of no new libraries: what they hold is looked for when a command comes."""
        if not self.alive():
            if self._planted_for:
                stops.forget()
            self._planted_for = None
        elif stops.wanted:
            loaded = (self.pid(), self.target().GetNumModules())
            if self._planted_for != loaded:
                if self._planted_for and self._planted_for[0] != loaded[0]:
                    stops.forget()
                self._planted_for = loaded
                stops.plant()

    def when_started(self, act):
        stop = self.target().BreakpointCreateByName("main", self.target().GetExecutable().GetFilename())

        def started(_frame):
            # Also when it is run again: a breakpoint of this address has one place only.
            act()
            self._planted_for = (self.pid(), self.target().GetNumModules())
            return False

        _asked[stop.GetID()] = started
        stop.SetScriptCallbackFunction("omphalos.in_lldb.on_hit")

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
        if not process.IsValid() or process.GetState() in (lldb.eStateExited, lldb.eStateInvalid, lldb.eStateUnloaded):
            return 0
        # A core need not say whose it is.
        return process.GetProcessID() or process.GetUniqueID()

    def alive(self):
        return bool(self.pid()) and "core" not in (self.process().GetPluginName() or "")

    def threads(self):
        return [self._thread(thread) for thread in self.process()] if self.pid() else []

    @staticmethod
    def _thread(thread):
        stopped = lldb.SBDebugger.StateIsStoppedState(thread.GetProcess().GetState())
        # glibc's `pthread_self()` is the base of the thread's own storage.
        base = 0
        return Thread(thread.GetIndexID(), thread.GetThreadID(), base, stopped, thread.GetName() or "", thread)

    def selected(self):
        thread = self.process().GetSelectedThread()
        return self._thread(thread) if thread.IsValid() else None

    def stack(self, thread):
        for number in range(thread.raw.GetNumFrames()):
            yield self.frame(thread.raw.GetFrameAtIndex(number))

    @staticmethod
    def frame(frame):
        """A frame of lldb's as the commands know it."""
        line = frame.GetLineEntry()
        file = line.GetFileSpec().fullpath if line.IsValid() else None
        name = frame.GetFunctionName() or frame.GetSymbol().GetName()
        module = frame.GetModule().GetFileSpec().fullpath or ""
        # Names of functions come with their parameters in C++.
        if name and "(" in name and not name.startswith("("):
            name = frame.GetFunction().GetName() or name
            name = frame.GetSymbol().GetMangledName() if names.classify(frame.GetSymbol().GetMangledName() or "")[0] != names.USER else name
        return Frame(
            frame.GetPC(), frame.GetCFA(), name, file, line.GetLine() or None, module, frame.GetFrameID(), frame.IsInlined(), frame
        )

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

    def _at(self, address):
        return self.target().ResolveLoadAddress(address)

    def start_of(self, address):
        place = self._at(address)
        for found in (place.GetFunction(), place.GetSymbol()):
            if found.IsValid():
                start = found.GetStartAddress().GetLoadAddress(self.target())
                if start != lldb.LLDB_INVALID_ADDRESS:
                    return start
        return None

    def symbol_at(self, address):
        if self.start_of(address) != address:
            return None
        return self._at(address).GetSymbol().GetName()

    def line_at(self, address):
        place = self._at(address)
        line = place.GetLineEntry()
        function = place.GetFunction().GetName() if place.GetFunction().IsValid() else place.GetSymbol().GetName()
        mangled = place.GetSymbol().GetMangledName()
        if mangled and names.classify(mangled)[0] != names.USER:
            function = mangled
        if not line.IsValid():
            return function, None, None
        return function, line.GetFileSpec().fullpath, line.GetLine()

    def program(self):
        return self.target().GetExecutable().fullpath or ""

    def function_around(self, frame):
        first = frame.raw.GetFunction().GetStartAddress().GetLineEntry()
        unit = frame.raw.GetCompileUnit()
        for line in range(first.GetLine(), max(first.GetLine() - 3, 0), -1):
            for at in range(unit.GetNumLineEntries()):
                entry = unit.GetLineEntryAtIndex(at)
                if entry.GetLine() == line:
                    function = entry.GetStartAddress().GetFunction().GetName()
                    if function and names.classify(function)[1]:
                        return names.classify(function)[1].split("(")[0]
        return None

    def sources(self):
        found = set()
        for module in self.target().module_iter():
            for unit in module.compile_unit_iter():
                found.add(unit.GetFileSpec().fullpath)
        return sorted(path for path in found if path)

    def arguments(self, shown_frame):
        frame = shown_frame.frame
        raw = getattr(frame, "real", frame).raw
        parts = []
        for value in raw.GetVariables(True, False, False, False):
            name = value.GetName() or ""
            if not name.startswith("."):
                text = value.GetValue() or value.GetSummary() or "..."
                parts.append("%s=%s" % (shown(name), shown(text)))
        return ", ".join(parts) if raw.GetFunction().IsValid() else None

    # What stops the program.

    def body(self, start):
        function = self._at(start).GetFunction()
        if not function.IsValid():
            return start
        if names.classify(self.line_at(start)[0])[0] in (names.REGION, names.TASK):
            inner = self._inner(start, function)
            if inner:
                return inner
        return start + function.GetPrologueByteSize()

    def _inner(self, start, function):
        """clang's inner half of a body: inlined into the outer half, or called by it."""
        target = self.target()
        end = function.GetEndAddress().GetLoadAddress(target)
        at = start
        while at < min(end, start + (1 << 14)):
            block = self._at(at).GetBlock()
            while block.IsValid() and not block.IsInlined():
                block = block.GetParent()
            if block.IsValid() and names.classify(block.GetInlinedName())[0] == names.BODY:
                return at
            line = self._at(at).GetLineEntry()
            following = line.GetEndAddress().GetLoadAddress(target) if line.IsValid() else 0
            if following <= at or following == lldb.LLDB_INVALID_ADDRESS:
                break
            at = following
        code = self.read(start, min(end - start, 1 << 14))
        for at in range(len(code) - 4):
            if code[at] == 0xE8:
                called = start + at + 5 + int.from_bytes(code[at + 1 : at + 5], "little", signed=True)
                if names.classify(self.line_at(called)[0])[0] == names.BODY:
                    return called + self._at(called).GetFunction().GetPrologueByteSize()
        return None

    def rows(self, address):
        target, line = self.target(), self._at(address).GetLineEntry()
        if not line.IsValid():
            return None
        low, number = line.GetStartAddress().GetLoadAddress(target), line.GetLine()
        high = line.GetEndAddress().GetLoadAddress(target)
        for _ in range(64):
            following = self._at(high).GetLineEntry()
            if not following.IsValid() or following.GetLine() != number or following.GetEndAddress().GetLoadAddress(target) <= high:
                break
            high = following.GetEndAddress().GetLoadAddress(target)
        return low, high

    def has_code(self, file, line):
        contexts = [
            unit.FindLineEntryIndex(0, line, unit.GetFileSpec(), True)
            for module in self.target().module_iter()
            for unit in module.compile_unit_iter()
            if unit.GetFileSpec().fullpath == file
        ]
        return any(index != lldb.UINT32_MAX for index in contexts)

    def _register(self, name):
        value = self._frame.FindRegister(name)
        return value.GetValueAsUnsigned() & (2**64 - 1)

    def _ask(self, stop, act):
        def hit(frame):
            self._frame, self.asked = frame, True
            try:
                return bool(act(self._register, self.read))
            except Refused as refused:
                self.write("omp: %s\n" % refused)
                return True
            finally:
                self.asked = False

        _asked[stop.GetID()] = hit
        stop.SetScriptCallbackFunction("omphalos.in_lldb.on_hit")

    def stop_at(self, address, condition, label):
        stop = self.target().BreakpointCreateByAddress(address)
        stop.AddName("omp-" + label)
        if condition is not None:
            self._ask(stop, condition)
        function, file, line = self.line_at(address)
        where = "%s:%s" % (file.rsplit("/", 1)[-1], line) if file else "%#x" % address
        self.write("Breakpoint %d: %s at %s in %s\n" % (stop.GetID(), label, shown(where), shown(names.classify(function)[1] or function)))
        return Held(self, stop, label)

    def stop_at_line(self, file, line, label):
        stop = self.target().BreakpointCreateByLocation(file, line)
        self.write("Breakpoint %d: %s:%d, %d locations\n" % (stop.GetID(), shown(file), line, stop.GetNumLocations()))
        return Held(self, stop, label)

    def hook(self, address, thread, action):
        stop = self.target().BreakpointCreateByAddress(address)
        if thread is not None:
            stop.SetThreadID(thread.lwp)
        self._ask(stop, action)
        return Held(self, stop)

    def set_register(self, name, value):
        error = lldb.SBError()
        if not self._frame.FindRegister(name).SetValueFromCString("%#x" % value, error):
            raise Refused("cannot set %s: %s" % (name, shown(error.GetCString())))

    def resume(self):
        self.debugger.HandleCommand("process continue")

    def plain(self, command):
        self.debugger.HandleCommand("thread step-in" if command == "step" else "thread step-over")

    def stepped(self):
        thread = self.process().GetSelectedThread()
        return thread.IsValid() and thread.GetStopReason() == lldb.eStopReasonPlanComplete
