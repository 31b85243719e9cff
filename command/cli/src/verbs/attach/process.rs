//! Reads what `/proc` says about a process, for the profile's head, and finds the reason why a
//! process cannot be watched. `attach/mod.rs` calls it.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use object::Object;
use omphalos_inspect::sampling::{End, monotonic};
use omphalos_ompd_view::Fault;
use omphalos_ompd_view::asleep::calls;
use omphalos_profile_format::{self as format, ByteStrings};
use omphalos_report::placement::of_list;

use super::seen::Seen;
use crate::failure::Failure;

/// A running process.
pub struct Process {
    /// The process's number.
    pub pid: u32,
    /// The program's file.
    pub executable: PathBuf,
    /// The time between two looks, ns.
    pub period: u64,
    argv: Vec<u8>,
    cwd: PathBuf,
    runtime: String,
    host: Vec<u8>,
    environment: Vec<u8>,
    cpus: u32,
    wall: u64,
    at: u64,
}

impl Process {
    /// Reads the process in its present state.
    pub fn of(pid: u32, runtime: Option<&str>, period: u64) -> Process {
        let file = |name: &str| fs::read(format!("/proc/{pid}/{name}")).unwrap_or_default();
        let link = |name: &str| fs::read_link(format!("/proc/{pid}/{name}")).unwrap_or_default();
        let prefixes: [&[u8]; 4] = [b"OMP_", b"KMP_", b"GOMP_", b"OMPHALOS_"];
        let environment = file("environ");
        let is_shown = |word: &&[u8]| prefixes.iter().any(|prefix| word.starts_with(prefix));
        let environment: Vec<u8> = environment
            .split(|byte| *byte == 0)
            .filter(is_shown)
            .flat_map(|word| word.iter().copied().chain([0]))
            .collect();
        let wall = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let host = fs::read("/proc/sys/kernel/hostname").unwrap_or_default();
        Process {
            pid,
            executable: link("exe"),
            period,
            argv: file("cmdline"),
            cwd: link("cwd"),
            runtime: runtime.unwrap_or("none").to_owned(),
            host: host.trim_ascii().to_vec(),
            environment,
            cpus: cpus(&String::from_utf8_lossy(&file("status"))),
            wall: wall.map_or(0, |wall| wall.as_nanos() as u64),
            at: monotonic(),
        }
    }

    /// Returns the profile's record of the process. The file's period is the time between two
    /// looks, divided by `finer`.
    pub fn record<'a>(&'a self, seen: &Seen, finer: u64) -> format::Process<'a> {
        let start_time = seen.looks.first().copied().unwrap_or(self.at);
        format::Process {
            pid: self.pid,
            start_time,
            wall_clock: (self.wall + start_time).saturating_sub(self.at),
            period: (self.period / finer).max(1),
            cpus: self.cpus,
            executable: self.executable.as_os_str().as_bytes(),
            argv: ByteStrings::NulSeparated(&self.argv),
            cwd: self.cwd.as_os_str().as_bytes(),
            runtime_version: self.runtime.as_bytes(),
            omp_version: 0,
            host: &self.host,
            environment: ByteStrings::NulSeparated(&self.environment),
        }
    }
}

/// Returns the number of processors that the process's threads may use, from a line such as
/// `Cpus_allowed_list: 0-3,8`.
fn cpus(status: &str) -> u32 {
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    list.map_or(0, |list| of_list(list.as_bytes()).len() as u32)
}

/// Returns the name of a system call.
pub fn call_name(number: u64) -> String {
    if number == u64::MAX { "a page fault".to_owned() } else { calls::name(number) }
}

/// Returns the build id of a file, empty without one.
pub fn build_id(file: Option<&str>) -> Vec<u8> {
    let read = || {
        let data = fs::read(file?).ok()?;
        Some(object::File::parse(&*data).ok()?.build_id().ok()??.to_vec())
    };
    read().unwrap_or_default()
}

/// Returns the reason why a process cannot be watched at all. Later failures would say less.
pub fn refused(pid: u32) -> Option<Failure> {
    if !Path::new("/proc/self/stat").exists() {
        let why = "/proc is not there, by which processes are looked at: mount it \
                   (`mount -t proc proc /proc`)";
        return Some(Failure::ours(why));
    }
    if pid == std::process::id() {
        return Some(Failure::ours("this is omphalos itself: say the number of another process"));
    }
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let Some(group) = field("Tgid:") else {
        let why = format!(
            "no process {pid} here: `pgrep -a NAME` finds numbers (inside a container processes \
             have others than outside)"
        );
        return Some(Failure::ours(why));
    };
    if group != pid.to_string() {
        let why = format!("{pid} is a thread of process {group}: say `omphalos attach {group}`");
        return Some(Failure::ours(why));
    }
    if field("Kthread:") == Some("1") {
        return Some(Failure::ours(format!("process {pid} is a thread of the kernel")));
    }
    if field("State:").is_some_and(|state| state.starts_with('T')) {
        let why = format!(
            "process {pid} is stopped (by SIGSTOP or the like), so there is nothing to profile: \
             `kill -CONT {pid}` lets it go on; `omphalos inspect {pid}` shows where it stands"
        );
        return Some(Failure::ours(why));
    }
    let file = fs::File::open(format!("/proc/{pid}/exe"));
    let mut head = [0; 5];
    let read = file.and_then(|mut file| std::io::Read::read_exact(&mut file, &mut head));
    (read.is_ok() && head[..4] == *b"\x7fELF" && head[4] == 1).then(|| {
        Failure::ours(format!("process {pid} runs a 32-bit program: only 64-bit ones are read"))
    })
}

/// Returns the note about another program that traces the process, such as a debugger or strace.
pub fn traced(pid: u32) -> Option<String> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"))?.trim();
    let name = fs::read_to_string(format!("/proc/{tracer}/comm")).unwrap_or_default();
    (tracer != "0").then(|| {
        format!(
            "process {tracer} ({}) traces the process, and only one program may stop its threads: \
             threads that run are not seen from outside",
            name.trim()
        )
    })
}

/// Returns the failure that the user is told for a fault.
pub fn failure(fault: &Fault) -> Failure {
    let text = fault.to_string().replace("sudo omphalos inspect", "sudo omphalos attach");
    Failure::ours(text)
}

/// Returns the message for a look that ended early.
pub fn ended(end: End, pid: u32) -> Option<String> {
    match end {
        End::Over => None,
        End::Gone => {
            Some(format!("process {pid} has ended meanwhile: this is what was seen of it"))
        }
        End::Another => Some(format!(
            "process {pid} has become another program meanwhile (exec): this is what was seen \
             before that"
        )),
    }
}
