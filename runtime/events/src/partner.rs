//! The partner is a tool of ours that has agreed with the runtime on other events than OpenMP
//! describes. The runtime counts some events in place of telling them ([`quiet`](crate::quiet)), or
//! tells some late or in addition ([`wishes`](crate::wishes)).
//!
//! What must hold: no other tool is told anything else because of it. So an agreement holds only
//! for events that no other tool wants ([`is_alone`]). Only the tool whose data words stand first
//! in identities can be the partner: to count a task costs few instructions, and so the offset of
//! its word has to be a constant.

use crate::event::Kind;
use core::sync::atomic::{
    AtomicBool, AtomicU32, AtomicU64,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};
use omphalos_layout::{Identity, TaskTool};

/// The wish that a region's word holds the address of the outlined function when its begin is told.
/// No other tool sees that word.
pub const BODIES: u32 = 4;

/// The slot that a partner has.
pub(crate) const SLOT: usize = 0;

/// Whether there is a partner.
static IS_THERE: AtomicBool = AtomicBool::new(false);
/// In a slot's mask: a tool is attached, whatever it wants. Above every [`Kind::bit`].
pub const ATTACHED: u64 = 1 << 63;

/// The partner's wishes: see [`wishes`](crate::wishes).
pub(crate) static WISHES: AtomicU32 = AtomicU32::new(0);
/// The kinds that no tool but the partner wants, and [`ATTACHED`] if there is no other tool. It is
/// 0 after the partner has left, and while a debugger keeps state. `subscribers.rs` writes it
/// whenever it writes the masks.
static ALONE: AtomicU64 = AtomicU64::new(0);

/// Makes the tool in `slot` the partner, if it can be. True if it is.
pub(crate) fn enter(slot: usize) -> bool {
    if slot == SLOT && !IS_THERE.swap(true, AcqRel) {
        WISHES.store(0, Relaxed);
    }
    slot == SLOT
}

/// Notes that the partner's tool has gone before it wanted anything.
pub(crate) fn leave(slot: usize) {
    if slot == SLOT {
        IS_THERE.store(false, Release);
    }
}

/// Whether there is a partner, and these slots (bits) are of no other tool.
pub(crate) fn is_its(slots: u8) -> bool {
    IS_THERE.load(Acquire) && slots & !(1 << SLOT) == 0
}

/// Notes these kinds in [`ALONE`].
pub(crate) fn note(kinds: u64) {
    ALONE.store(kinds, Release);
}

/// Whether no tool but the partner wants this kind, and no debugger keeps state. The partner itself
/// may not want it.
#[inline(always)]
pub fn is_alone(kind: Kind) -> bool {
    ALONE.load(Relaxed) & kind.bit() != 0
}

/// As [`is_alone`] for each of these kinds (a union of [`Kind::bit`]s).
#[inline(always)]
pub fn are_alone(kinds: u64) -> bool {
    ALONE.load(Relaxed) & kinds == kinds
}

/// Whether there is no tool but the partner, and no debugger keeps state.
#[inline(always)]
pub fn is_the_only_tool() -> bool {
    ALONE.load(Relaxed) & ATTACHED != 0
}

/// Whether the partner wishes for [`BODIES`].
#[inline(always)]
pub fn names_bodies() -> bool {
    WISHES.load(Relaxed) & BODIES != 0
}

/// Sets the partner's data word of a region or task that no thread but the caller knows yet.
#[inline(always)]
pub fn set_word(identity: &Identity, word: u64) {
    // SAFETY: the caller makes the region or task of the identity, so the word is its own.
    unsafe { identity.word(SLOT).write(word) };
}

/// Returns the partner's data word of a task.
#[inline(always)]
pub fn word(task: &TaskTool) -> u64 {
    // SAFETY: the thread makes or ends the task: no other thread writes the word.
    unsafe { task.identity.word(SLOT).read() }
}
