//! "OMPT and OMPD: OpenMP Tools Application Programming Interfaces", April 2013.

use super::Row;

/// A program of the folder for that year, which has one thing to say.
const fn row(
    name: &'static str,
    section: &'static str,
    program: &'static str,
    says: &'static str,
) -> Row {
    let said = Some("it holds\n");
    Row { name, section, says, program, check: "", flags: &[], variables: &[], said }
}

/// One of the folder for all years, which says each thing that it looks at.
const fn told(
    name: &'static str,
    section: &'static str,
    program: &'static str,
    says: &'static str,
) -> Row {
    Row { said: None, flags: &["-fno-omit-frame-pointer"], ..row(name, section, program, says) }
}

/// A tool that answers, under `OMPT_INITIALIZE`.
const fn asked(
    name: &'static str,
    tool: &'static [&'static str],
    variables: &'static [(&'static str, &'static str)],
    said: &'static str,
    says: &'static str,
) -> Row {
    let plain = row(name, "2013 7.2", "founding_2013/trivial", says);
    Row { flags: tool, variables, said: Some(said), ..plain }
}

pub(super) const ROWS: &[Row] = &[
    row(
        "versions",
        "2013 7.1",
        "founding_2013/versions",
        "events have the text's numbers and can be registered, asked for, taken back; versions",
    ),
    asked(
        "tool-declines",
        &["-DTOOL=0"],
        &[],
        "before 0, started 1, told 0, late 0, state 0x60, id no, data no\n",
        "where ompt_initialize returns 0 nothing is told, and answers are trivial",
    ),
    asked(
        "tool-disabled",
        &["-DTOOL=1"],
        &[("OMPT_INITIALIZE", "disable")],
        "before 0, started 0, told 0, late 0, state 0x60, id no, data no\n",
        "with OMPT_INITIALIZE=disable no tool is started",
    ),
    asked(
        "tool-forced",
        &["-DTOOL=0"],
        &[("OMPT_INITIALIZE", "true")],
        "before 0, started 1, told 0, late 0, state 0x1, id yes, data yes\n",
        "with OMPT_INITIALIZE=true inquiries are answered whatever the tool returns",
    ),
    asked(
        "tool-none",
        &[],
        &[],
        "before 0, started 0, told 0, late 0, state 0x60, id no, data no\n",
        "without a tool answers are trivial",
    ),
    row(
        "threads",
        "2013 3.1",
        "founding_2013/threads",
        "threads begin before all else of theirs and end behind it; the shutdown is last",
    ),
    row(
        "regions",
        "2013 3.1",
        "founding_2013/regions",
        "regions are created before their tasks and end behind them, in the parent's environment",
    ),
    row(
        "tasks",
        "2013 3.1",
        "founding_2013/tasks",
        "tasks are created, switched and over where the text says, in the task that goes on",
    ),
    row(
        "implicit-tasks",
        "2013 3.2.2",
        "founding_2013/implicit",
        "implicit tasks begin and end in their own context, around their work",
    ),
    row(
        "control",
        "2013 3.1",
        "founding_2013/control",
        "ompt_control reaches the tool with its arguments, where it is called; from Fortran too",
    ),
    row(
        "idle",
        "2013 3.2.1",
        "founding_2013/idle",
        "workers idle outside of regions, with events and state",
    ),
    row(
        "waits",
        "2013 3.2.1",
        "founding_2013/waits",
        "waits in barriers, taskwaits and taskgroups have events and states, with task and region",
    ),
    row(
        "tasks-in-waits",
        "2013 3.2.1",
        "founding_2013/tasks_in_waits",
        "a thread that waits is told nothing else: a task ends the wait, which begins anew",
    ),
    row(
        "locks",
        "2013 3.2",
        "founding_2013/locks",
        "locks and nest locks: wait, acquired, release, with the lock as wait id and the state",
    ),
    row(
        "mutexes",
        "2013 3.2",
        "founding_2013/mutexes",
        "critical, ordered and atomic regions: one wait id for each, the same in all their events",
    ),
    row(
        "worksharing",
        "2013 3.2.2",
        "founding_2013/worksharing",
        "loops, sections and singles begin before their first and end behind their last code",
    ),
    row(
        "in-line",
        "2013 7.1.2",
        "founding_2013/in_line",
        "constructs that a compiler makes in line are promised as such, and exact where it calls",
    ),
    row(
        "constructs",
        "2013 3.2.2",
        "founding_2013/constructs",
        "barriers, taskwaits and taskgroups have a begin and an end, in the task's context",
    ),
    row(
        "single",
        "2013 3.2.2",
        "founding_2013/single",
        "a single's end comes behind its block and before what follows",
    ),
    told(
        "single-kinds",
        "2013 3.3.2",
        "founding/single_2013",
        "so it does with nowait, copyprivate, inside each other and in functions",
    ),
    row(
        "states",
        "2013 2",
        "founding_2013/states",
        "each thread has a state; states can be enumerated; a foreign thread's is undefined",
    ),
    row(
        "words",
        "2013 4.1",
        "founding_2013/words",
        "words are 0 at first, stay what the tool writes, and nothing with the word 0 ends",
    ),
    row(
        "levels",
        "2013 5.4, 5.5",
        "founding_2013/levels",
        "regions, tasks and their functions by level, also beyond the outermost",
    ),
    row(
        "frames",
        "2013 4.4",
        "founding_2013/frames",
        "a task's frames say where it left the runtime and where it entered it",
    ),
    row(
        "frames-stay",
        "2013 4.4",
        "founding_2013/frames_stay",
        "an exit frame stays to the task's end",
    ),
    told(
        "frames-once",
        "2013 4.4",
        "founding/frames_2013",
        "an exit frame is set once, when the task first leaves the runtime",
    ),
    row(
        "signals",
        "2013 5",
        "founding_2013/storm",
        "every inquiry may be made in a signal handler, whatever the thread does",
    ),
    Row {
        flags: &["-DOF_2013"],
        ..told(
            "forks",
            "2013 7.1.1",
            "founding/forks",
            "a forked child that starts OpenMP again asks its tool again",
        )
    },
];
