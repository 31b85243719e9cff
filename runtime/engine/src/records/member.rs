//! A member's state in the current worksharing construct: a part of its slot, which it alone
//! writes.

use super::{Block, LoopSpec, Owner, OwnerWord, Slot, Thread, Units, WorkShare};
use core::cell::Cell;
use core::sync::atomic::AtomicU64;
use omphalos_events::WorkKind;

/// The way in which a member gets its next chunk once it has no iterations left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The loop has no chunks left for the member.
    Over,
    /// From its own range of units, or by stealing (`steal.rs`).
    Ranges,
    /// By one fetch-and-add of the entry's next iteration.
    Central,
    /// Static chunks of a given size: the member gets one in each round.
    Rounds,
    /// The next chunk of a guided loop, by one fetch-and-add of the number of chunks taken.
    Numbered,
    /// As the loop's schedule says (`chunks.rs`).
    General,
}

/// A member's state in the current worksharing construct.
#[repr(C, align(128))]
pub struct Member {
    /// The number of the next construct that takes an entry.
    next: OwnerWord<u64, Slot>,
    /// Every member is known to have passed all constructs with numbers below this one.
    passed_below: OwnerWord<u64, Slot>,
    /// The block of entries that the member is in, null before the region's first construct.
    pub(crate) block: OwnerWord<*const Block, Slot>,
    /// The entry that the member works on, null for a static loop without shared state.
    pub(crate) entry: OwnerWord<*const WorkShare, Slot>,
    /// The way in which the member gets its next chunk.
    pub(crate) mode: OwnerWord<Mode, Slot>,
    /// Whether a construct is under way on this member.
    pub(crate) open: OwnerWord<bool, Slot>,
    /// The number of the construct that `entry` belongs to.
    pub(crate) number: OwnerWord<u64, Slot>,
    /// Iterations in a unit of a loop with stealing, and the loop's units.
    pub(crate) unit: OwnerWord<u64, Slot>,
    pub(crate) units: OwnerWord<Units, Slot>,
    /// The loop's last unit, if this member has it: put off until the member finds no other
    /// (`steal.rs`).
    pub(crate) kept: OwnerWord<Option<u64>, Slot>,
    /// The iterations that the member has and has not begun: the first, and the one after the last.
    /// Two words, because only the first changes from chunk to chunk.
    pub(crate) rest: OwnerWord<u64, Slot>,
    pub(crate) rest_end: OwnerWord<u64, Slot>,
    /// The loop that the member works on.
    spec: Cell<LoopSpec>,
    /// Static loops of one share each: whether the member has had its share. Guided loops: whether
    /// it has asked for a chunk.
    pub(crate) served: OwnerWord<bool, Slot>,
    /// Static loops in rounds: the first iteration of the member's next chunk, and the distance
    /// from there to the first iteration of its chunk in the round after. Guided loops: see
    /// `guided.rs`.
    pub(crate) rounds: OwnerWord<(u64, u64), Slot>,
    /// Ordered loops: first iteration of the current chunk and the one after its last.
    pub(crate) current: OwnerWord<(u64, u64), Slot>,
    /// Ordered loops of crowded teams: whether the member waits for room before it takes a chunk
    /// (`room.rs`).
    pub(crate) asks_for_room: OwnerWord<bool, Slot>,
    /// The memory of the current loop nest with dependences between iterations (`doacross/`).
    pub(crate) nest: OwnerWord<*const AtomicU64, Slot>,
    /// The first outer iteration of the one share that the member has of the nest; `u64::MAX` if it
    /// has no such share.
    pub(crate) nest_from: OwnerWord<u64, Slot>,
    /// In the nest, the number of the iteration that the member waits for, or waited for last.
    pub(crate) sink: OwnerWord<u64, Slot>,
    /// Whether the nest began on its own, before its loop: the loop must be handed out in order.
    pub(crate) nest_alone: OwnerWord<bool, Slot>,
    /// The kind and the iterations of the latest static loop whose chunks the program's code works
    /// out by itself.
    noted: OwnerWord<(WorkKind, u64), Slot>,
    /// For tools: the program's call that began the construct.
    pub(crate) called: OwnerWord<u64, Slot>,
    /// Whether the primary has prepared the region's first construct and this member has not begun
    /// it.
    pub(crate) prepared: OwnerWord<bool, Slot>,
}

omphalos_layout::describe!(Member {
    entry,
    mode,
    open,
    number,
    unit,
    units,
    rest,
    rest_end,
    spec,
    rounds,
    current,
    nest,
    sink,
    called
});

