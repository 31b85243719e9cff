//! The entries of worksharing constructs under way in a team. `worksharing/constructs.rs` says how
//! members take them.

use super::{LoopSpec, Schedule};
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicU64, Ordering};
use crossbeam_utils::CachePadded;
use omphalos_sync::chain::{self, Chain};
use omphalos_sync::claim::Claim;
use omphalos_sync::ranges::Parts;

/// Constructs whose entries lie in one block: 8 KiB.
pub(crate) const CONSTRUCTS_A_BLOCK: u64 = 32;

/// The shared state of one construct. All that a dynamic loop needs is in the first line: the
/// claimer writes one line, and a joining member fetches one.
#[repr(C, align(128))]
pub struct WorkShare {
    /// The number of the construct, and whether it is ready. Written by the member that claims the
    /// entry (the claimer), read by all.
    pub(crate) claim: Claim,
    /// The next iteration to hand out; in most guided loops the number of chunks handed out.
    /// Fetched and added by all.
    pub(crate) next: AtomicU64,
    /// The loop. Written by the claimer before the entry is ready.
    spec: UnsafeCell<LoopSpec>,
    /// In a loop with stealing, the parts that were claimed. This word is independent of the rest
    /// of the entry: such loops need no set-up.
    pub(crate) parts: Parts,
    /// Zeroed memory that the construct shares, if it asked for some; freed by the entry's next
    /// user.
    memory: UnsafeCell<Vec<u128>>,
    /// The first iteration of the chunk whose turn it is in an ordered loop.
    pub(crate) turn: CachePadded<AtomicU64>,
}

omphalos_layout::describe!(WorkShare { next, parts, turn });

const _: () = assert!(core::mem::offset_of!(WorkShare, turn) >= 64);
const _: () = assert!(core::mem::size_of::<WorkShare>() == 256);
const _: () = assert!(core::mem::offset_of!(WorkShare, parts) + 8 <= 64);

// SAFETY: `spec` and `memory` are written by the one thread that claimed the entry, before it is
// ready.
unsafe impl Sync for WorkShare {}

impl WorkShare {
    const fn new() -> WorkShare {
        WorkShare {
            claim: Claim::new(),
            next: AtomicU64::new(0),
            spec: UnsafeCell::new(LoopSpec::NONE),
            parts: Parts::new(),
            memory: UnsafeCell::new(Vec::new()),
            turn: CachePadded::new(AtomicU64::new(0)),
        }
    }

    /// Returns the loop, once the entry is ready.
    #[inline(always)]
    pub fn spec(&self) -> &LoopSpec {
        // SAFETY: not written again until every member is past the construct.
        unsafe { &*self.spec.get() }
    }

    /// Returns the zeroed memory that the construct asked for, aligned to 16 bytes.
    pub fn memory(&self) -> *mut u8 {
        // SAFETY: the vector is not changed until every member is past the construct.
        unsafe { (*self.memory.get()).as_mut_ptr().cast() }
    }

    pub(crate) fn fill(&self, spec: &LoopSpec, memory: usize) {
        // SAFETY: the caller claimed the entry.
        unsafe {
            *self.spec.get() = *spec;
            if spec.schedule != Schedule::Static {
                (*self.spec.get()).chunk = spec.chunk.max(1);
            }
            let old = &mut *self.memory.get();
            if memory != 0 || !old.is_empty() {
                *old = vec![0; memory.div_ceil(16)];
            }
        }
        self.next.store(0, Ordering::Relaxed);
        if spec.ordered {
            self.turn.store(0, Ordering::Relaxed);
        }
    }
}

/// A block of the entries of consecutive constructs.
pub type Block = chain::Block<Entries>;
/// The entries of a [`Block`].
pub type Entries = [WorkShare; CONSTRUCTS_A_BLOCK as usize];

pub(crate) fn entries() -> Entries {
    [const { WorkShare::new() }; CONSTRUCTS_A_BLOCK as usize]
}

/// The entries of a team's worksharing constructs.
pub struct Constructs {
    /// Empty before the team's first construct that needs an entry: most teams never have any.
    pub(crate) blocks: Chain<Entries>,
}

impl Constructs {
    pub(crate) const fn new() -> Constructs {
        Constructs { blocks: Chain::new() }
    }
}
