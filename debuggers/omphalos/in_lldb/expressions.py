"""`omp pr` in lldb: an expression, in the innermost scope that has all its variables."""

import re

import lldb

from .. import names, scopes
from ..text import Refused, shown

HELP = (
    "Print an expression as the user's code sees it.\n"
    "omp pr EXPRESSION: variables are looked up in the selected frame, and in the frame that "
    "encountered the construct,\n"
    "whichever thread that is on. The expression is interpreted: no code of the program is "
    "executed."
)

_WORD = re.compile(r"(?<![\w.>])[A-Za-z_]\w*")


def show(session, arguments):
    """Gives the value as text, and where it was found if that is not the selected frame."""
    text = " ".join(arguments).strip()
    if not text:
        raise Refused("omp pr takes an expression")
    thread = session.host.selected()
    if thread is None or not thread.stopped:
        raise Refused("no stopped thread is selected")
    level = thread.raw.GetSelectedFrame().GetFrameID()
    frames = list(session.host.stack(thread))
    at = next(
        (
            at
            for at, frame in enumerate(frames)
            if frame.level >= level and frame.is_users()
        ),
        None,
    )
    if at is None:
        raise Refused(
            "no frame of the user's is selected: thread %d is in the runtime there" % thread.number
        )
    fault, words = None, _WORD.findall(text)
    around = list(enumerate(scopes.around(session, thread, frames, at)))
    known = [
        (number, scope)
        for number, scope in around
        if all(scope.frame.raw.FindVariable(word).IsValid() for word in words)
    ]
    # What is no variable of any of them may be a type, or a member of what `this` is around it.
    for number, scope in known + around[:1] + _methods(around, words):
        value = _value(scope.frame.raw, text)
        if value.GetError().Success():
            found = "%s = %s" % (text, _text(value))
            if number:
                function = names.plain(names.classify(scope.frame.name)[1] or scope.frame.name)
                found += "\n(of the frame of %s on thread %d)" % (
                    shown(function),
                    scope.thread.number,
                )
            return found
        fault = fault or value.GetError().GetCString()
    # What the compiler says, without where in the text, and without the text again.
    lines = (fault or "not found").strip().splitlines()
    # Newer ones say first what language they took it for.
    first = next((line for line in lines if line.startswith("error:")), lines[0])
    if "type system for language fortran" in first:
        raise Refused("lldb knows no Fortran: gdb has the variables")
    raise Refused(shown(re.sub(r"^error: (<user expression \d+>:\d+:\d+: )?(error: )?", "", first)))


def _methods(around, words):
    """The outer scopes that are methods, up to the first one with a variable of such a name: inside
    of that one the name means another thing."""
    found = []
    for number, scope in around:
        if number and scope.frame.raw.FindVariable("this").IsValid():
            found.append((number, scope))
        if any(scope.frame.raw.FindVariable(word).IsValid() for word in words):
            break
    return found


def _value(frame, text):
    value = frame.GetValueForVariablePath(text)
    if value.IsValid() and value.GetError().Success():
        return value
    options = lldb.SBExpressionOptions()
    # Compiled expressions would run in the program.
    options.SetAllowJIT(False)
    options.SetIgnoreBreakpoints(True)
    options.SetTryAllThreads(False)
    options.SetSuppressPersistentResult(True)
    return frame.EvaluateExpression(text, options)


def _text(value):
    if value.GetType().IsReferenceType():
        value = value.Dereference()
    if value.GetNumChildren() and not value.GetValue():
        stream = lldb.SBStream()
        value.GetDescription(stream)
        return shown_lines(stream.GetData() or "").split(" = ", 1)[-1]
    return shown(value.GetSummary() or value.GetValue() or "?")


def shown_lines(text):
    """`shown`, line by line."""
    return "\n".join(shown(line) for line in text.strip().splitlines())
