//! Finds the holders of Python's import locks. Each module has one while it is imported, and it
//! names its holder only in a dictionary. But the thread that imports a module executes
//! `_find_and_load_unlocked` of importlib with the module's name as its first variable, and a
//! thread that waits for that lock executes `_ModuleLock.acquire` for a module of some name.

use omphalos_ompd_view::snapshot::{Lock, Snapshot, Taken, Thread, Wait};
use omphalos_python::Frame;

use super::locks::wanted;
use super::{Found, Python, place_of};

/// The file of importlib's code, as its frames name it.
const FILE: &str = "<frozen importlib._bootstrap>";
/// The functions that hold a module's lock, and that want it: their first variable is the name.
const HOLDS: &str = "_find_and_load_unlocked";
const WANTS: [&str; 2] = ["_find_and_load", "_lock_unlock_module"];
const ACQUIRE: &str = "acquire";

/// A module that a thread imports, or waits to import.
pub(super) struct Import {
    lwp: u32,
    module: String,
    holds: bool,
    /// The place of the statement.
    place: String,
}

impl Python<'_> {
    /// The imports of a thread, from its frames, innermost first.
    pub(super) fn imports(&self, frames: &[Found], lwp: u32) -> Vec<Import> {
        let functions: Vec<Option<String>> =
            frames.iter().map(|found| self.of_importlib(found.frame)).collect();
        let is_waiting =
            functions.first().is_some_and(|it| it.as_ref().is_some_and(|it| it == ACQUIRE));
        let wants = |function: &str| WANTS.contains(&function);
        let first = functions.iter().flatten().position(|function| wants(function));
        let mut found = Vec::new();
        let known = functions.iter().enumerate().filter_map(|(at, it)| Some((at, it.as_ref()?)));
        for (number, (at, function)) in known.enumerate() {
            let holds = function == HOLDS;
            if !(holds || is_waiting && Some(number) == first) {
                continue;
            }
            let Some(module) = self.first_text(frames[at].frame) else { continue };
            let shown = frames[at..].iter().find_map(|found| found.shown.as_ref());
            let place = shown.and_then(place_of).unwrap_or_default();
            found.push(Import { lwp, module, holds, place });
        }
        found
    }

    /// The function of importlib that a frame executes, without its class.
    fn of_importlib(&self, frame: Frame) -> Option<String> {
        let file = self.text(self.word(frame.code, self.layout.file)?)?;
        let name = self.text(self.word(frame.code, self.layout.name)?)?;
        (file == FILE).then(|| name.rsplit('.').next().unwrap_or(&name).to_owned())
    }

    /// A frame's first variable, if it is text.
    fn first_text(&self, frame: Frame) -> Option<String> {
        self.text(self.first_variable(frame)?)
    }
}

/// Fills in the owners for threads that wait for import locks.
pub(super) fn find(snapshot: &mut Snapshot, imports: &[Import]) {
    for import in imports.iter().filter(|import| !import.holds) {
        let is_one = |it: &&Import| it.holds && it.module == import.module && it.lwp != import.lwp;
        let mut holders = imports.iter().filter(is_one);
        let (Some(holder), None) = (holders.next(), holders.next()) else { continue };
        let mut threads = snapshot.threads.iter_mut();
        let Some(thread) = threads.find(|thread| thread.lwp == import.lwp) else { continue };
        let Some(address) = wanted(thread) else { continue };
        let owner = Some(holder.lwp);
        thread.waits = Some(Wait::Mutex { mutex: address, owner, read_write: false });
        let (kind, name) = ("import lock".to_owned(), Some(import.module.clone()));
        if snapshot.locks.iter().all(|lock| lock.address != address) {
            snapshot.locks.push(Lock { address, kind, name, ..Lock::default() });
        }
        let is_holder = |thread: &&mut Thread| thread.lwp == holder.lwp;
        if let Some(own) = snapshot.threads.iter_mut().find(is_holder) {
            let (by, place) = ("import".to_owned(), holder.place.clone());
            own.taken.push(Taken { by, place, lock: address, handed: Vec::new() });
        }
    }
}
