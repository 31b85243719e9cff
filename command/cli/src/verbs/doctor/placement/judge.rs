//! Judges the places of threads, by the same rules as the report of a profile.

use std::collections::BTreeSet;

use omphalos_report::placement::{
    Cpus, Placement, cause, cores_of, crowd, list, named, shared_cores,
};

use super::probe::Member;

/// The machine, and the limits of the process.
pub struct Around {
    /// The machine's CPUs, and those that the process may use.
    pub placement: Placement,
    /// The variables of OpenMP, as `NAME=value`.
    pub environment: Vec<String>,
    /// The control group's grant as a number of CPUs, if the group limits that.
    pub quota: Option<f64>,
    /// The number of ranks that the launcher started on this node; 1 without a launcher.
    pub ranks: usize,
}

/// Returns `8 CPUs on 4 cores, 2 packages, 2 NUMA nodes; CPUs 4-7 are slow`.
pub fn machine(placement: &Placement) -> String {
    let plural = |count: usize, what: &str| match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    };
    let cpus = placement.online.len();
    let cores = cores_of(placement, &placement.online).len();
    let packages: BTreeSet<u32> = placement.machine.values().map(|cpu| cpu.package).collect();
    let mut text = format!(
        "{} on {}, {}, {}",
        plural(cpus, "CPU"),
        plural(cores, "core"),
        plural(packages.len(), "package"),
        match placement.nodes() {
            1 => "one NUMA node: all memory is as near".to_owned(),
            nodes => plural(nodes, "NUMA node"),
        },
    );
    let slow: Cpus =
        placement.online.iter().copied().filter(|cpu| placement.is_slow(*cpu)).collect();
    if !slow.is_empty() {
        text.push_str(&format!("; {} are slower than the others", named(&slow)));
    }
    text
}

fn set(member: &Member) -> Cpus {
    member.cpus.iter().copied().collect()
}

/// Returns `place 2: CPU 4 (core 4, node 1)`.
pub fn place(member: &Member, placement: &Placement) -> String {
    let cpus = set(member);
    let place = member.place.map_or("any place".to_owned(), |place| format!("place {place}"));
    format!("{place}: {}{}", named(&cpus), whereabouts(&cpus, placement))
}

/// The same for threads that are alike.
pub fn places(group: &[Member], placement: &Placement) -> String {
    let all: Cpus = group.iter().flat_map(|member| member.cpus.iter().copied()).collect();
    let at = whereabouts(&all, placement);
    let Some(first) = group.first() else { return String::new() };
    match (first.place, group.iter().all(|member| member.cpus == first.cpus)) {
        (None, true) => format!("any place: {}{at}", named(&all)),
        (Some(place), true) => format!("place {place}, all of them: {}{at}", named(&all)),
        _ => format!("a place each: {}{at}", named(&all)),
    }
}

/// Returns the core, if there is only one, and the nodes, if the machine has several.
fn whereabouts(cpus: &Cpus, placement: &Placement) -> String {
    let cores = cores_of(placement, cpus);
    let node = |cpu: &u32| placement.machine.get(cpu).map(|cpu| cpu.node);
    let nodes: Cpus = cpus.iter().filter_map(node).collect();
    let mut parts = Vec::new();
    if cores.len() == 1 {
        parts.push(format!("core {}", list(&cores)));
    }
    if placement.nodes() > 1 {
        let what = if nodes.len() == 1 { "node" } else { "nodes" };
        parts.push(format!("{what} {}", list(&nodes)));
    }
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}

/// The ways to get more time from a control group.
const RAISE: &str =
    "the quota (docker --cpus, Kubernetes' resources.limits.cpu, systemd's CPUQuota)";

