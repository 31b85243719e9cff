//! "An OpenMP Runtime API for Profiling" (the Collector API), 2007.

use super::Row;

/// A check of one of the clients.
const fn row(
    name: &'static str,
    section: &'static str,
    (program, check): (&'static str, &'static str),
    says: &'static str,
) -> Row {
    Row { name, section, says, program, check, flags: &[], variables: &[], said: None }
}

/// The client that asks, and the one that looks at states and events.
const ASKS: &str = "collector";
const LOOKS: &str = "founding/client_2007";

/// What the client makes of the stacks of two nested regions.
const STACKS: &str = "leaf_function>body>outer_caller>whole_program>main
leaf_function>body>outer_caller>whole_program>main
leaf_function>body>inner_caller>body>outer_caller>whole_program>main
leaf_function>body>inner_caller>body>outer_caller>whole_program>main
";

pub(super) const ROWS: &[Row] = &[
    row(
        "sequence",
        "2007 START",
        (ASKS, "sequence"),
        "which request may come when: START, STOP, PAUSE, RESUME, and START again",
    ),
    row(
        "layouts",
        "2007 __omp_collector_api",
        (ASKS, "layouts"),
        "sizes, error codes and answers of entries, alone and in lists",
    ),
    row(
        "meaningless",
        "2007 ec",
        (ASKS, "fuzz"),
        "a million lists that mean nothing get the codes of the text",
    ),
    Row {
        flags: &["-DEARLY"],
        ..row(
            "early",
            "2007 Initialization",
            (ASKS, "early"),
            "START may come before the runtime has begun",
        )
    },
    row(
        "late",
        "2007 Termination",
        (ASKS, "late"),
        "sessions begin and end while threads are at work",
    ),
    row(
        "callers",
        "2007 Threads",
        (LOOKS, "callers"),
        "any thread may ask; an event is told on the thread where it happens",
    ),
    row(
        "locking",
        "2007 Event notification",
        (ASKS, "locking"),
        "a callback may take a lock of OpenMP's",
    ),
    row(
        "signals",
        "2007 Statistical Profiling",
        (ASKS, "sampling"),
        "STATE and CURRENT_PRID may be asked in a signal handler",
    ),
    row(
        "identifiers",
        "2007 CURRENT_PRID",
        (ASKS, "ids"),
        "each region has an id; those around it; THREAD_ERR where there is none",
    ),
    row(
        "events",
        "2007 events",
        (ASKS, "events"),
        "every event comes, begins and ends in pairs, in the state that belongs to it",
    ),
    row(
        "regions",
        "2007 FORK",
        (LOOKS, "regions"),
        "FORK before and JOIN behind a region's work; workers idle between",
    ),
    row(
        "constructs",
        "2007 BEGIN_SINGLE",
        (LOOKS, "constructs"),
        "master, single and ordered code runs between its events",
    ),
    Row {
        said: None,
        ..row(
            "single",
            "2007 IBAR",
            ("founding/single_2007", ""),
            "a single ends behind its code, with its own, implicit barrier",
        )
    },
    row("overhead", "2007 OVHD", (LOOKS, "preparing"), "who forks a region has overhead"),
    row(
        "idle",
        "2007 IDLE",
        (LOOKS, "idle"),
        "who waits for work is idle, in no region; outside of all work is serial",
    ),
    row(
        "reduction",
        "2007 REDUC",
        (LOOKS, "reduction"),
        "who combines a reduction's parts has its state, where the compiler's code calls",
    ),
    row("work", "2007 WORK", (LOOKS, "working"), "what a thread executes or holds is work"),
    row(
        "barriers",
        "2007 IBAR, EBAR",
        (LOOKS, "barriers"),
        "who waits at a barrier has its state and id",
    ),
    row(
        "mutexes",
        "2007 LKWT, CTWT",
        (LOOKS, "mutexes"),
        "who waits for a lock, a critical, ordered or atomic region has state, id and events",
    ),
    Row {
        said: Some(STACKS),
        ..row(
            "stacks",
            "2007 6.2",
            (LOOKS, "stacks"),
            "stacks at forks and of members give the author's",
        )
    },
];
