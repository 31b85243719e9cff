//! Makes a snapshot of a whole program from a library's answers. Facts that the library cannot tell
//! stay empty, and a note says so.

use omphalos_abi::ompd::*;
use omphalos_ompd_view::Fault;
use omphalos_ompd_view::snapshot::{self as seen, FORMAT, Snapshot};

use crate::handles::{Parallel, Task, Thread};
use crate::library::Library;
use crate::process::{Native, Process};
use crate::{Refusal, Subject, Value};

/// Nested regions, and tasks behind tasks, that are followed.
const DEEPEST: usize = 64;
/// Members of a team that are asked about.
const MOST_MEMBERS: u32 = 4096;

/// `ompt_task_initial`, `ompt_task_implicit`, `ompt_task_explicit`.
const INITIAL: u32 = 1;
const IMPLICIT: u32 = 2;
const EXPLICIT: u32 = 4;

/// Asks everything that can be asked about the program's threads.
pub fn snapshot(library: &Library, subject: &dyn Subject) -> Result<Snapshot, Fault> {
    let process = Process::open(library, subject)?;
    let mut all = All { teams: Vec::new(), tasks: Vec::new(), untracked: false };
    let mut snapshot = Snapshot { format: FORMAT, ..Snapshot::default() };
    let states = process.states();
    for (lwp, pthread) in &process.desk.threads {
        let Ok(thread) = by_native(&process, *lwp, *pthread) else { continue };
        // OMPD does not tell a thread's number in the process. LLVM's runtime keeps it in a
        // variable of each thread. Otherwise threads are numbered in the order in which they were
        // found.
        let number = number(subject, *lwp).unwrap_or(snapshot.threads.len() as i32);
        let mut known = seen::Thread {
            lwp: *lwp,
            pthread: *pthread,
            record: if *pthread == 0 { u64::from(*lwp) } else { *pthread },
            number: Some(number),
            kind: if number == 0 { "initial" } else { "worker" }.to_owned(),
            ..seen::Thread::default()
        };
        all.describe(&thread, &states, &mut known);
        snapshot.threads.push(known);
    }
    if snapshot.threads.is_empty()
        && let Some(name) = process.missing()
    {
        return Err(Fault::Unknown(format!("symbol {name}")));
    }
    for at in 0..all.teams.len() {
        all.fill(at, &snapshot.threads);
    }
    if all.untracked {
        snapshot.notes.push(UNTRACKED.to_owned());
    }
    snapshot.teams = all.teams.into_iter().map(|(team, _)| team).collect();
    snapshot.tasks = all.tasks.into_iter().map(|(task, _)| task).collect();
    Ok(snapshot)
}

/// The note for a program that was started without `OMP_DEBUG`.
const UNTRACKED: &str = "the runtime keeps states, wait ids, frames and the functions of tasks \
    only where the program is started with OMP_DEBUG=enabled; this one was not: what its threads \
    wait for is known by the functions on their stacks";

fn by_native<'p>(process: &'p Process<'p>, lwp: u32, pthread: u64) -> Value<Thread<'p>> {
    match process.thread(Native::Lwp(lwp)) {
        Err(Refusal { code: ompd_rc_unsupported | ompd_rc_bad_input, .. }) if pthread != 0 => {
            process.thread(Native::Pthread(pthread))
        }
        answer => answer,
    }
}

fn number(subject: &dyn Subject, lwp: u32) -> Option<i32> {
    let at = subject.variable("__kmp_gtid", Some(lwp)).ok()?;
    let mut bytes = [0; 4];
    subject.read(at, &mut bytes).ok()?;
    Some(i32::from_le_bytes(bytes)).filter(|number| *number >= 0)
}

