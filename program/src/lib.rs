//! Reads facts about a program from its files: functions, lines, data, constructs, and the effects
//! of their code. The report asks about recorded addresses; `inspect`, `check` and `libompd.so` ask
//! about those of a process.
//!
//! What must hold: files are not trusted. A damaged or hostile one costs names, never a crash, an
//! endless loop or memory without bound.

pub mod entries;
pub mod maps;
pub mod symbols;
pub mod visible;

pub use omphalos_profile_format::library;
pub use symbols::{
    Answer, Awaits, Call, Called, Circle, Construct, ConstructKind, Counted, Directive, FS_BASE,
    FrameAt, Jump, Jumps, Leaving, Limit, Local, LoopAround, Mapped, NameParts, NamedFunction,
    Names, Owner, Parting, Passed, ProgramFile, Role, Room, RuntimeCall, Segment, SilentRounds,
    Standing, Ways, is_comparison, python_text,
};
pub use visible::visible;
