//! The name of the job that a process belongs to: the same in all its processes, on every node,
//! without communication between them.

use std::fs;

/// Variables that launchers set alike in all processes of a job, and in no other job: PMIx, Open
/// MPI, HPE's PALS, Slurm (with the step), others. Those of a batch system come last: several MPI
/// jobs may run in one batch job.
const VARIABLES: [&[&str]; 7] = [
    &["PMIX_NAMESPACE"],
    &["OMPI_MCA_ess_base_jobid"],
    &["PALS_APID"],
    &["SLURM_JOB_ID", "SLURM_STEP_ID"],
    &["PMI_JOBID"],
    &["LSB_JOBID"],
    &["PBS_JOBID"],
];

/// How many ancestors of this process may be the launcher's.
const MOST_ANCESTORS: usize = 6;

/// Returns the job's name; `None` where the launcher tells nothing. Reads the environment that the
/// process began with: a library of MPI that does not know the launcher makes a job of each
/// process, and names it there. Allocates.
pub fn name() -> Option<String> {
    let Ok(began) = fs::read("/proc/self/environ") else {
        return name_by("self", |name| std::env::var(name).ok());
    };
    name_by("self", |name| {
        let mut all = began.split(|byte| *byte == 0);
        let value =
            |set: &[u8]| Some(set.strip_prefix(name.as_bytes())?.strip_prefix(b"=")?.to_vec());
        String::from_utf8(all.find_map(value)?).ok()
    })
}

/// Returns the job's name for a process that has these variables; `process` is its name in `/proc`.
pub fn name_by(process: &str, variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    let value = |name: &&str| variable(name).filter(|value| !value.is_empty());
    let known = VARIABLES.iter().find_map(|names| {
        let values: Option<Vec<String>> = names.iter().map(value).collect();
        values.map(|values| values.join("."))
    });
    known.or_else(|| of_hydra(process)).map(|name| plain(&name))
}

/// Returns the job's name by Hydra, MPICH's launcher, which sets no such variable. Its helpers on
/// all nodes, above the ranks, are told the host and the port that they all answer to.
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

/// Makes a name fit to be part of a file's name.
fn plain(name: &str) -> String {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_');
    name.chars().map(|letter| if fits(letter) { letter } else { '-' }).collect()
}
