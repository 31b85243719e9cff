//! A member's part in the current worksharing construct. Belongs to the member alone.

use super::{Block, LoopSpec, Units, WorkShare};
use core::cell::Cell;
use core::sync::atomic::AtomicU64;
use omphalos_events::WorkKind;

/// How a member gets its next chunk once it has no iterations left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// There is none.
    Over,
    /// From its own range of units, or by stealing (`steal.rs`).
    Ranges,
    /// By one fetch-and-add of the entry's next iteration.
    Central,
    /// Static chunks of a given size: its own come round after round.
    Rounds,
    /// As its schedule says (`chunks.rs`).
    General,
}

/// See the module.
#[repr(C, align(128))]
pub struct Member {
    /// Number of the next construct that takes an entry.
    next: Cell<u64>,
    /// Constructs below this one are known to be behind every member.
    passed_below: Cell<u64>,
    /// The block of entries that it is in, null before the region's first construct.
    pub(crate) block: Cell<*const Block>,
    /// The entry it works on, null for a static loop without shared state.
    pub(crate) entry: Cell<*const WorkShare>,
    /// How it gets its next chunk.
    pub(crate) mode: Cell<Mode>,
    /// A construct is under way here.
    pub(crate) open: Cell<bool>,
    /// Number of the construct that `entry` belongs to.
    pub(crate) number: Cell<u64>,
    /// Iterations in a unit of a loop with stealing, and how the loop is cut.
    pub(crate) unit: Cell<u64>,
    pub(crate) units: Cell<Units>,
    /// The loop's last unit, put off until this member finds no other (`steal.rs`).
    pub(crate) kept: Cell<Option<u64>>,
    /// Iterations that are this member's already: the first, and the one after the last. Two words,
    /// since only the first changes from chunk to chunk.
    pub(crate) rest: Cell<u64>,
    pub(crate) rest_end: Cell<u64>,
    /// The loop it works on.
    pub(crate) spec: Cell<LoopSpec>,
    /// Static loops of one share each: whether the member has had its own.
    pub(crate) served: Cell<bool>,
    /// Static loops in rounds: the first iteration of its next chunk, and how far those of two
    /// rounds are apart.
    pub(crate) rounds: Cell<(u64, u64)>,
    /// Ordered loops: first iteration of the current chunk and the one after its last.
    pub(crate) current: Cell<(u64, u64)>,
    /// Ordered loops of crowded teams: whether it waits for room before it takes a chunk
    /// (`room.rs`).
    pub(crate) asks_for_room: Cell<bool>,
    /// The memory of the current loop nest with dependences between iterations (`doacross.rs`).
    pub(crate) nest: Cell<*const AtomicU64>,
    /// The first outer iteration of the member's one share of it; `u64::MAX` where it has no such
    /// share.
    pub(crate) nest_from: Cell<u64>,
    /// In the nest, the number of the iteration that the member waits for, or waited for last.
    pub(crate) sink: Cell<u64>,
    /// The nest began on its own, before its loop: the loop must be handed out in order.
    pub(crate) nest_alone: Cell<bool>,
    /// The latest static loop whose bounds the program walks itself.
    noted: Cell<(WorkKind, u64)>,
    /// For tools: the program's call that began the construct.
    pub(crate) called: Cell<u64>,
    /// The region's first construct was prepared by the primary and not yet begun here.
    pub(crate) prepared: Cell<bool>,
}

omphalos_layout::describe!(Member { entry, open, number, spec, current, nest, sink, called });

impl Member {
    pub(crate) const fn new() -> Member {
        Member {
            next: Cell::new(0),
            passed_below: Cell::new(0),
            block: Cell::new(core::ptr::null()),
            entry: Cell::new(core::ptr::null()),
            mode: Cell::new(Mode::Over),
            open: Cell::new(false),
            number: Cell::new(0),
            unit: Cell::new(1),
            units: Cell::new(Units::NONE),
            kept: Cell::new(None),
            rest: Cell::new(0),
            rest_end: Cell::new(0),
            spec: Cell::new(LoopSpec::NONE),
            served: Cell::new(false),
            rounds: Cell::new((0, 0)),
            current: Cell::new((0, 0)),
            asks_for_room: Cell::new(false),
            nest: Cell::new(core::ptr::null()),
            nest_from: Cell::new(u64::MAX),
            nest_alone: Cell::new(false),
            sink: Cell::new(0),
            noted: Cell::new((WorkKind::LoopStatic, 0)),
            called: Cell::new(0),
            prepared: Cell::new(false),
        }
    }

    /// A region begins; its constructs are numbered from `base`.
    #[inline(always)]
    pub(crate) fn enter(&self, base: u64, prepared: bool) {
        self.next.set(base);
        self.passed_below.set(base);
        self.block.set(core::ptr::null());
        self.entry.set(core::ptr::null());
        self.close();
        self.prepared.set(prepared);
    }

    /// Number of the next construct.
    #[inline(always)]
    pub(crate) fn next(&self) -> u64 {
        self.next.get()
    }

    /// The loop it works on. The reference is good until the next `begin_loop` of this thread.
    #[inline(always)]
    pub(crate) fn spec(&self) -> &LoopSpec {
        // SAFETY: only the owner writes the cell, between constructs.
        unsafe { &*self.spec.as_ptr() }
    }

    /// Takes the description of the loop that begins, which the caller has just written. It copies
    /// field by field: a wide read of words that were written in narrow parts waits until these
    /// have reached the cache, some four nanoseconds. No reference to `spec` is in use.
    #[inline(always)]
    pub(crate) fn take_spec(&self, spec: &LoopSpec) {
        macro_rules! read {
            ($($field:ident)*) => {
                // SAFETY: reads of fields, each in one piece.
                LoopSpec { $($field: unsafe { (&raw const spec.$field).read_volatile() },)* }
            };
        }
        self.spec.set(read!(trip chunk schedule kind ordered nonmonotonic rounded start step));
    }

    /// Changes the chunk size of the loop that is about to begin. No reference to `spec` is in use.
    #[inline(always)]
    pub(crate) fn set_chunk(&self, chunk: u64) {
        // SAFETY: only the owner touches the cell, and holds no reference into it here.
        unsafe { (*self.spec.as_ptr()).chunk = chunk };
    }

    /// These iterations are this member's.
    #[inline(always)]
    pub(crate) fn set_rest(&self, first: u64, end: u64) {
        self.rest.set(first);
        self.rest_end.set(end);
    }

    /// Whether a construct is under way here.
    pub fn is_open(&self) -> bool {
        self.open.get()
    }

    /// No construct is under way.
    #[inline(always)]
    pub(crate) fn close(&self) {
        self.mode.set(Mode::Over);
        self.set_rest(0, 0);
        self.open.set(false);
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
    pub(crate) fn take_number(&self) -> u64 {
        let number = self.next.get();
        self.next.set(number + 1);
        number
    }

    /// At a barrier: every construct that began before it is behind every member.
    #[inline(always)]
    pub(crate) fn all_passed(&self) {
        self.passed_below.set(self.next.get());
    }

    #[inline(always)]
    pub(crate) fn known_passed(&self) -> u64 {
        self.passed_below.get()
    }

    #[inline(always)]
    pub(crate) fn learn_passed(&self, below: u64) {
        self.passed_below.set(below);
    }
}
