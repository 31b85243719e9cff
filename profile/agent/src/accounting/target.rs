//! Target constructs that a thread executes: their figures, by device.
//!
//! One thread executes a construct from its begin to its end: the thread that encountered it, which
//! does nothing else meanwhile, or, with `nowait`, another one, to which that thread left it. Then
//! the account of the thread that left the construct says what that thread did meanwhile.
//!
//! What must hold: only a thread's own callbacks write its table and its [`Targets`].

use super::class::{Class, Counters};
use super::ledger::Ledger;
use super::table::Table;
use crate::clock;

/// Counters of a target construct. Times are ticks, summed over executions.
pub mod site {
    #![allow(missing_docs)]
    pub const EXECUTIONS: usize = 0;
    pub const ELAPSED: usize = 1;
    pub const KERNELS: usize = 2;
    pub const KERNEL_TIME: usize = 3;
    /// Copies to the device: their number, bytes and time.
    pub const TO: usize = 4;
    /// Copies from the device: their number, bytes and time.
    pub const FROM: usize = 7;
    /// Copies between devices, and memory that is set: their number, bytes and time.
    pub const WITHIN: usize = 10;
    pub const ALLOCATIONS: usize = 13;
    pub const ALLOCATED: usize = 14;
    pub const MEMORY_TIME: usize = 15;
    /// The time that the construct's own thread waited, or did nothing else.
    pub const WAITED: usize = 16;
    /// The time that a thread worked after it had left the construct to another one.
    pub const OVERLAP: usize = 17;
    pub const COUNT: usize = 18;
}

/// Target constructs, by [`Site::key`].
pub type TargetTable = Table<{ site::COUNT }>;

/// A construct on a device, or a place that calls a memory routine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// `codeptr_ra`.
    pub codeptr: u64,
    /// `ompt_target_t`, 0 = a memory routine.
    pub kind: u32,
    /// The device's number, or the host.
    pub device: u32,
}

impl Site {
    /// Returns its key in the table.
    pub fn key(self) -> [u64; 3] {
        [self.codeptr, u64::from(self.kind) | u64::from(self.device) << 32, 0]
    }
}

/// The kinds of operations on a device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Copies from the host.
    ToDevice,
    /// Copies to the host.
    FromDevice,
    /// Copies between devices, or sets memory.
    Within,
    /// Makes a block.
    Allocate,
    /// Gives a block back.
    Free,
}

/// The thread that left a construct to another one, and its counters at that time.
struct Left {
    by: &'static Ledger,
    begun: u64,
    before: Counters,
}

/// A construct under way.
struct Open {
    site: Site,
    since: u64,
    left: Option<Left>,
    kernel_since: u64,
}

/// The target constructs that a thread executes.
#[derive(Default)]
pub struct Targets {
    open: Vec<Open>,
    operation_since: u64,
    /// The number of events that may still be recorded for the timeline, and when that was last
    /// counted.
    credit: u64,
    credited: u64,
}

/// The number of events of a thread that the timeline takes at once, and how many more in each
/// second.
const CREDIT: u64 = 2000;
const CREDIT_PER_SECOND: u64 = 500;

impl Targets {
    /// Begins a construct at `now`. `left_by` is the thread that left it, if that is another one.
    pub fn begin(&mut self, site: Site, left_by: Option<&'static Ledger>, now: u64) {
        let left = left_by.map(|by| {
            let before = by.account.counters_at(now);
            Left { by, begun: by.account.begun(), before }
        });
        self.open.push(Open { site, since: now, left, kernel_since: 0 });
    }

    /// Ends the innermost construct; returns its site and when it began.
    pub fn end(&mut self, table: &TargetTable, now: u64) -> Option<(Site, u64)> {
        let Open { site, since, left, .. } = self.open.pop()?;
        let entry = table.entry_of(site.key());
        let elapsed = now.saturating_sub(since);
        entry.add(site::EXECUTIONS, 1);
        entry.add(site::ELAPSED, elapsed);
        let (waited, overlap) = left.map_or((elapsed, 0), |left| left.meanwhile(elapsed, now));
        entry.add(site::WAITED, waited);
        entry.add(site::OVERLAP, overlap);
        Some((site, since))
    }

    /// Begins a kernel of the innermost construct at `now`.
    pub fn begin_kernel(&mut self, now: u64) {
        if let Some(open) = self.open.last_mut() {
            open.kernel_since = now;
        }
    }

    /// Ends the kernel; returns its site and when it began.
    pub fn end_kernel(&mut self, table: &TargetTable, now: u64) -> Option<(Site, u64)> {
        let open = self.open.last()?;
        let entry = table.entry_of(open.site.key());
        entry.add(site::KERNELS, 1);
        entry.add(site::KERNEL_TIME, now.saturating_sub(open.kernel_since));
        Some((open.site, open.kernel_since))
    }

    /// Begins an operation on memory at `now`.
    pub fn begin_operation(&mut self, now: u64) {
        self.operation_since = now;
    }

