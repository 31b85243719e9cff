//! What the kernel says of each CPU that this process may use: its core, and what it can do.

use std::path::Path;

use omphalos_scale::{Cpu, Machine};

use crate::machine;

/// The CPUs of this machine that programs started from here may use.
pub fn look() -> Machine {
    of(Path::new("/sys/devices/system/cpu"), &machine::usable(), machine::quota())
}

fn of(root: &Path, usable: &[u32], quota: Option<f64>) -> Machine {
    let read = |number: u32, file: &str| {
        std::fs::read_to_string(root.join(format!("cpu{number}/{file}"))).ok()
    };
    let cpu = |number: &u32| {
        let of = |file: &str| read(*number, file)?.trim().parse::<u32>().ok();
        let siblings = read(*number, "topology/core_cpus_list")
            .or_else(|| read(*number, "topology/thread_siblings_list"));
        Cpu {
            number: *number,
            core: siblings.as_deref().and_then(first).unwrap_or(*number),
            capacity: of("cpu_capacity").or_else(|| of("cpufreq/cpuinfo_max_freq")),
        }
    };
    Machine { cpus: usable.iter().map(cpu).collect(), quota }
}

/// The lowest number of a list: `2` of `2-3,10`.
fn first(list: &str) -> Option<u32> {
    list.trim().split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder as the kernel shows it: by CPU, its siblings and its greatest frequency.
    fn machine(cpus: &[(&str, &str)], usable: &[u32]) -> Machine {
        let root = tempfile::tempdir().unwrap();
        for (number, (siblings, frequency)) in cpus.iter().enumerate() {
            let folder = root.path().join(format!("cpu{number}"));
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
        assert_eq!(first("2-3,10\n"), Some(2));
        assert_eq!(first(""), None);
    }

    #[test]
    fn this_machine_has_a_cpu() {
        assert!(look().processors() >= 1);
    }
}
