//! The end of an untimed stretch: its time is split among classes, tasks and mutexes in the
//! proportions of the timed events before it. [`super::pace`] says what such a stretch is.

use super::pace::{SPREAD_SHIFT, STALE, add, portion, positive};
use super::sites::{MutexTable, TaskTable, mutex as mutex_site, task as task_site};
use super::{Books, CLASSES, Class, TASK_WORK};
use core::sync::atomic::Ordering::Relaxed;

impl Books {
    /// Ends an untimed stretch at `now` and splits its time. For `queued` ticks of it the thread
    /// was at work without a processor: these are no part of tasks' work. Returns true if the
    /// stretch lies in a barrier whose region is over: then the thread has idled since the region's
    /// end, and idles on. Otherwise the thread's class stays. Async-signal-safe.
    pub fn close_untimed(
        &self,
        now: u64,
        queued: u64,
        tasks: &TaskTable,
        mutexes: &MutexTable,
    ) -> bool {
        let since = self.since();
        let over = self.untimed_until(now);
        let is_over = over < now;
        let time = over.saturating_sub(since);
        let parts = self.pace().split(time, self.class());
        self.begin_booking();
        parts.into_iter().enumerate().for_each(|(at, part)| self.count(at, part));
        let total = self.pace().total();
        // A task that runs over several ticks is booked as a whole when the thread leaves it, but
        // the classes' recent time was halved at each of these ticks. So tasks may seem to have
        // had more time than all work: the limit is the work.
        let recent_of_tasks = recent_of(tasks);
        let worked = worked(&parts);
        let of_tasks = portion(time, recent_of_tasks, total).min(worked);
        let ran = worked.saturating_sub(queued);
        let of_tasks = portion(of_tasks, ran, worked);
        // Time without a processor is certain, so it adds no error.
        let uncertain = if worked == 0 { time } else { portion(time, ran, worked) };
        for entry in tasks.iter() {
            let recent = positive(&entry.values[task_site::RECENT]);
            let part = portion(of_tasks, recent, recent_of_tasks);
            entry.add(task_site::WORK, part);
            self.count(TASK_WORK, part);
            // Each share is the mean of the new part and the share before. So three times the
            // square of the steps adds up to the variance of the sum.
            let share = portion(1 << 32, recent, total);
            let before = entry.values[task_site::SHARE].swap(share + 1, Relaxed);
            if before != 0 {
                let step = portion(uncertain, share.abs_diff(before - 1), 1 << 32) >> SPREAD_SHIFT;
                entry.add(task_site::SPREAD, step.saturating_mul(step).saturating_mul(3));
            }
        }
        for entry in mutexes.iter() {
            let part = |recent| portion(time, positive(&entry.values[recent]), total);
            entry.add(mutex_site::WAIT, part(mutex_site::RECENT_WAIT));
            entry.add(mutex_site::HOLD, part(mutex_site::RECENT_HOLD));
        }
        if is_over {
            self.count(Class::Idle as usize, now - over);
            self.class.store(Class::Idle as u32, Relaxed);
            self.idle_from.store(over, Relaxed);
        }
        add(&self.pace().untimed, time);
        self.since.store(now.max(since), Relaxed);
        self.forgive();
        self.pace().state.store(STALE, Relaxed);
        self.end_booking();
        is_over
    }

    /// Returns the time up to which the stretch lasts at `now`: the end of the region in whose
    /// barrier it lies, if that region is over.
    pub fn untimed_until(&self, now: u64) -> u64 {
        let over = self.over.load(Relaxed);
        let is_over = self.pace().is_in_barrier() && over >= self.since() && over < now;
        if is_over { over } else { now }
    }

    /// Returns the parts of an untimed stretch that are work, tasks' work and waiting for tasks, of
    /// 2^32.
    pub fn untimed_shares(&self, tasks: &TaskTable) -> [u64; 3] {
        let whole = 1 << 32;
        let parts = self.pace().split(whole, self.class());
        let work = worked(&parts);
        [
            work,
            portion(whole, recent_of(tasks), self.pace().total()).min(work),
            parts[Class::TaskWait as usize],
        ]
    }
}

/// Returns the recent time of all tasks whose events were timed.
fn recent_of(tasks: &TaskTable) -> u64 {
    tasks.iter().map(|entry| positive(&entry.values[task_site::RECENT])).sum()
}

/// Returns the work among the parts of a split.
fn worked(parts: &[u64; CLASSES]) -> u64 {
    parts[Class::Work as usize] + parts[Class::Serial as usize]
}

#[cfg(test)]
mod tests;
