//! The run as a whole, and the share of time in which its threads had a processor.

use super::sums::{ratio, total};
use super::totals;
use super::whole::{Looks, Summary, ThreadRow};
use omphalos_profile_format::Attached;

use crate::ompt::Activity;
use crate::recording::Recording;
use crate::samples::Taken;

/// Waits for a processor below this share of the threads' lives count as none.
const KEPT_FROM_RUNNING: f64 = 0.02;

/// Returns the time that threads had a CPU, as a share of the time in which they could run. A
/// profile of an older agent tells it for work only.
fn cpu_share(recording: &Recording) -> f64 {
    let mut wall = 0u64;
    let mut cpu = 0u64;
    let known: Vec<_> = recording.threads.values().filter_map(|info| info.scheduling).collect();
    let ran = known.iter().map(|known| known.running).fold(0, u64::saturating_add);
    let could = known.iter().map(|known| known.runnable).fold(ran, u64::saturating_add);
    if could > 0 {
        // For threads that hardly want to run, this says only that a processor is free at times.
        let alive = recording.threads.values().filter_map(|info| info.total).map(|t| t.alive);
        let alive = alive.fold(0, u64::saturating_add);
        return if ratio(could - ran, alive) < KEPT_FROM_RUNNING { 1.0 } else { ratio(ran, could) };
    }
    for Taken { sample, .. } in recording.samples.iter() {
        if Activity::of_state(sample.state) == Activity::Parallel {
            let time = recording.period().saturating_mul(u64::from(sample.weight));
            wall = wall.saturating_add(time);
            // A thread's first sample may include the time before it.
            cpu = cpu.saturating_add(sample.cpu_time.min(time));
        }
    }
    if cpu == 0 { 1.0 } else { ratio(cpu, wall) }
}

/// Returns the time that threads without OpenMP computed, which the agent does not know. A system
/// that says nothing of the known threads says nothing of the others.
fn others_computed(recording: &Recording, agent: u64) -> u64 {
    let known = recording.threads.values().filter_map(|thread| thread.scheduling);
    let known = known.map(|scheduling| scheduling.running).fold(0, u64::saturating_add);
    match recording.computed {
        Some(all) if known > 0 => all.saturating_sub(known).saturating_sub(agent),
        _ => 0,
    }
}

pub(super) fn summarise(recording: &Recording, threads: &[ThreadRow], exact: bool) -> Summary {
    let process = recording.process.clone().unwrap_or_default();
    let usable_cpus = recording.usable_cpus();
    let start = recording.start();
    let end = recording.last_time();
    let sum = |field: &dyn Fn(&ThreadRow) -> u64| total(threads.iter().map(field));
    let alive = sum(&|row| row.alive);
    let samples = sum(&|row| row.samples);
    let by_threads = sum(&|row| row.agent);
    let totals = recording.threads.values().filter_map(|thread| thread.total).map(|t| t.time);
    // The agent's other cost is known for the whole run only.
    let of_run = recording.end.filter(|_| !recording.has_parts);
    let agent = of_run.map_or(by_threads, |(_, agent)| agent.max(by_threads));
    let asked = recording.attached.map(|attached| attached.period).filter(|asked| *asked > 0);
    let period = asked.unwrap_or(recording.period());
    let covered = recording.end.map(|(time, _)| time).or_else(|| totals.max()).unwrap_or(end);
    Summary {
        elapsed: recording.measured().unwrap_or(end.saturating_sub(start)),
        covered: recording.measured().unwrap_or(covered.min(end).saturating_sub(start)),
        run: end.saturating_sub(start),
        parts: recording.has_parts.then(|| {
            let since = |time: u64| time.saturating_sub(start);
            recording.spans.iter().map(|(from, to)| (since(*from), since(*to))).collect()
        }),
        threads: threads.len() as u64,
        alive,
        openmp_work: sum(&ThreadRow::openmp_work),
        openmp_wait: sum(&ThreadRow::openmp_wait),
        serial: sum(&|row| row.serial_work),
        blocked: sum(&|row| row.blocked),
        serial_calls: totals::serial_calls(recording),
        samples,
        missed: sum(&|row| row.missed),
        cpu_share: cpu_share(recording),
        mpi: sum(&|row| row.mpi),
        without_cpu: sum(&|row| row.without_cpu),
        rate_asked: 1e9 / period as f64,
        rate: ratio(samples, alive) * 1e9,
        agent,
        others: others_computed(recording, agent),
        damaged: recording.damaged.0,
        file_size: recording.damaged.1,
        complete: recording.end.is_some(),
        stopped: recording.end_note.clone().filter(|_| recording.goes_on),
        exact,
        attached: recording.attached.map(|looks| {
            let Attached { looks, stops, stood, longest, own, .. } = looks;
            Looks { looks, stops, stood, longest, own }
        }),
        executable: process.executable,
        command: process.argv,
        pid: process.pid,
        host: process.host,
        runtime: process.runtime_version,
        environment: process.environment,
        cpus: process.cpus.max(usable_cpus),
        usable_cpus,
        processor: recording.machine.as_ref().map(|machine| machine.processor.clone()),
        other_programs: recording
            .machine
            .as_ref()
            .filter(|machine| machine.all > 0.0)
            .map(|machine| (machine.others / machine.all).min(1.0)),
        compilers: Vec::new(),
        started: process.wall_clock,
    }
}
