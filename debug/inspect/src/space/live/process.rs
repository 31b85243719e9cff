//! Reads the facts about a process from `/proc`.

use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::os::unix::fs::MetadataExt;

use omphalos_ompd_view::asleep::calls;
use omphalos_ompd_view::snapshot::Os;
use omphalos_ompd_view::{Fault, Registers};
use omphalos_profile_format::{job, name};

use crate::space::mapping::{self, Mapping, Module};

/// The program that a process number stands for: a number is used again, and a process can become
/// another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The process.
    pub pid: u32,
    started: String,
    program: (u64, u64),
    /// The start of the strings on its stack, which differs after each `exec`.
    strings: String,
}

impl Identity {
    /// The identity of the process `pid`.
    pub fn of(pid: u32) -> Result<Identity, Fault> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat"))
            .map_err(|_| Fault::Unknown(missing(pid)))?;
        let fields = fields(&stat).ok_or(Fault::Gone)?;
        if fields.first().is_some_and(|state| ["Z", "X"].contains(state)) && only_zombies(pid) {
            return Err(Fault::Unknown(format!(
                "process {pid}: it has ended, and its parent has not asked for its status"
            )));
        }
        let program = fs::metadata(format!("/proc/{}/exe", shown_by(pid)));
        let program = program.map_or((0, 0), |data| (data.dev(), data.ino()));
        let field = |at: usize| fields.get(at).copied().unwrap_or("").to_owned();
        Ok(Identity { pid, started: field(19), program, strings: field(45) })
    }
}

/// The missing thing, when a process cannot be seen; it ends the sentence "no …".
fn missing(pid: u32) -> String {
    match fs::exists("/proc/self/stat") {
        Ok(true) => format!("process {pid}"),
        _ => "/proc, by which processes are looked at: mount it (`mount -t proc proc /proc`)"
            .to_owned(),
    }
}

fn only_zombies(pid: u32) -> bool {
    threads(pid).unwrap_or_default().iter().all(|lwp| {
        let stat = fs::read_to_string(format!("/proc/{pid}/task/{lwp}/stat")).unwrap_or_default();
        fields(&stat).is_none_or(|fields| ["Z", "X"].contains(&fields[0]))
    })
}

/// The words behind the name, which may have any characters: the state comes first.
fn fields(stat: &str) -> Option<Vec<&str>> {
    let words: Vec<&str> = stat.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    (!words.is_empty()).then_some(words)
}

/// The thread through which `/proc` shows what the threads of a process share. It is the thread
/// that began, unless that one alone has ended or is about to (`pthread_exit` in `main`), and so
/// has no memory.
pub fn shown_by(pid: u32) -> u32 {
    let has_memory = |lwp: u32| match fs::File::open(format!("/proc/{pid}/task/{lwp}/maps")) {
        Ok(mut maps) => maps.read(&mut [0]).is_ok_and(|count| count > 0),
        Err(error) => error.kind() == std::io::ErrorKind::PermissionDenied,
    };
    if has_memory(pid) {
        return pid;
    }
    threads(pid).unwrap_or_default().into_iter().find(|lwp| has_memory(*lwp)).unwrap_or(pid)
}

/// The threads; the one that began comes first.
pub fn threads(pid: u32) -> Result<Vec<u32>, Fault> {
    let folder = fs::read_dir(format!("/proc/{pid}/task"))
        .map_err(|_| Fault::Unknown(format!("process {pid}")))?;
    let mut all: Vec<u32> =
        folder.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    all.sort_unstable_by_key(|lwp| crate::space::rank(Some(pid), *lwp));
    Ok(all)
}

/// The mappings.
pub fn mappings(pid: u32) -> Result<Vec<Mapping>, Fault> {
    match fs::read(format!("/proc/{}/maps", shown_by(pid))) {
        Ok(text) => Ok(mapping::of_maps(&String::from_utf8_lossy(&text))),
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            Err(Fault::Unknown(not_allowed(pid)))
        }
        Err(_) => Err(Fault::Gone),
    }
}

