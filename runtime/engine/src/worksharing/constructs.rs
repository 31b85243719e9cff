//! Takes, fills and joins the entries of worksharing constructs under way in a team.
//!
//! Constructs are numbered (the region's number in the high bits). Their entries lie in the blocks
//! of a chain (`omphalos_sync::chain`). Each member keeps the block that it is in, and no member
//! waits for one that lags. The first thread that comes to a construct claims its entry, fills it
//! and publishes it; the others join (`omphalos_sync::claim`). The members that have left are not
//! counted: each member publishes how far it is (`shares_done`, one plain store). Only the member
//! at the chain's end checks whether all are past the oldest block.

use crate::records::{
    Block, CONSTRUCTS_A_BLOCK, Constructs, LoopSpec, Team, Thread, WorkShare, entries,
};
use core::sync::atomic::Ordering;
use omphalos_sync::claim::Found;
use omphalos_sync::ranges::MOST_AHEAD;
use omphalos_sync::spin::Spin;

/// The time-stamp cycles that a joining member waits for the claimer before it gives way.
const CLAIM_SPIN_CYCLES: u64 = 2000;

impl Constructs {
    /// Clears the words of parts, because construct numbers have outgrown the bits that these words
    /// hold. No thread is in a region of the team.
    #[cold]
    pub(crate) fn forget_parts(&self) {
        let entries = self.blocks.blocks().flat_map(|block| &block.content);
        entries.for_each(|entry| entry.parts.clear());
    }

    /// Sets up the region's first construct. The primary calls this before the fork.
    pub(crate) fn prepare(&self, construct: u64, spec: &LoopSpec) {
        let entry = &self.blocks.first(entries).content[(construct % CONSTRUCTS_A_BLOCK) as usize];
        entry.fill(spec, 0);
        entry.claim.publish(construct);
    }

    /// Takes the next construct for the calling member: its number and entry.
    #[inline(always)]
    pub(super) fn take(&'static self, thread: &Thread, team: &Team) -> (u64, &'static WorkShare) {
        let slot = thread.as_owner().slot();
        let share = &slot.share;
        let number = share.take_number(slot);
        let at = number % CONSTRUCTS_A_BLOCK;
        if at == 0 {
            self.go_on(thread, team, number);
        }
        // SAFETY: set when the member came to the region's first construct; blocks are never freed.
        let block: &'static Block = unsafe { &*share.block.get() };
        (number, &block.content[at as usize])
    }

    /// Makes the member go on to the block of construct `number`.
    #[cold]
    #[inline(never)]
    fn go_on(&'static self, thread: &Thread, team: &Team, number: u64) {
        let slot = thread.as_owner().slot();
        let share = &slot.share;
        // SAFETY: null or a block, and blocks are never freed.
        let block = match unsafe { share.block.get().as_ref() } {
            None => self.blocks.first(entries),
            Some(here) => {
                let window = number / CONSTRUCTS_A_BLOCK - 1;
                let past = |window: u64| all_beyond(team, (window + 1) * CONSTRUCTS_A_BLOCK + 1);
                self.blocks.go_on(here, window, past, entries)
            }
        };
        share.block.set(slot, block);
    }

    /// Takes the next construct and joins it. Sets it up if this thread is the first.
    #[inline]
    pub(super) fn join(
        &'static self,
        thread: &Thread,
        team: &Team,
        spec: &LoopSpec,
        memory: usize,
    ) -> (u64, &'static WorkShare) {
        let (number, entry) = self.take(thread, team);
        // The member changes a word of this line soon.
        omphalos_sys::will_write(entry);
        let mut spin = Spin::new(CLAIM_SPIN_CYCLES);
        loop {
            match entry.claim.claim_number(number) {
                Found::Ready => return (number, entry),
                Found::Mine => {
                    entry.fill(spec, memory);
                    entry.claim.publish(number);
                    return (number, entry);
                }
                // The claimer is about to be done, unless it has lost its processor.
                Found::Busy => {
                    if !spin.spin_once() {
                        omphalos_sys::thread::give_way();
                    }
                }
            }
        }
    }
}

/// Whether every member has passed all constructs below `number`.
fn all_beyond(team: &Team, number: u64) -> bool {
    team.members().all(|slot| slot.published.shares_done.load(Ordering::Acquire) >= number)
}

/// Whether all members are less than `MOST_AHEAD` constructs behind `number`, the calling member's.
#[inline]
pub(super) fn all_near(thread: &Thread, team: &Team, number: u64) -> bool {
    let slot = thread.as_owner().slot();
    let share = &slot.share;
    if number < share.known_passed() + MOST_AHEAD {
        return true;
    }
    // The member asks for more than it needs, so that it need not ask again soon.
    let least = number - MOST_AHEAD + 1;
    if all_beyond(team, number - MOST_AHEAD / 2) {
        share.learn_passed(slot, number - MOST_AHEAD / 2);
        return true;
    }
    all_beyond(team, least)
}
