//! An implicit task on a thread, with its region.
//!
//! The time of a nested region counts as work of the outer one: for the outer region's balance it
//! does not matter whether its thread computes itself or lets an inner team compute.

use super::construct::Constructs;
use super::pace::portion;
use super::region::{Region, RegionTable, Slot, site};
use super::sites::TaskTable;
use super::{Account, Books, Class, Counters};
use crate::clock;
use core::cell::Cell;
use core::sync::atomic::Ordering::Relaxed;

/// The age, in ns, from which on the share of a region that has not ended is stored anew. A reader
/// counts all the time since the share was stored as waiting.
const SHARE_AGE_NS: u64 = 20_000;

/// One implicit (or initial) task on this thread.
pub struct Context {
    /// The instance, null for an initial task outside any region.
    pub region: *const Region,
    /// The instance's id when the task began.
    pub region_id: u64,
    /// The task's share in the instance, null where it has none. The primary writes to the
    /// instance's own cache line while others are still at work, so a member does not read that
    /// line to find its share.
    pub slot: *const Slot,
    /// The region's `codeptr_ra`.
    pub codeptr: u64,
    /// The `codeptr` of the region around it, 0 = none.
    pub parent_codeptr: u64,
    /// 1 = outermost region, 0 = none.
    pub level: u32,
    /// The thread's number in the team.
    pub number: u32,
    /// The kind of the implicit task, `ompt_task_flag_t`.
    pub flags: u32,
    /// The address of the task's data word, which names the task.
    pub task: usize,
    /// True for a region that the runtime adds up: its begin was not reported.
    pub is_summed: bool,
    /// True between a barrier's begin and end.
    pub in_barrier: bool,
    /// True once the task came to a barrier that may be the region's own.
    pub had_barrier: bool,
    /// When the share was last stored at a barrier, or when the task began, ticks.
    stored: u64,
    /// The constructs that the task has begun inside the region.
    pub constructs: Constructs,
    /// When the combining of a reduction began, ticks.
    pub reduces_since: u64,
    /// The `codeptr_ra` of that begin: LLVM's code ends a combining by another call.
    pub reduces_at: u64,
    /// The counters when the task began, moved forward by what nested regions took.
    pub(super) base: Counters,
    /// Ticks of nested regions.
    pub(super) inner: u64,
    /// Ticks of nested regions in barriers, since the task came to its own last barrier: it may
    /// execute tasks there that have regions.
    pub(super) inner_waits: u64,
    /// The time without a processor that the share in the slot includes, ticks.
    told_queued: Cell<u64>,
    /// The parts of the time after the stored share that count as work, and as tasks' work.
    told_shares: Cell<(u64, u64)>,
}

impl Context {
    /// Returns a record for a task that has not begun.
    pub(super) fn empty() -> Context {
        Context {
            region: core::ptr::null(),
            region_id: 0,
            slot: core::ptr::null(),
            codeptr: 0,
            parent_codeptr: 0,
            level: 0,
            number: 0,
            flags: 0,
            task: 0,
            is_summed: false,
            in_barrier: false,
            had_barrier: false,
            stored: 0,
            constructs: Constructs::default(),
            reduces_since: 0,
            reduces_at: 0,
            base: Counters::default(),
            inner: 0,
            inner_waits: 0,
            told_queued: Cell::new(0),
            told_shares: Cell::default(),
        }
    }

    /// Begins a task of no region with the counters of `account`.
    pub(super) fn begin(&mut self, account: &Account) {
        self.region = core::ptr::null();
        self.region_id = 0;
        self.slot = core::ptr::null();
        self.codeptr = 0;
        self.parent_codeptr = 0;
        self.level = 0;
        self.number = 0;
        self.is_summed = false;
        self.in_barrier = false;
        self.had_barrier = false;
        self.stored = account.since();
        self.constructs.begin_task();
        self.base = account.counters();
        self.inner = 0;
        self.told_queued.set(0);
        self.told_shares.set((0, 0));
    }

    /// Returns the region, if the instance is still the one that the task began in.
    pub fn region(&self) -> Option<&Region> {
        // SAFETY: null or an instance, which is never freed.
        let region = unsafe { self.region.as_ref()? };
        (region.id.load(Relaxed) == self.region_id).then_some(region)
    }

    /// Returns the counters of the task so far without nested regions, and the ticks of these. The
    /// account must be settled.
    pub fn so_far(&self, account: &Account) -> (Counters, u64) {
        (account.counters().since(&self.base), self.inner)
    }

    /// Returns the task's share, if the instance is still the one that the task began in.
    #[inline]
    fn share(&self) -> Option<&Slot> {
        // SAFETY: null or a part of an instance, which is never freed.
        let slot = unsafe { self.slot.as_ref()? };
        slot.is_of(self.region_id).then_some(slot)
    }

    /// Returns the class of the thread here when it does not wait.
    #[inline]
    pub fn active(&self) -> Class {
        if self.region.is_null() { Class::Serial } else { Class::Work }
    }

