//! The subject of a look, as one memory: a live process or a core file.

pub mod core;
pub mod debugged;
pub mod live;
mod mapping;
pub mod numbers;
pub mod save;

pub use mapping::{Mapping, Module, modules, of_maps};

use omphalos_ompd_view::asleep::Kernel;
use omphalos_ompd_view::snapshot::Os;
pub use omphalos_ompd_view::target::{half, word};
use omphalos_ompd_view::{Fault, Target};

use crate::elf::Elf;
use numbers::Numbers;

/// A target whose files are known too.
pub trait Space: Target {
    /// The mappings, by address.
    fn mappings(&self) -> &[Mapping];

    /// The process, if it has a number.
    fn pid(&self) -> Option<u32>;

    /// The number of `length` bytes at an address; `None` if it cannot be read, or has more than 8.
    fn number(&self, address: u64, length: usize) -> Option<u64> {
        let mut bytes = [0; 8];
        self.read(address, bytes.get_mut(..length)?).ok()?;
        Some(u64::from_le_bytes(bytes))
    }

    /// The program's file and arguments.
    fn command(&self) -> Vec<String>;

    /// The process's rank in an MPI job, and the number of ranks.
    fn rank(&self) -> Option<(u32, u32)> {
        None
    }

    /// A variable of the process's environment as the process began; the outer `None` if nobody
    /// knows.
    fn variable(&self, _name: &str) -> Option<Option<String>> {
        None
    }

    /// The kernel's name for the thread, and its facts about it.
    fn os(&self, lwp: u32) -> (String, Option<Os>);

    /// The kernel of the target's machine, if it can be asked.
    fn kernel(&self) -> &dyn Kernel;

    /// The kernel's numbers of its threads, if the program sees other numbers than we do.
    fn numbers(&self) -> Option<&Numbers> {
        None
    }

    /// The program that traces a thread and has stopped it, in words.
    fn tracer(&self, _lwp: u32) -> Option<String> {
        None
    }

    /// A hash of a running thread's registers, without those that say where it is: the same while
    /// the thread changes nothing.
    fn print(&self, _lwp: u32) -> Option<u64> {
        None
    }

    /// The place of a file of the target for us, if it can be opened.
    fn file(&self, module: &Module) -> Option<String>;

    /// This space as a target.
    fn as_target(&self) -> &dyn Target;
}

/// The address of an exported symbol of any module, or of those with a name.
pub fn exported(space: &dyn Space, name: &str, library: Option<&str>) -> Result<u64, Fault> {
    for module in modules(space.mappings()) {
        if library.is_some_and(|library| module.name() != library) {
            continue;
        }
        let target = space.as_target();
        // A file that makes no sense does not hide the others.
        let found = Elf::read(target, module.base).and_then(|elf| elf.exported(target, name));
        if let Ok(Some(address)) = found {
            return Ok(address);
        }
    }
    Err(Fault::Unknown(format!("symbol {name}")))
}

/// The key that orders threads: the one that began comes first, the others by number. The kernel's
/// numbers start again at their limit, so a low number does not mean that a thread is old.
pub(crate) fn rank(pid: Option<u32>, lwp: u32) -> (bool, u32) {
    (pid != Some(lwp), lwp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thread_that_began_is_first_where_numbers_start_anew() {
        let mut all = [301, 32767, 300, 32766];
        all.sort_by_key(|lwp| rank(Some(32766), *lwp));
        assert_eq!(all, [32766, 300, 301, 32767]);
    }
}