/// Returns a sentence for each problem, with advice.
pub fn problems(team: &[Member], around: &Around) -> Vec<String> {
    let Around { placement, environment, quota, ranks } = around;
    let sets: Vec<Cpus> = team.iter().map(set).collect();
    let all: Cpus = sets.iter().flatten().copied().collect();
    let left: Cpus = placement.online.difference(&all).copied().collect();
    let why = |cpus: &Cpus| {
        let cause = cause(placement, environment, cpus, true);
        format!("{}; {}", cause.who, cause.cure)
    };
    let mut problems = Vec::new();
    if let Some((threads, cpus)) = crowd(&sets) {
        let who = threads.len();
        problems.push(match left.is_empty() && cpus == all {
            true => format!(
                "{who} threads for {}: they take turns; set OMP_NUM_THREADS={}",
                named(&cpus),
                cpus.len()
            ),
            false => format!("{who} threads share {}: {}", named(&cpus), why(&cpus)),
        });
    } else if let Some((threads, cores)) = shared_cores(placement, &sets, &[]) {
        let cpus: Cpus = threads.iter().flat_map(|at| &sets[*at]).copied().collect();
        problems.push(format!(
            "{} threads run in twos on the hyper-threads of one core ({}) while {} cores are left \
             out: {}",
            threads.len(),
            named(&cpus),
            cores.len(),
            why(&cpus)
        ));
    } else if team.len() == 1 && all.len() == 1 && !left.is_empty() && asks_for_more(environment) {
        problems.push(format!("one thread, on {} alone: {}", named(&all), why(&all)));
    }
    // Ranks share all CPUs only if nothing binds them. If this rank is bound, nothing is known of
    // the CPUs of the others.
    let threads = team.len() * ranks;
    let is_free = placement.allowed == placement.online && all.len() >= team.len();
    if *ranks > 1 && is_free && threads > placement.online.len() {
        problems.push(format!(
            "the launcher started {ranks} ranks on this node: with {} thread{} each that is \
             {threads} threads for {}: start fewer ranks on a node, or set OMP_NUM_THREADS={}",
            team.len(),
            if team.len() == 1 { "" } else { "s" },
            named(&placement.online),
            (placement.online.len() / ranks).max(1),
        ));
    }
    if let Some(quota) = quota.filter(|quota| team.len() as f64 > quota.ceil()) {
        let fewer = format!("set OMP_NUM_THREADS={:.0}, or raise", quota.floor().max(1.0));
        problems.push(format!(
            "the control group grants {quota:.2} CPUs' worth of time, and {} threads use that up \
             before the period ends: {fewer} {RAISE}",
            team.len(),
        ));
    } else if let Some(quota) = quota.filter(|quota| *quota < 1.0) {
        problems.push(format!(
            "the control group grants {quota:.2} CPUs' worth of time, and stops even one thread \
             before the period ends: raise {RAISE}",
        ));
    }
    let slow: Cpus = all.iter().copied().filter(|cpu| placement.is_slow(*cpu)).collect();
    if !slow.is_empty() && slow.len() < all.len() && team.len() > 1 {
        problems.push(format!(
            "some threads get slow cores ({}), and the others wait for them where loops are shared \
             out evenly: schedule(dynamic), or OMP_PLACES with the fast ones alone",
            named(&slow)
        ));
    }
    let sets_places = environment.iter().any(|set| set.starts_with("OMP_PLACES="));
    if sets_places && team.iter().all(|member| member.place.is_none()) {
        problems.push(
            "OMP_PLACES has no effect, since threads are not bound: set OMP_PROC_BIND=close or \
             spread"
                .to_owned(),
        );
    }
    problems
}

/// Whether nobody asked for one thread.
fn asks_for_more(environment: &[String]) -> bool {
    !environment.iter().any(|set| set == "OMP_NUM_THREADS=1" || set == "OMP_THREAD_LIMIT=1")
}

#[cfg(test)]
mod tests {
    use super::*;
    use omphalos_profile_format::MachineCpu;

    /// Two packages of four cores with two hyper-threads, a node each; the second one is slow.
    fn around(environment: &[&str]) -> Around {
        let mut placement = Placement::default();
        for cpu in 0..16 {
            let (core, package) = (cpu % 8, cpu % 8 / 4);
            let capacity = if package == 0 { 1024 } else { 512 };
            let known = MachineCpu { cpu, core, package, node: package, capacity, frequency: 0 };
            placement.machine.insert(cpu, known);
            placement.online.insert(cpu);
            placement.allowed.insert(cpu);
        }
        let environment = environment.iter().map(|set| (*set).to_owned()).collect();
        Around { placement, environment, quota: None, ranks: 1 }
    }

    fn team(cpus: &[&[u32]]) -> Vec<Member> {
        let member = |(number, cpus): (usize, &&[u32])| Member {
            number: number as u32,
            place: Some(number as u32),
            cpus: cpus.to_vec(),
        };
        cpus.iter().enumerate().map(member).collect()
    }

