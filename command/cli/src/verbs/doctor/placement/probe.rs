//! Asks a runtime for the places of its threads: a process of its own opens a parallel region on
//! it, in which each thread prints its place and the CPUs that it may use. So the runtime itself
//! answers what the program's settings lead to.

use std::ffi::{c_int, c_uint, c_void};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use crate::environment::Environment;
use crate::failure::Failure;
use crate::{machine, terminal};

/// The begin of each of the probe's lines: the runtime may write lines of its own.
const MARK: &str = "omphalos-place";

/// Where threads are, asked by `omphalos doctor --placement`
#[derive(clap::Args)]
pub struct Asked;

/// A thread of the team.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Member {
    /// Its number in the team.
    pub number: u32,
    /// Its place; none if it is not bound.
    pub place: Option<u32>,
    /// The CPUs that it may use.
    pub cpus: Vec<u32>,
}

/// The runtime's answer.
#[derive(Debug, Default)]
pub struct Answer {
    /// The threads, in the order of their numbers.
    pub team: Vec<Member>,
    /// Its lines on standard error: complaints about settings.
    pub complaints: Vec<String>,
}

static TEAM: Mutex<Vec<Member>> = Mutex::new(Vec::new());

/// Answers in the process that is asked: the runtime is loaded in it already.
pub fn answer() -> Result<i32, Failure> {
    type Parallel =
        unsafe extern "C" fn(unsafe extern "C" fn(*mut c_void), *mut c_void, c_uint, c_uint);
    // SAFETY: the name is a C string. The loader searches all objects of the process.
    let parallel = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"GOMP_parallel".as_ptr()) };
    if parallel.is_null() {
        return Err(Failure::ours("the runtime has no GOMP_parallel".to_owned()));
    }
    // SAFETY: the function of GCC's interface has this signature, in every runtime; its argument is
    // not used.
    unsafe {
        let parallel = std::mem::transmute::<*mut c_void, Parallel>(parallel);
        parallel(member, std::ptr::null_mut(), 0, 0);
    }
    let mut team = TEAM.lock().map(|team| team.clone()).unwrap_or_default();
    team.sort_by_key(|member| member.number);
    let line = |member: &Member| {
        let place = member.place.map_or("-".to_owned(), |place| place.to_string());
        let cpus: Vec<String> = member.cpus.iter().map(u32::to_string).collect();
        format!("{MARK} {} {place} {}\n", member.number, cpus.join(","))
    };
    terminal::print(&team.iter().map(line).collect::<String>())?;
    Ok(0)
}

/// Each thread of the team executes this.
unsafe extern "C" fn member(_: *mut c_void) {
    let number = asked(c"omp_get_thread_num").unwrap_or(0);
    let place = asked(c"omp_get_place_num").and_then(|place| u32::try_from(place).ok());
    let member = Member { number: number.max(0) as u32, place, cpus: machine::usable() };
    if let Ok(mut team) = TEAM.lock() {
        team.push(member);
    }
}

/// Returns the result of a routine without arguments; `None` if the runtime has no such routine.
fn asked(name: &std::ffi::CStr) -> Option<c_int> {
    // SAFETY: as in `answer`; OpenMP's routines of these names have no arguments.
    unsafe {
        let routine = libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr());
        let routine = (!routine.is_null()).then_some(routine)?;
        Some(std::mem::transmute::<*mut c_void, unsafe extern "C" fn() -> c_int>(routine)())
    }
}

/// Asks the runtime that a process gets in this environment.
pub fn ask_places(environment: &Environment) -> Result<Answer, Failure> {
    let cannot = |error: std::io::Error| Failure::ours(format!("cannot ask a runtime: {error}"));
    let own = std::env::current_exe().map_err(cannot)?;
    let mut command = Command::new(own);
    command.arg("ask-places").stdin(Stdio::null());
    environment.apply(&mut command);
    // No tool is to see this region, and the answer has what OMP_DISPLAY_AFFINITY would show.
    command.env("OMP_TOOL", "disabled").env_remove("OMP_DISPLAY_AFFINITY");
    let output = command.output().map_err(cannot)?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let complaints = text(&output.stderr).lines().map(str::to_owned).collect();
    let team: Vec<Member> = text(&output.stdout).lines().filter_map(read).collect();
    match team.is_empty() {
        false => Ok(Answer { team, complaints }),
        true => {
            Err(Failure::ours(format!("the runtime gave no answer: {}", complaints_of(&output))))
        }
    }
}

fn complaints_of(output: &std::process::Output) -> String {
    match output.stderr.trim_ascii() {
        [] => output.status.to_string(),
        said => String::from_utf8_lossy(said).into_owned(),
    }
}

fn read(line: &str) -> Option<Member> {
    let mut words = line.strip_prefix(MARK)?.split_whitespace();
    let number = words.next()?.parse().ok()?;
    let place = words.next()?.parse().ok();
    let cpus = words.next()?.split(',').filter_map(|cpu| cpu.parse().ok()).collect();
    Some(Member { number, place, cpus })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_back() {
        let member = read("omphalos-place 3 1 4,5").unwrap();
        assert_eq!(member, Member { number: 3, place: Some(1), cpus: vec![4, 5] });
        assert_eq!(read("omphalos-place 0 - 0").unwrap().place, None);
        assert_eq!(read("libgomp: Affinity not supported"), None);
    }
}
