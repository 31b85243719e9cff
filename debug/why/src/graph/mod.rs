//! The graph of waits, which all findings are made from: an edge leads from a thread to each thing
//! that must happen before this thread goes on.

mod behind;
mod ends;
mod tasks;

use std::cell::RefCell;
use std::collections::HashMap;

use omphalos_ompd_view::snapshot::{Address, Lock, Snapshot, Task, Thread, Wait};

use crate::library;

/// The far end of an edge: the thing that a thread waits for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Blocker {
    /// A thread (its place in the snapshot), which must go on first.
    Thread(usize),
    /// The holder has ended: nobody gives the lock back.
    Gone,
    /// The holder (its place in the snapshot) is idle: its region is over.
    Idle(usize),
    /// A task whose body has ended and whose event is outstanding (its place in the snapshot).
    Event(usize),
    /// A task that waits for another one, which nobody executes.
    Held(usize),
    /// A task that is queued: any thread with time may execute it.
    Queued(usize),
}

/// The begin of the text for a runtime's lock of which only the function that takes it is known: "a
/// lock (omp_set_lock)".
const LOCK_OF_RUNTIME: &str = "a lock (";

/// The edges of all threads, by the threads' places in the snapshot.
pub struct Graph<'a> {
    pub snapshot: &'a Snapshot,
    pub edges: Vec<Vec<Blocker>>,
    /// Places of tasks and of threads in the snapshot, by their records.
    tasks: HashMap<Address, usize>,
    records: HashMap<Address, usize>,
    /// The blockers that keep a team's tasks from being complete; kept because all its members ask.
    of_teams: RefCell<HashMap<Address, Vec<Blocker>>>,
}

impl<'a> Graph<'a> {
    pub fn new(snapshot: &'a Snapshot) -> Graph<'a> {
        let tasks = snapshot.tasks.iter().map(|task| task.address).zip(0..).collect();
        let records = snapshot.threads.iter().map(|thread| thread.record).zip(0..);
        let records = records.filter(|(record, _)| *record != 0).collect();
        let (edges, of_teams) = (Vec::new(), RefCell::default());
        let mut graph = Graph { snapshot, edges, tasks, records, of_teams };
        graph.edges = (0..snapshot.threads.len()).map(|at| graph.behind(at)).collect();
        graph.find_idle();
        // A thread that waits for a thread that has ended waits for ever.
        let gone: Vec<bool> = snapshot.threads.iter().map(has_ended).collect();
        for edge in graph.edges.iter_mut().flatten() {
            if matches!(edge, Blocker::Thread(at) if gone[*at]) {
                *edge = Blocker::Gone;
            }
        }
        graph
    }

    /// Finds the locks that idle workers hold. The task of a region took such an OpenMP lock, and
    /// no other task may give it back. A mutex is different: a running thread may give it back.
    fn find_idle(&mut self) {
        let threads = &self.snapshot.threads;
        let none_runs = threads.iter().all(|thread| thread.waits.is_some());
        for (edges, thread) in self.edges.iter_mut().zip(threads) {
            let is_lock = match thread.waits {
                Some(Wait::Lock { .. }) => true,
                Some(Wait::Mutex { .. }) => none_runs,
                _ => false,
            };
            for edge in edges.iter_mut().filter(|_| is_lock) {
                if let Blocker::Thread(at) = *edge
                    && threads[at].waits == Some(Wait::Work)
                {
                    *edge = Blocker::Idle(at);
                }
            }
        }
    }

    pub fn thread(&self, at: usize) -> &'a Thread {
        &self.snapshot.threads[at]
    }

    pub fn by_number(&self, number: i32) -> Option<usize> {
        self.snapshot.threads.iter().position(|thread| thread.number == Some(number))
    }

    pub fn by_record(&self, record: Address) -> Option<usize> {
        self.records.get(&record).copied()
    }

    pub fn by_lwp(&self, lwp: u32) -> Option<usize> {
        self.snapshot.threads.iter().position(|thread| thread.lwp == lwp)
    }

