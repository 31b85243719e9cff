//! The table of the process's locks, in the order in which a thread may take them.
//!
//! | rank | guards | taken inside it | in a forked child |
//! |---|---|---|---|
//! | `FORK` | the thread that forks | | |
//! | `START` | the start of the runtime | `FORMS` | a start that another thread had begun counts as done |
//! | `SETTINGS` | the reading of the environment | | read or not, as before |
//! | `SESSION` | the Collector API's session | `SUBSCRIBERS`, `THREADS` | as before |
//! | `SUBSCRIBERS` | which tool wants which events | | as before |
//! | `POOL` | teams with tasks for free agents | | no agent is at work |
//! | `HELPERS` | hidden helper threads and their tasks | | there is no helper; tasks stay |
//! | `THREADS` | the lists of all threads | | only the calling thread lives |
//! | `LEVELS` | lists that `num_threads` clauses gave | | as before |
//! | `THREADPRIVATE` | threadprivate variables and their copies | | as before |
//! | `FORMAT` | affinity-format-var | | as before |
//! | `GRAPHS` | taskgraphs | | as before |
//! | `TABLES` | each device's counterparts of the host's memory: a lock for each ([`super::numbered`]) | `DEVICES` | as before: it is theirs too |
//! | `DEVICES` | variables and code that all devices know | | as before |
//! | `IMAGES` | code for devices of GCC's plugins | | as before |
//! | `INTEROP` | objects of `interop` constructs | | as before |
//! | `TRACES` | the records that devices made for tools | | as before; a new helper delivers it |
//! | `HINTS` | hints that locks were made with, for tools of 2016 | | as before |
//! | `SPACES` | memory spaces of devices | | as before |
//! | `BLOCKS` | blocks of devices' memory | | as before |
//! | `PINNED` | pages of pinned blocks | | as before, though the child's pages are not pinned |
//! | `ALLOCATED` | blocks of `GOMP_alloc` | | as before |
//! | `AGENT_PART` | which part of the run the agent measures, while that changes | | as before |
//! | `AGENT_RUNTIME` | the agent's knowledge of the runtime | | as before |
//! | `AGENT_REGIONS` | the agent's regions of the Collector API | | as before |
//! | `AGENT_MEMORY` | the agent's memory | | as before |
//! | `LOADER` | the loader's list of files, while we go through it | | as before |
//! | `AGENT_HEAP` | the agent's heap | | as before |
//!
//! Two more kinds of static locks belong to the program's constructs. Those of atomic constructs
//! without an instruction (`runtime/engine/src/mutex/atomic.rs`) are held for a few instructions;
//! `fork` takes them too, after the table's. The one of unnamed critical sections
//! (`runtime/capi/src/critical.rs`) stays as it is, like any lock of the program.
//!
//! The agent is a library of its own with a table of its own, of which it uses the last six.

macro_rules! ranks {
    ($($name:ident)*) => {
        #[allow(clippy::upper_case_acronyms, non_camel_case_types)]
        enum Order { $($name),* }
        $(#[doc = "See the module."] pub const $name: usize = Order::$name as usize;)*
        /// The number of ranks.
        pub const COUNT: usize = [$($name),*].len();
    };
}

ranks! {
    FORK
    START
    SETTINGS
    SESSION
    SUBSCRIBERS
    POOL
    HELPERS
    THREADS
    LEVELS
    THREADPRIVATE
    FORMAT
    GRAPHS
    TABLES
    DEVICES
    IMAGES
    INTEROP
    TRACES
    HINTS
    SPACES
    BLOCKS
    PINNED
    ALLOCATED
    AGENT_PART
    AGENT_RUNTIME
    AGENT_REGIONS
    AGENT_MEMORY
    LOADER
    AGENT_HEAP
}
