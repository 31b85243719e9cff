//! The tasks on one thread: the implicit task at the bottom, explicit ones that it executes above.
//!
//! A task that waits may execute others, so this is a stack. The address of a task's data word is
//! the task's name. The word itself says where the task was created and by which thread, so that
//! creating a task allocates nothing. What must hold: only callbacks touch this, as with the
//! contexts.

use super::pace::Current;
use super::sites::{TaskTable, task as site};
use super::{Books, Class, EXECUTED, TASK_WORK};
use omphalos_ompt::TaskFlags;

/// The content of an explicit task's data word: 48 bits of address, 16 bits of thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Creation(pub u64);

impl Creation {
    const ADDRESS: u64 = (1 << 48) - 1;

    /// Packs the address and the thread's number; numbers beyond 65535 wrap.
    pub fn new(codeptr: u64, thread: u32) -> Creation {
        Creation((codeptr & Self::ADDRESS) | (u64::from(thread) << 48))
    }

    /// `codeptr_ra` of the construct.
    pub fn codeptr(self) -> u64 {
        self.0 & Self::ADDRESS
    }

    /// Whether `thread` created the task.
    pub fn is_by(self, thread: u32) -> bool {
        self.0 >> 48 == u64::from(thread & 0xffff)
    }
}

/// One task.
struct Task {
    /// The address of its data word.
    name: usize,
    /// None for an implicit task.
    creation: Option<Creation>,
    flags: u32,
    /// The class of the task when it was put aside; none where that is not known.
    class: Option<Class>,
    /// The thread's work when the task went on, ticks.
    from: u64,
    /// The task's work before that, ticks.
    done: u64,
    /// Whether all of its work was timed.
    whole: bool,
}

impl Task {
    /// Makes an explicit task that begins, or that goes on if it is not `whole`.
    fn explicit(name: usize, word: u64, flags: u32, whole: bool) -> Task {
        let creation = Some(Creation(word));
        Task { name, creation, flags, class: None, from: 0, done: 0, whole }
    }

    /// Books the task's work up to now at its site.
    fn book(&mut self, account: &Books, table: &TaskTable) {
        let now = account.work();
        let worked = now.saturating_sub(self.from);
        self.from = now;
        self.done += worked;
        if let Some(creation) = self.creation.filter(|_| worked > 0) {
            let entry = table.entry_of([creation.codeptr(), 0, 0]);
            entry.add(site::WORK, worked);
            entry.add(site::RECENT, worked);
            account.count(TASK_WORK, worked);
        }
    }
}

/// The thread's tasks.
#[derive(Default)]
pub struct Tasks {
    stack: Vec<Task>,
}

impl Tasks {
    /// Begins an implicit task on top.
    pub fn begin_implicit(&mut self, name: usize, flags: u32) {
        let class = Some(Class::Work);
        let (creation, from, done, whole) = (None, 0, 0, true);
        self.stack.push(Task { name, creation, flags, class, from, done, whole });
    }

    /// Whether another task can be entered without an allocation.
    pub fn has_room(&self) -> bool {
        self.stack.len() < self.stack.capacity()
    }

    /// Ends an implicit task, and every task that was left on top of it.
    pub fn end_implicit(&mut self, name: usize) {
        if let Some(at) = self.stack.iter().rposition(|task| task.name == name) {
            self.stack.truncate(at);
        }
    }

    /// Returns the flags and the creation address of the current task.
    pub fn current(&self) -> (u32, u64) {
        let Some(task) = self.stack.last() else { return (0, 0) };
        (task.flags, task.creation.map_or(0, Creation::codeptr))
    }

    /// Whether the current task is not one of a task construct.
    pub fn is_implicit(&self) -> bool {
        self.stack.last().is_none_or(|task| task.creation.is_none())
    }

    /// Whether the task is the current one.
    pub fn is_current(&self, name: usize) -> bool {
        self.stack.last().is_some_and(|task| task.name == name)
    }

    /// Ends the task `prior`, whose data word holds `word`, and books it at its site. The account
    /// must be settled.
    pub fn finish(
        &mut self,
        prior: usize,
        word: u64,
        account: &Books,
        table: &TaskTable,
        thread: u32,
    ) {
        let at = self.stack.iter().rposition(|task| task.name == prior);
        let mut task = match at {
            Some(at) => {
                let is_top = at + 1 == self.stack.len();
                let mut task = self.stack.remove(at);
                if is_top {
                    task.book(account, table);
                }
                task
            }
            // The task began in an untimed stretch.
            None if word != 0 => Task::explicit(prior, word, 0, false),
            None => return,
        };
        let Some(creation) = task.creation.take() else { return };
        let entry = table.entry_of([creation.codeptr(), 0, 0]);
        entry.add(site::EXECUTED, 1);
        entry.add(site::STOLEN, u64::from(!creation.is_by(thread)));
        if task.whole {
            entry.raise(site::SHORTEST, u64::MAX - task.done);
            entry.raise(site::LONGEST, task.done);
        }
        account.count(EXECUTED, 1);
    }

    /// Puts the current task aside in `class`. The account must be settled.
    pub fn suspend(&mut self, account: &Books, table: &TaskTable, class: Class) {
        if let Some(task) = self.stack.last_mut() {
            task.class = Some(class);
            task.book(account, table);
        }
    }