impl Member {
    pub(crate) const fn new() -> Member {
        Member {
            next: OwnerWord::new(0),
            passed_below: OwnerWord::new(0),
            block: OwnerWord::new(core::ptr::null()),
            entry: OwnerWord::new(core::ptr::null()),
            mode: OwnerWord::new(Mode::Over),
            open: OwnerWord::new(false),
            number: OwnerWord::new(0),
            unit: OwnerWord::new(1),
            units: OwnerWord::new(Units::NONE),
            kept: OwnerWord::new(None),
            rest: OwnerWord::new(0),
            rest_end: OwnerWord::new(0),
            spec: Cell::new(LoopSpec::NONE),
            served: OwnerWord::new(false),
            rounds: OwnerWord::new((0, 0)),
            current: OwnerWord::new((0, 0)),
            asks_for_room: OwnerWord::new(false),
            nest: OwnerWord::new(core::ptr::null()),
            nest_from: OwnerWord::new(u64::MAX),
            nest_alone: OwnerWord::new(false),
            sink: OwnerWord::new(0),
            noted: OwnerWord::new((WorkKind::LoopStatic, 0)),
            called: OwnerWord::new(0),
            prepared: OwnerWord::new(false),
        }
    }

    /// Begins a region, whose constructs are numbered from `base`.
    #[inline(always)]
    pub(crate) fn enter(&self, by: Owner<'_, Slot>, base: u64, prepared: bool) {
        self.next.set(by, base);
        self.passed_below.set(by, base);
        self.block.set(by, core::ptr::null());
        self.entry.set(by, core::ptr::null());
        self.close(by);
        self.prepared.set(by, prepared);
    }

    /// Returns the number of the next construct.
    #[inline(always)]
    pub(crate) fn next(&self) -> u64 {
        self.next.get()
    }

    /// Returns the loop that the member works on. The reference is good until the next `begin_loop`
    /// of this thread.
    #[inline(always)]
    pub(crate) fn spec(&self) -> &LoopSpec {
        // SAFETY: only the owner writes the cell, between constructs.
        unsafe { &*self.spec.as_ptr() }
    }

    /// Takes the description of the loop that begins, which the caller has just written. It copies
    /// field by field: a wide read of words that were written in narrow parts waits until these
    /// have reached the cache, some four nanoseconds. No reference to `spec` is in use.
    #[inline(always)]
    pub(crate) fn take_spec(&self, _by: Owner<'_, Slot>, spec: &LoopSpec) {
        macro_rules! read {
            ($($field:ident)*) => {
                // SAFETY: reads of fields, each in one piece.
                LoopSpec { $($field: unsafe { (&raw const spec.$field).read_volatile() },)* }
            };
        }
        self.spec.set(read!(trip chunk schedule kind ordered nonmonotonic rounded start step));
    }

    /// Takes the description of a loop that was written long ago. No reference to `spec` is in use.
    #[inline(always)]
    pub(crate) fn copy_spec(&self, _by: Owner<'_, Slot>, spec: &LoopSpec) {
        self.spec.set(*spec);
    }

    /// Changes the chunk size of the loop that is about to begin. No reference to `spec` is in use.
    #[inline(always)]
    pub(crate) fn set_chunk(&self, _by: Owner<'_, Slot>, chunk: u64) {
        // SAFETY: only the owner touches the cell, and holds no reference into it here.
        unsafe { (*self.spec.as_ptr()).chunk = chunk };
    }

    /// Gives these iterations to this member.
    #[inline(always)]
    pub(crate) fn set_rest(&self, by: Owner<'_, Slot>, first: u64, end: u64) {
        self.rest.set(by, first);
        self.rest_end.set(by, end);
    }

    /// Whether a construct is under way on this member.
    pub fn is_open(&self) -> bool {
        self.open.get()
    }

    /// Notes that no construct is under way.
    #[inline(always)]
    pub(crate) fn close(&self, by: Owner<'_, Slot>) {
        self.mode.set(by, Mode::Over);
        self.set_rest(by, 0, 0);
        self.open.set(by, false);
    }

    /// Takes the next construct's number.
    #[inline(always)]
    pub(crate) fn take_number(&self, by: Owner<'_, Slot>) -> u64 {
        let number = self.next.get();
        self.next.set(by, number + 1);
        number
    }

    /// Notes at a barrier that every member has passed all constructs before it.
    #[inline(always)]
    pub(crate) fn all_passed(&self, by: Owner<'_, Slot>) {
        self.passed_below.set(by, self.next.get());
    }

    #[inline(always)]
    pub(crate) fn known_passed(&self) -> u64 {
        self.passed_below.get()
    }

    #[inline(always)]
    pub(crate) fn learn_passed(&self, by: Owner<'_, Slot>, below: u64) {
        self.passed_below.set(by, below);
    }
}

impl Thread {
    /// Notes a static loop whose chunks the compiler's code works out by itself, for the loop's end
    /// event.
    #[inline(always)]
    pub fn note_static(&self, kind: WorkKind, trip: u64) {
        let slot = self.as_owner().slot();
        slot.share.noted.set(slot, (kind, trip));
    }

    /// Returns the static loop that [`Thread::note_static`] noted.
    pub fn noted_static(&self) -> (WorkKind, u64) {
        self.slot().share.noted.get()
    }
}
