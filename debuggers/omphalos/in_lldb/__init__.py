"""The commands in lldb: `omp` and a word that says which. `load` adds them to a debugger."""

import lldb

from ..commands import COMMANDS, no_command
from ..session import Session
from ..text import Refused
from . import expressions
from .host import Lldb
from .stops import on_hit

_session = None

ALL = {**COMMANDS, "pr": (expressions.show, expressions.HELP)}


class Omp:
    """OpenMP: threads, stacks, regions, tasks, locks and barriers as their author wrote them."""

    def __init__(self, debugger, _dictionary):
        global _session
        if _session is None:
            _session = Session(Lldb(debugger))

    def __call__(self, debugger, command, context, result):
        _session.host.use(debugger, context)
        word, _, rest = command.strip().partition(" ")
        if word == "help":
            result.AppendMessage(_help(ALL.keys() & {rest.strip()} or ALL))
            result.SetStatus(lldb.eReturnStatusSuccessFinishResult)
            return
        if word not in ALL:
            result.SetError("omp: " + no_command(word))
            return
        # An expression goes on to the line's end. Other commands' arguments have no blanks in them.
        arguments = [rest.strip()] if word == "pr" else rest.split()
        try:
            _session.host.catch_up(_session.stops)
            text = ALL[word][0](_session, arguments)
            if text:
                result.AppendMessage(text)
            result.SetStatus(lldb.eReturnStatusSuccessFinishResult)
        except Refused as refused:
            result.SetError("omp: " + str(refused))

    def get_short_help(self):
        """What `help` lists."""
        return "OpenMP's threads, stacks, regions, tasks, locks, barriers, and why nothing goes on."

    def get_long_help(self):
        """What `help omp` says."""
        return _help(ALL)


def _help(names):
    return "\n\n".join(
        "omp %s\n    %s" % (name, ALL[name][1].replace("\n", "\n    ")) for name in sorted(names)
    )


def load(debugger):
    """Adds the commands."""
    debugger.HandleCommand("command script add -o -c omphalos.in_lldb.Omp omp")


__all__ = ["Omp", "load", "on_hit"]
