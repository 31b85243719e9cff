//! The processor's own counters, by perf_event.
//!
//! | file | what |
//! |---|---|
//! | `events` | one group of events for each thread |
//! | `sources` | which of them there are, and why others are not |

pub mod events;
pub mod sources;
