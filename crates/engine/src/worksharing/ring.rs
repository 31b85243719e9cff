//! The ring of worksharing constructs under way in a team.
//!
//! Constructs are numbered (region in the high bits); construct `k` uses entry `k % RING`. The first
//! thread to arrive claims the entry, fills it and publishes it; the others join. There is no count
//! of who left: each member publishes how far it is (`shares_done`, one plain store), and only a
//! thread that wants to claim an entry which a construct of the same region used before looks
//! whether everybody is past that one; after a barrier it need not even look. Every `LOOK`
//! constructs, and at barriers, a member looks whether somebody sleeps for a free entry.
//!
//! | `tag` of an entry | meaning |
//! |---|---|
//! | `k * 2 + 1` | construct `k` is being set up |
//! | `k * 2 + 2` | construct `k` is ready (or over) |

use super::{LoopSpec, Schedule};
use crate::team::{Reason, Slot, Team, wait_for, wake};
use crate::thread::Thread;
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering, fence};
use core::time::Duration;
use crossbeam_utils::CachePadded;
use omphalos_sync::ranges::Parts;
use omphalos_sync::spin::Spin;

/// Constructs that may be under way at once (threads ahead of others after `nowait`).
const RING: usize = 64;
/// Every how many constructs a member looks whether somebody waits for a free entry.
const LOOK: u64 = 16;
/// Time-stamp cycles that a joining member waits for the claimer before it yields.
const CLAIM_SPIN: u64 = 2000;
/// How long such a wait sleeps before it looks again by itself: between two looks a member may pass
/// the very construct that is waited for without telling anybody.
const LOOK_AGAIN: Duration = Duration::from_millis(1);

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
    /// With stealing: the parts that were claimed. Has a life of its own: such loops need no set-up.
    pub(super) parts: Parts,
    /// The first iteration of the chunk whose turn it is in an ordered loop.
    pub(super) turn: CachePadded<AtomicU64>,
    /// Zeroed memory that the construct shares, if it asked for some; freed by the entry's next user.
    memory: UnsafeCell<Vec<u128>>,
    /// Storage of the constructs that need more (doacross): owned by the entry.
    pub extra: CachePadded<AtomicU64>,
}

const _: () = assert!(core::mem::offset_of!(WorkShare, turn) >= 64);
const _: () = assert!(core::mem::offset_of!(WorkShare, parts) + 8 <= 64);

// SAFETY: `spec` and `memory` are written by the one thread that claimed the entry, before it is ready.
unsafe impl Sync for WorkShare {}

