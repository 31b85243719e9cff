//! [`Runtime::snapshot`]: reads everything that the runtime knows, once.

mod locks;

use crate::pages::Pages;
use crate::runtime::Runtime;
use crate::snapshot::{self, Address, FORMAT, Snapshot, Wait};
use crate::states;
use crate::target::Fault;
use crate::task::MOST_ANCESTORS;
use crate::tasks::Progress;
use crate::team::Team;
use crate::thread::{Kind, Thread};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The most notes that a snapshot keeps.
const MOST_NOTES: usize = 64;
/// The most teams that it keeps, and the most dependences of all tasks together.
const MOST_TEAMS: usize = 1 << 14;
const MOST_EDGES: usize = 1 << 20;

impl Runtime<'_> {
    /// Reads everything that the runtime knows of itself. It never fails as a whole: the notes say
    /// what cannot be read. The target should stand still meanwhile; otherwise the parts may not
    /// fit together.
    pub fn snapshot(&self) -> Snapshot {
        let pages = Pages::of(self.target());
        let runtime = Runtime::with(&pages, self.layout().clone());
        let mut whole = Whole::of(&runtime);
        whole.threads();
        whole.tasks();
        whole.teams();
        whole.dependences();
        whole.locks();
        whole.into_snapshot()
    }
}

/// A snapshot that is being made.
struct Whole<'r> {
    runtime: &'r Runtime<'r>,
    snapshot: Snapshot,
    teams: BTreeMap<Address, Option<snapshot::Team>>,
    /// The place of each task in the snapshot.
    places: HashMap<Address, usize>,
    /// The place in the snapshot of each thread that waits for dependences, by the thread's node.
    waiters: HashMap<Address, usize>,
    /// The number of each thread as users know it, by its number in a lock's word.
    numbers: HashMap<i32, i32>,
    /// Whether `numbers` has every thread.
    knows_all: bool,
}

