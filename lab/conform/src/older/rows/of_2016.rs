//! OMPT of 2016: the chapter of the specification, whose objects have identifiers, and the
//! technical report, whose objects have words.

use super::Row;

/// A check of the program with a tool of either variant.
const fn row(
    name: &'static str,
    section: &'static str,
    check: &'static str,
    says: &'static str,
) -> Row {
    let program = "founding/program_2016";
    Row { name, section, says, program, check, flags: &[], variables: &[], said: Some("") }
}

/// A program with a tool of the words' variant, which says each thing that it looks at.
const fn told(
    name: &'static str,
    section: &'static str,
    program: &'static str,
    says: &'static str,
) -> Row {
    let flags: &[&str] = &["-fno-omit-frame-pointer"];
    Row { said: None, program, flags, ..row(name, section, "", says) }
}

/// What the tool makes of its stacks: the program's functions, the runtime's frames cut out.
const STACKS: &str = "leaf|>tasks|>region>main\nleaf>tasks|>region>main\nleaf>region>main\n";

pub(super) const ROWS: &[Row] = &[
    row(
        "tool-starts",
        "2016 chapter, Tool Registration",
        "starting",
        "a tool is asked once, before anything; what it looks up and registers",
    ),
    row(
        "tool-asked-first",
        "2016 chapter, Table 1",
        "environment",
        "a tool is asked before the runtime reads its environment",
    ),
    Row {
        variables: &[("ROUTINE", "0")],
        ..row(
            "tool-before-thread-num",
            "2016 chapter, Tool Initialization",
            "routine",
            "the initializer runs before omp_get_thread_num completes",
        )
    },
    Row {
        variables: &[("ROUTINE", "4")],
        ..row(
            "tool-before-num-procs",
            "2016 chapter, Tool Initialization",
            "routine",
            "the initializer runs before omp_get_num_procs completes",
        )
    },
    row(
        "tool-declines",
        "2016 chapter, Tool Registration",
        "declined",
        "a tool that returns NULL is told nothing",
    ),
    Row {
        variables: &[("OMP_TOOL", "disabled")],
        ..row(
            "tool-disabled",
            "2016 chapter, Table 1",
            "off",
            "with OMP_TOOL=disabled no tool is asked",
        )
    },
    row(
        "threads",
        "2016 report, 3.1, thread_begin",
        "threads",
        "the first event of each thread, with its type; threads that OpenMP does not know",
    ),
    Row {
        said: Some("end 1: 2 of 2 workers\n"),
        ..row(
            "end",
            "2016 report, 3.1, thread_end",
            "ending",
            "each worker ends before the runtime's end is told, once",
        )
    },
    row(
        "regions",
        "2016 report, 3.1, parallel_begin",
        "regions",
        "regions and implicit tasks begin and end where the text says, in the task it says",
    ),
    row("idle", "2016 report, 3.2.1, idle", "idle", "workers wait for work outside of regions"),
    row(
        "tasks",
        "2016 report, 3.1, task_create",
        "tasks",
        "tasks are created and scheduled, in the task that goes on; their dependences",
    ),
    row(
        "dependences-that-block",
        "2016 report, 3.2.2, task_dependence_pair",
        "pairs",
        "a task that blocks another is told before that may run, and only siblings that overlap",
    ),
    row(
        "worksharing",
        "2016 report, 3.2.2, worksharing",
        "worksharing",
        "loops, sections and singles around their units, with the place in the program",
    ),
    row(
        "synchronization",
        "2016 report, 3.2.2, sync_region",
        "sync",
        "barriers, taskwaits and taskgroups, with kind and place; waits inside of them",
    ),
    row(
        "mutexes",
        "2016 report, 3.2.2, mutex_acquire",
        "mutexes",
        "locks, critical, atomic and ordered regions: kind, wait id, hint, in the task",
    ),
    row(
        "states",
        "2016 report, 5.1",
        "states",
        "states can be enumerated, with names, from the undefined one on",
    ),
    row(
        "states-at-mutexes",
        "2016 report, 2, wait_lock",
        "at_mutexes",
        "who waits for a mutex has its state and wait id",
    ),
    row(
        "states-at-barriers",
        "2016 report, 2, wait_barrier",
        "at_barriers",
        "who waits at a barrier, or for work, has the state for it",
    ),
    row(
        "states-at-tasks",
        "2016 report, 2, wait_taskwait",
        "at_tasks",
        "who waits for tasks has the state for it",
    ),
    row(
        "names",
        "2016 report, 4",
        "ids",
        "each thread, region and task has an identifier or a word of its own, none at first",
    ),
    row(
        "frames",
        "2016 report, 4.6",
        "frames",
        "a task's exit and enter frames, by the text's table",
    ),
    Row {
        said: Some(STACKS),
        ..row(
            "stacks",
            "2016 chapter, Stack Frames",
            "stack",
            "the runtime's frames lie between a task's exit frame and the next one's enter frame",
        )
    },
    row("signals", "2016 report, 5", "sampled", "every inquiry may be made in a signal handler"),
    row(
        "control",
        "2016 report, 3.1, control",
        "control",
        "ompt_control reaches the tool with its arguments, in the task that calls it",
    ),
    row(
        "targets",
        "2016 report, 3.1, target",
        "targets",
        "target constructs begin and end on the host, with kind, device and identifier",
    ),
];

pub(super) const ROWS_OF_WORDS: &[Row] = &[
    told(
        "enter-frames",
        "2016 report, 4.6",
        "founding/frames_2016",
        "an enter frame is the frame pointer of the function that calls the runtime",
    ),
    told(
        "undeferred-tasks",
        "2016 report, 3.2.2, task_dependences",
        "founding/depend_2016",
        "one construct makes one task, which has its dependences; a taskwait makes none",
    ),
    told(
        "waits",
        "2016 report, 3.2.1, sync_region_wait",
        "founding/waits_2016",
        "waits have states, wait ids and return addresses; locks have their hints",
    ),
    Row {
        variables: &[("OMP_CANCELLATION", "true")],
        ..told(
            "discarded-tasks",
            "2016 report, 3.2.1",
            "founding/cancelled_2016",
            "a thread leaves its wait for a task that a cancelled taskgroup discards",
        )
    },
    told(
        "forks",
        "2016 chapter, Tool Registration",
        "founding/forks",
        "a forked child that starts OpenMP again asks its tool again",
    ),
    told(
        "target-identifiers",
        "2016 report, 4.4",
        "founding/target_2016",
        "what ompt_get_target_info says in and outside of target constructs; target tasks",
    ),
];