impl WorkShare {
    const fn new() -> WorkShare {
        WorkShare {
            tag: AtomicU64::new(0),
            next: AtomicU64::new(0),
            spec: UnsafeCell::new(LoopSpec::NONE),
            parts: Parts::new(),
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
pub struct Ring {
    /// The entries, null before the team's first construct that needs one: most teams never have
    /// any, and 32 KiB cost a first region more than its threads do. Set once (release).
    entries: AtomicPtr<[WorkShare; RING]>,
    /// Members that wait for a free entry. Written by them, read by who passes constructs.
    waiters: CachePadded<AtomicU32>,
    /// The construct that the latest of them wants everybody to be past.
    wanted: AtomicU64,
}

impl Ring {
    pub(crate) const fn new() -> Ring {
        Ring {
            entries: AtomicPtr::new(core::ptr::null_mut()),
            waiters: CachePadded::new(AtomicU32::new(0)),
            wanted: AtomicU64::new(0),
        }
    }

    /// The entry of a construct.
    #[inline(always)]
    pub(super) fn entry(&self, construct: u64) -> &WorkShare {
        // SAFETY: null or an array that is never freed.
        let entries = match unsafe { self.entries.load(Ordering::Acquire).as_ref() } {
            Some(entries) => entries,
            None => self.make(),
        };
        &entries[construct as usize % RING]
    }

    /// Construct numbers go beyond what fits into the words of parts: these forget what they have.
    /// Nobody is in a region of the team.
    #[cold]
    pub(crate) fn forget_parts(&self) {
        // SAFETY: null or an array that is never freed.
        if let Some(entries) = unsafe { self.entries.load(Ordering::Acquire).as_ref() } {
            entries.iter().for_each(|entry| entry.parts.clear());
        }
    }

    /// Makes the entries, unless another member is faster.
    #[cold]
    #[inline(never)]
    fn make(&self) -> &[WorkShare; RING] {
        let mut made: Vec<WorkShare> = Vec::with_capacity(RING);
        made.resize_with(RING, WorkShare::new);
        let made = Box::into_raw(made.into_boxed_slice()).cast::<[WorkShare; RING]>();
        let set = self.entries.compare_exchange(
            core::ptr::null_mut(),
            made,
            Ordering::AcqRel,
            Ordering::Acquire,
        );
        match set {
            // SAFETY: just made, and never freed from now on.
            Ok(_) => unsafe { &*made },
            Err(theirs) => {
                // SAFETY: nobody else has seen the own array; it has the layout of the boxed slice.
                drop(unsafe { Box::from_raw(made) });
                // SAFETY: set by another member, never freed.
                unsafe { &*theirs }
            }
        }
    }

    /// The primary sets up the region's first construct before the fork.
    pub(crate) fn prepare(&self, construct: u64, spec: &LoopSpec) {
        let entry = self.entry(construct);
        entry.fill(spec, 0);
        entry.tag.store(construct * 2 + 2, Ordering::Release);
    }

    /// The word of parts of construct `construct`, a loop with stealing.
    #[inline(always)]
    pub(super) fn parts(&self, construct: u64) -> &Parts {
        &self.entry(construct).parts
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
        // Whoever comes changes a word of this line soon.
        omphalos_sys::will_write(entry);
        let ready = construct * 2 + 2;
        let mut spin = Spin::new(CLAIM_SPIN);
        loop {
            let tag = entry.tag.load(Ordering::Acquire);
            if tag == ready {
                return entry;
            }
            if tag == ready - 1 {
                // The claimer is about to be done, unless it lost its processor.
                if !spin.again() {
                    omphalos_sys::thread::give_way();
                }
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

impl Ring {
    /// The calling member passed construct `passed - 1`. Now and then it looks for waiters.
    #[inline(always)]
    pub(super) fn passed(&self, team: &Team, passed: u64) {
        if passed.is_multiple_of(LOOK) {
            fence(Ordering::SeqCst);
            self.look_after_waiters(team);
        }
    }

    /// Wakes who waits for a free entry if every member is past what it wants. Follows a SeqCst
    /// operation; the waiters' own look after LOOK_AGAIN makes up for what races past.
    #[inline(always)]
    pub(crate) fn look_after_waiters(&self, team: &Team) {
        if self.waiters.load(Ordering::Relaxed) != 0
            && slowest(team) >= self.wanted.load(Ordering::Relaxed)
        {
            wake(team, Reason::ENTRY);
        }
    }
}

/// How far the slowest member is.
fn slowest(team: &Team) -> u64 {
    let done = |slot: &'static Slot| slot.published.shares_done.load(Ordering::Acquire);
    team.members().map(done).min().unwrap_or(u64::MAX)
}

/// Waits until every member is past the construct that used the entry of `construct` before.
#[inline]
pub(super) fn wait_until_free(thread: &Thread, team: &Team, construct: u64) {
    let share = &thread.slot().share;
    if construct < share.known_free() + RING as u64 {
        return;
    }
    let needed = construct - RING as u64 + 1;
    let mut least = slowest(team);
    if least < needed {
        let ring = &team.ring;
        ring.wanted.store(needed, Ordering::Relaxed);
        ring.waiters.fetch_add(1, Ordering::SeqCst);
        wait_for(thread, team, Reason::ENTRY, Some(LOOK_AGAIN), || {
            least = slowest(team);
            least >= needed
        });
        ring.waiters.fetch_sub(1, Ordering::Relaxed);
    }
    share.learn_free(least);
}
