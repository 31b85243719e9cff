"""Which entry points of the runtime the compilers call for which construct, and where one stops for
it.

BEFORE: at the call, before the construct. AFTER: where the call returns, in the construct's body.
BODY: at the start of the function that the call is given, in the register named.
"""

BEFORE, AFTER, BODY = "before", "after", "body"


class Entry:
    """An entry point: its construct, where to stop, and on what condition."""

    def __init__(self, name, construct, where, condition=None, body=None, threads=None, ends=()):
        self.name = name
        self.construct = construct
        self.where = where
        # Whether the thread at that place is one to stop: condition(registers by name,
        # read(address, length)).
        self.condition = condition
        # The register that holds the construct's function, and the one with num_threads.
        self.body = body
        self.threads = threads
        # Entry points that end the construct.
        self.ends = ends

    def handed(self, register, read):
        """The construct's function, at the start of the entry point; 0 while `omp serialize` has
        the thread make another call first: the registers are that call's."""
        if register("rsp") in ELSEWHERE:
            return 0
        if isinstance(self.body, str):
            return register(self.body)
        name, offset = self.body
        return int.from_bytes(read(register(name) + offset, 8), "little")


ENTRIES = {}
# Stack pointers with which threads are at an entry point whose arguments are put aside.
ELSEWHERE = set()


def _chosen(register, _read):
    """The call's value says that this thread executes the construct."""
    return register("rax") & 0xFFFFFFFF != 0


def _chosen_byte(register, _read):
    """As `_chosen`, of a `bool`."""
    return register("rax") & 0xFF != 0


def _no_value(register, _read):
    """No other thread's values: this one executes the construct."""
    return register("rax") == 0


def _explicit(register, read):
    """Bit 0x20 of the flags of LLVM's location: the user wrote the barrier."""
    return int.from_bytes(read(register("rdi") + 4, 4), "little") & 0x20 != 0


def _add(names, construct, where, **more):
    for name in names.split():
        ENTRIES[name] = Entry(name, construct, where, **more)


# parallel
_add(
    "GOMP_parallel GOMP_parallel_reductions GOMP_parallel_sections GOMP_parallel_start",
    "region",
    BODY,
    body="rdi",
    threads="rdx",
)
for _kind in (
    "static dynamic guided runtime nonmonotonic_dynamic nonmonotonic_guided nonmonotonic_runtime "
    "maybe_nonmonotonic_runtime"
).split():
    _add("GOMP_parallel_loop_" + _kind, "region", BODY, body="rdi", threads="rdx")
for _kind in "static dynamic guided runtime".split():
    _add("GOMP_parallel_loop_%s_start" % _kind, "region", BODY, body="rdi", threads="rdx")
_add("GOMP_parallel_sections_start", "region", BODY, body="rdi", threads="rdx")
_add("__kmpc_fork_call __kmpc_fork_call_if", "region", BODY, body="rdx", threads="push")
_add("__kmpc_parallel_51", "region", BODY, body="r9")
# teams
_add("GOMP_teams_reg", "teams", BODY, body="rdi")
_add("__kmpc_fork_teams", "teams", BODY, body="rdx")
# task: GOMP_task(fn, ...), __kmpc_omp_task_alloc(loc, gtid, flags, size, shareds, fn)
_add("GOMP_task", "task", BODY, body="rdi")
_add("GOMP_taskloop GOMP_taskloop_ull", "taskloop", BODY, body="rdi")
_add("__kmpc_omp_task_alloc __kmpc_omp_target_task_alloc", "task", BODY, body="r9")
# What becomes of that task: the function is the second word of it.
_add("__kmpc_taskloop __kmpc_taskloop_5", "taskloop", BODY, body=("rdx", 8))
# target, where the host executes it: clang's code calls the function itself.
_add("GOMP_target GOMP_target_ext", "target", BODY, body="rsi")
_add("GOMP_taskwait GOMP_taskwait_depend GOMP_taskwait_depend_nowait", "taskwait", BEFORE)
_add("__kmpc_omp_taskwait __kmpc_omp_taskwait_deps_51 __kmpc_omp_wait_deps", "taskwait", BEFORE)
_add("GOMP_taskyield __kmpc_omp_taskyield", "taskyield", BEFORE)
_add("GOMP_taskgroup_start", "taskgroup", AFTER, ends=("GOMP_taskgroup_end",))
_add("__kmpc_taskgroup", "taskgroup", AFTER, ends=("__kmpc_end_taskgroup",))
# sections: clang makes a loop of them.
_add("GOMP_sections_start GOMP_sections2_start", "sections", BEFORE)
# Loops: of static ones gcc makes no call.
for _kind in (
    "static dynamic guided runtime ordered_static ordered_dynamic ordered_guided ordered_runtime "
    "nonmonotonic_dynamic nonmonotonic_guided nonmonotonic_runtime maybe_nonmonotonic_runtime"
).split():
    _add("GOMP_loop_%s_start GOMP_loop_ull_%s_start" % (_kind, _kind), "for", BEFORE)
