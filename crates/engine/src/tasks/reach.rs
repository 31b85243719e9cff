//! What a thread reaches that waits in a task, beyond the descendants of that task which stand
//! where it looks first.
//!
//! | the task | its wait may also begin | why |
//! |---|---|---|
//! | transparent | what the wait needs (`depend/need.rs`) | a child may depend on an older sibling of the task, and nobody else may be there to begin that one |
//! | runs in parts | descendants that are anywhere in a deque | it leaves its children in the deques of the threads that it passed, under whatever was there |
//!
//! Such a task may be anywhere in a deque, of which only the ends can be taken. So the thread takes
//! out what is in the way, and puts it into the team's list, where everybody finds what he may
//! begin. Descendants can be seen from outside: deques without any stay as they are. What is needed
//! is known only of a task that one holds.
//!
//! What must hold: README.md, "Why waits end". Nothing here is touched unless a thread waits in
//! such a task and finds nothing else to do.

use super::constraint::Constraint;
use super::find::{self, CYCLES_BETWEEN_VAIN_SEARCHES, LEVELS_FOLLOWED, at};
use super::{depend, execute, presence, queue, ranked};
use crate::records::{Task, Team, Thread, Traits, Wanted};
use crate::waiting;
use omphalos_sync::deque::{Deque, Steal};

/// Tasks in the team's list beyond which a thread empties others' deques more slowly: their makers
/// have no limit but the length of these.
const LISTED_TASKS_BEFORE_ONE_BY_ONE: u32 = 256;

/// See the module.
pub(super) struct Reach<'a> {
    thread: &'static Thread,
    team: &'a Team,
    /// The task in which the thread waits.
    waiting: &'static Task,
    /// What for; null if that depends on descendants only.
    wanted: Wanted,
}

/// What the thread reaches beyond the descendants of the task in which it waits, if that is
/// anything.
#[inline(always)]
pub(super) fn beyond<'a>(
    thread: &Thread,
    team: &'a Team,
    constraint: Constraint,
) -> Option<Reach<'a>> {
    let waiting = constraint.ancestor()?;
    if waiting.has(Traits::TRANSPARENT | Traits::PARTS) {
        any_beyond(thread, team, waiting)
    } else {
        None
    }
}

#[cold]
fn any_beyond<'a>(thread: &Thread, team: &'a Team, waiting: &'static Task) -> Option<Reach<'a>> {
    // SAFETY: records of threads are never freed.
    let thread: &'static Thread = unsafe { &*core::ptr::from_ref(thread) };
    let (task, wanted) = thread.tasks.wants.get();
    let imports = core::ptr::eq(task, waiting) && depend::has_imports(waiting);
    let wanted = if imports { wanted } else { core::ptr::null() };
    Some(Reach { thread, team, waiting, wanted })
}

impl Reach<'_> {
    /// Whether the thread may begin the task, which nobody else can begin meanwhile.
    fn may(&self, task: &Task) -> bool {
        find::descends(task, self.waiting, u32::MAX)
            || !self.wanted.is_null() && depend::needs(self.wanted, task)
    }

    /// Runs one, if there is one.
    pub(super) fn run_one(&self) -> bool {
        let Some(task) = self.take() else {
            // It looks through all that there is.
            self.thread.tasks.searches_from.set(find::now() + CYCLES_BETWEEN_VAIN_SEARCHES);
            return false;
        };
        keeping_to_itself(self.thread, || execute::queued(self.thread, task));
        true
    }

    fn take(&self) -> Option<&'static Task> {
        let (thread, team) = (self.thread, self.team);
        if find::has_ranked(thread, team) {
            let come = || presence::come(thread, team);
            let found = ranked::take(thread, team, false, |task| self.may(task), come);
            if let Some((task, _)) = found {
                return Some(task);
            }
        }
        presence::come(thread, team);
        let listed = team.tasks.has_listed().then(|| team.tasks.take(|task| self.may(task)));
        if let Some(task) = listed.flatten() {
            presence::let_go(team, task);
            return Some(task);
        }
        let mut moved = false;
        let found = self.out_of_deques(&mut moved);
        if moved {
            // What was in the way here may be what another one looks for.
            waiting::wake_sleepers(team);
        }
        found
    }

    /// One of a deque; those in its way go to the list.
    fn out_of_deques(&self, moved: &mut bool) -> Option<&'static Task> {
        let (thread, team) = (self.thread, self.team);
        let own = &thread.slot().tasks.deque;
        while self.may_hold(own)
            && let Some(task) = own.pop().map(at)
        {
            if self.may(task) {
                return Some(task);
            }
            queue::set_aside(team, task);
            *moved = true;
        }
        let size = team.size.get();
        let first = thread.num.get() + 1;
        for num in (first..size).chain(0..first.min(size)) {
            let deque = &team.slot(num).tasks.deque;
            while self.may_hold(deque) {
                match deque.steal(|_| find::came(thread, team)) {
                    Steal::Value(word) if self.may(at(word)) => return Some(at(word)),
                    Steal::Value(word) => {
                        queue::set_aside(team, at(word));
                        *moved = true;
                        if team.tasks.listed() > LISTED_TASKS_BEFORE_ONE_BY_ONE {
                            return None;
                        }
                    }
                    Steal::Lost => omphalos_sys::relax(),
                    Steal::Nothing => break,
                }
            }
        }
        None
    }

    /// Whether there may be one in the deque.
    fn may_hold(&self, deque: &Deque) -> bool {
        if !self.wanted.is_null() {
            return !deque.looks_empty();
        }
        // In transit: the way up is bounded, and what is deeper may be one.
        let deepest = self.waiting.depth.get().saturating_add(LEVELS_FOLLOWED);
        deque.has_any(|word| {
            let task = at(word);
            task.depth.get() > deepest || find::descends(task, self.waiting, LEVELS_FOLLOWED)
        })
    }

    /// Whether [`Reach::run_one`] might find one, or move one.
    pub(super) fn may_run(&self) -> bool {
        let (thread, team) = (self.thread, self.team);
        team.members().any(|slot| self.may_hold(&slot.tasks.deque))
            || team.tasks.could_take(|task| self.may(task))
            || find::has_ranked(thread, team) && ranked::could_take(team, |task| self.may(task))
    }
}

/// Runs `f`, which may make tasks ready that do not descend from the current task: they do not stay
/// in the thread's own deque, above what the current task queued.
pub(super) fn keeping_to_itself(thread: &'static Thread, f: impl FnOnce()) {
    let deque = &thread.slot().tasks.deque;
    let bottom = deque.bottom();
    f();
    if deque.bottom() > bottom {
        clear_away(thread, bottom);
    }
}

#[cold]
fn clear_away(thread: &'static Thread, bottom: u64) {
    let (team, deque, current) = (thread.team(), &thread.slot().tasks.deque, thread.task());
    let mut own = Vec::new();
    let mut moved = false;
    while let Some(task) = deque.pop_above(bottom).map(at) {
        if find::descends(task, current, u32::MAX) {
            own.push(task);
        } else {
            presence::come(thread, team);
            queue::set_aside(team, task);
            moved = true;
        }
    }
    for task in own.into_iter().rev() {
        deque.push(core::ptr::from_ref(task) as usize);
    }
    if moved {
        waiting::wake_sleepers(team);
    }
}
