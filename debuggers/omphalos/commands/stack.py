"""`omp bt`."""

from ..text import Refused, shown


def bt(session, arguments):
    """`omp bt [all] [COUNT]`."""
    everybody, most = False, None
    for argument in arguments:
        if argument == "all":
            everybody = True
        elif argument.isdigit() and int(argument) > 0:
            most = int(argument)
        else:
            raise Refused("omp bt takes `all` and a number of frames, not %s" % shown(argument))
    if everybody:
        threads = sorted(session.host.threads(), key=lambda thread: thread.number)
    else:
        selected = session.host.selected()
        threads = [selected] if selected else []
    if not threads:
        raise Refused("no thread is selected: no program runs, and no core file is loaded")
    state = session.state()
    text = "\n\n".join(_one(session, state, thread, most, everybody) for thread in threads)
    if state is None:
        try:
            session.needed()
        except Refused as fault:
            text += (
                "\n\nStacks of workers end where the worker began, since OpenMP's state is "
                "unknown:\n%s" % fault
            )
    return text


def _one(session, state, thread, most, head):
    lines = []
    if head:
        lines.append(_head(state, thread))
    if not thread.stopped:
        return "\n".join(lines + ["(runs)"])
    number = 0
    for frame in session.frames(thread):
        if most is not None and number >= most:
            lines.append("(more frames)")
            break
        place = frame.place()
        text = "#%-3d %s" % (number, frame.title())
        if not frame.marker and not frame.gone:
            arguments = session.host.arguments(frame, thread)
            text += " (%s)" % arguments if arguments is not None else ""
        lines.append(text + (" at " + place if place else ""))
        number += 1
    return "\n".join(lines)


def _head(state, thread):
    known = state.thread(thread.lwp) if state else None
    text = "Thread %d (LWP %d)" % (thread.number, thread.lwp)
    if known and known.get("number") is not None:
        team = state.team(known.get("team"))
        text += ", OpenMP " + state.who(known["number"])
        if team and known.get("thread_num") is not None:
            text += ", %d of a team of %s" % (known["thread_num"], team.get("size"))
    return text + ":"
