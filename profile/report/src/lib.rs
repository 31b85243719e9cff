//! Recorded profile in, user-model report out. `README.md` has the way through the modules.
//!
//! What must hold: no profile, however damaged, makes this crate panic. The report names in
//! [`Analysis::warnings`] what is missing or estimated. Figures come from the agent's exact totals,
//! and paths from its samples. Nothing here runs inside a profiled process.

mod class_parts;
mod diagnosis;
mod error;
pub mod job;
mod join;
mod markup;
mod model;
mod ompt;
pub mod placement;
mod profile;
mod progress;
mod recording;
mod render;
mod samples;
mod source;
mod stacks;
mod teams_of_one;

pub use diagnosis::{Disease, Finding, ruled_out, unseen};
pub use error::ReportError;
pub use join::LabelKind;
pub use markup::escape;
pub use model::{
    Analysis, CallNode, Caller, CallerFrame, CodeCost, ConstructRow, Copies, Costs, CounterPlace,
    CounterRow, Counters, Counts, DeviceEvent, DeviceEventKind, Energy, HotLine, LineTime,
    MutexRow, PlacedFrame, RegionRow, Summary, TargetRow, TaskRow, ThreadRow, TimeKind,
    TimedSample,
};
pub use omphalos_program::visible;
use omphalos_program::{maps, symbols};
pub use profile::Profile;
pub use progress::{NoProgress, Progress};
pub use render::firefox::Stretch;
pub use render::instructions::render as instruction_text;
pub use render::source::render as source_text;
pub use render::{digest, firefox, flamegraph, folded, json, text};
pub use source::{
    InstructionLine, Line, Listing, MachineListing, SourceFiles, listings, machine_listings,
};

/// Figures in words, in the form of all reports.
pub mod words {
    pub use crate::diagnosis::{count, duration, percent};
}
