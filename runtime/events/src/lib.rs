//! The one vocabulary between the engine and the tools.
//!
//! The engine reports each event once, as an [`Event`]. Each dialect (OMPT 5.x, 2016, 2013, the
//! Collector API) translates it. The vocabulary is the union of all generations. It uses the
//! numbers of OpenMP 6.0 where that has some. What must hold:
//!
//! * A hook whose event no tool wants costs one load and one branch: the engine asks [`wants`] with
//!   a constant kind before it builds an event.
//! * There may be several subscribers. Each has a slot, and with it a data word on every identity
//!   ([`omphalos_layout::Identity`]) and a mask.
//! * Events reach the subscribers at once, on the thread to which they happen, in the order of
//!   slots.
//! * This crate knows nothing of the engine, and neither the signatures nor the objects of the tool
//!   interfaces. The engine installs [`Inquiry`], and the linker the tools' starter
//!   ([`Lifecycle`]).
#![no_std]

mod event;
pub mod frames;
mod inquiry;
mod kinds;
mod lifecycle;
pub mod partner;
mod quiet;
pub mod request;
mod subscribers;
pub mod sums;
pub mod tell_tools;
pub mod wishes;

pub use event::{Dependence, DeviceEvent, Event, Kind, MapItems};
pub use inquiry::{Inquiry, Notes, RegionInfo, TargetInfo, TaskInfo, inquiry, install_inquiry};
pub use kinds::{
    Cancel, DispatchKind, Endpoint, MapFlags, MutexKind, Severity, State, SyncKind, TargetKind,
    TargetOp, TaskFlags, TaskStatus, ThreadKind, WorkKind,
};
pub use lifecycle::{
    Lifecycle, bring_tool, comes_first, finish, forked, none, search_tools, start, start_none,
    support,
};
pub use omphalos_layout::{Frame, Identity, SLOTS, TaskTool};
pub use partner::ATTACHED;
pub use quiet::{QuietPlace, QuietTasks};
pub use subscribers::{
    DEBUGGERS, MASK, SLOT_MASKS, TellEvent, active, attach, attach_wordless, become_partner,
    connect, connect_closing, detach, dispatch, dispatch_to, give_back, has_tool, install_watcher,
    keep_for_debuggers, keeps_for_debuggers, mask_of, subscribe, unsubscribe, wants, wants_any,
};
