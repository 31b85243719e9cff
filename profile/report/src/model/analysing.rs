//! The steps from a profile to its analysis: read, names, samples joined, times shared out, rows,
//! findings.

use omphalos_profile_format::Fork;

use super::blocked::Blocked;
use super::place_times::{PlaceTimes, sorted_lines};
use super::rows::RegionRow;
use super::sampled_times::SampledTimes;
use super::shares::Class;
use super::summary::summarise;
use super::sums::{add, total};
use super::{
    Analysis, TargetRow, callers, counters, far_memory, lines, mpi, mutexes, page_faults,
    shared_memory, targets, totals, tree,
};
use crate::diagnosis;
use crate::join::{Joiner, NodeId, learn};
use crate::recording::{Recording, symbols_of};
use crate::{Profile, Progress};

impl Analysis {
    /// Reads and analyses a profile; what is missing is in [`Analysis::warnings`].
    pub fn new(profile: &Profile, progress: &mut dyn Progress) -> Analysis {
        let mut recording = Recording::read(profile, progress);
        let mut warnings = std::mem::take(&mut recording.warnings);
        let mut symbols = symbols_of(&recording, &mut warnings, progress);
        let folder = recording.process.as_ref().map(|process| process.cwd.clone());
        let python = std::mem::take(&mut recording.python);
        symbols.set_python(python, &folder.unwrap_or_default());
        symbols.tell_apart(std::mem::take(&mut recording.region_bodies));
        let learned = learn::bodies(&recording, &symbols);
        symbols.learn(learned);
        let symbols = symbols;

        let mut joiner = Joiner::new(&recording, &symbols);
        let start = recording.start();
        let mut sampled = SampledTimes::of(&recording, &mut joiner, progress);
        let blocked = Blocked::of(&recording);
        let within = &sampled.within;
        let (regions, handed) =
            totals::regions(&recording, &symbols, within, &blocked, &sampled.by_thread);
        let (threads, exact) = totals::threads(&recording, within, &handed);
        let shares = sampled.sampled.shares(&recording, &threads);
        let place_times =
            PlaceTimes::of((&recording, &symbols), &mut joiner, &mut sampled, &shares);
        let SampledTimes { within, joined, queued, .. } = sampled;
        let mut times = place_times.nodes.into_all();
        let serial_times = place_times.serial_nodes.into_all();
        let serial_places = place_times.serial_places.into_all();
        let blocked_times = place_times.blocked_nodes.into_all();
        let blocked_places = place_times.blocked_places.into_all();
        for &(class, time) in &shares.unsampled {
            let node = match class {
                Class::Overhead => joiner.overhead(),
                Class::Queued => joiner.without_cpu(),
                _ => joiner.not_sampled(),
            };
            add(times.entry(node).or_default(), time);
        }
        let hot_lines = sorted_lines(&joiner, place_times.lines.into_all());
        let serial_lines = sorted_lines(&joiner, place_times.serial_lines.into_all());
        let code = place_times.spots.costs(&symbols);
        let place_times = place_times.places.into_all();
        let without_cpu = joiner.without_cpu();
        let stacks = joiner.tree;
        if !exact && !threads.is_empty() {
            warnings.push(
                "the totals of some threads are missing: their times are estimates from samples"
                    .to_owned(),
            );
        }
        let mut summary = summarise(&recording, &threads, exact);
        summary.compilers = symbols.compilers(recording.regions.keys().map(|key| key.0));
        if summary.covered < summary.elapsed / 100 * 98 {
            warnings.push(format!(
                "the figures of regions, tasks and mutexes cover the first {} of {}",
                diagnosis::duration(summary.covered as f64),
                diagnosis::duration(summary.elapsed as f64),
            ));
        }
        let mut stack_times: Vec<(NodeId, u64)> = times.iter().map(|(n, t)| (*n, *t)).collect();
        stack_times.sort_unstable();
        let lines = lines::by_node(&stacks, &place_times);
        let lines_of_serial = lines::by_node(&stacks, &serial_places);
        let lines_of_blocked = lines::by_node(&stacks, &blocked_places);
        let callers = callers::of_regions(&stacks, &stack_times, &place_times);
        let waited = total(threads.iter().map(|row| row.mutex_wait));
        let fork_time = |(fork, _): &(Fork, _)| fork.time.saturating_sub(start);
        let (faulting, page_faults) = page_faults::find(&recording, &symbols, summary.openmp_work);
        let memory_nodes = far_memory::find(&recording, &symbols, summary.openmp_work);
        let shared_memory =
            shared_memory::find(&recording, &symbols, &faulting, summary.openmp_work);
        let mut analysis = Analysis {
            placement: std::mem::take(&mut recording.placement),
            counters: counters::of(&recording, &symbols),
            threads,
            regions,
            tasks: totals::tasks(&recording, &symbols, &within, &blocked),
            mutexes: mutexes::rows(&recording, &symbols, exact.then_some(waited)),
            mpi_calls: mpi::rows(&recording, &symbols),
            targets: targets::rows(&recording, &symbols),
            device_events: targets::events(&recording, &symbols, start),
            callers,
            tree: tree::build(&stacks, &times, lines),
            serial_tree: tree::build(&stacks, &serial_times, lines_of_serial),
            blocked_tree: tree::build(&stacks, &blocked_times, lines_of_blocked),
            hot_lines,
            shared_memory,
            page_faults,
            memory_nodes,
            serial_lines,
            code,
            findings: Vec::new(),
            doubts: Vec::new(),
            warnings,
            notes: recording.notes.into_iter().chain(recording.end_note).collect(),
            stacks,
            samples: recording.samples,
            joined,
            queued,
            without_cpu,
            start,
            stack_times,
            fork_times: recording.forks.iter().map(|(id, fork)| (*id, fork_time(fork))).collect(),
            modules: symbols.into_modules(),
            summary,
        };
        if analysis.is_from_collector() {
            // The only row has all work of threads at barriers, whatever tasks it was in. The rules
            // look at the regions' sums.
            analysis.tasks.clear();
        }
        analysis.drop_tasks_of_targets();
        (analysis.findings, analysis.doubts) = diagnosis::diagnose(&analysis);
        // Only after the rules: they look at whole instances, and one of them at the waits inside.
        analysis.regions.iter_mut().for_each(RegionRow::count_phases);
        analysis
    }

    /// Drops the rows of tasks that stand for a target construct with nowait: they are that
    /// construct's row.
    fn drop_tasks_of_targets(&mut self) {
        let targets = &self.targets;
        self.tasks.retain(|task| {
            let (own, line) = (&task.construct, task.construct.line);
            let is_it = |row: &TargetRow| {
                row.nowait && row.construct.line == line && row.construct.file == own.file
            };
            line == 0 || !targets.iter().any(is_it)
        });
    }
}