/// The program's file and arguments.
pub fn command(pid: u32) -> Vec<String> {
    let text = fs::read(format!("/proc/{}/cmdline", shown_by(pid))).unwrap_or_default();
    let text = text.strip_suffix(&[0]).unwrap_or(&text);
    text.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

/// The rank in an MPI job, and the number of ranks, as launchers set them.
pub fn rank(pid: u32) -> Option<(u32, u32)> {
    let environment = environment(pid)?;
    let rank = name::rank_by(|name| value(&environment, name).map(str::to_owned))?;
    Some((rank.number, rank.size))
}

/// A word that distinguishes a process's MPI job from other jobs, if its launcher sets one.
pub fn job(pid: u32) -> Option<String> {
    let environment = environment(pid)?;
    job::name_by(&pid.to_string(), |name| value(&environment, name).map(str::to_owned))
}

/// The process that started it, or took it over.
pub fn parent(pid: u32) -> Option<u32> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    fields(&String::from_utf8_lossy(&stat))?.get(1)?.parse().ok()
}

/// A variable of the process's environment, as it was when the program began.
pub fn variable(pid: u32, name: &str) -> Option<String> {
    value(&environment(pid)?, name).map(str::to_owned)
}

/// The same; `None` where nobody may read the environment.
pub fn known_variable(pid: u32, name: &str) -> Option<Option<String>> {
    let environment = environment(pid).filter(|environment| !environment.is_empty())?;
    Some(value(&environment, name).map(str::to_owned))
}

fn environment(pid: u32) -> Option<Vec<u8>> {
    fs::read(format!("/proc/{}/environ", shown_by(pid))).ok()
}

/// A variable of an environment.
fn value<'a>(environment: &'a [u8], name: &str) -> Option<&'a str> {
    let mut words = environment.split(|byte| *byte == 0);
    let value = words.find_map(|word| word.strip_prefix(name.as_bytes())?.strip_prefix(b"="));
    std::str::from_utf8(value?).ok()
}

/// Name and state of a thread.
pub fn os(pid: u32, lwp: u32) -> (String, Option<Os>) {
    let folder = format!("/proc/{pid}/task/{lwp}");
    let Ok(stat) = fs::read(format!("{folder}/stat")) else { return (String::new(), None) };
    let stat = String::from_utf8_lossy(&stat);
    let name = stat.split_once('(').and_then(|(_, rest)| rest.rsplit_once(')'));
    let name = name.map_or(String::new(), |(name, _)| name.to_owned());
    let state = fields(&stat).map_or("", |fields| fields[0]).to_owned();
    let times = fs::read_to_string(format!("{folder}/schedstat")).unwrap_or_default();
    let mut times = times.split_whitespace().map(|number| number.parse().ok());
    let (cpu, turns) = (times.next().flatten(), times.nth(1).flatten());
    let status = fs::read_to_string(format!("{folder}/status")).unwrap_or_default();
    let sleeps = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
    let sleeps = sleeps.and_then(|count| count.trim().parse().ok());
    (name, Some(Os { state, cpu, turns, sleeps, ..Os::default() }))
}

/// Name and state of all threads.
pub fn all_os(pid: u32) -> Result<HashMap<u32, (String, Option<Os>)>, Fault> {
    Ok(threads(pid)?.into_iter().map(|lwp| (lwp, os(pid, lwp))).collect())
}

/// The registers that the kernel gives for a thread that sleeps in it.
pub fn registers(pid: u32, lwp: u32) -> Option<Registers> {
    calls::asleep(&call(pid, lwp)?)
}

/// The kernel's text about the call that a thread sleeps in.
pub fn call(pid: u32, lwp: u32) -> Option<String> {
    fs::read_to_string(format!("/proc/{pid}/task/{lwp}/syscall")).ok()
}

/// Whether that text is of a thread that does not sleep.
pub fn is_running(call: &str) -> bool {
    call.starts_with("running")
}

/// The text of a descriptor's link in `/proc`: what the descriptor stands for.
pub fn descriptor(pid: u32, number: i32) -> Option<String> {
    let target = fs::read_link(format!("/proc/{pid}/fd/{number}")).ok()?;
    Some(target.to_string_lossy().into_owned())
}

