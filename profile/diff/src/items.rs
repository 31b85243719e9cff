//! The content of one side's runs: the parts of the elapsed time, and the rows beside them.

use std::collections::HashMap;

use crate::compared_row::Kind;
use crate::counted::Counts;
use crate::matching::plain;
use crate::run::{Construct, Region, Run};
use crate::side::Side;

/// A thing with a time in each run.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) kind: Kind,
    pub(crate) label: String,
    pub(crate) function: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) level: u32,
    /// Time in each run, ns.
    pub(crate) time: Vec<f64>,
    /// The number of its executions, in each run.
    pub(crate) count: Vec<f64>,
    /// The number of tasks that were created in it.
    pub(crate) tasks: Vec<f64>,
    pub(crate) team: Vec<f64>,
    /// The counts of its threads at work, in each run; `None` where the run did not count.
    pub(crate) counts: Vec<Option<Counts>>,
    /// The constructs inside, in the order of the source.
    pub(crate) inner: Vec<Inside>,
    pub(crate) parts: Vec<Item>,
}

/// A construct inside a region.
#[derive(Clone, Debug)]
pub(crate) struct Inside {
    /// Its name, as `for (dynamic)`.
    pub(crate) name: String,
    label: String,
    /// The iterations in each run, where the program tells them: gcc's tells none of static loops.
    pub(crate) iterations: Option<Vec<f64>>,
}

impl Inside {
    /// Returns its kind, whatever its schedule.
    pub(crate) fn kind(&self) -> &str {
        self.name.split(' ').next().unwrap_or(&self.name)
    }

    /// Whether the program's author wrote it, and each compiler and runtime tells of it.
    pub(crate) fn is_told(&self) -> bool {
        !self.name.starts_with("end of") && self.name != "reduction"
    }
}

impl Item {
    fn new(kind: Kind, label: &str, runs: usize) -> Item {
        let zeros = || vec![0.0; runs];
        Item {
            kind,
            label: label.to_owned(),
            function: plain(label).to_owned(),
            file: String::new(),
            line: 0,
            level: 0,
            time: zeros(),
            count: zeros(),
            tasks: zeros(),
            team: zeros(),
            counts: vec![None; runs],
            inner: Vec::new(),
            parts: Vec::new(),
        }
    }

    fn stands_at(&mut self, construct: &Construct) {
        self.function = plain(&construct.function).to_owned();
        let file = construct.file.as_deref().unwrap_or("");
        self.file = file.rsplit('/').next().unwrap_or(file).to_owned();
        self.line = construct.line;
    }

    /// Returns the part of this kind and name.
    fn part(&mut self, kind: Kind, label: &str) -> &mut Item {
        let runs = self.time.len();
        let known = |part: &Item| part.kind == kind && part.label == label;
        let at = self.parts.iter().position(known).unwrap_or_else(|| {
            self.parts.push(Item::new(kind, label, runs));
            self.parts.len() - 1
        });
        &mut self.parts[at]
    }
}

/// Items by their key within one side.
#[derive(Default)]
struct Found {
    items: Vec<Item>,
    by_key: HashMap<String, usize>,
}

impl Found {
    fn at(&mut self, key: String, kind: Kind, label: &str, runs: usize) -> &mut Item {
        let at = *self.by_key.entry(key).or_insert_with(|| {
            self.items.push(Item::new(kind, label, runs));
            self.items.len() - 1
        });
        &mut self.items[at]
    }

    fn in_order(mut self) -> Vec<Item> {
        self.items.sort_by(|a, b| (&a.file, a.line, &a.label).cmp(&(&b.file, b.line, &b.label)));
        self.items
    }
}

/// Returns the time outside regions, and the regions in the order of the source.
pub(crate) fn parts_of_elapsed(side: &Side) -> (Item, Vec<Item>) {
    let runs = side.count();
    let mut outside = Item::new(Kind::Outside, "outside of parallel regions", runs);
    let mut regions = Found::default();
    for (at, run) in side.runs.iter().enumerate() {
        outside.time[at] = (run.summary.elapsed_ns - run.in_regions()).max(0.0);
        outside.counts[at] = run.counts(None);
        let functions = by_region(run);
        for (function, time) in functions.get(&None).into_iter().flatten() {
            outside.part(Kind::Function, function).time[at] += time;
        }
        for region in &run.regions {
            let label = region.construct.label.as_str();
            let parent = region.parent.as_ref().map_or("", |parent| parent.label.as_str());
            let key = format!("{label}\n{parent}\n{}", region.level);
            let item = regions.at(key, Kind::Region, label, runs);
            add_region(item, region, at);
            item.counts[at] = run.counts(Some(label));
            let inside = functions.get(&Some(label)).map_or(&[][..], |all| all);
            let all: f64 = inside.iter().map(|(_, time)| time).sum();
            let work = region.work_ns / region.team_size.max(1.0);
            for (function, time) in inside {
                item.part(Kind::Function, function).time[at] += work * time / all.max(1.0);
            }
            if inside.is_empty() && work > 0.0 {
                item.part(Kind::Function, &region.construct.function).time[at] += work;
            }
        }
    }
    (outside, regions.in_order())
}

