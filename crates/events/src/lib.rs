//! The one vocabulary between the engine and the tools.
//!
//! The engine says what happened once, as an [`Event`]; every dialect (OMPT 5.x, 2016, 2013, the
//! Collector API) translates. The vocabulary is the union of all generations and uses the numbers
//! of OpenMP 6.0 where it has one. What must hold:
//!
//! * A hook that nobody subscribed to costs one load and one branch: the engine asks
//!   [`wants`] with a constant kind before it builds an event.
//! * Several subscribers at once, each with its own slot: its own data word on every identity
//!   ([`omphalos_layout::Identity`]), its own mask.
//! * Events reach subscribers synchronously, on the thread that has the event, in slot order.
//! * Nothing here knows the engine, and of the tool interfaces only the signatures of OpenMP 6.0's
//!   commonest callbacks; the engine installs [`Inquiry`], the linker the tools' starter
//!   ([`Lifecycle`]).
#![no_std]

mod event;
mod inquiry;
mod kinds;
mod lifecycle;
mod quiet;
mod subscribers;
pub mod tell;
pub mod wishes;

pub use event::{Dependence, DeviceEvent, Event, MapItems};
pub use inquiry::{Inquiry, Notes, RegionInfo, TargetInfo, TaskInfo, inquiry, install_inquiry};
pub use kinds::{
    Cancel, DispatchKind, Endpoint, Kind, MapFlags, MutexKind, Severity, State, SyncKind,
    TargetKind, TargetOp, TaskFlags, TaskStatus, ThreadKind, WorkKind,
};
pub use lifecycle::{Lifecycle, finish, none, start};
pub use omphalos_layout::{Frame, Identity, SLOTS, TaskTool};
pub use quiet::{QuietPlace, QuietTasks};
pub use subscribers::{
    ATTACHED, MASK, Notify, SLOT_MASKS, active, attach, attach_wordless, connect, detach, dispatch,
    dispatch_to, give_back, has_tool, install_watcher, is_sole, keep_for_debuggers, mask_of,
    subscribe, unsubscribe, wants, wants_any,
};
pub use tell::{shown_region, shown_team};
