//! `omphalos inspect`: the activity of the threads of a running, hung or dead program, and the
//! reason why they make no progress.

mod circles;
mod jobs;
mod pools;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Barrier;
use std::time::Duration;

use omphalos_inspect::{Look, Ompd, Way, look, ranks, text};
use omphalos_ompd_view::Fault;
use omphalos_ompd_view::snapshot::{Snapshot, Wait};
use omphalos_why::{FROM_OUTSIDE, Finding, explain};

use circles::{Pair, pair_of};

use crate::failure::Failure;
use crate::terminal;

/// Look into a running or dead program: what each thread does, and why nothing goes on
#[derive(clap::Args)]
pub struct Arguments {
    /// The process; with --core the program that died, if it is not at its place
    #[arg(value_name = "PID")]
    subject: Option<String>,

    /// Look at a core file
    #[arg(long, value_name = "CORE", value_hint = clap::ValueHint::FilePath)]
    core: Option<PathBuf>,

    /// Say why the program makes no progress
    #[arg(long)]
    why: bool,

    /// Write all that was seen as JSON
    #[arg(long)]
    json: bool,

    /// Look at every process of this user's that uses OpenMP; with PID, at the ranks of its job of
    /// MPI
    #[arg(long, conflicts_with = "core")]
    all: bool,

    /// Show the runtime's and the system's frames too, each stack as it is
    #[arg(long)]
    raw: bool,

    /// Stop nothing: only threads that sleep in the kernel have a stack
    #[arg(long)]
    no_stop: bool,

    /// The libompd to ask where the program is on LLVM's or Intel's runtime; without: the one
    /// beside the runtime
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    ompd: Option<PathBuf>,

    /// Seconds between the two looks that say why
    #[arg(long, value_name = "SECONDS", default_value_t = 0.5)]
    apart: f64,
}

/// Looks and prints.
pub fn run(arguments: &Arguments) -> Result<i32, Failure> {
    if !(0.0..=3600.0).contains(&arguments.apart) {
        return Err(Failure::ours("--apart takes seconds, from 0 to 3600"));
    }
    if arguments.all {
        return all(arguments);
    }
    match (&arguments.core, &arguments.subject) {
        (Some(core), program) => {
            let program = program.as_ref().map(PathBuf::from);
            let seen = look::core(core, program.as_deref(), &ompd(arguments)).map_err(failure)?;
            terminal::print(&shown(arguments, None, &seen)?)?;
        }
        (None, Some(pid)) => terminal::print(&one(arguments, process_number(pid)?)?)?,
        (None, None) => {
            return Err(Failure::ours("say which process: its number, --all, or --core FILE"));
        }
    }
    Ok(0)
}

/// The number of a process, as it was given.
fn process_number(process: &str) -> Result<u32, Failure> {
    process.parse().map_err(|_| {
        Failure::ours(format!(
            "'{}' is not the number of a process (for a core file say --core)",
            text::plain(process)
        ))
    })
}

fn failure(fault: Fault) -> Failure {
    Failure::ours(fault.to_string())
}

/// Returns the way to ask a runtime's libompd: this very program asks it, in a process of its own.
fn ompd(arguments: &Arguments) -> Ompd {
    Ompd { library: arguments.ompd.clone(), ..without_file() }
}

/// The same, with the libompd beside the runtime.
pub fn without_file() -> Ompd {
    let program = std::env::current_exe().map(OsString::from);
    let server = program.map_or_else(|_| Vec::new(), |program| vec![program, ASK.into()]);
    Ompd { server, library: None }
}

/// The hidden verb that asks it.
const ASK: &str = "ask-ompd";

/// Ask a libompd about a program that another process looks at
#[derive(clap::Args)]
pub struct Asked {
    library: PathBuf,
}

/// Loads the library and answers on standard output.
pub fn serve_library(arguments: &Asked) -> Result<i32, Failure> {
    let served = omphalos_ompd_client::child::serve(&arguments.library);
    served.map(|()| 0).map_err(|error| Failure::ours(format!("ask-ompd: {error}")))
}

/// A process, as it was seen.
struct Seen {
    pid: u32,
    /// An earlier look, if causes are asked for.
    before: Option<Look>,
    now: Look,
}