/// The regions and tasks that were met, each once. Their names in the snapshot are their places in
/// these lists, from 1.
struct All<'p> {
    teams: Vec<(seen::Team, Parallel<'p>)>,
    tasks: Vec<(seen::Task, Task<'p>)>,
    untracked: bool,
}

impl<'p> All<'p> {
    /// The value, if there is one. Notes if it was refused because the target keeps no states.
    fn value<T>(&mut self, value: Value<T>) -> Option<T> {
        self.untracked |= matches!(value, Err(Refusal { code: ompd_rc_needs_state_tracking, .. }));
        value.ok()
    }

    fn describe(
        &mut self,
        thread: &Thread<'p>,
        states: &[(u32, String)],
        known: &mut seen::Thread,
    ) {
        let num = thread.icv("thread-num-var").ok();
        known.thread_num = num.and_then(|num| u32::try_from(num).ok());
        if let Some((state, wait)) = self.value(thread.state()) {
            known.state = Some(state);
            let name = states.iter().find(|(number, _)| *number == state);
            known.state_name = name.map_or_else(String::new, |(_, name)| name.clone());
            known.wait_id = wait;
        }
        known.team = thread.parallel().ok().map(|parallel| self.team(parallel, 0));
        if let Ok(task) = thread.task() {
            let address = self.task(task, 0);
            known.task = Some(address);
            let task = &mut self.tasks[address as usize - 1].0;
            task.thread = Some(known.record);
            task.state = "executing".to_owned();
            // The thread of an implicit task is in the task's region.
            known.team = known.team.or(task.team);
        }
    }

    /// Adds the region and those around it. Returns the region's name.
    fn team(&mut self, parallel: Parallel<'p>, depth: usize) -> u64 {
        if let Some(at) = self.teams.iter().position(|(_, known)| known.is(&parallel) == Ok(true)) {
            return at as u64 + 1;
        }
        let value = |name: &str| parallel.icv(name).ok().and_then(|it| u32::try_from(it).ok());
        let around = parallel.enclosing().ok();
        let mut team = seen::Team {
            address: self.teams.len() as u64 + 1,
            size: value("team-size-var").unwrap_or(0),
            level: value("levels-var").unwrap_or(0),
            active_level: value("active-levels-var").unwrap_or(0),
            ..seen::Team::default()
        };
        if team.level > 0
            && let Ok(task) = parallel.task(0)
        {
            team.function = self.value(task.function()).unwrap_or(0);
        }
        let address = team.address;
        self.teams.push((team, parallel));
        if let Some(around) = around
            && depth < DEEPEST
        {
            let around = self.team(around, depth + 1);
            if around != address {
                self.teams[address as usize - 1].0.parent = Some(around);
            }
        }
        address
    }

    /// Adds the task and those that made it. Returns the task's name.
    fn task(&mut self, task: Task<'p>, depth: usize) -> u64 {
        if let Some(at) = self.tasks.iter().position(|(_, known)| known.is(&task) == Ok(true)) {
            return at as u64 + 1;
        }
        let implicit = task.icv("implicit-task-var").is_ok_and(|value| value != 0);
        let maker = task.generating().ok();
        let [exit, enter] = self.value(task.frames()).unwrap_or_default();
        let function = self.value(task.function()).unwrap_or(0);
        let team = task.parallel().ok().map(|parallel| self.team(parallel, 0));
        let address = self.tasks.len() as u64 + 1;
        let known = seen::Task {
            address,
            team,
            flags: match (implicit, maker.is_none()) {
                (true, true) => INITIAL | IMPLICIT,
                (true, false) => IMPLICIT,
                (false, _) => EXPLICIT,
            },
            state: "suspended".to_owned(),
            function,
            exit_frame: exit.address,
            enter_frame: enter.address,
            ..seen::Task::default()
        };
        self.tasks.push((known, task));
        if let Some(maker) = maker
            && depth < DEEPEST
        {
            let maker = self.task(maker, depth + 1);
            if maker != address {
                self.tasks[address as usize - 1].0.parent = Some(maker);
            }
        }
        address
    }

    /// Fills in the members of a region, and the task that encountered it.
    fn fill(&mut self, at: usize, threads: &[seen::Thread]) {
        let (team, parallel) = &self.teams[at];
        let record = |number: u32| {
            let own = parallel.thread(number).and_then(|thread| thread.pthread()).ok()?;
            threads.iter().find(|thread| thread.pthread == own).map(|thread| thread.record)
        };
        let size = team.size.min(MOST_MEMBERS);
        let members: Vec<u64> = (0..size).map(|number| record(number).unwrap_or(0)).collect();
        let maker = parallel.task(0).and_then(|task| task.generating()).ok();
        let maker = maker.and_then(|maker| {
            let known = self.tasks.iter().find(|(_, known)| known.is(&maker) == Ok(true));
            known.map(|(known, _)| known.address)
        });
        let team = &mut self.teams[at].0;
        team.members = members;
        team.encountering_task = maker;
    }
}
