//! The name of the job that a process belongs to: the same in all of its processes, on every node,
//! without a word between them.

use std::fs;

/// Variables that launchers set alike in all processes of a job, and in no other job: PMIx, Open
/// MPI, HPE's PALS, Slurm (with the step), others. Those of a batch system come last: several jobs
/// of MPI may run in one of its own.
const VARIABLES: [&[&str]; 7] = [
    &["PMIX_NAMESPACE"],
    &["OMPI_MCA_ess_base_jobid"],
    &["PALS_APID"],
    &["SLURM_JOB_ID", "SLURM_STEP_ID"],
    &["PMI_JOBID"],
    &["LSB_JOBID"],
    &["PBS_JOBID"],
];

/// Processes above this one that may be the launcher's.
const MOST_ANCESTORS: usize = 6;

/// The job's name; none where the launcher tells nothing. Reads the environment; allocates.
pub fn name() -> Option<String> {
    name_by("self", |name| std::env::var(name).ok())
}

/// The job's name of a process, as `/proc` calls it, that has these variables.
pub fn name_by(process: &str, variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    let value = |name: &&str| variable(name).filter(|value| !value.is_empty());
    let known = VARIABLES.iter().find_map(|names| {
        let values: Option<Vec<String>> = names.iter().map(value).collect();
        values.map(|values| values.join("."))
    });
    known.or_else(|| of_hydra(process)).map(|name| plain(&name))
}

/// MPICH's launcher sets no such variable. Its helpers on all nodes, above the ranks, are told the
/// host and the port of the one that they all answer to.
fn of_hydra(process: &str) -> Option<String> {
    let mut pid = process.to_owned();
    for _ in 0..MOST_ANCESTORS {
        let words = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        let mut words = words.split(|byte| *byte == 0);
        if words.clone().next()?.ends_with(b"hydra_pmi_proxy") {
            words.find(|word| *word == b"--control-port")?;
            return Some(String::from_utf8_lossy(words.next()?).into_owned());
        }
        // The name in parentheses may hold anything.
        let status = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        pid = status.rsplit(") ").next()?.split(' ').nth(1)?.to_owned();
    }
    None
}

/// Fit to be part of a file's name.
fn plain(name: &str) -> String {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_');
    name.chars().map(|letter| if fits(letter) { letter } else { '-' }).collect()
}