    fn one(found: &[String]) -> &str {
        assert_eq!(found.len(), 1, "{found:?}");
        &found[0]
    }

    #[test]
    fn what_is_well_placed_has_no_problem() {
        let spread = team(&[&[0], &[1], &[2], &[3]]);
        assert!(problems(&spread, &around(&["OMP_PLACES=cores"])).is_empty());
    }

    #[test]
    fn threads_on_one_cpu_are_named_with_what_binds_them() {
        let found = problems(&team(&[&[3], &[3], &[3]]), &around(&["OMP_PLACES={3}"]));
        let said = one(&found);
        assert!(said.starts_with("3 threads share CPU 3: OMP_PLACES={3} binds them"), "{said}");
        let mut held = around(&["OMP_NUM_THREADS=2"]);
        held.placement.allowed = Cpus::from([5]);
        let found = problems(&team(&[&[5], &[5]]), &held);
        assert!(one(&found).contains("taskset"), "{found:?}");
        held.placement.launcher = vec!["SLURM_CPU_BIND=quiet,mask_cpu:0x20".to_owned()];
        let found = problems(&team(&[&[5], &[5]]), &held);
        assert!(one(&found).contains("--cpus-per-task"), "{found:?}");
        held.placement.launcher = Vec::new();
        held.placement.cpuset = Cpus::from([5]);
        let found = problems(&team(&[&[5], &[5]]), &held);
        assert!(one(&found).contains("cpuset"), "{found:?}");
    }

    #[test]
    fn ranks_with_more_threads_than_the_node_has_cpus_are_named() {
        let all: Vec<u32> = (0..16).collect();
        let free = team(&[&all, &all, &all, &all]);
        let mut around = around(&["OMP_NUM_THREADS=4"]);
        around.placement.machine.values_mut().for_each(|cpu| cpu.capacity = 1024);
        around.ranks = 4;
        assert_eq!(problems(&free, &around), [""; 0]);
        around.ranks = 8;
        let found = problems(&free, &around);
        assert!(one(&found).contains("32 threads for CPUs 0-15"), "{found:?}");
        assert!(one(&found).ends_with("OMP_NUM_THREADS=2"), "{found:?}");
        // The launcher gave this rank CPUs of its own.
        around.placement.allowed = Cpus::from([0, 1, 2, 3]);
        assert!(problems(&team(&[&[0], &[1], &[2], &[3]]), &around).is_empty());
    }

    #[test]
    fn hyper_threads_slow_cores_and_quotas_are_named() {
        let found = problems(&team(&[&[0], &[8], &[1], &[9]]), &around(&["OMP_PLACES=threads"]));
        assert!(one(&found).contains("hyper-threads of one core (CPUs 0-1,8-9)"), "{found:?}");
        let found = problems(&team(&[&[0], &[1], &[4], &[5]]), &around(&[]));
        assert!(one(&found).contains("slow cores (CPUs 4-5)"), "{found:?}");
        let mut limited = around(&[]);
        limited.quota = Some(1.5);
        let found = problems(&team(&[&[0], &[1], &[2]]), &limited);
        assert!(one(&found).contains("OMP_NUM_THREADS=1"), "{found:?}");
        assert!(problems(&team(&[&[0], &[1]]), &limited).is_empty());
        let mut limited = around(&["OMP_NUM_THREADS=1"]);
        limited.quota = Some(0.5);
        let found = problems(&team(&[&[0]]), &limited);
        assert!(one(&found).contains("stops even one thread"), "{found:?}");
    }

    #[test]
    fn places_are_said_by_core_and_node() {
        let around = around(&[]);
        let said = place(&team(&[&[4, 12]])[0], &around.placement);
        assert_eq!(said, "place 0: CPUs 4,12 (core 4, node 1)");
        assert!(machine(&around.placement).starts_with("16 CPUs on 8 cores, 2 packages, 2 NUMA"));
        let many: Vec<Vec<u32>> = (0..16).map(|cpu| vec![cpu]).collect();
        let many: Vec<&[u32]> = many.iter().map(Vec::as_slice).collect();
        let said = places(&team(&many), &around.placement);
        assert_eq!(said, "a place each: CPUs 0-15 (nodes 0-1)");
    }
}
