//! Handles several OpenMP runtimes in one process, for example when a library brings its own. Each
//! runtime knows nothing of the others.

use omphalos_ompd_view::layout;
use omphalos_ompd_view::snapshot::{Snapshot, Thread};
use omphalos_program::library;

use super::{MAKERS, named};
use crate::exports;
use crate::space::{Module, Space};

/// The other runtimes among the files: the file's name, and the runtime's.
pub fn other_runtimes(
    space: &dyn Space,
    modules: &[Module],
    runtime: &str,
) -> Vec<(String, String)> {
    let is_asked = |name: &str| runtime.contains(&format!("({name})"));
    // A copy of Omphalos may have another runtime's name, if it is installed without its links.
    let is_ours = |module: &Module| {
        space.file(module).is_some_and(|file| exports::defines(&file, layout::SYMBOL))
    };
    let other = |module: &Module| {
        let name = module.name();
        let (_, maker) = MAKERS.iter().find(|(called, _)| library::is_library(name, called))?;
        let is_other = !is_asked(name) && !is_ours(module);
        is_other.then(|| (name.to_owned(), named(*maker, name)))
    };
    if runtime.is_empty() { Vec::new() } else { modules.iter().filter_map(other).collect() }
}

/// The runtime whose function the thread's code has called, if that is one of the `others`.
pub fn of_thread<'a>(thread: &Thread, others: &'a [(String, String)]) -> Option<&'a str> {
    let mut own = thread.stack.iter().filter(|frame| frame.runtime);
    let entry = own.next()?;
    let other = others.iter().find(|(file, _)| *file == entry.module);
    other.map(|(_, name)| &**name)
}

/// Says which threads belong to other runtimes, and which runtimes there are. A runtime that no
/// thread is in has nothing to do with the program's state.
pub fn note_runtimes(snapshot: &mut Snapshot, others: &[(String, String)]) {
    for (file, name) in others {
        let is_in = |thread: &Thread| thread.stack.iter().any(|frame| frame.module == *file);
        if !snapshot.threads.iter().any(is_in) {
            continue;
        }
        snapshot.runtime = format!("{} and {name}", snapshot.runtime);
        for thread in snapshot.threads.iter_mut().filter(|thread| thread.number.is_none()) {
            if of_thread(thread, others) == Some(name) {
                thread.kind = format!("of {name}");
            }
        }
        snapshot.notes.push(format!(
            "there are several OpenMP runtimes in this process: {name} has threads of its own, \
             and of what it does only stacks and waits can be seen"
        ));
    }
}
