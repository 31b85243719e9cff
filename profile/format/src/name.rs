//! The name of a record file: a template, so that processes with the same setting each write their
//! own file.
//!
//! | in the template | in the name |
//! |---|---|
//! | `%p` | the process id |
//! | `%h` | the host's name |
//! | `%r` | the process's rank among those that MPI started, 0 outside of MPI |
//! | `%q{NAME}` | the environment variable NAME, empty where it is not set |
//! | `%%` | `%` |
//!
//! Any other `%` stands for itself.
//!
//! What must hold: the agent in the program and the program that reads its file expand a template
//! alike, given the process id and the same environment.

use std::os::unix::ffi::OsStrExt;

/// The place of a process among those that MPI, or a batch system's launcher, started together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rank {
    /// Its number, from 0.
    pub number: u32,
    /// The number of processes.
    pub size: u32,
}

/// The variables that launchers set: rank and size. Open MPI; MPICH, Intel MPI and others with
/// Hydra; MVAPICH; HPE's PALS; Slurm.
const RANKS: [(&str, &str); 5] = [
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "PMI_SIZE"),
    ("MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"),
    ("PALS_RANKID", "PALS_SIZE"),
    ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),
];

/// Returns this process's place; `None` outside MPI. Reads the environment.
pub fn rank() -> Option<Rank> {
    rank_by(|name| std::env::var(name).ok())
}

/// Returns the place of the process that has these variables.
pub fn rank_by(variable: impl Fn(&str) -> Option<String>) -> Option<Rank> {
    let read = |name| variable(name)?.trim().parse().ok();
    RANKS.iter().find_map(|(number, size)| Some(Rank { number: read(number)?, size: read(size)? }))
}

/// Returns the name for `template` in the process `pid`. Reads the environment and the host's name.
pub fn expand(template: &[u8], pid: u32) -> Vec<u8> {
    let mut name = Vec::with_capacity(template.len() + 16);
    let mut rest = template;
    while let Some(at) = rest.iter().position(|byte| *byte == b'%') {
        name.extend_from_slice(&rest[..at]);
        let (letter, after) = match rest.get(at + 1) {
            Some(letter) => (*letter, &rest[at + 2..]),
            None => (0, &rest[at + 1..]),
        };
        rest = after;
        match letter {
            b'%' => name.push(b'%'),
            b'p' => name.extend_from_slice(pid.to_string().as_bytes()),
            b'h' => name.extend_from_slice(&host()),
            b'r' => {
                let number = rank().map_or(0, |rank| rank.number);
                name.extend_from_slice(number.to_string().as_bytes());
            }
            b'q' if rest.first() == Some(&b'{') && rest.contains(&b'}') => {
                let end = rest.iter().position(|byte| *byte == b'}').unwrap_or(0);
                let variable = std::ffi::OsStr::from_bytes(&rest[1..end]);
                name.extend_from_slice(&variable_value(variable));
                rest = &rest[end + 1..];
            }
            0 => name.push(b'%'),
            other => name.extend_from_slice(&[b'%', other]),
        }
    }
    name.extend_from_slice(rest);
    name
}

fn variable_value(name: &std::ffi::OsStr) -> Vec<u8> {
    // A variable cannot add a path of directories.
    let is_name = !name.is_empty() && !name.as_bytes().iter().any(|byte| b"=\0".contains(byte));
    let value = is_name.then(|| std::env::var_os(name)).flatten().unwrap_or_default();
    value.as_bytes().iter().map(|byte| if *byte == b'/' { b'_' } else { *byte }).collect()
}

/// Whether names for different processes differ: the template has `%p`.
pub fn tells_processes_apart(template: &[u8]) -> bool {
    expand(template, 1) != expand(template, 2)
}

/// Returns the template whose name is `name`, whatever characters it has.
pub fn literal(name: &[u8]) -> Vec<u8> {
    let mut template = Vec::with_capacity(name.len());
    for byte in name {
        template.push(*byte);
        if *byte == b'%' {
            template.push(b'%');
        }
    }
    template
}

fn host() -> Vec<u8> {
    let name = std::fs::read("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = name.trim_ascii();
    if name.is_empty() { b"localhost".to_vec() } else { name.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(template: &str) -> String {
        String::from_utf8(expand(template.as_bytes(), 42)).expect("text")
    }

    #[test]
    fn templates_are_expanded() {
        assert_eq!(expanded("x.omph"), "x.omph");
        assert_eq!(expanded("x.%p.%p"), "x.42.42");
        assert_eq!(expanded("100%%p-%x%"), "100%p-%x%");
        assert_eq!(expanded("%q{NO_SUCH_VARIABLE_HERE}|%q{|%q"), "|%q{|%q");
        assert!(!expanded("%h").is_empty() && !expanded("%h").contains('%'));
        assert_eq!(expanded("%q{PATH}"), std::env::var("PATH").unwrap().replace('/', "_"));
    }

    #[test]
    fn literals_stay_what_they_are() {
        for name in ["x", "50%", "%p%%q{X}", ""] {
            assert_eq!(expand(&literal(name.as_bytes()), 7), name.as_bytes());
        }
        assert!(tells_processes_apart(b"a%p") && !tells_processes_apart(b"a%%p"));
    }
}
