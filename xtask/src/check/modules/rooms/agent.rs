//! The rooms of the agent.

use super::Rooms;

pub const AGENT: Rooms = &[
    ("loaded", &["collector", "interpose", "life"]),
    ("collector", &["recording", "stream", "thread", "tool", "unwind"]),
    (
        "tool",
        &[
            "accounting",
            "clock",
            "interpose",
            "life",
            "recording",
            "sampling",
            "stream",
            "thread",
            "totals",
            "unwind",
        ],
    ),
    (
        "interpose",
        &[
            "accounting",
            "clock",
            "life",
            "mark",
            "recording",
            "sampling",
            "stream",
            "thread",
            "unwind",
        ],
    ),
    (
        "life",
        &["accounting", "clock", "recording", "sampling", "stream", "thread", "totals", "unwind"],
    ),
    (
        "sampling",
        &[
            "accounting",
            "clock",
            "mark",
            "recording",
            "sampler",
            "stream",
            "thread",
            "totals",
            "unwind",
        ],
    ),
    ("totals", &["accounting", "clock", "mark", "memory", "sched", "stream", "thread"]),
    ("thread", &["accounting", "clock", "mark", "recording", "sampler", "sched"]),
    ("sampler", &["clock", "memory", "recording", "sched", "stream", "unwind"]),
    ("accounting", &["clock", "memory"]),
    ("stream", &["clock", "recording", "unwind"]),
    ("mark", &["unwind"]),
    ("unwind", &["memory"]),
    ("recording", &["config"]),
    ("config", &[]),
    ("sched", &[]),
    ("clock", &[]),
    ("memory", &[]),
];
