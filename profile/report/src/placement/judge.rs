//! Judges the sets of CPUs that threads may use: whether each thread can have a CPU, and a core, of
//! its own. Pure functions.

use std::collections::BTreeMap;

use super::{Cpus, Placement};

/// Returns the threads that outnumber the CPUs that they are held to, by their places in `sets`,
/// and those CPUs; `None` where each thread can have one.
pub fn crowd(sets: &[Cpus]) -> Option<(Vec<usize>, Cpus)> {
    let mut crowded: Vec<usize> = Vec::new();
    let mut seen: Vec<&Cpus> = Vec::new();
    for set in sets {
        if seen.contains(&set) {
            continue;
        }
        seen.push(set);
        let inside: Vec<usize> = (0..sets.len()).filter(|at| sets[*at].is_subset(set)).collect();
        if inside.len() > set.len() {
            crowded.extend(inside);
        }
    }
    crowded.sort_unstable();
    crowded.dedup();
    let cpus = crowded.iter().flat_map(|at| &sets[*at]).copied().collect();
    (!crowded.is_empty()).then_some((crowded, cpus))
}

/// Returns the threads that share cores, by their places in `sets`, and the cores that no thread is
/// on. `main`: the CPU of each thread, where it is known better than by its set.
pub fn shared_cores(
    placement: &Placement,
    sets: &[Cpus],
    main: &[Option<u32>],
) -> Option<(Vec<usize>, Cpus)> {
    let mut by_core: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (at, set) in sets.iter().enumerate() {
        // A thread that moves about has no core of its own.
        let cores = cores_of(placement, set);
        if let (Some(core), 1) = (cores.first(), cores.len()) {
            by_core.entry(*core).or_default().push(at);
        }
    }
    let on = |at: usize| main.get(at).copied().flatten().or_else(|| sets[at].first().copied());
    // Threads that all have one and the same CPU are no case of shared cores: see `crowd`.
    let is_shared = |threads: &&Vec<usize>| {
        let cpus: Cpus = threads.iter().filter_map(|at| on(*at)).collect();
        let all: Cpus = threads.iter().flat_map(|at| &sets[*at]).copied().collect();
        threads.len() > 1 && (cpus.len() > 1 || all.len() > 1)
    };
    let shared: Vec<usize> = by_core.values().filter(is_shared).flatten().copied().collect();
    let used: Cpus = (0..sets.len()).filter_map(on).collect();
    let used = cores_of(placement, &used);
    let left: Cpus = cores_of(placement, &placement.online).difference(&used).copied().collect();
    (!shared.is_empty() && !left.is_empty() && !placement.machine.is_empty())
        .then_some((shared, left))
}

/// Returns the cores of these CPUs.
pub fn cores_of(placement: &Placement, cpus: &Cpus) -> Cpus {
    cpus.iter().map(|cpu| placement.core(*cpu)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use omphalos_profile_format::MachineCpu;

    fn sets(all: &[&[u32]]) -> Vec<Cpus> {
        all.iter().map(|set| set.iter().copied().collect()).collect()
    }

    #[test]
    fn a_crowd_is_more_threads_than_cpus() {
        assert!(crowd(&sets(&[&[0], &[1], &[0, 1, 2]])).is_none());
        let (threads, cpus) = crowd(&sets(&[&[0], &[1, 2], &[0], &[3]])).unwrap();
        assert_eq!((threads, cpus), (vec![0, 2], Cpus::from([0])));
        let (threads, cpus) = crowd(&sets(&[&[0, 1], &[0, 1], &[1], &[2, 3]])).unwrap();
        assert_eq!((threads, cpus), (vec![0, 1, 2], Cpus::from([0, 1])));
    }

    #[test]
    fn threads_on_hyper_threads_share_a_core() {
        let mut placement = Placement::default();
        for cpu in 0..8 {
            let known = MachineCpu { cpu, core: cpu % 4, ..MachineCpu::default() };
            placement.machine.insert(cpu, known);
            placement.online.insert(cpu);
        }
        let shared = |all: &[&[u32]]| shared_cores(&placement, &sets(all), &[]);
        assert!(shared(&[&[0], &[1], &[2]]).is_none());
        assert!(shared(&[&[0], &[0], &[1]]).is_none());
        assert_eq!(shared(&[&[0], &[4], &[1]]), Some((vec![0, 1], Cpus::from([2, 3]))));
        assert_eq!(shared(&[&[0, 4], &[0, 4]]), Some((vec![0, 1], Cpus::from([1, 2, 3]))));
        let full: Vec<Cpus> = (0..8).map(|cpu| Cpus::from([cpu])).collect();
        assert!(shared_cores(&placement, &full, &[]).is_none());
    }
}
