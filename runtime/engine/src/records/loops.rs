//! A loop as a construct describes it, and its units.

use omphalos_events::WorkKind;

/// How a loop hands out its iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// Chunks dealt round robin; chunk 0: one even share for each thread.
    Static,
    /// Chunks in order, first come first served.
    Dynamic,
    /// As dynamic, with chunks that shrink to the given size.
    Guided,
}

impl Schedule {
    /// Whether all chunks but the last have one size. Otherwise an iteration's number alone does
    /// not say in which chunk it lies.
    pub(crate) const fn has_even_chunks(self) -> bool {
        match self {
            Schedule::Static | Schedule::Dynamic => true,
            Schedule::Guided => false,
        }
    }
}

/// A loop as a construct describes it. All threads of the team give the same description.
#[derive(Clone, Copy, Debug)]
pub struct LoopSpec {
    /// Iterations.
    pub trip: u64,
    /// Chunk size, 0 = default.
    pub chunk: u64,
    /// The way in which the iterations are handed out.
    pub schedule: Schedule,
    /// The kind of worksharing construct that tools are told.
    pub kind: WorkKind,
    /// The loop has an `ordered` region.
    pub ordered: bool,
    /// The loop is dynamic, and a member need not get its chunks in ascending order: stealing is
    /// allowed.
    pub nonmonotonic: bool,
    /// The loop is guided, and all its chunks but the last are multiples of `chunk` (the simd
    /// width).
    pub rounded: bool,
    /// The first value of the program's loop variable, for the C interfaces to convert back.
    pub start: u64,
    /// The loop variable's step, two's complement.
    pub step: u64,
}

omphalos_layout::describe!(LoopSpec {
    trip,
    chunk,
    schedule,
    kind,
    ordered,
    nonmonotonic,
    start,
    step
});

impl LoopSpec {
    /// No loop.
    pub const NONE: LoopSpec = LoopSpec {
        trip: 0,
        chunk: 0,
        schedule: Schedule::Static,
        kind: WorkKind::LoopStatic,
        ordered: false,
        nonmonotonic: false,
        rounded: false,
        start: 0,
        step: 1,
    };

    /// Returns the loop variable's value in iteration `number`.
    #[inline(always)]
    pub fn value(&self, number: u64) -> u64 {
        self.start.wrapping_add(number.wrapping_mul(self.step))
    }
}

/// The cut of a loop into units, for stealing: their number, and the chunks (a power of two) in
/// one.
#[derive(Clone, Copy)]
pub(crate) struct Units {
    pub(crate) count: u32,
    pub(crate) shift: u8,
}

omphalos_layout::describe!(Units { count });

impl Units {
    pub(crate) const NONE: Units = Units { count: 0, shift: 0 };
}
