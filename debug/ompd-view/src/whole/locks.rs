//! The locks of a snapshot.

use std::collections::{BTreeMap, HashSet};

use super::Whole;
use crate::lock::Holder;
use crate::runtime::Runtime;
use crate::snapshot::{self, Address, Wait};
use crate::target::Fault;
use crate::task::MOST_ANCESTORS;

/// `ompt_task_undeferred`.
const UNDEFERRED: u32 = 0x0800_0000;

impl Runtime<'_> {
    /// The kernel's number of the thread that holds the lock at `address`, for a lock that nobody
    /// waits for in the runtime.
    pub fn lock_owner(&self, snapshot: &snapshot::Snapshot, address: Address) -> Option<u32> {
        let Ok(Holder::Thread(own)) = self.lock_holder(address) else { return None };
        let mut known = snapshot.threads.iter().filter(|thread| thread.record != 0);
        let is_it = |thread: &&snapshot::Thread| self.thread(thread.record).own_number() == Ok(own);
        known.find(is_it).map(|thread| thread.lwp)
    }
}

impl Whole<'_> {
    /// Adds the locks that threads wait for, with the holder of each.
    pub(super) fn locks(&mut self) {
        let mut wanted: BTreeMap<Address, u32> = BTreeMap::new();
        let mut nest = HashSet::new();
        for thread in &self.snapshot.threads {
            let (Some(Wait::Lock { lock }), Some(state)) = (&thread.waits, thread.state) else {
                continue;
            };
            wanted.insert(*lock, state);
            let noted = self.runtime.thread(thread.record).noted_state().unwrap_or(0);
            if noted != state {
                nest.insert(*lock);
            }
        }
        for (address, state) in wanted {
            let lock = self.lock(address, state, nest.contains(&address));
            if let Some(lock) = self.or_note(&format!("the lock at {address:#x}"), lock) {
                self.snapshot.locks.push(lock);
            }
        }
    }

    fn lock(&self, address: Address, state: u32, nest: bool) -> Result<snapshot::Lock, Fault> {
        let kind = match state {
            _ if nest => "nest lock",
            0x042 => "critical",
            0x043 => "atomic",
            _ => "lock",
        };
        let holder = match nest {
            true => self.runtime.nest_lock_holder(address)?,
            false => self.runtime.lock_holder(address)?,
        };
        let mut lock = snapshot::Lock { address, kind: kind.into(), ..Default::default() };
        match holder {
            Holder::Free | Holder::Unnamed => {}
            Holder::Thread(own) => {
                let number = self.numbers.get(&own).copied();
                let lives = |thread: &snapshot::Thread| thread.number == number;
                lock.holder = number.or(Some(own).filter(|_| !self.knows_all));
                lock.holder_gone = number.is_some() && !self.snapshot.threads.iter().any(lives);
                // Records are never freed: each thread that ever existed has one.
                lock.damaged = lock.holder.is_none();
            }
            Holder::Task(task) => {
                lock.holder_task = Some(task);
                lock.holder = self.thread_of(task);
                let is_task = self.runtime.task(task).flags().is_ok();
                lock.damaged = !is_task;
                let is_there = lock.holder.is_some() || self.places.contains_key(&task);
                lock.holder_gone = is_task && !is_there;
            }
        }
        Ok(lock)
    }

    /// The number of the thread that executes a task, or something on top of it.
    fn thread_of(&self, task: Address) -> Option<i32> {
        let executes = |thread: &&snapshot::Thread| {
            let mut at = thread.task.unwrap_or(0);
            for _ in 0..MOST_ANCESTORS {
                if at == task {
                    return true;
                }
                let Some(&place) = self.places.get(&at) else { return false };
                let known = &self.snapshot.tasks[place];
                // The tasks around a region belong to its primary thread alone. The task around a
                // task belongs to the same thread only if the task was undeferred.
                let is_implicit = known.flags & 3 != 0;
                if is_implicit && thread.thread_num != Some(0)
                    || !is_implicit && known.flags & UNDEFERRED == 0
                {
                    return false;
                }
                at = known.parent.unwrap_or(0);
            }
            false
        };
        self.snapshot.threads.iter().find(executes).and_then(|thread| thread.number)
    }
}
