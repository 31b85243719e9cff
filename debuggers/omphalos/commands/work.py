"""Regions, tasks and barriers."""

from ..state import is_implicit
from ..text import Refused, count, shown
from ..where import region, written
from .look import no_arguments, standing

# ompt_task_flag_t
KINDS = ((1, "initial"), (2, "implicit"), (4, "explicit"), (8, "target"), (16, "taskwait"))
FLAGS = (
    (1 << 27, "undeferred"),
    (1 << 28, "untied"),
    (1 << 29, "final"),
    (1 << 30, "mergeable"),
    (1 << 31, "merged"),
)
# Tasks that are listed at most, unless all are asked for.
MOST = 200


def regions(session, arguments):
    """`omp regions`."""
    no_arguments(arguments, "regions")
    state, lines = session.needed(), []
    for team in sorted(
        state.teams(), key=lambda team: (team.get("level") or 0, team.get("address") or 0)
    ):
        if team.get("level"):
            lines += team_lines(session, state, team)
    return "\n".join((lines or ["no thread is in a parallel region"]) + state.notes())


def team_lines(session, state, team):
    """A team's region and what each member does."""
    parent = state.team(team.get("parent"))
    if team.get("level"):
        is_inside = parent and (parent.get("level") or state.league(parent))
        head = "%s: level %s, a team of %s%s" % (
            region(session, team),
            team.get("level"),
            team.get("size"),
            ", in the " + region(session, parent) if is_inside else "",
        )
    elif state.league(team):
        many = count(team.get("size") or 0, "initial thread")
        head = "%s: %s" % (region(session, team), "a team of it" if team.get("league") else many)
    else:
        head = "outside of regions: an initial team"
    lines = [head]
    for number, record in enumerate(team.get("members") or []):
        thread = state.record(record)
        if thread is None:
            lines.append("    %d: nobody" % number)
            continue
        does = state.does(thread)
        if thread.get("team") != team.get("address"):
            inside = "in a team of it" if state.is_league(team) else "in a region inside"
            does = inside if state.inside(thread, team) else "not there yet"
        where = standing(session, thread)
        lines.append(
            ("    %d: %s  %s  %s" % (number, state.who(thread.get("number")), does, where)).rstrip()
        )
    if team.get("queued_tasks"):
        lines.append("    %s queued" % count(team["queued_tasks"], "task"))
    return lines


def barriers(session, arguments):
    """`omp barriers`."""
    no_arguments(arguments, "barriers")
    state, lines = session.needed(), []
    for team in state.teams():
        for missing, waiting in _barriers_of(state, team):
            lines += _barrier(session, state, team, missing, waiting)
    return "\n".join((lines or ["no thread waits at a barrier"]) + state.notes())


def _barriers_of(state, team):
    """The barriers of a team at which members wait: who has not come, and the threads there. Of
    two that the members do not meet at, each is missed by others."""
    found = {}
    for thread in state.threads():
        wait = thread.get("waits") or {}
        if wait.get("for") == "barrier" and wait.get("team") == team.get("address"):
            missing = tuple(n for n in wait.get("missing") or [] if isinstance(n, int))
            found.setdefault(missing, []).append(thread)
    return found.items()


def _barrier(session, state, team, missing, waiting):
    """One barrier: who waits there, and what those do that have not come."""
    kinds = {shown(thread["waits"].get("kind")) for thread in waiting}
    lines = [
        "barrier (%s) of the %s: %d of %s threads have come"
        % (
            ", ".join(sorted(kinds)),
            region(session, team),
            (team.get("size") or 0) - len(missing),
            team.get("size"),
        )
    ]
    for thread in waiting:
        where = standing(session, thread)
        stands = "in " + where if where else "at the end of the region"
        lines.append("    %s waits %s" % (_member(state, thread), stands))
    members = team.get("members") or []
    for number in sorted(missing):
        thread = state.record(members[number]) if 0 <= number < len(members) else None
        where = standing(session, thread)
        does = state.waiting(thread) if thread else ""
        lines.append(
            "    %s has not come%s%s"
            % (number, ": " + where if where else "", "; " + does if does else "")
        )
    if any(thread["waits"].get("for_tasks") for thread in waiting):
        left = "tasks are left (omp tasks)" if state.has_tasks() else "they go on"
        lines.append("    all have come: " + left)
    return lines


def _member(state, thread):
    number = thread.get("thread_num")
    return "%s (%s)" % (number if number is not None else "?", state.who(thread.get("number")))


def tasks(session, arguments):
    """`omp tasks [graph]`."""
    if arguments not in ([], ["graph"]):
        raise Refused("omp tasks takes `graph` or nothing, not %s" % shown(" ".join(arguments)))
    state = session.needed()
    found = [task for task in state.tasks() if arguments or not is_implicit(task)]
    if arguments:
        return "\n".join(_graph(session, state, found) + state.notes())
    lines = []
    for task in found[:MOST]:
        lines.append(task_line(session, state, task))
    if len(found) > MOST:
        lines.append("(%d more)" % (len(found) - MOST))
    return "\n".join((lines or ["no explicit task is pending"]) + state.notes())


def task_line(session, state, task):
    made_in = _made_in(session, state, task)
    if isinstance(task.get("shares"), int):
        # A ticket: it stands for tasks that are made when a thread has time for them.
        return "%#x %s of a taskloop, not begun, made in %s" % (
            task.get("address") or 0,
            count(task["shares"], "task"),
            made_in,
        )
    flags = task.get("flags") or 0
    kind = next((name for bit, name in KINDS if flags & bit), "task")
    more = [name for bit, name in FLAGS if flags & bit]
    text = "%#x %s task, %s" % (
        task.get("address") or 0,
        kind,
        shown(task.get("state")) or "state unknown",
    )
    if more:
        text += ", " + ", ".join(more)
    thread = state.record(task.get("thread"))
    if thread:
        text += ", on " + state.who(thread.get("number"))
    if not flags & 1:
        text += ", made in %s" % made_in
    if task.get("children"):
        text += ", " + count(task["children"], "child", "children")
    depends = task.get("depends_on") or []
    if depends:
        text += ", waits for %s" % ", ".join("%#x" % (other or 0) for other in depends[:8])
        text += ", ..." if len(depends) > 8 else ""
    return text


def _made_in(session, state, task):
    """Where a task was made; an implicit one with its region."""
    team = state.team(task.get("team")) if is_implicit(task) else None
    if team:
        return region(session, team).split(" in ", 1)[1]
    return written(session, task.get("codeptr"), task.get("function"), "task")


def _graph(session, state, tasks_):
    """The tasks as a tree of who made whom; dependences as arrows behind."""
    children = {}
    addresses = {task.get("address") for task in tasks_}
    for task in tasks_:
        parent = task.get("parent")
        children.setdefault(parent if parent in addresses else None, []).append(task)
    lines, seen = [], set()
    pending = [(task, 0) for task in reversed(children.get(None, []))]
    while True:
        if not pending:
            # A damaged chain may be a ring, which no root leads to.
            left = [task for task in tasks_ if task.get("address") not in seen]
            if not left:
                break
            pending = [(left[0], 0)]
        task, depth = pending.pop()
        if task.get("address") in seen:
            continue
        seen.add(task.get("address"))
        if len(lines) >= MOST * 5:
            lines.append("(%d more)" % (len(tasks_) - len(seen) + 1))
            break
        lines.append("%s%s" % ("    " * min(depth, 20), task_line(session, state, task)))
        pending += [(child, depth + 1) for child in reversed(children.get(task.get("address"), []))]
    return lines or ["no task is known"]
