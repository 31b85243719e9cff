"""Breakpoints and hooks in gdb."""

import re

import gdb

from .. import names
from ..text import Refused, shown
from . import charset
from .front import machine


def register(name):
    """A register of the thread that stopped, as an unsigned number; "cfa": what its function's
    frame begins behind."""
    frame = gdb.newest_frame()
    if name == "cfa":
        return cfa(frame)
    return int(frame.read_register(name)) & (2**64 - 1)


def cfa(frame):
    """The stack pointer behind the return address of the function that a frame is in; 0 if not
    known."""
    while frame is not None and frame.type() == gdb.INLINE_FRAME:
        frame = frame.older()
    caller = frame.older() if frame is not None else None
    return int(caller.read_register("rsp")) & (2**64 - 1) if caller is not None else 0


def read(address, length):
    """Memory."""
    return bytes(gdb.selected_inferior().read_memory(address, length))


class Held:
    """A breakpoint that can be deleted at any time, also while gdb looks at it."""

    def __init__(self, breakpoint_, label=""):
        self.breakpoint = breakpoint_
        # The construct that it is for.
        self.label = label

    def lives(self):
        """Whether the user has not deleted it."""
        return self.breakpoint.is_valid()

    def delete(self):
        """Deletes it, or has it deleted when gdb has stopped."""
        if self.breakpoint.is_valid():
            self.breakpoint.over = True
            if Conditional.asked:
                Conditional.dead.append(self.breakpoint)
            else:
                self.breakpoint.delete()


class Plain(gdb.Breakpoint):
    """A breakpoint of which no question is asked."""

    over = False


class Conditional(gdb.Breakpoint):
    """A breakpoint with a condition that gdb's expressions cannot say in every language."""

    # All of them; those that are to go; whether gdb asks one of them just now.
    all, dead, asked = [], [], False

    def __init__(self, place, condition, internal=False):
        self.test = condition
        self.over = False
        super().__init__(place, internal=internal)
        self.is_hook = internal
        # The user knows of none with that number: `show` says where the thread stands. Front ends
        # must be told by gdb itself.
        self.silent = internal and not machine() and not gdb.parameter("non-stop")
        Conditional.all.append(self)

    def stop(self):
        """Whether to stop; a condition that cannot be judged stops."""
        if self.over:
            return False
        Conditional.asked = True
        try:
            return bool(self.test(register, read))
        except (gdb.error, Refused) as error:
            charset.write("omp: %s\n" % shown(error), gdb.STDERR)
            return True
        finally:
            Conditional.asked = False


def _skipped():
    """The numbers of what gdb steps over."""
    return set(re.findall(r"^(\d+) ", gdb.execute("info skip", to_string=True), re.M))


def _set_silent(is_silent):
    """Whether gdb says nothing of stops from now on, if that was wanted."""
    try:
        gdb.execute("set suppress-cli-notifications " + ("on" if is_silent else "off"))
    except gdb.error:
        return False
    return True


def bury(*_):
    """Deletes what could not be deleted while gdb asked."""
    while Conditional.dead:
        stop = Conditional.dead.pop()
        if stop.is_valid():
            stop.delete()
    Conditional.all = [stop for stop in Conditional.all if stop.is_valid()]


