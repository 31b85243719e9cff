"""The runtime's snapshot (debug/ompd-view/src/snapshot) with what makes it easy to ask."""

import itertools

from .text import numbers, shown

# Teams inside each other that are followed.
MOST_TEAMS = 2000


def is_implicit(task):
    """Whether a task is an initial or implicit one."""
    return bool((task.get("flags") or 0) & 3)


class State:
    """A snapshot, by number and address. Everything in it comes from the debuggee: nothing need be
    true."""

    def __init__(self, snapshot, describe=None):
        self.snapshot = snapshot if isinstance(snapshot, dict) else {}
        self._threads = self._list("threads")
        self._by_lwp = {thread.get("lwp"): thread for thread in self._threads if thread.get("lwp")}
        self._by_record = {
            thread.get("record"): thread for thread in self._threads if thread.get("record")
        }
        self._teams = {team.get("address"): team for team in self._list("teams")}
        self._tasks = {task.get("address"): task for task in self._list("tasks")}
        self._locks = {lock.get("address"): lock for lock in self._list("locks")}
        # What has the locks' names added when somebody asks for one: that takes a look at all.
        self._describe = describe

    def _list(self, name):
        items = self.snapshot.get(name)
        return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []

    def threads(self):
        """All threads."""
        return self._threads

    def thread(self, lwp):
        """The thread that the kernel knows by that number, or None."""
        return self._by_lwp.get(lwp)

    def record(self, address):
        """The thread with that record, or None."""
        return self._by_record.get(address) if address else None

    def number(self, number):
        """The thread of that OpenMP number, or None."""
        return next(
            (
                thread
                for thread in self._threads
                if number is not None and thread.get("number") == number
            ),
            None,
        )

    def teams(self):
        """All teams."""
        return list(self._teams.values())

    def team(self, address):
        """A team, or None."""
        return self._teams.get(address) if address else None

    def outwards(self, address):
        """A team and those around it, from the innermost one on; a damaged chain has no end."""
        for _ in range(MOST_TEAMS):
            team = self.team(address)
            if not team:
                return
            yield team
            address = team.get("parent")

    def is_league(self, team):
        """Whether a team is the region of a league: its members are the teams' initial threads."""
        return any(other.get("league") == team.get("address") for other in self._teams.values())

    def league(self, team):
        """The region of the league that a team belongs to, or that it is; None without one."""
        return team if self.is_league(team) else self.team(team.get("league"))

    def tasks(self):
        """All tasks."""
        return list(self._tasks.values())

    def has_tasks(self):
        """Whether some explicit task is not complete."""
        return any(not is_implicit(task) for task in self._tasks.values()) or any(
            team.get("queued_tasks") for team in self._teams.values()
        )

    def task(self, address):
        """A task, or None."""
        return self._tasks.get(address) if address else None

    def locks(self):
        """All locks."""
        describe, self._describe = self._describe, None
        if describe and self._locks:
            describe(self.snapshot, self._locks.values())
        return list(self._locks.values())

    def lock(self, address):
        """A lock, or None."""
        return next((lock for lock in self.locks() if lock.get("address") == address), None)

    def notes(self):
        """What could not be read."""
        notes = self.snapshot.get("notes")
        return [shown(note) for note in notes] if isinstance(notes, list) else []

    def encounterer(self, team):
        """The thread that encountered a team's region."""
        task = self.task(team.get("encountering_task"))
        found = self.record(task.get("thread")) if task else None
        if found:
            return found
        members = team.get("members") or [0]
        return self.record(members[0])

    def joined_team(self, lwp):
        """The team in which a thread works for another one: its own, or one around it."""
        thread = self.thread(lwp)
        if not thread:
            return None
        wait = thread.get("waits") or {}
        if wait.get("for") == "work":
            return None
        for team in self.outwards(thread.get("team")):
            other = self.encounterer(team)
            if other and other is not thread:
                return team
        return None

    def does(self, thread):
        """What a thread does, in a few words."""
        name = shown(thread.get("state_name"))
        return self.waiting(thread) or (
            name[len("ompt_state_") :] if name.startswith("ompt_state_") else name
        )

    def inside(self, thread, team):
        """Whether a thread is in a region inside a team's."""
        around = itertools.islice(self.outwards(thread.get("team")), 1, None)
        return any(own is team for own in around)

    def who(self, number):
        """"thread 3", of an OpenMP number; hidden helper threads have negative ones."""
        if not isinstance(number, int):
            return "an unknown thread"
        return "thread %d" % number if number >= 0 else "helper thread %d" % -number

    def lock_name(self, address):
        """A lock as a user may know it."""
        lock = self.lock(address) or {}
        kind = lock.get("kind") or "lock"
        name = lock.get("name")
        if name == "":
            return "%s without a name" % shown(kind)
        of = " of " + shown(lock["function"]) if name and lock.get("function") else ""
        return "%s %s%s" % (shown(kind), shown(name) if name else "%#x" % (address or 0), of)

    def waiting(self, thread):
        """What a thread waits for, in a few words; "" for nothing."""
        wait = thread.get("waits")
        if not isinstance(wait, dict):
            return ""
        kind = wait.get("for")
        if kind == "lock":
            lock = self.lock(wait.get("lock")) or {}
            text = "waits for " + self.lock_name(wait.get("lock"))
            if lock.get("shared"):
                return text + ", in memory that processes share"
            if lock.get("damaged"):
                return text + ", which names a holder that never was"
            if lock.get("holder") is not None:
                text += ", held by " + self.who(lock["holder"])
                if lock.get("holder_gone"):
                    text += ", which has ended"
            return text
        if kind == "barrier":
            names = {
                "explicit": "barrier",
                "implicit": "implicit barrier",
                "region": "barrier at the end of the region",
            }
            what = names.get(wait.get("kind"), "barrier")
            if wait.get("kind") == "region" and self.is_league(self.team(wait.get("team")) or {}):
                what = "end of the teams construct"
            missing = wait.get("missing") or []
            if wait.get("for_tasks"):
                # A thread that has not seen yet that all have come.
                return what + (": waits for tasks" if self.has_tasks() else ": all have come")
            return "%s: waits for %s" % (what, numbers(missing)) if missing else what
        if kind == "work":
            return "idle: waits for work"
        if kind == "call":
            return "%s %s" % (shown(wait.get("name")), shown(wait.get("what")))
        # In the words of `omphalos inspect`.
        return shown(thread.get("doing"))
