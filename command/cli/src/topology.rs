//! Reads from the kernel each CPU's core, package, node, capacity and highest frequency.

use std::path::Path;

use omphalos_profile_format::MachineCpu;
use omphalos_report::placement::{Cpus, of_list};
use omphalos_scale::{Cpu, Machine};

use crate::machine;

/// The folder in which the kernel shows its devices.
const DEVICES: &str = "/sys/devices/system";

/// Returns the CPUs of this machine that programs started from here may use.
pub fn look() -> Machine {
    of(Path::new(DEVICES), &machine::usable(), machine::quota())
}

/// Returns all CPUs of this machine that are online.
pub fn all() -> Vec<MachineCpu> {
    all_of(Path::new(DEVICES))
}

/// The same with the kernel's files in the folder `root`.
pub fn all_of(root: &Path) -> Vec<MachineCpu> {
    let online = std::fs::read(root.join("cpu/online")).unwrap_or_default();
    let nodes = std::fs::read(root.join("node/online")).unwrap_or_default();
    let cpus_of = |node: u32| {
        let path = root.join(format!("node/node{node}/cpulist"));
        (node, of_list(&std::fs::read(path).unwrap_or_default()))
    };
    let nodes: Vec<(u32, Cpus)> = of_list(&nodes).into_iter().map(cpus_of).collect();
    let cpus = of_list(&online).into_iter().map(|number| {
        let node = nodes.iter().find(|(_, cpus)| cpus.contains(&number));
        MachineCpu { node: node.map_or(0, |(node, _)| *node), ..one(root, number) }
    });
    cpus.collect()
}

/// Returns a CPU, without its node.
fn one(root: &Path, number: u32) -> MachineCpu {
    let read =
        |file: &str| std::fs::read_to_string(root.join(format!("cpu/cpu{number}/{file}"))).ok();
    let of = |file: &str| read(file)?.trim().parse::<u32>().ok();
    let siblings =
        read("topology/core_cpus_list").or_else(|| read("topology/thread_siblings_list"));
    MachineCpu {
        cpu: number,
        core: siblings
            .as_deref()
            .and_then(|text| of_list(text.as_bytes()).first().copied())
            .unwrap_or(number),
        package: of("topology/physical_package_id").unwrap_or(0),
        node: 0,
        capacity: of("cpu_capacity").unwrap_or(0),
        frequency: of("cpufreq/cpuinfo_max_freq").unwrap_or(0),
    }
}

fn of(root: &Path, usable: &[u32], quota: Option<f64>) -> Machine {
    let cpu = |number: &u32| {
        let MachineCpu { cpu, core, capacity, frequency, .. } = one(root, *number);
        let known = [capacity, frequency].into_iter().find(|known| *known > 0);
        Cpu { number: cpu, core, capacity: known }
    };
    Machine { cpus: usable.iter().map(cpu).collect(), quota }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a folder like the kernel's: by CPU, its siblings and its highest frequency.
    fn machine(cpus: &[(&str, &str)], usable: &[u32]) -> Machine {
        let root = tempfile::tempdir().unwrap();
        for (number, (siblings, frequency)) in cpus.iter().enumerate() {
            let folder = root.path().join(format!("cpu/cpu{number}"));
            for (part, file, text) in [
                ("topology", "core_cpus_list", siblings),
                ("cpufreq", "cpuinfo_max_freq", frequency),
            ] {
                std::fs::create_dir_all(folder.join(part)).unwrap();
                std::fs::write(folder.join(part).join(file), format!("{text}\n")).unwrap();
            }
        }
        of(root.path(), usable, None)
    }

    #[test]
    fn hyper_threads_and_slow_cores() {
        let cpus = [("0-1", "5000000"), ("0-1", "5000000"), ("2", "3900000"), ("3", "3900000")];
        let all = machine(&cpus, &[0, 1, 2, 3]);
        assert_eq!((all.processors(), all.cores(), all.fast_cores()), (4, 3, 1));
        let some = machine(&cpus, &[1, 2]);
        assert_eq!((some.processors(), some.cores(), some.fast_cores()), (2, 2, 1));
    }

    #[test]
    fn a_machine_that_says_nothing_has_equal_cores() {
        let found = of(Path::new("/nonexistent"), &[0, 4], Some(8.0));
        assert_eq!((found.processors(), found.cores(), found.fast_cores()), (2, 2, 2));
    }

    #[test]
    fn this_machine_has_a_cpu() {
        assert!(look().processors() >= 1);
        assert!(all().len() >= look().cpus.len());
    }

    /// Two nodes, as on another machine.
    #[test]
    fn nodes_and_packages() {
        let root = tempfile::tempdir().unwrap();
        for (file, text) in [
            ("cpu/online", "0-3\n"),
            ("cpu/cpu2/topology/core_cpus_list", "2-3\n"),
            ("cpu/cpu3/topology/core_cpus_list", "2-3\n"),
            ("cpu/cpu3/topology/physical_package_id", "1\n"),
            ("cpu/cpu3/cpu_capacity", "512\n"),
            ("node/online", "0-1\n"),
            ("node/node0/cpulist", "0-1\n"),
            ("node/node1/cpulist", "2-3\n"),
        ] {
            let path = root.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let found = all_of(root.path());
        let last = MachineCpu { cpu: 3, core: 2, package: 1, node: 1, capacity: 512, frequency: 0 };
        assert_eq!((found.len(), found[3]), (4, last));
        assert_eq!((found[1].core, found[1].node), (1, 0));
    }
}