fn add_region(item: &mut Item, region: &Region, at: usize) {
    item.stands_at(&region.construct);
    item.level = region.level;
    item.time[at] += region.elapsed_ns;
    item.count[at] += region.instances.unwrap_or(0.0);
    item.tasks[at] += region.tasks_created.unwrap_or(0.0);
    item.team[at] = region.team_size;
    let runs = item.time.len();
    for row in &region.constructs {
        let label = &row.construct.label;
        let known = item.inner.iter().position(|one| one.name == row.name && one.label == *label);
        let number = known.unwrap_or_else(|| {
            let (name, label) = (row.name.clone(), label.clone());
            item.inner.push(Inside { name, label, iterations: None });
            item.inner.len() - 1
        });
        if let Some(iterations) = row.iterations {
            let all = item.inner[number].iterations.get_or_insert_with(|| vec![0.0; runs]);
            all[at] += iterations;
        }
    }
    let classes = [
        (Kind::Barrier, "waiting at barriers", region.barrier_wait_ns),
        (Kind::Lock, "waiting for locks and critical regions", region.mutex_wait_ns),
        (Kind::TaskWait, "waiting for tasks", region.task_wait_ns.unwrap_or(0.0)),
        (Kind::Overhead, "the runtime's own doing", region.overhead_ns),
        (Kind::Blocked, "blocked in calls", region.blocked_ns),
        (Kind::WithoutCpu, "without a CPU", region.without_cpu_ns),
    ];
    for (kind, label, time) in classes.into_iter().filter(|(_, _, time)| *time > 0.0) {
        item.part(kind, label).time[at] += time / region.team_size.max(1.0);
    }
}

/// Returns functions with the time that threads computed in them, by the region's label; in the
/// order of their names, so that two runs give the same.
fn by_region(run: &Run) -> HashMap<Option<&str>, Vec<(String, f64)>> {
    let mut sums: HashMap<Option<&str>, HashMap<&str, f64>> = HashMap::new();
    for (region, function, time) in run.functions() {
        *sums.entry(region).or_default().entry(plain(function)).or_default() += time;
    }
    let sorted = |functions: HashMap<&str, f64>| {
        let mut all: Vec<_> = functions.into_iter().map(|(f, time)| (f.to_owned(), time)).collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    };
    sums.into_iter().map(|(region, functions)| (region, sorted(functions))).collect()
}

/// Returns tasks, mutexes and target constructs, with sums over threads.
pub(crate) fn beside(side: &Side) -> Vec<Item> {
    let runs = side.count();
    let mut found = Found::default();
    for (at, run) in side.runs.iter().enumerate() {
        for task in &run.tasks {
            let label = &task.construct.label;
            let item = found.at(format!("t{label}"), Kind::Task, label, runs);
            item.stands_at(&task.construct);
            item.time[at] += task.work_ns;
            item.count[at] += task.executed;
        }
        for mutex in &run.mutexes {
            // A mutex whose name is an address has another name in each run: its place identifies
            // it.
            let site = mutex.sites.first().map(|site| &site.construct);
            let is_nameless = mutex.name.contains(" at 0x");
            let label = match site.filter(|_| is_nameless) {
                Some(site) => {
                    format!("{} at {}", mutex.name.split(" at 0x").next().unwrap_or(""), site.label)
                }
                None => mutex.name.clone(),
            };
            let item = found.at(format!("m{label}"), Kind::Mutex, &label, runs);
            if let Some(site) = site {
                item.stands_at(site);
            }
            item.time[at] += mutex.wait_ns;
            item.count[at] += mutex.acquisitions.unwrap_or(0.0);
        }
        for target in &run.targets {
            let label = format!("{} {}", target.name, target.construct.label);
            let item = found.at(format!("d{label}"), Kind::Target, &label, runs);
            item.stands_at(&target.construct);
            item.time[at] += target.elapsed_ns;
            item.count[at] += target.executions;
        }
    }
    found.in_order()
}
