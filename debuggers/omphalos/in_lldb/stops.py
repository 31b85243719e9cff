"""Breakpoints and hooks in lldb."""

import signal

import __main__

import lldb

from .. import names
from ..host import is_runtime
from ..text import Refused, shown
from . import fresh

# Stops without a reason, one behind the other.
MOST_STOPS = 100
# Libraries that lldb steps over.
_AVOIDED = "target.process.thread.step-avoid-libraries"
# Breakpoints that have something to ask, by number.
_asked = {}


def on_hit(frame, location, _extra, dictionary):
    """What lldb calls when a breakpoint is hit: whether to stop."""
    act = _asked.get(location.GetBreakpoint().GetID())
    try:
        return True if act is None else act(frame)
    finally:
        # lldb takes its names back out of the globals, also those of callbacks that were made just
        # now.
        for name in list(dictionary):
            __main__.__dict__.setdefault(name, dictionary[name])


class Held:
    """A breakpoint that can be deleted."""

    def __init__(self, host, stop, label=""):
        self.host = host
        self.number = stop.GetID()
        self.label = label

    def lives(self):
        """Whether the user has not deleted it."""
        return self.host.target().FindBreakpointByID(self.number).IsValid()

    def delete(self):
        """Deletes it, once lldb no longer asks it."""
        _asked[self.number] = lambda frame: self.host.passes(frame.GetThread())
        if self.host.asked:
            self.host.dead.append(self.number)
        else:
            self.host.target().BreakpointDelete(self.number)