fn one(arguments: &Arguments, pid: u32) -> Result<String, Failure> {
    let seen = seen(arguments, pid)?;
    if !arguments.why || arguments.json {
        return shown(arguments, seen.before.as_ref(), &seen.now);
    }
    let mut found = explain(&seen.now.snapshot, before(&seen));
    if pools::add(arguments, &seen, &mut found) {
        return Ok(causes(arguments, before(&seen), &seen.now, &found));
    }
    // A thread may wait for the end of a child that hangs itself, or for something that another
    // process has: the other end of a pipe, the lock of a file.
    let mut others: Vec<(u32, bool)> = Vec::new();
    for thread in &seen.now.snapshot.threads {
        for other in thread.waits.iter().flat_map(others_in) {
            if other.0 != pid && !others.iter().any(|known| known.0 == other.0) {
                others.push(other);
            }
        }
    }
    others.truncate(MOST_OTHERS);
    let with_openmp = if others.is_empty() { Vec::new() } else { look::with_openmp() };
    let mut said = seen.now.snapshot.notes.clone();
    let (mut first, mut rest) = (String::new(), String::new());
    let mut parts: Vec<(Seen, Vec<Finding>)> = Vec::new();
    for (other, is_child) in others.into_iter().filter(|other| with_openmp.contains(&other.0)) {
        let Ok(mut other) = self::seen(arguments, other) else { continue };
        keep_new_notes(&mut other.now.snapshot.notes, &mut said);
        let pair = pair_of(arguments, &seen, &other);
        match &pair {
            Some(Pair::InTurn(file)) => {
                let said = format!(
                    "Nothing blocks processes {pid} and {} for good: they take turns at the lock \
                     of {file}, which changed hands between two looks.",
                    other.pid
                );
                return Ok(format!("{}\n", text::plain(&said)));
            }
            Some(Pair::Circle) => {
                first.push_str(&format!(
                    "Processes {pid} and {} wait for each other: each holds the lock of a file \
                     that the other one waits for.\n\n",
                    other.pid
                ));
            }
            None => first.push_str(&of_one_job(&seen, &other)),
        }
        let found = explain(&other.now.snapshot, before(&other));
        if is_child || !found.is_empty() {
            parts.push((other, found));
        }
    }
    // Nothing from outside ends a wait for a process that waits for ever itself.
    let parts_hang = parts.iter().filter(|(_, found)| !found.is_empty()).map(|part| part.0.pid);
    let own = (!found.is_empty()).then_some(pid);
    let hang: Vec<u32> = parts_hang.chain(own).collect();
    not_from_outside(&seen, &mut found, &hang);
    for (other, mut found) in parts {
        not_from_outside(&other, &mut found, &hang);
        rest.push('\n');
        rest.push_str(&causes(arguments, before(&other), &other.now, &found));
    }
    Ok(first + &causes(arguments, before(&seen), &seen.now, &found) + &rest)
}

fn before(seen: &Seen) -> Option<&Snapshot> {
    seen.before.as_ref().map(|look| &look.snapshot)
}

/// Leaves out that something from outside may end a wait for one of these processes.
fn not_from_outside(seen: &Seen, found: &mut [Finding], hang: &[u32]) {
    let threads = seen.now.snapshot.threads.iter();
    let mut others = threads.flat_map(|thread| thread.waits.iter().flat_map(others_in));
    if others.any(|(other, _)| hang.contains(&other)) {
        found.iter_mut().for_each(|finding| finding.details.retain(|line| line != FROM_OUTSIDE));
    }
}

/// A line about two ranks of one job of MPI, of which the first waits for what the other one has.
fn of_one_job(seen: &Seen, other: &Seen) -> String {
    let job = look::job(seen.pid);
    if job.is_none() || job != look::job(other.pid) {
        return String::new();
    }
    let name = |seen: &Seen| match seen.now.snapshot.rank {
        Some((rank, _)) => format!("rank {rank}"),
        None => format!("process {}", seen.pid),
    };
    format!(
        "This is {} of a job of MPI and waits for what {} of the same job has: `omphalos \
         why --all {}` gives one answer for all ranks.\n\n",
        name(seen),
        name(other),
        seen.pid
    )
}

/// Leaves out the notes that an answer has from another process already.
fn keep_new_notes(notes: &mut Vec<String>, said: &mut Vec<String>) {
    notes.retain(|note| !said.contains(note));
    said.extend(notes.iter().cloned());
}

/// How many other processes are looked at, too.
const MOST_OTHERS: usize = 4;

/// Returns the processes that a wait names, and whether the wait is for the process's end.
fn others_in(wait: &Wait) -> Vec<(u32, bool)> {
    let Wait::Call { name, what } = wait else { return Vec::new() };
    let is_child = ["wait4", "waitid"].contains(&&**name);
    let numbers = what.split("process ").skip(1);
    let numbers = numbers.filter_map(|rest| rest.split([' ', ')', ',']).next()?.parse().ok());
    numbers.map(|number| (number, is_child)).collect()
}

fn seen(arguments: &Arguments, pid: u32) -> Result<Seen, Failure> {
    seen_beside(arguments, pid, || ())
}

/// The same, where other processes are looked at meanwhile ([`look::twice_beside`]).
fn seen_beside(arguments: &Arguments, pid: u32, meet: impl FnOnce()) -> Result<Seen, Failure> {
    let way = if arguments.no_stop { Way::Running } else { Way::Stopping };
    if !arguments.why {
        let now = look::asking(pid, way, &ompd(arguments)).map_err(failure)?;
        return Ok(Seen { pid, before: None, now });
    }
    let apart = Duration::from_secs_f64(arguments.apart);
    let seen = look::twice_beside(pid, way, apart, &ompd(arguments), meet).map_err(failure)?;
    Ok(Seen { pid, before: Some(seen.first), now: seen.last })
}

