"""Locks in memory that processes share: a holder's number there may be one of another process."""


def mark(session, state, locks):
    """Marks these locks, and says which other process holds one where its number tells that."""
    if not locks:
        return
    host = session.host
    spans = _spans(host.pid()) if host.alive() else []
    for lock in locks:
        address = lock.get("address") or 0
        if not any(start <= address < end for start, end in spans):
            continue
        lock["shared"] = True
        waits = [thread.get("waits") or {} for thread in state.threads()]
        # A mutex has the kernel's number of its holder, which no two processes have.
        owner = next(
            (
                wait.get("owner")
                for wait in waits
                if wait.get("for") == "mutex" and wait.get("mutex") == address
            ),
            None,
        )
        if owner and not state.thread(owner):
            lock["elsewhere"] = _process_of(owner)


def _spans(pid):
    """Where the memory is that the process shares with others."""
    found = []
    try:
        with open("/proc/%d/maps" % pid, encoding="utf-8", errors="replace") as file:
            for line in file:
                span, rights = line.split(" ", 2)[:2]
                if rights.endswith("s"):
                    found.append(tuple(int(part, 16) for part in span.split("-")))
    except (OSError, ValueError):
        pass
    return found


def _process_of(lwp):
    """ "process 12 ('app')", of a thread of any process; None if there is none."""
    try:
        with open("/proc/%d/status" % lwp, encoding="utf-8", errors="replace") as file:
            fields = dict(line.rstrip().split(":\t", 1) for line in file if ":\t" in line)
        pid = int(fields["Tgid"])
        with open("/proc/%d/comm" % pid, encoding="utf-8", errors="replace") as file:
            return "process %d ('%s')" % (pid, file.read().rstrip())
    except (OSError, ValueError, KeyError):
        return None