# critical
_add("GOMP_critical_start", "critical", AFTER, ends=("GOMP_critical_end",))
_add("GOMP_critical_name_start", "critical", AFTER, ends=("GOMP_critical_name_end",))
_add("__kmpc_critical __kmpc_critical_with_hint", "critical", AFTER, ends=("__kmpc_end_critical",))
# barrier: LLVM's entry serves implicit ones too.
_add("GOMP_barrier GOMP_barrier_cancel", "barrier", BEFORE)
_add("__kmpc_barrier __kmpc_cancel_barrier", "barrier", BEFORE, condition=_explicit)
# single: the call says which thread executes it.
_add("GOMP_single_start GOMP_single_start_with_end", "single", AFTER, condition=_chosen_byte)
_add("GOMP_single_copy_start", "single", AFTER, condition=_no_value)
_add("__kmpc_single", "single", AFTER, condition=_chosen, ends=("__kmpc_end_single",))
_add("__kmpc_master", "master", AFTER, condition=_chosen, ends=("__kmpc_end_master",))
_add("__kmpc_masked", "master", AFTER, condition=_chosen, ends=("__kmpc_end_masked",))
# ordered
_add("GOMP_ordered_start", "ordered", AFTER, ends=("GOMP_ordered_end",))
_add("__kmpc_ordered", "ordered", AFTER, ends=("__kmpc_end_ordered",))
# atomic: what the processor cannot do in one instruction.
_add("GOMP_atomic_start", "atomic", BEFORE, ends=("GOMP_atomic_end",))
_add("__kmpc_atomic_start", "atomic", BEFORE, ends=("__kmpc_atomic_end",))
_add("__kmpc_flush", "flush", BEFORE)

# Words that `omp break` takes, and what each means here.
WORDS = {
    "region": "region",
    "parallel": "region",
    "teams": "teams",
    "task": "task",
    "taskloop": "taskloop",
    "target": "target",
    "taskwait": "taskwait",
    "taskgroup": "taskgroup",
    "taskyield": "taskyield",
    "critical": "critical",
    "barrier": "barrier",
    "single": "single",
    "master": "master",
    "masked": "master",
    "ordered": "ordered",
    "atomic": "atomic",
    "flush": "flush",
    "for": "for",
    "do": "for",
    "loop": "for",
    "sections": "sections",
}

# Constructs that a compiler may make without a call of the runtime: their places come from the
# source.
INLINE = {
    "master": ("master", "masked"),
    "atomic": ("atomic",),
    "flush": ("flush",),
    "for": ("for", "do"),
    "sections": ("sections",),
    # No data directive.
    "target": (r"target(?!\s+(?:data|update|enter|exit))",),
}


def entry(name):
    """The entry point of that name, or None."""
    found = ENTRIES.get(name)
    if found is None and name.startswith("__kmpc_atomic_"):
        found = ENTRIES[name] = Entry(name, "atomic", BEFORE)
    return found


def of(construct):
    """The names of a construct's entry points."""
    return [name for name, found in ENTRIES.items() if found.construct in kinds(construct)]


def kinds(construct):
    """The constructs that a word is for: a taskloop makes tasks."""
    return ("task", "taskloop") if construct == "task" else (construct,)


def of_site(image, site):
    """The construct of a call in an ELF file's code, or None: clang allocates the tasks of a
    taskloop as others, and hands them to another entry point then."""
    found = entry(site.name)
    if site.name != "__kmpc_omp_task_alloc":
        return found.construct if found else None
    behind = (
        other.name for other in image.sites(_takes_task) if other.address > site.address
    )
    return "taskloop" if (next(behind, "")).startswith("__kmpc_taskloop") else "task"


def _takes_task(name):
    """Whether an entry point of LLVM's allocates a task, or takes one that is allocated."""
    return name.startswith(("__kmpc_omp_task", "__kmpc_taskloop")) and "wait" not in name


def written(name):
    """What a user calls an entry point: a construct, or the routine itself."""
    found = entry(name) if name else None
    if found:
        return {"region": "parallel", "for": "loop"}.get(found.construct, found.construct)
    if not name:
        return "OpenMP runtime"
    if name.startswith("omp_") or name.startswith("kmp_"):
        return name.rstrip("_")
    if name.startswith("GOMP_loop") or "dispatch" in name or "for_static" in name:
        return "loop"
    if "sections" in name:
        return "sections"
    if "doacross" in name:
        return "ordered depend"
    if "reduce" in name:
        return "reduction"
    if "single" in name or "copyprivate" in name:
        return "single"
    if "critical" in name or "ordered" in name or "taskgroup" in name:
        return name.replace("GOMP_", "").replace("__kmpc_", "").replace("_", " ")
    if "task" in name:
        return "task"
    if name == "GOMP_parallel_end":
        return "end of parallel"
    return name