    pub fn lock(&self, address: Address) -> Option<&'a Lock> {
        self.snapshot.locks.iter().find(|lock| lock.address == address)
    }

    pub fn task(&self, address: Address) -> Option<(usize, &'a Task)> {
        let at = *self.tasks.get(&address)?;
        Some((at, self.snapshot.tasks.get(at)?))
    }

    /// The threads of a team, by number.
    pub fn members(&self, team: Address) -> Vec<(u32, usize)> {
        let known = self.snapshot.teams.iter().find(|known| known.address == team);
        let members = known.map_or(&[][..], |team| &team.members[..]);
        let each = (0..).zip(members);
        each.filter_map(|(number, record)| Some((number, self.by_record(*record)?))).collect()
    }

    /// The members that a barrier of the team waits for and that have no thread any more. (A member
    /// that had no thread when its place was read has ended meanwhile.)
    pub fn ended(&self, team: Address, wait: &Wait) -> Vec<u32> {
        let Wait::Barrier { missing, .. } = wait else { return Vec::new() };
        let known = self.snapshot.teams.iter().find(|known| known.address == team);
        let record = |number: u32| known?.members.get(number as usize).copied();
        let has_ended = |number: &&u32| {
            let record = record(**number).filter(|record| *record != 0);
            record.is_some_and(|record| self.by_record(record).is_none())
        };
        missing.iter().filter(has_ended).copied().collect()
    }

    fn behind(&self, at: usize) -> Vec<Blocker> {
        let Some(wait) = &self.thread(at).waits else { return Vec::new() };
        match wait {
            Wait::Barrier { team: 0, kind, .. } => {
                let missing = match kind == "region" {
                    true => self.inside(at),
                    false => self.elsewhere(at),
                };
                missing.into_iter().map(Blocker::Thread).collect()
            }
            Wait::Lock { lock } => self.lock(*lock).map_or(Vec::new(), |lock| self.holder(lock)),
            Wait::Barrier { team, missing, for_tasks, .. } => {
                let members = self.members(*team);
                let is_missing = |number: &u32| missing.contains(number);
                let missing = members.into_iter().filter(|(number, _)| is_missing(number));
                let mut all: Vec<Blocker> =
                    missing.map(|(_, thread)| Blocker::Thread(thread)).collect();
                all.extend(self.ended(*team, wait).iter().map(|_| Blocker::Gone));
                if *for_tasks || all.is_empty() {
                    all.extend(self.of_team(at, *team));
                }
                all
            }
            Wait::Taskwait { task } => self.tasks(at, |child| child.parent == Some(*task)),
            Wait::Taskgroup { task, .. } => self.tasks(at, |child| self.is_inside(child, *task)),
            Wait::Dependences { on } => {
                self.behind_tasks(at, on.iter().filter_map(|on| Some(self.task(*on)?.0)).collect())
            }
            Wait::Event { task } => {
                self.task(*task).map(|(at, _)| Blocker::Event(at)).into_iter().collect()
            }
            Wait::Ordered { team, of: Some(of), .. } if self.has_turn(at, *team, *of).is_some() => {
                self.has_turn(at, *team, *of).map(Blocker::Thread).into_iter().collect()
            }
            Wait::Ordered { team, .. } | Wait::Sink { team, .. } => self
                .others(at, *team)
                .filter(|other| {
                    // A thread that waits for the same thing is no further.
                    let same =
                        |wait: &Wait| matches!(wait, Wait::Ordered { .. } | Wait::Sink { .. });
                    !self.thread(*other).waits.as_ref().is_some_and(same)
                })
                .map(Blocker::Thread)
                .collect(),
            Wait::Copyprivate { team } => self
                .others(at, *team)
                .filter(|other| {
                    let same = |wait: &Wait| matches!(wait, Wait::Copyprivate { .. });
                    !self.thread(*other).waits.as_ref().is_some_and(same)
                })
                .map(Blocker::Thread)
                .collect(),
            Wait::Mutex { mutex, .. }
                if self.lock(*mutex).is_some_and(|it| it.damaged || it.elsewhere.is_some()) =>
            {
                Vec::new()
            }
            Wait::Mutex { owner: Some(owner), .. }
            | Wait::Loader { owner: Some(owner) }
            | Wait::Interpreter { owner: Some(owner) } => match self.by_lwp(*owner) {
                Some(owner) => vec![Blocker::Thread(owner)],
                None => vec![Blocker::Gone],
            },
            Wait::Join { lwp: Some(lwp) } | Wait::Once { owner: Some(lwp), .. } => {
                self.by_lwp(*lwp).map(Blocker::Thread).into_iter().collect()
            }
            Wait::Unknown { .. } => {
                let holder = library::holder(self.snapshot, self.thread(at));
                holder.map(Blocker::Thread).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether the thread waits in a runtime that does not tell for whom: it may wait for any other
    /// thread.
    pub fn is_untold(&self, at: usize) -> bool {
        let in_runtime = match &self.thread(at).waits {
            Some(Wait::Unknown { what }) => what.starts_with(LOCK_OF_RUNTIME),
            Some(
                Wait::Lock { .. }
                | Wait::Barrier { .. }
                | Wait::Taskwait { .. }
                | Wait::Taskgroup { .. }
                | Wait::Dependences { .. }
                | Wait::Event { .. }
                | Wait::Ordered { .. }
                | Wait::Sink { .. }
                | Wait::Copyprivate { .. },
            ) => true,
            _ => false,
        };
        in_runtime && self.edges[at].is_empty() && !self.snapshot.tells()
    }

    /// The member with this number, if it is another thread than `at`.
    fn has_turn(&self, at: usize, team: Address, number: u32) -> Option<usize> {
        let members = self.members(team).into_iter();
        members
            .filter(|(of, thread)| *of == number && *thread != at)
            .map(|(_, thread)| thread)
            .next()
    }

    fn others(&self, at: usize, team: Address) -> impl Iterator<Item = usize> {
        let members = self.members(team).into_iter().map(|(_, thread)| thread);
        members.filter(move |thread| *thread != at)
    }

    fn holder(&self, lock: &Lock) -> Vec<Blocker> {
        if lock.shared || lock.damaged {
            return Vec::new();
        }
        if lock.holder_gone {
            return vec![Blocker::Gone];
        }
        let by_task = lock.holder_task.and_then(|task| self.executing(self.task(task)?.1));
        let by_number = || lock.holder.and_then(|number| self.by_number(number));
        by_task.or_else(by_number).map(Blocker::Thread).into_iter().collect()
    }

    /// The cycles of threads that wait for each other, each cycle once.
    pub fn cycles(&self) -> Vec<Vec<usize>> {
        let mut found: Vec<Vec<usize>> = Vec::new();
        let mut state = vec![State::New; self.edges.len()];
        for start in 0..self.edges.len() {
            let mut path: Vec<(usize, usize)> = Vec::new();
            if state[start] == State::New {
                state[start] = State::Open;
                path.push((start, 0));
            }
            while let Some((at, next)) = path.last_mut() {
                let (here, edge) = (*at, *next);
                *next += 1;
                match self.edges[here].get(edge) {
                    Some(Blocker::Thread(to)) if state[*to] == State::New => {
                        state[*to] = State::Open;
                        path.push((*to, 0));
                    }
                    Some(Blocker::Thread(to)) if state[*to] == State::Open => {
                        let from = path.iter().position(|(at, _)| at == to).unwrap_or(0);
                        found.push(path[from..].iter().map(|(at, _)| *at).collect());
                    }
                    Some(_) => {}
                    None => {
                        state[here] = State::Done;
                        path.pop();
                    }
                }
            }
        }
        found
    }
}

/// Whether the thread has ended: the runtime knows the thread, but the kernel does not, or the
/// kernel only knows that it existed.
pub fn has_ended(thread: &Thread) -> bool {
    thread.os.as_ref().is_some_and(|os| ["X", "Z"].contains(&&*os.state))
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    Open,
    Done,
}
