//! The entries of worksharing constructs under way in a team.
//!
//! Constructs are numbered (region in the high bits). Their entries lie in the blocks of a chain
//! (`omphalos_sync::chain`): each member keeps the block that it is in, and no member ever waits for
//! one that lags. The first thread to come to a construct claims its entry, fills it and publishes
//! it; the others join (`omphalos_sync::claim`). There is no count of who left: each member publishes how far it is
//! (`shares_done`, one plain store), and only who stands at the chain's end looks whether everybody
//! is past the oldest block.

use super::{LoopSpec, Schedule};
use crate::records::{Team, Thread};
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicU64, Ordering};
use crossbeam_utils::CachePadded;
use omphalos_sync::chain::{self, Chain};
use omphalos_sync::claim::{Claim, Found};
use omphalos_sync::ranges::{MOST_AHEAD, Parts};
use omphalos_sync::spin::Spin;

/// Constructs whose entries lie in one block: 8 KiB.
const CONSTRUCTS_A_BLOCK: u64 = 32;
/// Time-stamp cycles that a joining member waits for the claimer before it yields.
const CLAIM_SPIN_CYCLES: u64 = 2000;

/// The shared state of one construct. What a dynamic loop needs fits in the first line, so the
/// claimer writes one line and a joining member fetches one.
#[repr(C, align(128))]
pub struct WorkShare {
    /// Whose construct it is, and whether it is ready. Written by the claimer, read by all.
    claim: Claim,
    /// The next iteration to hand out. Fetched and added by all.
    pub(super) next: AtomicU64,
    /// The loop. Written by the claimer before the entry is ready.
    spec: UnsafeCell<LoopSpec>,
    /// With stealing: the parts that were claimed. Has a life of its own: such loops need no set-up.
    pub(super) parts: Parts,
    /// Zeroed memory that the construct shares, if it asked for some; freed by the entry's next user.
    memory: UnsafeCell<Vec<u128>>,
    /// The first iteration of the chunk whose turn it is in an ordered loop.
    pub(super) turn: CachePadded<AtomicU64>,
}

omphalos_layout::describe!(WorkShare { next, turn });

const _: () = assert!(core::mem::offset_of!(WorkShare, turn) >= 64);
const _: () = assert!(core::mem::size_of::<WorkShare>() == 256);
const _: () = assert!(core::mem::offset_of!(WorkShare, parts) + 8 <= 64);

// SAFETY: `spec` and `memory` are written by the one thread that claimed the entry, before it is ready.
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

    /// The loop, once the entry is ready.
    #[inline(always)]
    pub fn spec(&self) -> &LoopSpec {
        // SAFETY: not written again until every member is past the construct.
        unsafe { &*self.spec.get() }
    }

    /// The zeroed memory that the construct asked for, aligned to 16 bytes.
    pub fn memory(&self) -> *mut u8 {
        // SAFETY: the vector is not changed until every member is past the construct.
        unsafe { (*self.memory.get()).as_mut_ptr().cast() }
    }

    fn fill(&self, spec: &LoopSpec, memory: usize) {
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

/// Entries of consecutive constructs.
pub type Block = chain::Block<Entries>;
/// See [`Block`].
pub type Entries = [WorkShare; CONSTRUCTS_A_BLOCK as usize];

fn entries() -> Entries {
    [const { WorkShare::new() }; CONSTRUCTS_A_BLOCK as usize]
}

/// See the module.
pub struct Constructs {
    /// Empty before the team's first construct that needs an entry: most teams never have any.
    blocks: Chain<Entries>,
}

impl Constructs {
    pub(crate) const fn new() -> Constructs {
        Constructs { blocks: Chain::new() }
    }

    /// Construct numbers go beyond what fits into the words of parts: these forget what they have.
    /// Nobody is in a region of the team.
    #[cold]
    pub(crate) fn forget_parts(&self) {
        let entries = self.blocks.blocks().flat_map(|block| &block.content);
        entries.for_each(|entry| entry.parts.clear());
    }

    /// The primary sets up the region's first construct before the fork.
    pub(crate) fn prepare(&self, construct: u64, spec: &LoopSpec) {
        let entry = &self.blocks.first(entries).content[(construct % CONSTRUCTS_A_BLOCK) as usize];
        entry.fill(spec, 0);
        entry.claim.publish(construct);
    }

    /// The calling member takes the next construct: its number and entry.
    #[inline(always)]
    pub(super) fn take(&'static self, thread: &Thread, team: &Team) -> (u64, &'static WorkShare) {
        let share = &thread.slot().share;
        let number = share.take_number();
        let at = number % CONSTRUCTS_A_BLOCK;
        if at == 0 {
            self.go_on(thread, team, number);
        }
        // SAFETY: set when the member came to the region's first construct; blocks are never freed.
        let block: &'static Block = unsafe { &*share.block.get() };
        (number, &block.content[at as usize])
    }

    /// The member goes on to the block of construct `number`.
    #[cold]
    #[inline(never)]
    fn go_on(&'static self, thread: &Thread, team: &Team, number: u64) {
        let share = &thread.slot().share;
        // SAFETY: null or a block, and blocks are never freed.
        let block = match unsafe { share.block.get().as_ref() } {
            None => self.blocks.first(entries),
            Some(here) => {
                let window = number / CONSTRUCTS_A_BLOCK - 1;
                let past = |window: u64| all_beyond(team, (window + 1) * CONSTRUCTS_A_BLOCK + 1);
                self.blocks.go_on(here, window, past, entries)
            }
        };
        share.block.set(block);
    }

    /// Takes the next construct and joins it, setting it up if this thread is the first.
    #[inline]
    pub(super) fn join(
        &'static self,
        thread: &Thread,
        team: &Team,
        spec: &LoopSpec,
        memory: usize,
    ) -> (u64, &'static WorkShare) {
        let (number, entry) = self.take(thread, team);
        // Whoever comes changes a word of this line soon.
        omphalos_sys::will_write(entry);
        let mut spin = Spin::new(CLAIM_SPIN_CYCLES);
        loop {
            match entry.claim.come(number) {
                Found::Ready => return (number, entry),
                Found::Mine => {
                    entry.fill(spec, memory);
                    entry.claim.publish(number);
                    return (number, entry);
                }
                // The claimer is about to be done, unless it lost its processor.
                Found::Busy => {
                    if !spin.again() {
                        omphalos_sys::thread::give_way();
                    }
                }
            }
        }
    }
}

/// Whether every member has done all constructs below `number`.
fn all_beyond(team: &Team, number: u64) -> bool {
    team.members().all(|slot| slot.published.shares_done.load(Ordering::Acquire) >= number)
}

/// Whether all members are less than `MOST_AHEAD` constructs behind `number`, the calling member's.
#[inline]
pub(super) fn all_near(thread: &Thread, team: &Team, number: u64) -> bool {
    let share = &thread.slot().share;
    if number < share.known_passed() + MOST_AHEAD {
        return true;
    }
    // Looks further than it must, so as not to look again soon.
    let least = number - MOST_AHEAD + 1;
    if all_beyond(team, number - MOST_AHEAD / 2) {
        share.learn_passed(number - MOST_AHEAD / 2);
        return true;
    }
    all_beyond(team, least)
}
