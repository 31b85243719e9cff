//! A member's part in the current worksharing construct. Belongs to the member alone.

use super::{LoopSpec, WorkShare};
use core::cell::Cell;
use core::sync::atomic::AtomicU64;
use omphalos_events::WorkKind;

/// See the module.
#[repr(C, align(128))]
pub struct Member {
    /// Number of the next construct that takes an entry of the ring.
    next: Cell<u64>,
    /// Constructs below this one are behind every member.
    free_below: Cell<u64>,
    /// The entry it works on, null for a static loop without shared state.
    pub(super) entry: Cell<*const WorkShare>,
    /// The same entry, if its chunks can be taken with one fetch-and-add; else null.
    pub(super) quick: Cell<*const WorkShare>,
    /// The loop it works on.
    pub(super) spec: Cell<LoopSpec>,
    /// Static loops: the next chunk of this member, in chunks.
    pub(super) round: Cell<u64>,
    /// Ordered loops: first iteration of the current chunk and the one after its last.
    pub(super) current: Cell<(u64, u64)>,
    /// The memory of the current loop nest with dependences between iterations (`doacross.rs`).
    pub(super) nest: Cell<*const AtomicU64>,
    /// The latest static loop that the program walks itself.
    noted: Cell<(WorkKind, u64)>,
    /// For tools: the program's call that began the construct.
    pub(super) called: Cell<u64>,
    /// The region's first construct was prepared by the primary and not yet begun here.
    pub(super) prepared: Cell<bool>,
}

impl Member {
    pub(crate) const fn new() -> Member {
        Member {
            next: Cell::new(0),
            free_below: Cell::new(0),
            entry: Cell::new(core::ptr::null()),
            quick: Cell::new(core::ptr::null()),
            spec: Cell::new(LoopSpec::NONE),
            round: Cell::new(0),
            current: Cell::new((0, 0)),
            nest: Cell::new(core::ptr::null()),
            noted: Cell::new((WorkKind::LoopStatic, 0)),
            called: Cell::new(0),
            prepared: Cell::new(false),
        }
    }

    /// A region begins; its constructs are numbered from `base`.
    #[inline(always)]
    pub(crate) fn enter(&self, base: u64, prepared: bool) {
        self.next.set(base);
        self.free_below.set(base);
        self.entry.set(core::ptr::null());
        self.quick.set(core::ptr::null());
        self.prepared.set(prepared);
    }

    /// Number of the next construct.
    #[inline(always)]
    pub(crate) fn next(&self) -> u64 {
        self.next.get()
    }

    /// The loop it works on. The reference is good until the next `begin_loop` of this thread.
    #[inline(always)]
    pub(super) fn spec(&self) -> &LoopSpec {
        // SAFETY: only the owner writes the cell, between constructs.
        unsafe { &*self.spec.as_ptr() }
    }

    /// Whether a construct with shared state is under way here.
    pub fn is_open(&self) -> bool {
        !self.entry.get().is_null()
    }

    /// Notes a static loop whose bounds the compiler's code walks itself, for its end event.
    #[inline(always)]
    pub fn note_static(&self, kind: WorkKind, trip: u64) {
        self.noted.set((kind, trip));
    }

    /// What [`Member::note_static`] noted.
    pub fn noted_static(&self) -> (WorkKind, u64) {
        self.noted.get()
    }

    /// Takes the next construct's number.
    #[inline(always)]
    pub(super) fn take_number(&self) -> u64 {
        let number = self.next.get();
        self.next.set(number + 1);
        number
    }

    /// A barrier: whatever was begun before it is behind every member.
    #[inline(always)]
    pub(crate) fn all_passed(&self) {
        self.free_below.set(self.next.get());
    }

    #[inline(always)]
    pub(super) fn known_free(&self) -> u64 {
        self.free_below.get()
    }

    #[inline(always)]
    pub(super) fn learn_free(&self, below: u64) {
        self.free_below.set(below);
    }
}
