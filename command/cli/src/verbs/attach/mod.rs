//! `omphalos attach`: profiles a running process for a while: by the agent inside it (`inside`) if
//! it runs on Omphalos, else from outside.

mod account;
mod inside;
mod places;
mod process;
mod records;
mod regions;
mod seen;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use omphalos_inspect::sampling::{self, Done, End, Plan};

use crate::child;
use crate::failure::Failure;
use crate::terminal::{self, Stream};
use crate::verbs::output::template;
use crate::verbs::profile::earlier::prepare;
use crate::verbs::profile::part::length;
use crate::verbs::report::{self, Keep, Rendering, Shown, typed};
use account::{Accounts, Site};
use inside::Outcome;
use places::{Base, Places};
use process::Process;
use records::Records;
use regions::{Placed, Regions};
use seen::{MOST_SAMPLES, Seen};

/// The number of looks in a second from outside, if no option says another one.
const RATE: u32 = 100;
/// The number of samples in a second by the agent inside the process, if no option says another
/// one.
const RATE_INSIDE: u32 = 1000;

const AFTER_HELP: &str = "The process runs on. If it runs on Omphalos, the profiler's agent comes \
into it as its next parallel region begins, counts as `omphalos profile` does, and goes again. Any \
other process is looked at from outside: each thread that runs stands still for some microseconds, \
and how often a region was entered, and how long a single wait took, is not known. A line says \
which way it was and why. Ctrl-C ends it early, with the report of what was seen.";

/// Profile a process that runs already, for a while
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// For so long: 10s, 500ms, 2m
    #[arg(long = "for", value_name = "TIME", value_parser = length, default_value = "10s")]
    length: Duration,

    /// The profile to write [default: omphalos-PROGRAM-PID.omph]
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// Samples a second of each thread [default: 1000, from outside 100]; from outside fewer where
    /// they would cost the process too much
    #[arg(long, value_name = "RATE")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    hz: Option<u32>,

    /// Look from outside, whatever the process runs on: nothing is put into it
    #[arg(long)]
    outside: bool,

    /// Only record; `omphalos report` shows the profile later, in any form
    #[arg(long, conflicts_with_all = ["html", "flamegraph", "firefox", "folded", "json", "digest"])]
    #[arg(conflicts_with_all = ["csv", "speedscope", "callgrind", "pprof", "sqlite", "perfetto"])]
    no_report: bool,

    #[command(flatten)]
    rendering: Rendering,

    /// The process
    #[arg(value_name = "PID", value_parser = clap::value_parser!(u32).range(1..))]
    pid: u32,
}

/// Looks, writes and reports.
pub fn run(arguments: &Arguments) -> Result<i32, Failure> {
    arguments.rendering.check()?;
    let pid = arguments.pid;
    if let Some(refused) = process::refused(pid) {
        return Err(refused);
    }
    let runtime = sampling::runtime(pid).map_err(|fault| process::failure(&fault))?;
    let name = runtime.as_ref().map(|(name, _)| &**name);
    let mut period = Duration::from_secs(1) / arguments.hz.unwrap_or(RATE);
    // A long profile, or one of many threads, takes fewer samples a second.
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).map_or(1, Iterator::count);
    let least = arguments.length.as_secs_f64() * threads as f64 / MOST_SAMPLES as f64;
    period = period.max(Duration::from_secs_f64(least));
    let about = Process::of(pid, name, period.as_nanos() as u64);
    let output = template(arguments.output.as_deref(), &about.executable, false).name(pid);
    let mut earlier = prepare(&output, arguments.output.is_some())?;
    let why = match &runtime {
        _ if arguments.outside => None,
        Some((_, true)) => {
            let hz = arguments.hz.unwrap_or(RATE_INSIDE);
            let inside = || inside::record(pid, &output, arguments.length, hz);
            match child::until_asked(inside) {
                Outcome::Recorded(end) => {
                    if let Some(earlier) = earlier.take() {
                        earlier.settle();
                    }
                    return show(arguments, &output, end);
                }
                Outcome::Not(why) => Some(why),
            }
        }
        Some((name, false)) => Some(format!("its runtime is {name}")),
        None => Some("it has no OpenMP runtime".to_owned()),
    };
    if let Some(why) = why {
        terminal::say(&format!("process {pid} is looked at from outside: {why}"));
    }
    let mut notes: Vec<String> = process::traced(pid).into_iter().collect();
    let mut seen = Seen::default();
    let plan = Plan { pid, time: Some(arguments.length), period };
    let done = child::until_asked(|| sampling::sample(plan, &mut seen));
    let done = done.map_err(|fault| process::failure(&fault))?;
    let tells = runtime.as_ref().is_some_and(|(_, tells)| *tells);
    notes.extend((!tells).then(|| UNTOLD.to_owned()));
    let written = write(&output, &about, &seen, &done, notes);
    written.map_err(|error| {
        Failure::ours(format!("cannot write the profile {}: {error}", typed(&output)))
    })?;
    if let Some(earlier) = earlier.take() {
        earlier.settle();
    }
    show(arguments, &output, done.end)
}

