"""`omp` and its subcommands in gdb."""

import gdb

from ..commands import COMMANDS, no_command
from ..text import Refused, shown
from . import charset, expressions

# The words that `omp help` takes.
OWN = {*COMMANDS, "pr"}


class Prefix(gdb.Command):
    """OpenMP: threads, stacks, regions, tasks, locks and barriers as their author wrote them."""

    def __init__(self):
        super().__init__("omp", gdb.COMMAND_STACK, gdb.COMPLETE_NONE, True)

    def invoke(self, argument, _from_tty):
        """What gdb calls for a word that is no subcommand, and for none."""
        words = argument.split()
        if words[:1] == ["help"]:
            known = next((word for word in words[1:2] if word in OWN), "")
            gdb.execute(("help omp " + known).strip())
            return
        raise gdb.GdbError(charset.fit("omp: " + no_command(argument.strip())))


class Subcommand(gdb.Command):
    """One command."""

    def __init__(self, session, name, act, text):
        self.__doc__ = text
        self.session = session
        self.act = act
        super().__init__("omp " + name, gdb.COMMAND_STACK)

    def invoke(self, argument, _from_tty):
        """What gdb calls."""
        self.dont_repeat()
        try:
            text = self.act(self.session, gdb.string_to_argv(argument))
        except Refused as refused:
            raise gdb.GdbError(charset.fit("omp: " + str(refused)))
        except gdb.error as error:
            raise gdb.GdbError(charset.fit("omp: " + shown(error)))
        if text:
            charset.write(text + "\n")


class Print(gdb.Command):
    __doc__ = expressions.HELP

    def __init__(self, session):
        self.session = session
        super().__init__("omp pr", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, _from_tty):
        """What gdb calls."""
        try:
            expressions.show(self.session, argument.strip())
        except Refused as refused:
            raise gdb.GdbError(charset.fit("omp: " + str(refused)))
        except gdb.error as error:
            raise gdb.GdbError(charset.fit("omp: " + shown(error)))


def add(session):
    """Adds them all."""
    Prefix()
    for name, (act, text) in COMMANDS.items():
        Subcommand(session, name, act, text)
    Print(session)
