//! The tables of the module arrows, one for each crate or folder whose rooms have an order.

mod agent;
mod capi;
mod engine;
mod tasks;
mod tools;

/// Each room with the rooms that it may know, the highest first.
pub type Rooms = &'static [(&'static str, &'static [&'static str])];

/// The crates, and the folders in them, whose rooms have an order.
pub const TABLES: &[(&str, Rooms)] = &[
    ("capi", capi::CAPI),
    ("memory", capi::MEMORY),
    ("tools", tools::TOOLS),
    ("engine", engine::ENGINE),
    ("engine::tasks", tasks::TASKS),
    ("engine::tasks::depend", tasks::DEPEND),
    ("agent", agent::AGENT),
    ("events", tools::EVENTS),
];

/// Arrows that point up, and why.
pub const UP: &[(&str, &str, &str, &str)] = &[
    (
        "events",
        "subscribers",
        "tell",
        "one table in two halves that change together: who wants a kind, what is called for it",
    ),
    (
        "engine",
        "records",
        "process",
        "whoever asks for the calling thread's record first meets the runtime: `Thread::current`",
    ),
    (
        "engine",
        "threads",
        "process",
        "a thread that is made has to be told what to run: a worker's life",
    ),
    (
        "engine::tasks",
        "execute",
        "scheduling_point",
        "the end of an undeferred task with an event is itself a task scheduling point",
    ),
];
