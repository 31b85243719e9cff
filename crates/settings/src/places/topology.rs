//! Which processors belong together, from `/sys/devices/system`.

use std::fs;
use std::path::Path;

/// What the abstract names of `OMP_PLACES` stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Each hardware thread.
    Threads,
    /// Threads of one core.
    Cores,
    /// Threads that share the last level of cache.
    LlCaches,
    /// Threads of a NUMA node.
    NumaDomains,
    /// Threads of a package.
    Sockets,
}

/// Groups the processors `own` (ascending) by `level`. If the system does not tell a processor's
/// group, the processor is a group of its own.
pub fn group(level: Level, own: &[usize]) -> Vec<Vec<usize>> {
    group_at(Path::new("/sys/devices/system"), level, own)
}

fn group_at(root: &Path, level: Level, own: &[usize]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for &cpu in own {
        if groups.iter().any(|group| group.contains(&cpu)) {
            continue;
        }
        let mates = mates(root, level, cpu).unwrap_or_default();
        let taken = |c: &usize| groups.iter().any(|group| group.contains(c));
        let mut group: Vec<usize> =
            own.iter().copied().filter(|c| *c == cpu || mates.contains(c) && !taken(c)).collect();
        group.dedup();
        groups.push(group);
    }
    groups
}

/// The processors that share `level` with `cpu`.
fn mates(root: &Path, level: Level, cpu: usize) -> Option<Vec<usize>> {
    let dir = root.join(format!("cpu/cpu{cpu}"));
    let list = |path: &Path| Some(cpu_set(&fs::read_to_string(path).ok()?));
    match level {
        Level::Threads => None,
        Level::Cores => list(&dir.join("topology/thread_siblings_list")),
        Level::Sockets => list(&dir.join("topology/core_siblings_list")),
        Level::LlCaches => {
            let caches = fs::read_dir(dir.join("cache")).ok()?.flatten();
            let last = caches
                .filter_map(|entry| {
                    let text = fs::read_to_string(entry.path().join("level")).ok()?;
                    Some((text.trim().parse::<u32>().ok()?, entry.path()))
                })
                .max()?;
            list(&last.1.join("shared_cpu_list"))
        }
        Level::NumaDomains => {
            let node = fs::read_dir(&dir)
                .ok()?
                .flatten()
                .find_map(|e| e.file_name().to_str().filter(|n| is_node(n)).map(str::to_owned))?;
            list(&root.join("node").join(node).join("cpulist"))
        }
    }
}

fn is_node(name: &str) -> bool {
    name.strip_prefix("node")
        .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// Reads a set as Linux writes it: `0-3,5`. What cannot be read is left out.
fn cpu_set(text: &str) -> Vec<usize> {
    let mut cpus = Vec::new();
    for part in text.trim().split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        if let (Ok(first), Ok(last)) = (first.trim().parse::<usize>(), last.trim().parse::<usize>())
        {
            cpus.extend(first..=last.min(first.saturating_add(8191)));
        }
    }
    cpus
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets() {
        assert_eq!(cpu_set("0-2,5\n"), [0, 1, 2, 5]);
        assert!(cpu_set("").is_empty());
        assert!(cpu_set("x,5-3").is_empty());
    }

    #[test]
    fn groups_by_what_the_files_say() {
        let dir = std::env::temp_dir().join(format!("omphalos-topology-{}", std::process::id()));
        for cpu in 0..4usize {
            let topology = dir.join(format!("cpu/cpu{cpu}/topology"));
            fs::create_dir_all(&topology).unwrap();
            let core = if cpu % 2 == 0 { "0,2" } else { "1,3" };
            fs::write(topology.join("thread_siblings_list"), core).unwrap();
        }
        assert_eq!(group_at(&dir, Level::Cores, &[0, 1, 2, 3]), [vec![0, 2], vec![1, 3]]);
        assert_eq!(group_at(&dir, Level::Cores, &[0, 1, 3]), [vec![0], vec![1, 3]]);
        assert_eq!(group_at(&dir, Level::Threads, &[1, 3]), [vec![1], vec![3]]);
        assert_eq!(group_at(&dir, Level::Sockets, &[1, 3]), [vec![1], vec![3]]);
        fs::remove_dir_all(dir).unwrap();
    }
}
