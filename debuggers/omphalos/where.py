"""Where a construct stands in the source, as libompd.so tells it by the program's code."""

import json

from . import constructs, names, outside_look
from .text import place, shown


def written(session, codeptr, function=0, kind="region"):
    """`main at a.c:12`, of a construct's return address, of its outlined function, or of both."""
    key = (session.host.pid(), codeptr, function, kind)
    if key not in session.places:
        found = asked(session.host, codeptr, function, kind)
        parts = shown(found.get("function")), place(found.get("file"), found.get("line"))
        session.places[key] = " at ".join(filter(None, parts))
    return session.places[key] or "%#x" % (codeptr or function or 0)


def asked(host, codeptr, function, kind):
    """The function, the file and the line of a construct. `kind`: "region", "task", or "place" for
    any other call."""
    question = {"codeptr": codeptr or 0, "function": function or 0, "kind": kind}
    text = json.dumps(dict(question, maps=outside_look.maps(host)))
    return names.ask_library("omphalos_construct", text)


def region(session, team):
    """`region in main at a.c:12`, or `teams construct in ...`, of a team's region."""
    state = session.needed()
    league = state.league(team)
    codeptr, function = team.get("codeptr"), team.get("function")
    if league:
        codeptr = codeptr or league.get("codeptr") or _began_league(session, state, league)
    what = "teams construct" if league else "region"
    return "%s in %s" % (what, written(session, codeptr, function))


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
