//! Opens the subject of a look (a process, a process on another runtime, or a core file), reads the
//! runtime's state, and has `mod.rs` add the other facts.

use std::path::Path;

use omphalos_ompd_view::snapshot::{FORMAT, Snapshot};
use omphalos_ompd_view::{Fault, Runtime};
use omphalos_program::library;

use super::{Look, fill, python};
use crate::foreign::{Foreign, Ompd};
use crate::space::core::Core;
use crate::space::live::{Live, Way, processes, shown_by};
use crate::space::{Space, modules, of_maps};

/// Looks at a process.
pub fn live(pid: u32, way: Way) -> Result<Look, Fault> {
    asking(pid, way, &Ompd::default())
}

/// Looks at a process. If the program is on another runtime, that runtime's OMPD is asked.
pub fn asking(pid: u32, way: Way, ompd: &Ompd) -> Result<Look, Fault> {
    Ok(asking_again(pid, way, ompd, None)?.0)
}

/// Looks at a process that runs. Each running thread of `those` is stopped for a moment, so that
/// its place is known.
pub fn passing(pid: u32, those: Vec<u32>) -> Result<Look, Fault> {
    let mut foreign = foreign_of(pid, &Ompd::default());
    in_turn(move || {
        let read = |live: &Live| runtime(live, foreign.as_mut());
        let (live, mut snapshot) = Live::passing(pid, &those, read)?;
        fill(&live, &mut snapshot);
        Ok(Look { snapshot, ..Look::default() })
    })
}

/// The means to ask another runtime, if the process is on one.
fn foreign_of(pid: u32, ompd: &Ompd) -> Option<Foreign> {
    let maps = std::fs::read(format!("/proc/{}/maps", shown_by(pid))).unwrap_or_default();
    let files = modules(&of_maps(&String::from_utf8_lossy(&maps)));
    Foreign::prepare(&files, |file| crate::space::live::file(pid, file), ompd)
}

/// Takes a look at a process, and returns it with the pages of memory that the look read. The
/// caller passes them as the `expected` pages to the next look.
pub(super) fn asking_again(
    pid: u32,
    way: Way,
    ompd: &Ompd,
    expected: Option<Vec<u64>>,
) -> Result<(Look, Vec<u64>), Fault> {
    let mut foreign = foreign_of(pid, ompd);
    in_turn(move || {
        let (live, mut snapshot) = match &mut foreign {
            // The OMPD of another runtime is asked once, about memory that does not change
            // meanwhile.
            Some(foreign) => Live::look(pid, way, |live| read(live, Some(foreign)))?,
            None => Live::look_briefly(pid, way, expected, |live| read(live, None))?,
        };
        snapshot.notes.extend(live.notes.iter().cloned());
        fill(&live, &mut snapshot);
        let pages = live.pages();
        let stood_still = Some(live.stood_still).filter(|time| !time.is_zero());
        Ok((Look { snapshot, stood_still, stops: live.stops }, pages))
    })
}

/// Calls `look` in a new thread. When this thread ends, the kernel releases every thread of the
/// target that it traces, also one that did not stop in time.
pub(super) fn in_turn<R: Send + 'static>(
    look: impl FnOnce() -> Result<R, Fault> + Send + 'static,
) -> Result<R, Fault> {
    let look = std::thread::spawn(look);
    look.join().unwrap_or_else(|_| Err(Fault::Unknown("answer".to_owned())))
}

/// Looks at a core file. `program`: the program's file, if it is not at its place.
pub fn core(path: &Path, program: Option<&Path>, ompd: &Ompd) -> Result<Look, Fault> {
    let core = Core::open(path, program)?;
    let mut foreign = Foreign::prepare(&modules(core.mappings()), |file| core.file(file), ompd);
    let mut snapshot = runtime(&core, foreign.as_mut());
    snapshot.notes.extend(core.notes.iter().cloned());
    fill(&core, &mut snapshot);
    Ok(Look { snapshot, ..Look::default() })
}

/// Reads what changes while the target runs.
fn read(live: &Live, foreign: Option<&mut Foreign>) -> Snapshot {
    python::read_ahead(live);
    runtime(live, foreign)
}

/// The snapshot of the OpenMP runtime in the target; empty if there is none that can be read.
fn runtime(space: &dyn Space, foreign: Option<&mut Foreign>) -> Snapshot {
    if let Some(foreign) = foreign {
        return foreign.snapshot(space);
    }
    let mut empty = Snapshot { format: FORMAT, ..Snapshot::default() };
    match Runtime::find(space.as_target()) {
        Ok(runtime) => runtime.snapshot(),
        Err(Fault::Unknown(_)) => empty,
        Err(fault) => {
            empty.notes.push(format!("the OpenMP runtime's state: {fault}"));
            empty
        }
    }
}

/// Processes that we may look at and that have an OpenMP runtime loaded.
pub fn with_openmp() -> Vec<u32> {
    // SAFETY: has no preconditions.
    let user = unsafe { libc::geteuid() };
    let is_one = |pid: &u32| {
        let owner = std::os::unix::fs::MetadataExt::uid;
        let mine = std::fs::metadata(format!("/proc/{pid}")).is_ok_and(|data| owner(&data) == user);
        let maps = || std::fs::read(format!("/proc/{}/maps", shown_by(*pid))).unwrap_or_default();
        *pid != std::process::id()
            && mine
            && modules(&of_maps(&String::from_utf8_lossy(&maps())))
                .iter()
                .any(|module| library::is_one_of(module.name(), &library::RUNTIMES))
    };
    processes().into_iter().map(|(pid, _)| pid).filter(is_one).collect()
}
