"""Stacks that are those of the stop.

Where a breakpoint lets a thread go on, lldb 22 may read the thread's stack while the thread takes
the step over the breakpoint, and show that one at the next stop.
"""

import lldb

# lldb forgets all stacks when this setting changes.
_UNWINDS = "target.process.disable-language-runtime-unwindplans"


def watch(debugger):
    """Has lldb look at stacks anew, in the selected target, where they are not those of a stop."""
    said = lldb.SBCommandReturnObject()
    hook = "target stop-hook add -P omphalos.in_lldb.fresh.Hook"
    debugger.GetCommandInterpreter().HandleCommand(hook, said)


class Hook:
    """What lldb calls at each stop, before it shows anything."""

    def __init__(self, target, _arguments, _dictionary):
        self.target = target

    def handle_stop(self, _context, _stream):
        """Says that it is a stop."""
        if any(_is_stale(thread.GetFrameAtIndex(0)) for thread in self.target.GetProcess()):
            name = self.target.GetDebugger().GetInstanceName()
            kept = lldb.SBDebugger.GetInternalVariableValue(_UNWINDS, name).GetStringAtIndex(0)
            for value in ("false" if kept == "true" else "true", kept):
                lldb.SBDebugger.SetInternalVariable(_UNWINDS, value, name)
        return True


def _is_stale(frame):
    """Whether a thread's innermost frame is not where the thread is."""
    return frame.IsValid() and frame.FindRegister("rip").GetValueAsUnsigned() != frame.GetPC()