    /// Does what [`Context::publish`] does, as the thread begins an untimed stretch in a barrier.
    pub fn publish_untimed(&self, account: &Books, tasks: &TaskTable) {
        if let Some(slot) = self.share() {
            self.store(slot, account, account.since());
            let shares = account.untimed_shares(tasks);
            slot.estimate(shares);
            self.told_shares.set((shares[0], shares[1]));
        }
    }

    /// Stores the number of created tasks after one was created in an untimed stretch.
    pub fn created(&self, account: &Account) {
        if let Some(slot) = self.share() {
            let share = account.counters().since(&self.base);
            slot.publish_created(&share, account.counts.booked());
        }
    }

    /// Notes that the task comes to a barrier at `now`, up to which the account is settled.
    ///
    /// A worker must store its share at the barrier that ends its region: the end of that barrier
    /// is reported to it when the region is over and its slot may serve another one. At other
    /// barriers it stores its share only for readers of the profile of a region that is still open.
    /// The primary stores its share when the region ends.
    #[inline]
    pub fn comes_to_barrier(&mut self, account: &Account, may_close: bool, now: u64) {
        self.comes_to_plain_barrier();
        self.had_barrier |= may_close;
        let must = may_close && self.number != 0;
        if must || self.is_to_publish(now) {
            self.stored = now;
            self.publish(account, now);
        }
    }

    /// Notes the same for a barrier that is not the region's last one and where nothing is to be
    /// stored.
    #[inline(always)]
    pub fn comes_to_plain_barrier(&mut self) {
        self.in_barrier = true;
        self.inner_waits = 0;
    }

    /// Returns the thread's time in barriers, without that of nested regions. It is called behind a
    /// barrier.
    pub fn waited(&self, account: &Account) -> u64 {
        account.booked(Class::Barrier).saturating_sub(self.inner_waits)
    }

    /// Whether the share was stored too long ago for readers, or never. It has to be stored once
    /// where the runtime does not distinguish barriers: any barrier may be the last.
    #[inline(always)]
    pub fn is_to_publish(&self, now: u64) -> bool {
        now.saturating_sub(self.stored) > clock::in_ticks_fast(SHARE_AGE_NS)
            || self.number != 0 && self.share().is_some_and(|slot| !slot.is_stored())
    }

    /// Notes that the task comes to a barrier that may close its region, whose tool's word is at
    /// `word`. The primary will go on with lines that others have read meanwhile: it fetches them
    /// while it waits.
    #[inline]
    pub fn will_close(&self, word: usize) {
        if self.number == 0 {
            omphalos_sys::will_write(self.region);
            omphalos_sys::will_write(core::ptr::without_provenance::<u64>(word));
        }
    }

    /// Stores the share anew, up to where the account is settled, if it was stored at a barrier
    /// that the task has left. Otherwise a reader would count all the time since then as waiting.
    /// `counters` are those of the account that are the task's own; `inside` is the time after
    /// them, which belongs to a nested region. A worker may learn late that the barrier was its
    /// region's last, while the primary already reads its share: then nothing is stored.
    pub(super) fn publish_open(&self, account: &Account, counters: &Counters, inside: u64) {
        let is_safe = !self.in_barrier && (self.number == 0 || !self.had_barrier);
        if let Some(slot) = self.share().filter(|slot| is_safe && slot.is_stored()) {
            let share = counters.since(&self.base);
            slot.publish(&share, self.inner + inside, account.counts.booked(), account.since());
            slot.leave_barrier();
        }
    }

    #[inline(always)]
    fn store(&self, slot: &Slot, account: &Account, at: u64) {
        let share = account.counters().since(&self.base);
        slot.publish(&share, self.inner, account.counts.booked(), at);
        self.told_queued.set(share.queued());
        self.told_shares.set((0, 0));
    }

    /// Ends a worker's task whose share the primary has summed, or sums, as it was stored. The
    /// thread may learn only then of some time without a processor, as in tasks that it executed in
    /// the closing barrier. That time goes to the site in the thread's own `table`: readers add all
    /// threads' tables.
    pub fn add_untold(&self, account: &Account, table: &RegionTable) {
        let queued = account.counters().since(&self.base).queued();
        let untold = queued.saturating_sub(self.told_queued.get());
        if untold > 0 {
            let key = [self.codeptr, self.parent_codeptr, u64::from(self.level)];
            let entry = table.entry_of(key);
            entry.add(site::QUEUED, untold);
            // Time without a processor does not count as work of tasks.
            let (work, of_tasks) = self.told_shares.get();
            entry.add(site::TASK_WORK, portion(untold, of_tasks, work).wrapping_neg());
        }
    }

    /// Stores the task's share in its slot. The account must be settled at `now`.
    #[inline(never)]
    pub fn publish(&self, account: &Account, now: u64) {
        if let Some(slot) = self.share() {
            self.store(slot, account, now);
        }
    }
}