impl<'r> Whole<'r> {
    fn of(runtime: &'r Runtime<'r>) -> Whole<'r> {
        let snapshot = Snapshot {
            format: FORMAT,
            runtime: runtime.version().to_owned(),
            cancellation: runtime
                .settings()
                .and_then(|settings| runtime.get(settings, "Settings.cancellation"))
                .ok()
                .map(|value| value != 0),
            ..Snapshot::default()
        };
        Whole {
            runtime,
            snapshot,
            teams: BTreeMap::new(),
            places: HashMap::new(),
            waiters: HashMap::new(),
            numbers: HashMap::new(),
            knows_all: false,
        }
    }

    fn note(&mut self, what: &str, fault: &Fault) {
        let note = format!("{what}: {fault}");
        // Several questions about one thread may give the same note.
        if self.snapshot.notes.len() < MOST_NOTES && !self.snapshot.notes.contains(&note) {
            self.snapshot.notes.push(note);
        }
    }

    /// The value, or a note.
    fn or_note<T>(&mut self, what: &str, value: Result<T, Fault>) -> Option<T> {
        value.map_err(|fault| self.note(what, &fault)).ok()
    }

    fn threads(&mut self) {
        let Some((records, fault)) = self.or_note("the threads", self.runtime.records()) else {
            return;
        };
        self.knows_all = fault.is_none();
        if let Some(fault) = fault {
            self.note("the threads", &fault);
        }
        for address in records {
            let thread = self.runtime.thread(address);
            match (thread.own_number(), thread.number()) {
                (Ok(own), Ok(number)) => _ = self.numbers.insert(own, number),
                _ => self.knows_all = false,
            }
            match thread.lwp() {
                Ok(0) => {}
                Ok(lwp) => self.thread(&thread, lwp),
                Err(fault) => self.note(&format!("the thread at {address:#x}"), &fault),
            }
        }
    }

    fn thread(&mut self, thread: &Thread<'r>, lwp: u32) {
        let number = thread.number().ok();
        let what = format!("thread {}", number.unwrap_or(-1));
        let team = self.or_note(&what, thread.team()).flatten();
        let state = self.or_note(&what, thread.state());
        let waits = self.or_note(&what, thread.waits()).flatten();
        let in_loop = self.or_note(&what, thread.in_loop()).flatten();
        let kind = match thread.kind() {
            Ok(Kind::Initial) => "initial",
            Ok(Kind::Worker) if number.is_some_and(|number| number < 0) => "helper",
            Ok(Kind::Worker) => "worker",
            _ => "other",
        };
        if matches!(waits, Some(Wait::Dependences { .. }))
            && let Ok(Some(node)) = thread.wanted_node()
        {
            self.waiters.insert(node, self.snapshot.threads.len());
        }
        self.snapshot.threads.push(snapshot::Thread {
            lwp,
            pthread: thread.pthread().unwrap_or(0),
            record: thread.address,
            number,
            kind: kind.into(),
            thread_num: team.and_then(|_| thread.num().ok()),
            team: team.map(|team| team.address),
            device: thread.device().ok().flatten(),
            task: thread.task().ok().flatten().map(|task| task.address),
            in_loop,
            state: state.map(|state| state.0),
            state_name: state.map_or("", |state| states::name(state.0)).into(),
            wait_id: state.map_or(0, |state| state.1),
            asleep: thread.is_asleep().unwrap_or(false),
            waits,
            barriers: thread.barriers().unwrap_or(0),
            ..snapshot::Thread::default()
        });
        if let Some(team) = team {
            self.add_teams(team);
        }
    }

    /// A team and those around it.
    fn add_teams(&mut self, mut team: Team<'r>) {
        while self.teams.len() < MOST_TEAMS && !self.teams.contains_key(&team.address) {
            self.teams.insert(team.address, None);
            match team.parent() {
                Ok(Some(parent)) => team = parent,
                Ok(None) => return,
                Err(fault) => {
                    return self.note(&format!("the team at {:#x}", team.address), &fault);
                }
            }
        }
    }

    /// Adds the tasks that threads execute, with the tasks that made them, and all explicit tasks
    /// that are not complete.
    fn tasks(&mut self) {
        let executing: Vec<(Address, Address)> =
            self.snapshot.threads.iter().filter_map(|t| Some((t.task?, t.record))).collect();
        let by: HashMap<Address, Address> = executing.iter().copied().collect();
        let mut begun = HashSet::new();
        for &(task, _) in &executing {
            let mut at = task;
            for _ in 0..MOST_ANCESTORS {
                if at == 0 || !begun.insert(at) {
                    break;
                }
                at = self.runtime.get(at, "Task.parent").unwrap_or(0);
            }
        }
        let (explicit, faults) = self.runtime.explicit_tasks();
        for fault in faults {
            self.note("the tasks", &fault);
        }
        let known: HashSet<Address> = explicit.iter().copied().collect();
        let mut all: Vec<Address> = begun.iter().copied().filter(|t| !known.contains(t)).collect();
        all.sort_unstable();
        all.extend(explicit);
        for address in all {
            let task = self.task(address, begun.contains(&address), by.get(&address).copied());
            match task {
                Ok(Some(task)) => {
                    self.places.insert(address, self.snapshot.tasks.len());
                    self.snapshot.tasks.push(task);
                }
                Ok(None) => {}
                Err(fault) => self.note(&format!("the task at {address:#x}"), &fault),
            }
        }
    }

    fn task(
        &self,
        address: Address,
        begun: bool,
        thread: Option<Address>,
    ) -> Result<Option<snapshot::Task>, Fault> {
        let task = self.runtime.task(address);
        let frames = task.frames()?;
        let implicit = task.is_implicit()?;
        // A ticket stands for a taskloop's tasks; one whose tasks have all been begun is left out.
        let shares = if implicit { None } else { self.runtime.shares(address)? };
        if shares == Some(0) {
            return Ok(None);
        }
        let begun = begun || frames.exit != 0;
        let progress = match if implicit { None } else { self.runtime.progress(address)? } {
            Some(end @ (Progress::Complete | Progress::Detached)) => end,
            _ if begun => Progress::Begun,
            Some(progress) => progress,
            None => return Ok(None),
        };
        let state = match progress {
            Progress::Complete => return Ok(None),
            Progress::Begun if thread.is_none() => "suspended",
            progress => progress.name(),
        };
        Ok(Some(snapshot::Task {
            address,
            parent: task.generating()?.map(|parent| parent.address),
            team: task.team().ok().map(|team| team.address),
            flags: task.flags()?,
            state: state.into(),
            function: task.function().unwrap_or(0),
            codeptr: 0,
            location: None,
            thread,
            children: task.children()?,
            depends_on: Vec::new(),
            shares,
            exit_frame: frames.exit,
            enter_frame: frames.enter,
        }))
    }

    fn teams(&mut self) {
        let mut queued: HashMap<Address, u64> = HashMap::new();
        for task in self.snapshot.tasks.iter().filter(|task| task.state == "queued") {
            *queued.entry(task.team.unwrap_or(0)).or_default() += task.shares.unwrap_or(1);
        }
        let addresses: Vec<Address> = self.teams.keys().copied().collect();
        for address in addresses {
            let team = self.team(address, queued.get(&address).copied().unwrap_or(0));
            let team = self.or_note(&format!("the team at {address:#x}"), team);
            self.teams.insert(address, team);
        }
    }

    fn team(&self, address: Address, queued_tasks: u64) -> Result<snapshot::Team, Fault> {
        let team = self.runtime.team(address);
        let shift = self.runtime.value("Team.REGION_SHIFT")?.min(63);
        let (mut members, mut arrived, mut sites) = (Vec::new(), Vec::new(), Vec::new());
        let region = team.region()?;
        for num in 0..team.size()? {
            members.push(team.thread(num).map_or(0, |thread| thread.address));
            let epoch = team.published(num, "Published.arrived").unwrap_or(0);
            let count = epoch.saturating_sub(region << shift);
            arrived.push(count);
            sites.push(team.sites(num, count).unwrap_or_default());
        }
        Ok(snapshot::Team {
            address,
            parent: team.parent()?.map(|parent| parent.address),
            league: team.league_region()?.map(|league| league.address),
            encountering_task: team.encountering_task()?.map(|task| task.address),
            size: team.size()?,
            level: team.level()?,
            active_level: team.active_level()?,
            max_active_levels: self.limit(address, "Icvs.max_active_levels").ok(),
            thread_limit: self.limit(address, "Icvs.thread_limit").ok(),
            region,
            codeptr: team.codeptr()?,
            function: team.function()?,
            members,
            arrived,
            sites,
            places: BTreeMap::new(),
            bypasses: Vec::new(),
            queued_tasks,
            location: None,
        })
    }

    fn limit(&self, team: Address, name: &'static str) -> Result<u32, Fault> {
        let icvs = self.runtime.at(team, "Team.icvs")?;
        Ok(self.runtime.get(icvs, name)? as u32)
    }

    /// Adds the dependences. The runtime lists for each task the nodes that wait for it; the
    /// snapshot lists for each task those that it waits for.
    fn dependences(&mut self) {
        let mut edges = Vec::new();
        let tasks: Vec<Address> = self.snapshot.tasks.iter().map(|task| task.address).collect();
        for task in tasks {
            let found = self.waiting_for(task, MOST_EDGES - edges.len());
            let found = self.or_note(&format!("the dependences on task {task:#x}"), found);
            edges.extend(found.unwrap_or_default().into_iter().map(|node| (node, task)));
        }
        for (node, on) in edges {
            if let Some(&thread) = self.waiters.get(&node) {
                if let Some(Wait::Dependences { on: all }) =
                    &mut self.snapshot.threads[thread].waits
                {
                    all.push(on);
                }
                continue;
            }
            let waiting = self.runtime.get(node, "Node.task");
            if let Ok(waiting) = waiting
                && let Some(&place) = self.places.get(&waiting)
            {
                self.snapshot.tasks[place].depends_on.push(on);
            }
        }
    }

    fn waiting_for(&self, task: Address, most: usize) -> Result<Vec<Address>, Fault> {
        let runtime = self.runtime;
        let node = runtime.get(task, "Task.node")?;
        let traits = runtime.get(task, "Task.traits")?;
        if node == 0 || traits & runtime.value("Traits.NODE")? == 0 {
            return Ok(Vec::new());
        }
        runtime.waiting_nodes(node, most)
    }

    fn into_snapshot(mut self) -> Snapshot {
        self.snapshot.teams = self.teams.into_values().flatten().collect();
        self.snapshot
    }
}