    /// Ends the operation: it counts for the innermost construct, or, outside of any, for `place`.
    /// Returns where it was counted, and when it began.
    pub fn end_operation(
        &mut self,
        table: &TargetTable,
        place: Site,
        operation: Operation,
        bytes: u64,
        now: u64,
    ) -> (Site, u64) {
        let site = self.open.last().map_or(place, |open| open.site);
        let since = core::mem::replace(&mut self.operation_since, 0);
        // A runtime older than OpenMP 5.1 reports an operation once.
        let since = if since == 0 { now } else { since };
        let time = now.saturating_sub(since);
        let entry = table.entry_of(site.key());
        let copy = match operation {
            Operation::ToDevice => Some(site::TO),
            Operation::FromDevice => Some(site::FROM),
            Operation::Within => Some(site::WITHIN),
            Operation::Allocate | Operation::Free => None,
        };
        if let Some(at) = copy {
            entry.add(at, 1);
            entry.add(at + 1, bytes);
            entry.add(at + 2, time);
        } else {
            let made = operation == Operation::Allocate;
            entry.add(site::ALLOCATIONS, u64::from(made));
            entry.add(site::ALLOCATED, if made { bytes } else { 0 });
            entry.add(site::MEMORY_TIME, time);
        }
        if self.open.is_empty() {
            entry.add(site::EXECUTIONS, 1);
            entry.add(site::ELAPSED, time);
            entry.add(site::WAITED, time);
        }
        (site, since)
    }

    /// Whether an event at `now` is to be recorded for the timeline: every event is, unless events
    /// come fast for long.
    pub fn may_record(&mut self, now: u64) -> bool {
        let each = clock::in_ticks(1_000_000_000 / CREDIT_PER_SECOND).max(1);
        let earned = now.saturating_sub(self.credited) / each;
        if earned > 0 {
            self.credit = self.credit.saturating_add(earned).min(CREDIT);
            self.credited = now;
        }
        let may = self.credit > 0;
        self.credit -= u64::from(may);
        may
    }

    /// Forgets all.
    pub fn reset(&mut self) {
        *self = Targets::default();
    }
}

impl Left {
    /// Returns how long the thread waited and worked while the construct was executed, ticks.
    fn meanwhile(&self, elapsed: u64, now: u64) -> (u64, u64) {
        if self.by.account.begun() != self.begun {
            // The thread that left the construct has ended, and its record belongs to another one.
            return (0, 0);
        }
        let did = self.by.account.counters_at(now).since(&self.before);
        let sum = |classes: &[Class]| {
            let all = classes.iter().map(|class| did.class(*class));
            all.fold(0, u64::saturating_add).min(elapsed)
        };
        let waited = sum(&[Class::Barrier, Class::TaskWait, Class::Mutex]);
        (waited, sum(&[Class::Work, Class::Serial]))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Books;
    use super::*;

    const SITE: Site = Site { codeptr: 0x10, kind: 1, device: 0 };

    fn values(table: &TargetTable, site: Site) -> [u64; site::COUNT] {
        table.entry(site.key()).read()
    }

    #[test]
    fn copies_belong_to_the_construct_around_them() {
        let table = TargetTable::new(8);
        let mut targets = Targets::default();
        let routine = Site { codeptr: 0x99, kind: 0, device: 0 };
        targets.begin(SITE, None, 100);
        targets.begin_operation(110);
        let to = targets.end_operation(&table, routine, Operation::ToDevice, 8, 115);
        assert_eq!(to, (SITE, 110));
        targets.begin_kernel(120);
        assert_eq!(targets.end_kernel(&table, 150), Some((SITE, 120)));
        targets.begin_operation(151);
        targets.end_operation(&table, routine, Operation::Free, 8, 153);
        assert_eq!(targets.end(&table, 160), Some((SITE, 100)));
        targets.begin_operation(200);
        targets.end_operation(&table, routine, Operation::FromDevice, 32, 207);
        let found = values(&table, SITE);
        assert_eq!(found[..7], [1, 60, 1, 30, 1, 8, 5]);
        assert_eq!((found[site::MEMORY_TIME], found[site::WAITED]), (2, 60));
        assert_eq!(values(&table, routine)[site::FROM..site::WITHIN], [1, 32, 7]);
        assert_eq!(targets.end(&table, 300), None);
    }

    #[test]
    fn what_is_left_to_another_thread_overlaps_with_work() {
        let table = TargetTable::new(8);
        let ledger: &'static Ledger = Box::leak(Box::default());
        // SAFETY: no other code has it.
        let books = unsafe { Books::of(&ledger.account) };
        books.begin(Class::Work, 0);
        let mut targets = Targets::default();
        targets.begin(SITE, Some(ledger), 100);
        books.switch(Class::TaskWait, 170);
        targets.end(&table, 200);
        let found = values(&table, SITE);
        assert_eq!((found[site::OVERLAP], found[site::WAITED]), (70, 30));
    }

    #[test]
    fn what_comes_fast_for_long_is_not_all_recorded() {
        let mut targets = Targets::default();
        let now = clock::in_ticks(10_000_000_000);
        let recorded = (0..3 * CREDIT).filter(|_| targets.may_record(now)).count();
        assert_eq!(recorded as u64, CREDIT);
        assert!(targets.may_record(now + clock::in_ticks(1_000_000_000)));
    }
}
