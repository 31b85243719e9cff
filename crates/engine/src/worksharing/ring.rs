//! The ring of worksharing constructs under way in a team.
//!
//! Constructs are numbered (region in the high bits); construct `k` uses entry `k % RING`. The first
//! thread to arrive claims the entry, fills it and publishes it; the others join. There is no count
//! of who left: each member publishes how far it is (`shares_done`, one plain store), and only a
//! thread that wants to claim an entry which a construct of the same region used before looks
//! whether everybody is past that one; after a barrier it need not even look.
//!
//! | `tag` of an entry | meaning |
//! |---|---|
//! | `k * 2 + 1` | construct `k` is being set up |
//! | `k * 2 + 2` | construct `k` is ready (or over) |

use super::{LoopSpec, Schedule};
use crate::team::Team;
use crate::thread::Thread;
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicU64, Ordering};
use crossbeam_utils::CachePadded;

/// Constructs that may be under way at once (threads ahead of others after `nowait`).
const RING: usize = 8;

/// The shared state of one construct. What a dynamic loop needs fits in the first line, so the
/// claimer writes one line and a joining member fetches one.
#[repr(C, align(128))]
pub struct WorkShare {
    /// See the module. Written by the claimer, read by all (release/acquire).
    tag: AtomicU64,
    /// The next iteration to hand out. Fetched and added by all.
    pub(super) next: AtomicU64,
    /// The loop. Written by the claimer before the entry is ready.
    spec: UnsafeCell<LoopSpec>,
    /// The first iteration of the chunk whose turn it is in an ordered loop.
    pub(super) turn: CachePadded<AtomicU64>,
    /// Zeroed memory that the construct shares, if it asked for some; freed by the entry's next user.
    memory: UnsafeCell<Vec<u128>>,
    /// Storage of the constructs that need more (doacross): owned by the entry.
    pub extra: CachePadded<AtomicU64>,
}

const _: () = assert!(core::mem::offset_of!(WorkShare, turn) >= 64);
const _: () = assert!(core::mem::size_of::<LoopSpec>() + 16 <= 64);

// SAFETY: `spec` and `memory` are written by the one thread that claimed the entry, before it is ready.
unsafe impl Sync for WorkShare {}

impl WorkShare {
    const fn new() -> WorkShare {
        WorkShare {
            tag: AtomicU64::new(0),
            next: AtomicU64::new(0),
            spec: UnsafeCell::new(LoopSpec::NONE),
            turn: CachePadded::new(AtomicU64::new(0)),
            memory: UnsafeCell::new(Vec::new()),
            extra: CachePadded::new(AtomicU64::new(0)),
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

/// See the module.
pub struct Ring([WorkShare; RING]);

impl Ring {
    pub(crate) const fn new() -> Ring {
        Ring([const { WorkShare::new() }; RING])
    }

    #[inline(always)]
    fn entry(&self, construct: u64) -> &WorkShare {
        &self.0[construct as usize % RING]
    }

    /// The primary sets up the region's first construct before the fork.
    pub(crate) fn prepare(&self, construct: u64, spec: &LoopSpec, _size: u32) {
        let entry = self.entry(construct);
        entry.fill(spec, 0);
        entry.tag.store(construct * 2 + 2, Ordering::Release);
    }

    /// The entry that the primary prepared for the region.
    pub(super) fn prepared(&self, construct: u64) -> &WorkShare {
        self.entry(construct)
    }

    /// Joins construct `construct`, setting it up if this thread is the first.
    #[inline]
    pub(super) fn join(
        &self,
        thread: &Thread,
        team: &Team,
        construct: u64,
        spec: &LoopSpec,
        memory: usize,
    ) -> &WorkShare {
        let entry = self.entry(construct);
        let ready = construct * 2 + 2;
        loop {
            let tag = entry.tag.load(Ordering::Acquire);
            if tag == ready {
                return entry;
            }
            if tag == ready - 1 {
                omphalos_sys::relax();
                continue;
            }
            // An older construct's: free once every member is past it.
            wait_until_free(thread, team, construct);
            if entry
                .tag
                .compare_exchange(tag, ready - 1, Ordering::AcqRel, Ordering::Relaxed)
                .is_ok()
            {
                entry.fill(spec, memory);
                entry.tag.store(ready, Ordering::Release);
                return entry;
            }
        }
    }
}

/// Waits until every member is past the construct that used the entry of `construct` before.
#[inline]
fn wait_until_free(thread: &Thread, team: &Team, construct: u64) {
    let share = &thread.slot().share;
    if construct < share.known_free() + RING as u64 {
        return;
    }
    let needed = construct - RING as u64 + 1;
    for member in team.members() {
        let done = &member.published.shares_done;
        if done.load(Ordering::Acquire) < needed {
            // Nobody is told when a member passes a construct, so that passing costs one store.
            crate::team::wait_unwoken(thread, team, || done.load(Ordering::Acquire) >= needed);
        }
    }
    share.learn_free(needed);
}
