//! Records a process from inside: the profiler's agent comes, for a while, into a process that runs
//! on Omphalos. `attach/mod.rs` tries this first, since such a profile is exact.
//!
//! If the agent cannot come, the process is watched from outside; a line on stderr says why.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

use omphalos_inspect::sampling::End;
use omphalos_inspect::tool_request::{Left, Progress, ToolRequest};
use omphalos_profile_format::name;

use crate::child;

/// The time to wait for the next region that begins, and then for the one after it.
const PATIENCE: Duration = Duration::from_secs(2);
/// The time that the agent may take to end after the request.
const ENDS: Duration = Duration::from_secs(10);
/// The time within which a process that has begun to end is most likely gone.
const GOES: Duration = Duration::from_secs(1);
/// Time between two looks at the progress.
const EVERY: Duration = Duration::from_millis(5);

/// The outcome of the attempt.
pub enum Outcome {
    /// There is a profile.
    Recorded(End),
    /// There is no profile, for this reason.
    Not(String),
}

/// Records for the time `length` into the file `output`, with `hz` samples a second.
pub fn record(pid: u32, output: &Path, length: Duration, hz: u32) -> Outcome {
    if let Some(why) = refused(pid) {
        return Outcome::Not(why);
    }
    let head = format!("period={}\nfor={}\nout=", 1_000_000_000 / hz, length.as_nanos());
    let text = [head.as_bytes(), &name::literal(output.as_os_str().as_bytes())].concat();
    let mut request = match ToolRequest::make(pid, &text, PATIENCE) {
        Ok(request) => request,
        Err(fault) => return Outcome::Not(fault.to_string()),
    };
    let outcome = follow(&mut request, output, length);
    if matches!(outcome, Outcome::Not(_)) {
        let _ = fs::remove_file(output);
    }
    outcome
}

fn follow(request: &mut ToolRequest, output: &Path, length: Duration) -> Outcome {
    let begun = Instant::now();
    let (mut records, mut ends): (Option<Instant>, Option<Instant>) = (None, None);
    let mut was_taken = false;
    loop {
        let progress = match request.progress() {
            Ok(progress) => progress,
            // The file has everything that the threads wrote before the process was gone.
            Err(left) if records.is_some() && output.exists() => {
                return Outcome::Recorded(end_of(left));
            }
            Err(_) => return Outcome::Not("the process has ended".to_owned()),
        };
        match progress {
            Progress::Records => {
                records.get_or_insert_with(Instant::now);
            }
            Progress::Over if output.exists() => {
                let is_early = records.is_none_or(|records| records.elapsed() < length);
                let end = if is_early && ends.is_none() { after(request) } else { End::Over };
                return Outcome::Recorded(end);
            }
            Progress::Over if records.is_some() => {
                return Outcome::Not("it could not write the profile".to_owned());
            }
            Progress::Over => return Outcome::Not(NO_REGION.to_owned()),
            Progress::Refused => return Outcome::Not(REFUSED.to_owned()),
            Progress::Full => return Outcome::Not("it has as many tools as it may".to_owned()),
            Progress::Taken => was_taken = true,
            Progress::Unanswered | Progress::Awaits => {}
        }
        let is_late = records.is_none() && begun.elapsed() > PATIENCE;
        let is_over = records.is_some_and(|records| records.elapsed() > length + ENDS);
        if ends.is_none() && (is_late || is_over || child::asked_to_end().is_some()) {
            request.withdraw();
            ends = Some(Instant::now());
        }
        if let Some(ends) = ends {
            // No agent has come for the request, and none will, since the request is withdrawn.
            let is_not_ours = matches!(progress, Progress::Unanswered | Progress::Taken);
            let is_untaken = is_not_ours && ends.elapsed() > EVERY * 10;
            if is_untaken || ends.elapsed() > ENDS {
                return Outcome::Not(match progress {
                    Progress::Unanswered | Progress::Taken if was_taken => TAKEN.to_owned(),
                    Progress::Unanswered => NO_REGION.to_owned(),
                    _ => "the agent does not come to its end in it".to_owned(),
                });
            }
        }
        std::thread::sleep(EVERY);
    }
}

/// Returns the end of a profile that was over before its time: most likely the process ends.
fn after(request: &mut ToolRequest) -> End {
    let begun = Instant::now();
    while begun.elapsed() < GOES {
        if let Err(left) = request.progress() {
            return end_of(left);
        }
        std::thread::sleep(EVERY);
    }
    End::Over
}

fn end_of(left: Left) -> End {
    match left {
        Left::Gone => End::Gone,
        Left::Another => End::Another,
    }
}

const NO_REGION: &str = "it began no parallel region within 2 s";
const TAKEN: &str = "another look has the agent";
const REFUSED: &str =
    "it is being profiled already, or the agent beside its runtime cannot be loaded";

/// Returns the reason why the process should not be asked to bring the agent in.
fn refused(pid: u32) -> Option<String> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let own = fs::metadata("/proc/self").map(|own| own.uid()).ok();
    let user = field("Uid:").and_then(|users| users.split_whitespace().nth(1)?.parse().ok());
    if own.is_none() || user != own {
        return Some("it is another user's, and could not write your profile".to_owned());
    }
    if field("Seccomp:").is_some_and(|mode| mode != "0") {
        return Some("it forbids itself system calls (seccomp)".to_owned());
    }
    let files = |pid: &str| fs::read_link(format!("/proc/{pid}/ns/mnt")).ok();
    if files(&pid.to_string()) != files("self") {
        return Some("it sees other files than you, as in a container".to_owned());
    }
    None
}