/// Looks at the ranks of jobs, all at once. One rank may bring another rank what it waits for, so
/// the times over which the ranks are seen have a moment in common. A look takes some 14 MB.
fn at_once(arguments: &Arguments, pids: Vec<u32>) -> Vec<(u32, Result<Seen, Failure>)> {
    if !arguments.why {
        return pids.into_iter().map(|pid| (pid, seen(arguments, pid))).collect();
    }
    let all_seen = Barrier::new(pids.len());
    let look = |pid| {
        let met = Met(&all_seen);
        seen_beside(arguments, pid, || drop(met))
    };
    std::thread::scope(|scope| {
        let looks: Vec<_> = pids.iter().map(|pid| scope.spawn(|| look(*pid))).collect();
        let ended = |_| Err(Failure::ours("the look at it failed"));
        let results = looks.into_iter().map(|look| look.join().unwrap_or_else(ended));
        pids.iter().copied().zip(results).collect()
    })
}

/// A look that the others wait for, until it drops this: behind its first part, or when it fails.
struct Met<'a>(&'a Barrier);

impl Drop for Met<'_> {
    fn drop(&mut self) {
        self.0.wait();
    }
}

fn all(arguments: &Arguments) -> Result<i32, Failure> {
    let mut failed = None;
    let mut first = true;
    let mut print = |text: &str| {
        if !std::mem::take(&mut first) && !arguments.json {
            terminal::print("\n")?;
        }
        terminal::print(text)
    };
    // The verdict over a job comes before what is said of single processes.
    let (mut processes, mut others, mut count) = (Vec::new(), Vec::new(), 0);
    let mut pids = look::with_openmp();
    if let Some(process) = &arguments.subject {
        let pid = process_number(process)?;
        let job = look::job(pid);
        if job.is_none() {
            return Err(Failure::ours(format!("process {pid} is no rank of a job of MPI")));
        }
        pids.retain(|pid| look::job(*pid) == job);
    }
    let mut said = Vec::new();
    let jobs = ranks::jobs();
    let is_rank = |pid: &u32| jobs.iter().any(|job| job.ranks.iter().any(|rank| rank.pid == *pid));
    let (of_jobs, alone): (Vec<u32>, Vec<u32>) = pids.into_iter().partition(is_rank);
    let alone = alone.into_iter().map(|pid| (pid, seen(arguments, pid)));
    for (pid, seen) in at_once(arguments, of_jobs).into_iter().chain(alone) {
        match seen {
            Ok(mut seen) => {
                count += 1;
                if !arguments.json {
                    keep_new_notes(&mut seen.now.snapshot.notes, &mut said);
                }
                // Another rank of the job may bring what this one waits for.
                let is_rank =
                    seen.now.snapshot.rank.is_some() && !ranks::is_child_of_rank(seen.pid, &jobs);
                match arguments.why && !arguments.json && is_rank {
                    true => processes.push(seen),
                    false => others.push(shown(arguments, seen.before.as_ref(), &seen.now)?),
                }
            }
            Err(failure) => {
                terminal::say(&format!("process {pid}: {}", failure.message));
                failed = Some(failure);
            }
        }
    }
    for job in jobs::jobs_of(processes) {
        if let Some(verdict) = jobs::verdict(&job) {
            print(&verdict)?;
        }
        for text in jobs::rank_texts(arguments, &job) {
            print(&text)?;
        }
    }
    for text in others {
        print(&text)?;
    }
    match failed {
        Some(failure) if count == 0 => Err(failure),
        None if count == 0 => {
            Err(Failure::ours("no process of this user's has an OpenMP runtime loaded"))
        }
        _ => Ok(0),
    }
}

/// Returns the output: text, or one line of JSON.
fn shown(arguments: &Arguments, before: Option<&Look>, now: &Look) -> Result<String, Failure> {
    let old = before.map(|look| &look.snapshot);
    let found = if arguments.why { explain(&now.snapshot, old) } else { Vec::new() };
    if arguments.json {
        let stood_still = now.stood_still.map(|time| time.as_nanos() as u64);
        // Written in a stream: a program may have a hundred thousand tasks.
        let failed = |error: serde_json::Error| Failure::ours(error.to_string());
        let snapshot = serde_json::to_string(&now.snapshot).map_err(failed)?;
        let time = serde_json::to_string(&stood_still).map_err(failed)?;
        let why = serde_json::to_string(&arguments.why.then_some(&found)).map_err(failed)?;
        return Ok(format!(
            "{{\"snapshot\":{snapshot},\"stood_still_ns\":{time},\"why\":{why}}}\n"
        ));
    }
    if !arguments.why {
        return Ok(text::threads(now, arguments.raw));
    }
    Ok(causes(arguments, old, now, &found))
}

/// Returns the findings of one process, as text.
fn causes(arguments: &Arguments, old: Option<&Snapshot>, now: &Look, found: &[Finding]) -> String {
    let mut out = text::head(now);
    out.push('\n');
    out.push_str(&text::why(found, old, &now.snapshot, arguments.apart));
    out.push_str(&text::notes(&now.snapshot));
    out
}