class Stops:
    """The part of lldb's host that stops the program."""

    # Of its own moves lldb tells nothing: `show` does.
    tells_steps = False
    # Whether lldb asks a breakpoint just now, of which frame, and those that are to be deleted
    # then.
    asked, dead, _frame = False, [], None
    # The numbers of breakpoints that the user knows nothing of.
    hooks = frozenset()
    # Threads of which a step was forgotten.
    given_up = set()
    # By thread: the stop at which a breakpoint told it to go on.
    passed = {}
    # The target whose stacks are kept fresh.
    _fresh_in = None
    # The process and the number of its libraries that places were looked for in.
    _planted_for = None

    def catch_up(self, wanted):
        """lldb tells of no new libraries: what they hold is looked for when a command comes."""
        if not self.alive():
            if self._planted_for:
                wanted.forget()
            self._planted_for = None
        elif wanted.wanted:
            loaded = (self.pid(), self.target().GetNumModules())
            if self._planted_for != loaded:
                if self._planted_for and self._planted_for[0] != loaded[0]:
                    wanted.forget()
                self._planted_for = loaded
                wanted.plant()

    def when_started(self, act):
        # By its name lldb would take the part of `main` that g++ puts elsewhere since it is cold.
        program = self.target().FindModule(self.target().GetExecutable())
        stop = self.target().BreakpointCreateBySBAddress(program.GetObjectFileEntryPointAddress())

        def started(_frame):
            # Also when it is run again: a breakpoint of this address has one place only.
            act()
            self._planted_for = (self.pid(), self.target().GetNumModules())
            return False

        self._answer(stop, started)

    def _answer(self, stop, act):
        """Has lldb ask `act` whether a breakpoint stops the program."""
        _asked[stop.GetID()] = act
        stop.SetScriptCallbackFunction("omphalos.in_lldb.on_hit")
        if self._fresh_in != self.target():
            self._fresh_in = self.target()
            fresh.watch(self.debugger)

    def body(self, start):
        function = self.at(start).GetFunction()
        if not function.IsValid():
            return start
        if names.classify(self.line_at(start)[0])[0] in (names.REGION, names.TASK):
            inner = self._inner(start, function)
            if inner:
                return inner
        # lldb counts from the first part of a function in two parts.
        first = function.GetStartAddress().GetLoadAddress(self.target())
        return start + function.GetPrologueByteSize() if first == start else start

    def _inner(self, start, function):
        """clang's inner half of a body: inlined into the outer half, or called by it."""
        target = self.target()
        end = function.GetEndAddress().GetLoadAddress(target)
        at = start
        while at < min(end, start + (1 << 14)):
            block = self.at(at).GetBlock()
            while block.IsValid() and not block.IsInlined():
                block = block.GetParent()
            if block.IsValid() and names.classify(block.GetInlinedName())[0] == names.BODY:
                return at
            line = self.at(at).GetLineEntry()
            following = line.GetEndAddress().GetLoadAddress(target) if line.IsValid() else 0
            if following <= at or following == lldb.LLDB_INVALID_ADDRESS:
                break
            at = following
        called = self.inner_half(start)
        return self.body(called) if called else None

    def rows(self, address):
        target, line = self.target(), self.at(address).GetLineEntry()
        if not line.IsValid():
            return None
        low, number = line.GetStartAddress().GetLoadAddress(target), line.GetLine()
        high = end = line.GetEndAddress().GetLoadAddress(target)
        for _ in range(64):
            following = self.at(end).GetLineEntry()
            # Code of no line, which the compiler puts between, has line 0.
            if not following.IsValid() or following.GetLine() not in (number, 0):
                break
            behind = following.GetEndAddress().GetLoadAddress(target)
            if behind <= end:
                break
            end = behind
            high = end if following.GetLine() == number else high
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
        if name == "cfa":
            return self._frame.GetCFA() & (2**64 - 1)
        value = self._frame.FindRegister(name)
        return value.GetValueAsUnsigned() & (2**64 - 1)

    def _ask(self, stop, act):
        def hit(frame):
            self._frame, self.asked = frame, True
            try:
                return bool(act(self._register, self.read)) or self.passes(frame.GetThread())
            except Refused as refused:
                self.write("omp: %s\n" % refused)
                return True
            finally:
                self.asked = False

        self._answer(stop, hit)

    def passes(self, thread):
        """Remembers that a thread goes on from where it is: if another one stops now, lldb would
        show this one. What a breakpoint answers then."""
        self.passed[thread.GetThreadID()] = self.process().GetStopID()
        self._choose()
        return False

    def _choose(self):
        """Selects a thread that has a reason to stop, if the selected one has none."""
        process = self.process()
        if not self._is_real(process.GetSelectedThread()):
            real = next(filter(self._is_real, process), None)
            if real is not None:
                process.SetSelectedThread(real)

    def _is_real(self, thread):
        reason = thread.GetStopReason()
        return (
            reason not in (lldb.eStopReasonInvalid, lldb.eStopReasonNone, lldb.eStopReasonTrace)
            and self.passed.get(thread.GetThreadID()) != self.process().GetStopID()
        )

    def stop_at(self, address, condition, label):
        stop = self.target().BreakpointCreateByAddress(address)
        stop.AddName("omp-" + label)
        if condition is not None:
            self._ask(stop, condition)
        function, file, line = self.line_at(address)
        where = "%s:%s" % (file.rsplit("/", 1)[-1], line) if file else "%#x" % address
        inside = shown(names.classify(function)[1] or function)
        self.write("Breakpoint %d: %s at %s in %s\n" % (stop.GetID(), label, shown(where), inside))
        return Held(self, stop, label)

    def stop_at_line(self, file, line, label):
        stop = self.target().BreakpointCreateByLocation(file, line)
        self.write(
            "Breakpoint %d: %s:%d, %d locations\n"
            % (stop.GetID(), shown(file), line, stop.GetNumLocations())
        )
        return Held(self, stop, label)

    def hook(self, address, thread, action, label=None):
        stop = self.target().BreakpointCreateByAddress(address)
        if label:
            stop.AddName("omp-" + label)
        else:
            self.hooks |= {stop.GetID()}
        if thread is not None:
            stop.SetThreadID(thread.lwp)
        self._ask(stop, action)
        return Held(self, stop, label or "")

    def set_register(self, name, value):
        error = lldb.SBError()
        if not self._frame.FindRegister(name).SetValueFromCString("%#x" % value, error):
            raise Refused("cannot set %s: %s" % (name, shown(error.GetCString())))

    def _moved(self, move):
        """Has the program go on, and comes back when it has stopped for a reason."""
        process, is_async = self.process(), self.debugger.GetAsync()
        self.debugger.SetAsync(False)
        try:
            for _ in range(MOST_STOPS):
                move()
                if process.GetState() != lldb.eStateStopped:
                    return
                if any(map(self._is_told, process)):
                    self._choose()
                    return
                move = process.Continue
        finally:
            self.debugger.SetAsync(is_async)

    def _is_told(self, thread):
        """Whether a thread has a reason to stop; the instruction that was the last one of a step
        which is forgotten is none."""
        reason = thread.GetStopReason()
        if reason == lldb.eStopReasonSignal and thread.GetThreadID() in self.given_up:
            self.given_up.discard(thread.GetThreadID())
            return thread.GetStopReasonDataAtIndex(0) != signal.SIGTRAP
        return reason not in (lldb.eStopReasonInvalid, lldb.eStopReasonNone, lldb.eStopReasonTrace)

    def resume(self):
        self._moved(self.process().Continue)

    def plain(self, command, quiet=False):
        thread, name = self.process().GetSelectedThread(), self.debugger.GetInstanceName()
        kept = lldb.SBDebugger.GetInternalVariableValue(_AVOIDED, name)
        kept = " ".join(kept.GetStringAtIndex(at) for at in range(kept.GetSize()))
        # The library's own debug information may be there.
        runtimes = [path.rsplit("/", 1)[-1] for path, _ in self.images() if is_runtime(path)]
        lldb.SBDebugger.SetInternalVariable(_AVOIDED, " ".join([kept, *runtimes]).strip(), name)
        try:
            self._moved(thread.StepInto if command == "step" else thread.StepOver)
            self._give_up(thread)
        finally:
            if kept:
                lldb.SBDebugger.SetInternalVariable(_AVOIDED, kept, name)
            else:
                self.debugger.HandleCommand("settings clear " + _AVOIDED)

    def _give_up(self, thread):
        """Forgets a step that something else has ended: lldb would go on with it next time."""
        if thread.IsValid() and thread.GetStopReason() != lldb.eStopReasonPlanComplete:
            process, said = self.process(), lldb.SBCommandReturnObject()
            selected = process.GetSelectedThread()
            process.SetSelectedThread(thread)
            self.debugger.GetCommandInterpreter().HandleCommand("thread plan discard 1", said)
            process.SetSelectedThread(selected)
            self.given_up.add(thread.GetThreadID())
        elif thread.IsValid():
            # Another one may have stopped as well.
            self.process().SetSelectedThread(thread)

    def stepped(self):
        thread = self.process().GetSelectedThread()
        if not thread.IsValid():
            return False
        if thread.GetStopReason() == lldb.eStopReasonBreakpoint:
            # A breakpoint's number, and which of its places.
            words = range(0, thread.GetStopReasonDataCount(), 2)
            return all(thread.GetStopReasonDataAtIndex(at) in self.hooks for at in words)
        return thread.GetStopReason() == lldb.eStopReasonPlanComplete

    def is_in_line(self):
        frame = self.process().GetSelectedThread().GetFrameAtIndex(0)
        line = frame.GetLineEntry()
        start = line.GetStartAddress().GetLoadAddress(self.target()) if line.IsValid() else None
        return start is not None and start != frame.GetPC()

    def show(self):
        process = self.process()
        if process.GetState() == lldb.eStateExited:
            self.write(
                "Process %d exited with status = %d\n"
                % (process.GetProcessID(), process.GetExitStatus())
            )
        elif self.stepped():
            frame = process.GetSelectedThread().GetSelectedFrame()
            self.debugger.HandleCommand("frame select %d" % frame.GetFrameID())
        else:
            self.debugger.HandleCommand("process status")
