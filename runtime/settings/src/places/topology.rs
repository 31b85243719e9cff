//! Groups of processors that belong together, from `/sys/devices/system`.

use omphalos_sys::file;

/// The levels that the abstract names of `OMP_PLACES` stand for.
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

/// Groups the processors `own` (ascending) by `level`. If the system does not name a processor's
/// group, the processor is a group of its own.
pub fn group(level: Level, own: &[usize]) -> Vec<Vec<usize>> {
    group_at("/sys/devices/system", level, own)
}

fn group_at(root: &str, level: Level, own: &[usize]) -> Vec<Vec<usize>> {
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

/// Returns the processors that share `level` with `cpu`.
fn mates(root: &str, level: Level, cpu: usize) -> Option<Vec<usize>> {
    let dir = format!("{root}/cpu/cpu{cpu}");
    match level {
        Level::Threads => None,
        Level::Cores => list(&format!("{dir}/topology/thread_siblings_list")),
        Level::Sockets => list(&format!("{dir}/topology/core_siblings_list")),
        Level::LlCaches => {
            let mut last = None;
            for index in 0.. {
                let cache = format!("{dir}/cache/index{index}");
                let Some(level) = text(&format!("{cache}/level")) else { break };
                let level = level.trim().parse::<u32>().ok();
                if level.is_some_and(|level| last.as_ref().is_none_or(|(most, _)| level >= *most)) {
                    last = level.map(|level| (level, cache));
                }
            }
            list(&format!("{}/shared_cpu_list", last?.1))
        }
        Level::NumaDomains => list(&format!("{root}/node/online"))?
            .into_iter()
            .filter_map(|node| list(&format!("{root}/node/node{node}/cpulist")))
            .find(|cpus| cpus.contains(&cpu)),
    }
}

fn list(path: &str) -> Option<Vec<usize>> {
    Some(cpu_set(&text(path)?))
}

/// Returns the text of one of these files.
fn text(path: &str) -> Option<String> {
    /// More than the longest list that is believed: see [`cpu_set`].
    const LONGEST: usize = 1 << 16;
    let mut room = vec![0; LONGEST];
    let read = file::read(&[path.as_bytes()], &mut room)?;
    Some(String::from_utf8_lossy(read).into_owned())
}

/// Reads a set as Linux writes it: `0-3,5`. Parts that cannot be read are left out.
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
    use std::fs;

    #[test]
    fn sets() {
        assert_eq!(cpu_set("0-2,5\n"), [0, 1, 2, 5]);
        assert!(cpu_set("").is_empty());
        assert!(cpu_set("x,5-3").is_empty());
    }

    #[test]
    fn groups_by_what_the_files_say() {
        let dir = std::env::temp_dir().join(format!("omphalos-topology-{}", std::process::id()));
        let write = |path: String, text: &str| {
            let path = dir.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        for cpu in 0..4usize {
            let core = if cpu % 2 == 0 { "0,2" } else { "1,3" };
            write(format!("cpu/cpu{cpu}/topology/thread_siblings_list"), core);
            for (index, level, shared) in [(0, "1\n", "0-3"), (1, "3\n", core), (2, "2\n", "0-3")] {
                write(format!("cpu/cpu{cpu}/cache/index{index}/level"), level);
                write(format!("cpu/cpu{cpu}/cache/index{index}/shared_cpu_list"), shared);
            }
        }
        write("node/online".to_owned(), "0,2\n");
        write("node/node0/cpulist".to_owned(), "0-2\n");
        write("node/node2/cpulist".to_owned(), "3\n");
        let group = |level, own: &[usize]| group_at(dir.to_str().unwrap(), level, own);
        assert_eq!(group(Level::Cores, &[0, 1, 2, 3]), [vec![0, 2], vec![1, 3]]);
        assert_eq!(group(Level::Cores, &[0, 1, 3]), [vec![0], vec![1, 3]]);
        assert_eq!(group(Level::Threads, &[1, 3]), [vec![1], vec![3]]);
        assert_eq!(group(Level::Sockets, &[1, 3]), [vec![1], vec![3]]);
        assert_eq!(group(Level::LlCaches, &[0, 1, 2, 3]), [vec![0, 2], vec![1, 3]]);
        assert_eq!(group(Level::NumaDomains, &[0, 1, 2, 3]), [vec![0, 1, 2], vec![3]]);
        fs::remove_dir_all(dir).unwrap();
    }
}
