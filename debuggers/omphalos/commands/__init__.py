"""The commands but for `omp pr`: each takes the session and its arguments, and gives text."""

from .. import breaks, motion, serialize, step_over
from ..text import shown
from . import current, look, stack, why, work

# name: (function, what `help` says). The first line is the summary.
COMMANDS = {
    "threads": (
        look.threads,
        "List the threads: number, team, state, what each waits for and who holds it, where it "
        "stands.",
    ),
    "bt": (
        stack.bt,
        "Show the stack of the selected thread as its author wrote it, joined down to main.\n"
        "omp bt [all] [COUNT]: of all threads, of COUNT frames at most.",
    ),
    "regions": (work.regions, "List the parallel regions that threads are in, the innermost last."),
    "tasks": (
        work.tasks,
        "List the tasks that are not complete.\nomp tasks graph: who made whom, and who waits for "
        "whom.",
    ),
    "loop": (
        current.loop,
        "Show the loop or sections that the selected thread is in: schedule, chunk, iterations, "
        "which are not taken yet, and which members are in it.",
    ),
    "team": (
        current.team,
        "Show the selected thread's team: its region and what each member does.",
    ),
    "tr": (
        current.task,
        "Show the task that the selected thread executes, who made it, and so on up to the first.",
    ),
    "icvs": (look.icvs, "List OpenMP's control variables, as the selected thread has them."),
    "locks": (look.locks, "List the locks that threads wait for: who holds them, who waits."),
    "barriers": (
        work.barriers,
        "List the barriers that threads wait at, and which threads have not come.",
    ),
    "why": (
        why.why,
        "Say why nothing goes on: cycles of locks, barriers not met, dependences never released.",
    ),
    "break": (breaks.break_at, breaks.BREAK_HELP),
    "step": (motion.step, motion.STEP_HELP),
    "next": (step_over.next_over, step_over.NEXT_HELP),
    "serialize": (serialize.serialize, serialize.SERIALIZE_HELP),
    "library": (motion.library, motion.LIBRARY_HELP),
}


def no_command(word):
    """What is said of a word behind `omp` that is no command, or of none."""
    return "%s; help omp has them all" % (
        "there is no omp " + shown(word) if word else "no command"
    )
