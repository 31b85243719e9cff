"""What the selected thread is in: its loop, its team, its task."""

from itertools import islice

from ..text import Refused, count, shown
from .look import no_arguments, standing
from .work import task_line, team_lines

# Tasks of a chain that are shown.
MOST = 50
# What clang calls the bounds of a thread's part of a loop, and where it is.
BOUNDS = (".omp.lb", ".omp.ub", ".omp.iv")


def _selected(session):
    """The state, the selected thread of the debugger's, and what OpenMP knows of it."""
    state, selected = session.needed(), session.host.selected()
    if selected is None:
        raise Refused("no thread is selected")
    thread = state.thread(selected.lwp)
    if thread is None or thread.get("number") is None:
        raise Refused("OpenMP does not know the selected thread (omp threads has those it knows)")
    return state, selected, thread


def _number(value):
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _schedule(found):
    """`schedule(dynamic, 4)`, as the directive would have it."""
    words = shown(found.get("schedule"))
    if found.get("nonmonotonic") and found.get("schedule") == "dynamic":
        words = "nonmonotonic: " + words
    if isinstance(found.get("chunk"), int):
        words += ", %d" % found["chunk"]
    text = "schedule(%s)" % words
    return text + (", chosen as it began" if found.get("chosen") else "")


def _values(found, first, many):
    """The values of the loop variable in some iterations, as the compiler counts them."""
    start, step = _number(found.get("first")), _number(found.get("step"))
    begin, end = start + first * step, start + (first + many - 1) * step
    # Of unsigned loops only the bits are known. No loop of signed numbers begins down there.
    if begin < -(2**62):
        begin, end = begin + 2**64, end + 2**64
    return "%d" % begin if many == 1 else "%d to %d" % (begin, end)


def _what(found):
    """A construct in a line."""
    many = _number(found.get("iterations"))
    if found.get("construct") == "sections":
        return "sections: " + count(many, "section")
    text = "a loop" if found.get("construct") == "loop" else "distribute"
    text += ": " + _schedule(found)
    if found.get("ordered"):
        text += ", ordered"
    text += ", " + count(many, "iteration")
    if many:
        text += ": %s in steps of %d" % (_values(found, 0, many), _number(found.get("step")))
    return text


def _has(found):
    """The iterations that a thread has, as far as they are known."""
    own = found.get("own")
    if not (isinstance(own, list) and len(own) == 2):
        return ""
    return "has %s: %s" % (
        count(_number(own[1]), "iteration"),
        _values(found, _number(own[0]), _number(own[1])),
    )


def loop(session, arguments):
    """`omp loop`."""
    no_arguments(arguments, "loop")
    state, selected, thread = _selected(session)
    found = thread.get("in_loop")
    if not isinstance(found, dict):
        return _by_itself(session, state, selected, thread)
    lines = ["%s is in %s" % (state.who(thread.get("number")), _what(found))]
    team = state.team(thread.get("team")) or {}
    members = [state.record(record) for record in team.get("members") or []]
    same = [
        member
        for member in members
        if member and _is_same(member.get("in_loop"), found) and _is_in(member, team)
    ]
    left = [one["in_loop"]["left"] for one in same if isinstance(one["in_loop"].get("left"), int)]
    if left:
        what = "section" if found.get("construct") == "sections" else "iteration"
        lines.append(
            "    %s not taken yet" % count(min(left), what + " is", what + "s are")
            if min(left)
            else "    all %ss are taken" % what
        )
    for number, member in enumerate(members):
        if member is None:
            lines.append("    %d: nobody" % number)
            continue
        text = "in it" if member in same else "not in it: " + (state.does(member) or "elsewhere")
        has = _has(member["in_loop"]) if member in same else ""
        where = standing(session, member)
        lines.append(
            "    %d: %s  %s%s  %s"
            % (number, state.who(member.get("number")), text, ", " + has if has else "", where)
        )
    return "\n".join([line.rstrip() for line in lines] + state.notes())


def _is_in(member, team):
    return member.get("team") == team.get("address")


def _is_same(other, found):
    """Whether two members are in the same construct. Its number tells; if the construct has no
    shared state, everything that is known of it tells."""
    if not isinstance(other, dict) or other.get("number") != found.get("number"):
        return False
    fixed = ("construct", "schedule", "chunk", "iterations", "first", "step")
    return all(other.get(name) == found.get(name) for name in fixed)


def _by_itself(session, state, selected, thread):
    """A static loop of clang's has its bounds in variables of the body's."""
    who = state.who(thread.get("number"))
    for frame in islice(session.host.stack(selected), MOST) if selected.stopped else []:
        if frame.runtime() or frame.system():
            continue
        first, last, now = (session.host.number(frame, name) for name in BOUNDS)
        if first is not None and last is not None:
            text = who + " is in a loop that its code hands out itself: of the iterations, "
            text += "counted from 0, it has "
            if first > last:
                return text + "none"
            text += "%d to %d" % (first, last)
            return text if now is None else "%s and is in %d" % (text, now)
        if "omp_outlined" in (frame.name or ""):
            break
    return (
        "%s is in no loop that the runtime hands out. (The bounds of a static loop are in the "
        "program's code alone.)" % who
    )


def team(session, arguments):
    """`omp team`."""
    no_arguments(arguments, "team")
    state, _, thread = _selected(session)
    found = state.team(thread.get("team"))
    if not found:
        return "%s is in no team: it waits for work" % state.who(thread.get("number"))
    return "\n".join(team_lines(session, state, found) + state.notes())


def task(session, arguments):
    """`omp tr`."""
    no_arguments(arguments, "tr")
    state, _, thread = _selected(session)
    found, lines, seen = state.task(thread.get("task")), [], set()
    if not found:
        return "%s executes no task" % state.who(thread.get("number"))
    while found and found.get("address") not in seen and len(lines) < MOST:
        seen.add(found.get("address"))
        lines.append(("    made by " if lines else "") + task_line(session, state, found))
        found = state.task(found.get("parent"))
    return "\n".join(lines + state.notes())