/// The place of a file of the process for us. The process may be in a container, and the file may
/// be deleted, or another file at its place. `None` if this very file cannot be opened.
pub fn file(pid: u32, module: &Module) -> Option<String> {
    let (pid, plain) = (shown_by(pid), module.place());
    let there = format!("/proc/{pid}/root{plain}");
    let look = |path: &str| fs::metadata(path).ok().filter(|data| data.ino() == module.inode);
    let same = |one: &fs::Metadata, other: fs::Metadata| {
        (one.dev(), one.ino()) == (other.dev(), other.ino())
    };
    // Another file at the same place for us may have the same number in another file system.
    if let Some(data) = look(&there) {
        let is_plain = look(plain).is_some_and(|other| same(&data, other));
        return Some(if is_plain { plain.to_owned() } else { there });
    }
    // The kernel keeps mapped files: the program itself for anybody who may look at the process,
    // others for root.
    let mapped = format!("/proc/{pid}/map_files/{:x}-{:x}", module.base, module.first_end);
    let kept = [format!("/proc/{pid}/exe"), mapped].into_iter().find(|path| look(path).is_some());
    let cannot_ask = || fs::metadata(format!("/proc/{pid}/root/")).is_err();
    // If its root is one of our folders, its files are at our places, and they stay there when the
    // process has ended.
    let is_ours = match kept.as_ref().and_then(|kept| fs::metadata(kept).ok()) {
        Some(data) => look(plain).is_some_and(|other| same(&data, other)),
        None => cannot_ask() && look(plain).is_some(),
    };
    if is_ours { Some(plain.to_owned()) } else { kept }
}

/// The program that traces the thread, in words.
pub fn tracer(lwp: u32) -> String {
    match tracer_number(lwp) {
        Some(tracer) => {
            let name = fs::read_to_string(format!("/proc/{tracer}/comm")).unwrap_or_default();
            format!("{} (process {tracer})", name.trim())
        }
        None => "another program".to_owned(),
    }
}

/// The process that traces the thread.
pub fn tracer_number(lwp: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{lwp}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("TracerPid:"))?;
    line.trim().parse().ok().filter(|tracer| *tracer != 0)
}

/// Whether the only tracer of the thread is this program in another process, or the tracer has
/// released it.
pub fn is_about_to_be_free(lwp: u32) -> bool {
    let program = |folder: String| fs::read_link(folder + "/exe").ok();
    let Some(tracer) = tracer_number(lwp) else { return true };
    let looks = program(format!("/proc/{tracer}"));
    looks == program("/proc/self".to_owned()) || (looks.is_none() && tracer_number(lwp).is_none())
}

/// The reason why we may not look at a process, and a remedy; it ends the sentence "no …".
pub fn not_allowed(pid: u32) -> String {
    let owner = fs::metadata(format!("/proc/{pid}")).map(|data| data.uid()).unwrap_or(0);
    // SAFETY: has no preconditions.
    let user = unsafe { libc::geteuid() };
    let scope = fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope").unwrap_or_default();
    let why = match scope.trim() {
        _ if owner != user && user != 0 => {
            "it is another user's: say `sudo omphalos inspect`".to_owned()
        }
        "3" => "this kernel lets nobody look into a process (kernel.yama.ptrace_scope is 3): \
                look at a core file (`omphalos inspect --core`)"
            .to_owned(),
        "1" | "2" if user != 0 => format!(
            "this kernel lets only root do so (kernel.yama.ptrace_scope is {}): say `sudo omphalos \
             inspect`, or start the program by `omphalos run --hang`, or set the number to 0 \
             (`sudo sysctl kernel.yama.ptrace_scope=0`)",
            scope.trim()
        ),
        _ => "the system forbids it (a container needs the capability SYS_PTRACE: `docker run \
              --cap-add SYS_PTRACE`)"
            .to_owned(),
    };
    format!("leave to look into process {pid}; {why}")
}

/// All processes that we may see: number and name.
pub fn processes() -> Vec<(u32, String)> {
    let Ok(folder) = fs::read_dir("/proc") else { return Vec::new() };
    let numbers = folder.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let mut all: Vec<(u32, String)> = numbers
        .filter_map(|pid: u32| {
            Some((pid, fs::read_to_string(format!("/proc/{pid}/comm")).ok()?.trim().to_owned()))
        })
        .collect();
    all.sort_unstable();
    all
}