fn show(arguments: &Arguments, output: &Path, end: End) -> Result<i32, Failure> {
    let files = [output.to_owned()];
    match arguments.no_report {
        true => report::keep(&files),
        false => {
            let shown = report::show(&files, &arguments.rendering, Stream::Out, Keep::Report)?;
            if shown.0 == Shown::NoOpenMp {
                return Err(Failure::ours(format!(
                    "nothing was seen of process {}",
                    arguments.pid
                )));
            }
        }
    }
    if let Some(why) = process::ended(end, arguments.pid) {
        terminal::say(&why);
    }
    terminal::say(&format!(
        "the profile is {0}; see it again with: omphalos report {0}",
        typed(output)
    ));
    Ok(0)
}

fn write(
    output: &Path,
    about: &Process,
    seen: &Seen,
    done: &Done,
    mut notes: Vec<String>,
) -> io::Result<()> {
    let names = places::names(&seen.files, &mut notes);
    let places = Places::of(&names, seen.stacks.all.iter().map(Arc::as_ref));
    let mut regions = Regions::new(seen, &places);
    let mut placed: Vec<Placed> = Vec::with_capacity(seen.samples.len());
    for samples in seen.by_look() {
        placed.extend(regions.place(samples));
    }
    let mut accounts = Accounts::new(&seen.threads);
    for one in &placed {
        accounts.add(one, &sites(&regions, one));
    }
    let mut records = Records::create(output)?;
    records.head(about, seen, done)?;
    records.apart(&places.apart)?;
    records.stacks(seen)?;
    records.forks(seen, &regions.forks)?;
    let mut owed = vec![0; seen.threads.len()];
    for one in &placed {
        // A weight is a whole number of the file's periods: the rest counts for the thread's next
        // sample.
        let owed = &mut owed[one.sample.thread as usize];
        *owed += one.sample.since * records::FINER;
        let weight = *owed / about.period;
        *owed -= weight * about.period;
        let time = seen.looks[one.sample.look as usize];
        let is_queued = one.sample.waits && !accounts.threads[one.sample.thread as usize].has_few();
        let weight = u32::try_from(weight.max(1)).unwrap_or(u32::MAX);
        records.sample(time, one, weight, is_queued)?;
    }
    records.threads(seen, &accounts, &kinds(about.pid, seen, &places))?;
    for (site, region) in accounts.regions() {
        records.region(site, &region)?;
    }
    if let Some(ended) = process::ended(done.end, about.pid) {
        notes.push(ended);
    }
    if seen.samples.len() >= MOST_SAMPLES {
        notes.push("there were too many samples to keep more: it ended early".to_owned());
    }
    records.end(seen.looks.last().copied().unwrap_or(0), &notes)
}

/// The note about a runtime that tells nothing of its threads.
const UNTOLD: &str = "the process's runtime tells nothing of its threads: what they wait for is by \
    the function that your code called, and a worker in none of your code counts as waiting at the \
    end of the region that its team is in, or as idle outside of any";

/// Returns the regions on a sample's own stack, the innermost first, and whether its thread began
/// them.
fn sites(regions: &Regions<'_>, placed: &Placed) -> Vec<(Site, bool)> {
    if placed.region == 0 {
        let site = (placed.codeptr, 0, 1);
        return if placed.codeptr == 0 { Vec::new() } else { vec![(site, false)] };
    }
    let fork = |region: u64| &regions.forks[region as usize - 1];
    let mut around = vec![placed.region];
    while let Some(parent) = around.last().map(|last| fork(*last).parent).filter(|at| *at != 0) {
        around.push(parent);
    }
    let depth = around.len();
    let site = |at: usize| {
        let parent = around.get(at + 1).map_or(0, |parent| fork(*parent).codeptr);
        (fork(around[at]).codeptr, parent, (depth - at) as u32)
    };
    let has_begun = |at: usize| fork(around[at]).thread == placed.sample.thread;
    (0..depth.min(placed.own as usize)).map(|at| (site(at), has_begun(at))).collect()
}

/// Returns the `ompt_thread_t` of each thread.
fn kinds(pid: u32, seen: &Seen, places: &Places) -> Vec<u32> {
    const INITIAL: u32 = 1;
    const WORKER: u32 = 2;
    const OTHER: u32 = 3;
    let initial = |lwp: u32| if lwp == pid { INITIAL } else { OTHER };
    let mut kinds: Vec<u32> = seen.threads.iter().map(|thread| initial(thread.lwp)).collect();
    for sample in &seen.samples {
        let told = sample.told.is_some_and(|told| seen.told.all[told as usize].is_worker);
        let shape = &places.shapes[sample.stack as usize];
        if told || shape.base != Base::Start {
            kinds[sample.thread as usize] = WORKER;
        }
    }
    kinds
}
