//! The tasks on one thread: the implicit task at the bottom, explicit ones that it executes above.
//!
//! A task that waits may execute others, so this is a stack; a task is named by the address of its
//! data word. The word itself holds where the task was created and by which thread, so that
//! creating a task allocates nothing. What must hold: as for the contexts, callbacks only.

use super::table::Table;
use super::{Account, Class, EXECUTED, TASK_WORK};

/// Counters of a task site.
pub mod site {
    #![allow(missing_docs)]
    pub const CREATED: usize = 0;
    pub const EXECUTED: usize = 1;
    pub const STOLEN: usize = 2;
    pub const WORK: usize = 3;
    /// Stored as `u64::MAX - shortest`, so that 0 means none and larger is shorter.
    pub const SHORTEST: usize = 4;
    pub const LONGEST: usize = 5;
    pub const COUNT: usize = 6;
}

/// Task sites: (codeptr_ra, 0, 0).
pub type TaskTable = Table<{ site::COUNT }>;

/// What an explicit task's data word holds: 48 bits of address, 16 bits of thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Creation(pub u64);

impl Creation {
    const ADDRESS: u64 = (1 << 48) - 1;

    /// Packs both; thread numbers beyond 65535 wrap.
    pub fn new(codeptr: u64, thread: u32) -> Creation {
        Creation((codeptr & Self::ADDRESS) | (u64::from(thread) << 48))
    }

    /// `codeptr_ra` of the construct.
    pub fn codeptr(self) -> u64 {
        self.0 & Self::ADDRESS
    }

    /// True if `thread` created the task.
    pub fn is_by(self, thread: u32) -> bool {
        self.0 >> 48 == u64::from(thread & 0xffff)
    }
}

/// One task.
struct Task {
    /// The address of its data word.
    name: usize,
    creation: Option<Creation>,
    flags: u32,
    /// The class that the task was in when it was put aside.
    class: Class,
    /// Work of the thread when the task went on, ticks.
    from: u64,
    /// Work of the task before that, ticks.
    done: u64,
}

/// The thread's tasks.
#[derive(Default)]
pub struct Tasks {
    stack: Vec<Task>,
}

fn work(account: &Account) -> u64 {
    let counters = account.counters();
    counters.class(Class::Work) + counters.class(Class::Serial)
}

impl Tasks {
    /// An implicit task begins on top.
    pub fn begin_implicit(&mut self, name: usize, flags: u32) {
        let class = Class::Work;
        self.stack.push(Task { name, creation: None, flags, class, from: 0, done: 0 });
    }

    /// An implicit task ends, and with it whatever was left on top of it.
    pub fn end_implicit(&mut self, name: usize) {
        if let Some(at) = self.stack.iter().rposition(|task| task.name == name) {
            self.stack.truncate(at);
        }
    }

    /// Flags and creation address of the current task.
    pub fn current(&self) -> (u32, u64) {
        let Some(task) = self.stack.last() else { return (0, 0) };
        (task.flags, task.creation.map_or(0, Creation::codeptr))
    }

    /// The task `prior` ended: books it at its site. The account must be settled.
    pub fn finish(&mut self, prior: usize, account: &Account, table: &TaskTable, thread: u32) {
        let Some(at) = self.stack.iter().rposition(|task| task.name == prior) else { return };
        let is_top = at + 1 == self.stack.len();
        let task = self.stack.remove(at);
        let Some(creation) = task.creation else { return };
        let worked = task.done + if is_top { work(account).saturating_sub(task.from) } else { 0 };
        let entry = table.entry([creation.codeptr(), 0, 0]);
        entry.add(site::EXECUTED, 1);
        entry.add(site::STOLEN, u64::from(!creation.is_by(thread)));
        entry.add(site::WORK, worked);
        entry.raise(site::SHORTEST, u64::MAX - worked);
        entry.raise(site::LONGEST, worked);
        account.count(EXECUTED, 1);
        account.count(TASK_WORK, worked);
    }

    /// The current task is put aside in `class`. The account must be settled.
    pub fn suspend(&mut self, account: &Account, class: Class) {
        if let Some(task) = self.stack.last_mut() {
            task.class = class;
            task.done += work(account).saturating_sub(task.from);
            task.from = work(account);
        }
    }

    /// `next` goes on, or begins if it is not known here; says the class that it goes on in.
    /// `creation` is what its data word holds.
    pub fn resume(
        &mut self,
        next: usize,
        creation: u64,
        account: &Account,
        active: Class,
        flags: u32,
    ) -> Class {
        match self.stack.iter().rposition(|task| task.name == next) {
            Some(at) => {
                let task = self.stack.remove(at);
                self.stack.push(task);
            }
            None if next == 0 => {}
            None => {
                let creation = Some(Creation(creation));
                let class = active;
                self.stack.push(Task { name: next, creation, flags, class, from: 0, done: 0 });
            }
        }
        let Some(task) = self.stack.last_mut() else { return active };
        task.from = work(account);
        task.class
    }

    /// Forgets all tasks.
    pub fn reset(&mut self) {
        self.stack.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_waiting_task_is_not_charged_for_the_one_it_executes() {
        let account = Account::default();
        account.begin(Class::Work, 0);
        let table = TaskTable::new(8);
        let [outer, inner] = [(1, Creation::new(0x10, 1).0), (2, Creation::new(0x20, 2).0)];
        let mut tasks = Tasks::default();
        tasks.begin_implicit(0, 2);
        tasks.suspend(&account, Class::Work);
        let class = tasks.resume(outer.0, outer.1, &account, Class::Work, 4);
        assert_eq!(class, Class::Work);
        assert_eq!(tasks.current(), (4, 0x10));
        account.switch(Class::TaskWait, 10);
        tasks.suspend(&account, Class::TaskWait);
        let class = tasks.resume(inner.0, inner.1, &account, Class::Work, 4);
        account.switch(class, 12);
        account.settle(40);
        tasks.finish(inner.0, &account, &table, 1);
        let class = tasks.resume(outer.0, outer.1, &account, Class::Work, 4);
        assert_eq!(class, Class::TaskWait);
        account.switch(Class::Work, 40);
        account.settle(45);
        tasks.finish(outer.0, &account, &table, 1);
        let of = |codeptr| table.entry([codeptr, 0, 0]).read();
        assert_eq!(of(0x10)[site::WORK], 15);
        assert_eq!(of(0x20)[site::WORK], 28);
        assert_eq!((of(0x10)[site::STOLEN], of(0x20)[site::STOLEN]), (0, 1));
        assert_eq!(u64::MAX - of(0x20)[site::SHORTEST], 28);
        assert_eq!(account.counters().0[EXECUTED], 2);
    }
}
