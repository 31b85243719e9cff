"""Where a construct stands in the source.

The line of the call that begins it is not always the directive's: gcc gives it the line of what the
program does before, if the construct hands nothing over. So the directive above the body's first
line counts, or else the one that follows the call's line, if the source can be read.
"""

import re

from . import constructs, names
from .breaks import directives
from .text import place, shown

# What begins the constructs whose bodies are handed over.
REGIONS = ("parallel", "teams", "target")
LEAGUES = ("teams", "target")
TASKS = ("task", "taskloop", "target")
# Lines between a call's and its directive's that are read: comments, mostly.
MOST = 30
# Lines of code of a body that are looked at.
ROWS = 500
# Between the two stands nothing that has code.
_NOTHING = re.compile(r"^\s*([{}!*/#].*|[cC]\s.*|)$")


def written(session, codeptr, function=0, words=REGIONS):
    """`main at a.c:12`, of a construct's return address, or else of its outlined function."""
    address = (codeptr - 1) if codeptr else _call(session, function) or function
    if not address:
        return "an unknown place"
    inside, file, line = session.host.line_at(address)
    body, first = _first_line(session, function)
    above = [at for at, _ in directives(body, words) if at <= first] if body else []
    if above:
        file, line = body, above[-1]
    elif address != function:
        line = _directive(file, line, words)
    # A body's own name tells where the construct stands, also if that function was inlined.
    role, base = names.classify(session.host.line_at(function)[0] if function else None)
    if role == names.USER or not base:
        role, base = names.classify(inside)
    base = names.plain((inside if role == names.USER else base) or "")
    where = place(file, line)
    if base and where:
        return "%s at %s" % (shown(base), where)
    return shown(base) or where or "%#x" % address


def region(session, team):
    """`region in main at a.c:12`, or `teams construct in ...`, of a team's region."""
    state = session.needed()
    league = state.league(team)
    codeptr, function, what, words = team.get("codeptr"), team.get("function"), "region", REGIONS
    if league:
        what, words = "teams construct", LEAGUES
        codeptr = codeptr or league.get("codeptr") or _began_league(session, state, league)
    return "%s in %s" % (what, written(session, codeptr, function, words))


def _began_league(session, state, league):
    """The return address of a league's call, by the stack of the thread that made it: the runtime
    is not told of clang's."""
    other = state.encounterer(league) or {}
    thread = session.threads().get(other.get("lwp"))
    frames = session.stacks.other(thread) if thread and thread.stopped else []
    for at in range(len(frames) - 1, 0, -1):
        if frames[at - 1].runtime() and not (frames[at].runtime() or frames[at].system()):
            entry = constructs.entry(session.stacks.entered(frames[at].pc) or "")
            if entry and entry.construct == "teams":
                return frames[at].pc
    return 0


def _call(session, function):
    """The first call that hands a function to the runtime, if all stand in one function; an address
    in it."""
    sites = session.stacks.handing(function) if function else []
    bias = session.stacks.bias(function) if sites else 0
    calls = [site.after + bias - 1 for site in sites]
    return calls[0] if len({session.host.line_at(call)[0] for call in calls}) == 1 else 0


def _first_line(session, function):
    """The first line of a body, in the file that it begins in; what is inlined into it is left
    out."""
    host = session.host
    key = (host.pid(), function)
    if key not in session.first_lines:
        session.first_lines[key] = _read_first_line(host, function) if function else (None, 0)
    return session.first_lines[key]


def _read_first_line(host, function):
    if names.is_scattered(host.line_at(function)[0]):
        return None, 0
    # In gcc's debug information a body lies in the function that its construct stands in.
    ranges = [part for parts in host.parts(function) for part in parts]
    ends = [end for start, end in ranges if start == function]
    at, own, lines = function, None, []
    for _ in range(ROWS):
        rows = host.rows(at) if ends and at < max(ends) else None
        if not rows or rows[1] <= at:
            break
        inside, file, line = host.line_at(at)
        if file and line and own in (None, file) and not host.is_inlined(inside, at):
            own = file
            lines.append(line)
        at = rows[1]
    return own, min(lines, default=0)


def _directive(file, line, words):
    """The line of the directive that a call at a line belongs to; the call's if none is found."""
    if not (file and line):
        return line
    for first, behind in directives(file, words):
        if first <= line < behind:
            return first
        if line < first <= line + MOST:
            return first if _is_next(file, line, first) else line
    return line


def _is_next(file, line, first):
    """Whether nothing but comments stands between two lines."""
    try:
        with open(file, encoding="utf-8", errors="replace") as source:
            between = source.read().splitlines()[line : first - 1]
    except OSError:
        return False
    return all(_NOTHING.match(text) for text in between)