    /// Lets `next` go on, or begin if it is not known here. Returns the class that it goes on in;
    /// `None` if that is not known. `word` is the content of its data word. `returns`: whether the
    /// task worked before.
    pub fn resume(
        &mut self,
        next: usize,
        word: u64,
        account: &Books,
        active: Class,
        returns: bool,
    ) -> Option<Class> {
        match self.stack.iter().rposition(|task| task.name == next) {
            Some(at) if at + 1 == self.stack.len() => {}
            Some(at) => {
                let task = self.stack.remove(at);
                self.stack.push(task);
            }
            None if next == 0 => {}
            None => {
                let mut task = Task::explicit(next, word, TaskFlags::EXPLICIT.bits(), !returns);
                task.class = (!returns).then_some(active);
                self.stack.push(task);
            }
        }
        let Some(task) = self.stack.last_mut() else { return Some(active) };
        task.from = account.work();
        task.class
    }

    /// Books work, found after an untimed stretch, that certainly belongs to the current task.
    pub fn book_certain(
        &mut self,
        current: Current,
        worked: u64,
        account: &Books,
        table: &TaskTable,
    ) {
        if current.is_explicit() && worked > 0 {
            let site = Creation(current.word).codeptr();
            table.entry_of([site, 0, 0]).add(site::WORK, worked);
            account.count(TASK_WORK, worked);
        }
    }

    /// Replaces the explicit tasks on top of the last implicit one after an untimed stretch: they
    /// are others than before, and only the current one is known.
    pub fn go_on(&mut self, current: Current, account: &Books) {
        let implicit = self.stack.iter().rposition(|task| task.creation.is_none());
        self.stack.truncate(implicit.map_or(0, |at| at + 1));
        if let Some(implicit) = self.stack.last_mut() {
            implicit.class = None;
        }
        if current.is_explicit() && !self.is_current(current.name) {
            self.stack.push(Task::explicit(current.name, current.word, current.flags, false));
        }
        if let Some(task) = self.stack.last_mut() {
            task.from = account.work();
        }
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
        let account = Books::default();
        account.begin(Class::Work, 0);
        let table = TaskTable::new(8);
        let [outer, inner] = [(1, Creation::new(0x10, 1).0), (2, Creation::new(0x20, 2).0)];
        let mut tasks = Tasks::default();
        tasks.begin_implicit(9, 2);
        tasks.suspend(&account, &table, Class::Work);
        let class = tasks.resume(outer.0, outer.1, &account, Class::Work, false);
        assert_eq!(class, Some(Class::Work));
        assert_eq!(tasks.current(), (4, 0x10));
        account.switch(Class::TaskWait, 10);
        tasks.suspend(&account, &table, Class::TaskWait);
        let class = tasks.resume(inner.0, inner.1, &account, Class::Work, false);
        account.switch(class.expect("a task that begins works"), 12);
        account.settle(40);
        tasks.finish(inner.0, inner.1, &account, &table, 1);
        let class = tasks.resume(outer.0, outer.1, &account, Class::Work, true);
        assert_eq!(class, Some(Class::TaskWait));
        account.switch(Class::Work, 40);
        account.settle(45);
        tasks.finish(outer.0, outer.1, &account, &table, 1);
        let of = |codeptr| table.entry([codeptr, 0, 0]).read();
        assert_eq!(of(0x10)[site::WORK], 15);
        assert_eq!(of(0x20)[site::WORK], 28);
        assert_eq!((of(0x10)[site::STOLEN], of(0x20)[site::STOLEN]), (0, 1));
        assert_eq!(u64::MAX - of(0x20)[site::SHORTEST], 28);
        assert_eq!(account.counters().0[EXECUTED], 2);
    }

    #[test]
    fn tasks_of_an_untimed_stretch_are_met_as_they_come() {
        let account = Books::default();
        account.begin(Class::Work, 0);
        let table = TaskTable::new(8);
        let word = |codeptr| Creation::new(codeptr, 1).0;
        let mut tasks = Tasks::default();
        tasks.begin_implicit(9, 2);
        tasks.suspend(&account, &table, Class::TaskWait);
        tasks.resume(1, word(0x10), &account, Class::Work, false);
        // An untimed stretch ends in a task whose begin no event reported, on top of others.
        let current = Current { name: 5, word: word(0x50), flags: TaskFlags::EXPLICIT.bits() };
        account.settle_certain(100);
        tasks.book_certain(current, 40, &account, &table);
        tasks.go_on(current, &account);
        assert_eq!(tasks.current().1, 0x50);
        account.settle(130);
        assert!(tasks.is_current(5));
        tasks.finish(5, word(0x50), &account, &table, 1);
        // The task that it interrupted is not known, nor the class of that task then.
        assert_eq!(tasks.resume(4, word(0x40), &account, Class::Work, true), None);
        tasks.finish(4, word(0x40), &account, &table, 1);
        assert_eq!(tasks.resume(9, 0, &account, Class::Work, true), None);
        tasks.finish(77, word(0x70), &account, &table, 2);
        let of = |codeptr| table.entry([codeptr, 0, 0]).read();
        assert_eq!(of(0x50)[site::WORK], 70);
        assert_eq!([of(0x50), of(0x40), of(0x70)].map(|values| values[site::EXECUTED]), [1; 3]);
        assert_eq!([of(0x50), of(0x40)].map(|values| values[site::SHORTEST]), [0; 2]);
        assert_eq!((of(0x10)[site::EXECUTED], of(0x70)[site::STOLEN]), (0, 1));
    }
}