class Stops:
    """The part of gdb's host that stops the program."""

    tells_steps = True
    # The last stop, as gdb told of it, and whether it was kept from telling the user.
    last, is_quiet = None, False
    # The frame from which it was to go on.
    within = None

    def body(self, start):
        try:
            symtab = gdb.find_pc_line(start).symtab
            block = gdb.block_for_pc(start)
            if symtab is None or block is None:
                return start
            while block.function is None and block.superblock is not None:
                block = block.superblock
            rows = [
                (row.pc, row.line)
                for row in symtab.linetable()
                if start <= row.pc < block.end and row.line
            ]
            # clang's outer half: its user's code is inlined into it, or is a function that it
            # calls.
            if names.classify(block.function.name)[0] in (names.REGION, names.TASK):
                return self._inner(start, rows)
            # Optimised code has the prologue and the first line at one address.
            first = {line for pc, line in rows if pc == start}
            return (
                start
                if len(first) > 1
                else min((pc for pc, _ in rows if pc > start), default=start)
            )
        except (gdb.error, RuntimeError, TypeError, AttributeError):
            return start

    def _inner(self, start, rows):
        for pc in sorted({pc for pc, _ in rows}):
            inner = gdb.block_for_pc(pc)
            while inner is not None and inner.function is None:
                inner = inner.superblock
            if inner is not None and names.classify(inner.function.name)[0] == names.BODY:
                return pc
        called = self.inner_half(start)
        if called:
            return self.body(called)
        return min((pc for pc, _ in rows if pc > start), default=start)

    def rows(self, address):
        line = gdb.find_pc_line(address)
        if not line.symtab or not line.last:
            return None
        end, number = line.last + 1, line.line
        for _ in range(64):
            following = gdb.find_pc_line(end)
            if (
                not following.symtab
                or following.line != number
                or not following.last
                or following.pc != end
            ):
                break
            end = following.last + 1
        return line.pc, end

    def stop_at(self, address, condition, label):
        if condition is None:
            stop = Plain("*%#x" % address)
        else:
            stop = Conditional("*%#x" % address, condition)
        return Held(stop, label)

    def stop_at_line(self, file, line, label):
        try:
            stop = Plain(source=file, line=line)
        except gdb.error as error:
            raise Refused(shown(error))
        return Held(stop, label)

    def has_code(self, file, line):
        if any(letter in file for letter in ":'\"\n"):
            return False
        try:
            _, found = gdb.decode_line("%s:%d" % (file, line))
        except gdb.error:
            return False
        return any(each.line == line for each in found or ())

    def hook(self, address, thread, action, label=None):
        stop = Conditional("*%#x" % address, action, internal=label is None)
        if thread is not None:
            stop.thread = (
                thread.raw.global_num if hasattr(thread.raw, "global_num") else thread.raw.num
            )
        return Held(stop, label or "")

    def set_register(self, name, value):
        # No command: gdb is in the middle of a stop. Every language assigns so.
        gdb.set_convenience_variable("omp_register", value)
        gdb.parse_and_eval("$%s = $omp_register" % name)

    def resume(self):
        self.last, self.is_quiet, self.within = None, False, gdb.newest_frame()
        gdb.execute("continue")

    def plain(self, command, quiet=False):
        self.last, self.within = None, gdb.newest_frame()
        # The library's own debug information may be there. Compilers' helpers have lines, too.
        before = _skipped()
        gdb.execute(
            r"skip -rfunction ^omphalos_\|^[.]omp_task_privates\|^[.]omp_task_dup\|^[.]omp[.]",
            to_string=True,
        )
        mine = _skipped() - before
        # Front ends are told by gdb itself. Before version 12 it cannot be silent.
        self.is_quiet = quiet and not machine() and _set_silent(True)
        try:
            gdb.execute(command)
        finally:
            if self.is_quiet:
                _set_silent(False)
            for number in mine:
                gdb.execute("skip delete " + number, to_string=True)

    def stepped(self):
        if isinstance(self.last, gdb.BreakpointEvent):
            stops = self.last.breakpoints
            return all(isinstance(stop, Conditional) and stop.is_hook for stop in stops)
        return self.last is not None and not isinstance(self.last, gdb.SignalEvent)

    def runs(self, thread):
        return thread.raw.is_valid() and thread.raw.is_running()

    def is_in_line(self):
        pc = gdb.newest_frame().pc()
        line = gdb.find_pc_line(pc)
        return bool(line.symtab) and line.pc != pc

    def show(self):
        is_hook = isinstance(self.last, gdb.BreakpointEvent) and self.stepped()
        is_silent = is_hook and not machine() and not gdb.parameter("non-stop")
        if isinstance(self.last, gdb.StopEvent) and (is_silent or self.is_quiet):
            if isinstance(self.last, gdb.SignalEvent):
                charset.write("Program received signal %s\n" % self.last.stop_signal)
            elif not self.stepped():
                numbers = [str(stop.number) for stop in self.last.breakpoints if not stop.silent]
                charset.write("Breakpoint %s, " % ", ".join(numbers))
            # As gdb's own steps say it.
            said = re.sub(r"^#\d+\s+", "", gdb.execute("frame", to_string=True))
            is_same = self.stepped() and self.within == gdb.newest_frame()
            if is_same and not self.is_in_line() and "\n" in said.rstrip():
                said = said.split("\n", 1)[1]
            charset.write(said)

    def stopped(self, event):
        """Notes why the program stopped."""
        self.last = event
        bury()
