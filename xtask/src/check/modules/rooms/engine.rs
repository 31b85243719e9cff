//! The rooms of the engine.

use super::Rooms;

pub const ENGINE: Rooms = &[
    (
        "process",
        &[
            "affinity",
            "enable",
            "hooks",
            "inquire",
            "mutex",
            "records",
            "target",
            "tasks",
            "team",
            "threadprivate",
            "threads",
        ],
    ),
    ("described", &["enable", "records", "tasks", "threads", "worksharing"]),
    ("inquire", &["affinity", "records", "target", "threads"]),
    ("teams", &["affinity", "barrier", "enable", "hooks", "icv", "records", "team"]),
    ("target", &["enable", "hooks", "records", "team"]),
    ("taskgraph", &["records", "tasks"]),
    ("threadprivate", &["records"]),
    ("icv", &["records", "tasks"]),
    (
        "team",
        &[
            "affinity", "barrier", "call", "cancel", "enable", "hooks", "records", "tasks",
            "threads", "waiting",
        ],
    ),
    ("barrier", &["call", "cancel", "records", "tasks", "waiting"]),
    ("cancel", &["records", "tasks", "waiting", "worksharing"]),
    (
        "tasks",
        &[
            "affinity",
            "call",
            "enable",
            "hooks",
            "mutex",
            "records",
            "threads",
            "waiting",
            "worksharing",
        ],
    ),
    ("worksharing", &["call", "mutex", "records", "waiting"]),
    ("atomics", &["mutex"]),
    ("mutex", &["call", "records", "threads", "waiting"]),
    ("hooks", &["records"]),
    ("affinity", &["records"]),
    ("waiting", &["records"]),
    ("threads", &["process", "records"]),
    ("enable", &["records"]),
    ("call", &["records"]),
    ("records", &["process"]),
];
