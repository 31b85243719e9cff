//! The constructs of a program at each size: the work in their time, and the losses.

use std::collections::HashMap;

use omphalos_diff::{Region, Run};
use serde::{Deserialize, Serialize};

use crate::classes::Losses;

/// One construct at one size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Its elapsed time, all instances together, ns.
    pub elapsed_ns: f64,
    /// The mean number of threads in its team; 1 outside regions.
    pub team_size: f64,
    /// The computing of all its threads, ns.
    pub work_ns: f64,
    /// The number of threads whose time it takes: that of the size, or its own where that is
    /// larger.
    pub threads: f64,
    /// The elapsed time if nothing were lost: the work of the first size, divided by the threads,
    /// ns.
    pub ideal_ns: f64,
    /// The losses, as elapsed time; with `ideal_ns` they add up to `elapsed_ns`.
    pub lost: Losses,
}

impl Row {
    /// Returns the time of all threads together, ns.
    pub(crate) fn area(&self) -> f64 {
        self.threads * self.elapsed_ns
    }
}

/// A parallel region, or the time outside regions, over the sizes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Construct {
    /// The name, as `region at app.c:42 in main`.
    pub label: String,
    /// 0 outside regions, 1 for outermost regions: these make up the elapsed time.
    pub level: u32,
    /// By size; none where a size does not have the construct.
    pub sizes: Vec<Option<Row>>,
}

impl Construct {
    /// Whether it is a part of the elapsed time, and not of another region's.
    pub fn is_outermost(&self) -> bool {
        self.level <= 1
    }
}

/// The name of the time outside regions.
pub(crate) const OUTSIDE: &str = "outside of parallel regions";

/// Returns all constructs, the one with the longest time at any size first. `runs`: one of each
/// size.
pub(crate) fn of(runs: &[(u32, &Run)]) -> Vec<Construct> {
    let none = || vec![None; runs.len()];
    let outside = runs.iter().map(|(threads, run)| Some(outside(*threads, run))).collect();
    let mut all = vec![Construct { label: OUTSIDE.to_owned(), level: 0, sizes: outside }];
    let mut numbers: HashMap<(&str, u32), usize> = HashMap::new();
    for (at, (threads, run)) in runs.iter().enumerate() {
        for region in &run.regions {
            let label = region.construct.label.as_str();
            let number = *numbers.entry((label, region.level)).or_insert_with(|| {
                let label = label.to_owned();
                all.push(Construct { label, level: region.level.max(1), sizes: none() });
                all.len() - 1
            });
            let row = of_region(*threads, region);
            // The same region may have several parents.
            all[number].sizes[at] = Some(match all[number].sizes[at] {
                Some(known) => together(known, row),
                None => row,
            });
        }
    }
    for construct in &mut all {
        let first = construct.sizes.first().copied().flatten().map_or(0.0, |row| row.work_ns);
        for row in construct.sizes.iter_mut().flatten() {
            row.ideal_ns = first / row.threads;
            row.lost.work_added_ns = row.work_ns - first;
            let threads = row.threads;
            row.lost = row.lost.each(Losses::default(), |lost, _| lost / threads);
        }
    }
    let longest = |construct: &Construct| {
        construct.sizes.iter().flatten().map(|row| row.elapsed_ns).fold(0.0, f64::max)
    };
    all.sort_by(|a, b| longest(b).total_cmp(&longest(a)).then_with(|| a.label.cmp(&b.label)));
    all
}

/// Makes the row of a region. Losses here are those of all threads.
fn of_region(threads: u32, region: &Region) -> Row {
    let team = region.team_size.max(1.0);
    // Regions inside of regions have no part in the threads of the size.
    let all = if region.level <= 1 { team.max(f64::from(threads)) } else { team };
    let lost = Losses {
        unused_threads_ns: (all - team) * region.elapsed_ns,
        barrier_wait_ns: region.barrier_wait_ns,
        mutex_wait_ns: region.mutex_wait_ns,
        task_wait_ns: region.task_wait_ns.unwrap_or(0.0),
        overhead_ns: region.overhead_ns,
        blocked_ns: region.blocked_ns,
        without_cpu_ns: region.without_cpu_ns,
        ..Losses::default()
    };
    // Time that a look at a running thread may miss counts as work, so that nothing is left over.
    let work = (all * region.elapsed_ns - lost.sum()).max(0.0);
    let (elapsed_ns, team_size) = (region.elapsed_ns, team);
    Row { elapsed_ns, team_size, work_ns: work, threads: all, ideal_ns: 0.0, lost }
}

fn outside(threads: u32, run: &Run) -> Row {
    let elapsed_ns = (run.summary.elapsed_ns - run.in_regions()).max(0.0);
    let threads = f64::from(threads);
    let work_ns = run.summary.serial_ns.min(elapsed_ns);
    let in_regions = run.regions.iter().filter(|region| region.level <= 1);
    let in_regions: f64 = in_regions.map(|region| region.without_cpu_ns).sum();
    let rest = elapsed_ns - work_ns;
    let without_cpu_ns = (run.summary.without_cpu_ns - in_regions).clamp(0.0, rest);
    let lost = Losses {
        serial_ns: (threads - 1.0) * elapsed_ns,
        without_cpu_ns,
        blocked_ns: rest - without_cpu_ns,
        ..Losses::default()
    };
    Row { elapsed_ns, team_size: 1.0, work_ns, threads, ideal_ns: 0.0, lost }
}

fn together(one: Row, other: Row) -> Row {
    let elapsed_ns = one.elapsed_ns + other.elapsed_ns;
    let mean = |a: f64, b: f64| {
        (a * one.elapsed_ns + b * other.elapsed_ns) / elapsed_ns.max(f64::MIN_POSITIVE)
    };
    Row {
        elapsed_ns,
        team_size: mean(one.team_size, other.team_size),
        work_ns: one.work_ns + other.work_ns,
        threads: mean(one.threads, other.threads),
        ideal_ns: 0.0,
        lost: one.lost.each(other.lost, |a, b| a + b),
    }
}
