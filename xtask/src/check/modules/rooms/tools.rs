//! The rooms of `tools` and `events`.

use super::Rooms;

pub const TOOLS: Rooms = &[
    ("find", &["ahead", "earlier", "handed_on", "ompt5", "search", "settings", "verbose"]),
    ("ahead", &["earlier", "settings"]),
    ("verbose", &["settings"]),
    ("settings", &["earlier"]),
    ("ompt5", &["compilers", "entry", "handed_on", "names", "search", "slot", "trace"]),
    ("earlier", &["compilers", "entry", "handed_on", "names", "search", "slot", "trace"]),
    ("collector", &[]),
    ("trace", &[]),
    ("compilers", &[]),
    ("handed_on", &[]),
    ("search", &[]),
    ("entry", &[]),
    ("names", &[]),
    ("slot", &[]),
];

pub const EVENTS: Rooms = &[
    ("lifecycle", &["subscribers"]),
    ("wishes", &["subscribers", "partner", "event"]),
    ("inquiry", &["quiet", "event", "kinds"]),
    ("tell", &["subscribers", "partner", "event", "kinds"]),
    ("subscribers", &["tell", "partner", "event", "kinds"]),
    ("partner", &["event"]),
    ("event", &["kinds"]),
    ("quiet", &[]),
    ("frames", &[]),
    ("kinds", &[]),
];
