//! Looks at programs on other runtimes. LLVM's and Intel's runtimes are asked through their own
//! OMPD; GCC's tells nothing of itself.

mod complete;
mod other_runtimes;
mod trust;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use omphalos_ompd_client::child::Asker;
use omphalos_ompd_view::Fault;
use omphalos_ompd_view::layout;
use omphalos_ompd_view::snapshot::{FORMAT, Snapshot, Thread};
use omphalos_program::library;

pub use complete::{complete, find_regions, is_fork, is_name_of_fork};
pub use other_runtimes::{note_runtimes, of_thread, other_runtimes};

use crate::exports;
use crate::space::{Module, Space};
use crate::variables::{Known, Variables};

/// The way to ask a runtime's own OMPD.
#[derive(Clone, Debug, Default)]
pub struct Ompd {
    /// The program that asks a library, with its first arguments: it calls
    /// `omphalos_ompd_client::child::serve` with the argument that follows. Empty: no library is
    /// asked.
    pub server: Vec<OsString>,
    /// The library; `None`: the one beside the runtime, if that can be trusted.
    pub library: Option<PathBuf>,
}

/// The maker of a runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Maker {
    Llvm,
    Intel,
    Gcc,
    Unknown,
}

const MAKERS: [(&str, Maker); 4] = [
    ("libomp", Maker::Llvm),
    ("libomp5", Maker::Llvm),
    ("libiomp5", Maker::Intel),
    ("libgomp", Maker::Gcc),
];

/// The name of a runtime.
fn named(maker: Maker, file: &str) -> String {
    match maker {
        Maker::Llvm => format!("LLVM's runtime ({file})"),
        Maker::Intel => format!("Intel's runtime ({file})"),
        Maker::Gcc => format!("GCC's runtime ({file})"),
        Maker::Unknown => format!("a runtime in {file}"),
    }
}

/// The name of the runtime in a file with this name; `None` if it is no runtime's.
pub fn called(file: &str) -> Option<String> {
    let (_, maker) = MAKERS.iter().find(|(called, _)| library::is_library(file, called))?;
    Some(named(*maker, file))
}

/// The note for a runtime that was asked.
const UNTOLD: &str = "who holds an OpenMP lock, and which tasks wait, its OMPD does not tell; \
    which members of a team have not come to a barrier is known by their stacks. Started by \
    `omphalos run`, the program runs on Omphalos, which tells all";
/// The note for a runtime that nobody can ask.
const SILENT: &str = "what can be seen is stacks with their lines, and waits in the kernel and \
    the C library; what a thread waits for in the runtime is known by the function that your code \
    called. Teams, members that are missing at a barrier, who holds an OpenMP lock, and tasks in \
    queues are not known. Started by `omphalos run`, the program runs on Omphalos, which tells all";
/// [`Thread::kind`] if the runtime tells nothing of its threads.
const UNNUMBERED: &str = "unnumbered";

/// A runtime that is not Omphalos, and the process that asks its libompd.
pub struct Foreign {
    module: Module,
    maker: Maker,
    asker: Result<Asker, Fault>,
    variables: Variables,
    library: Option<PathBuf>,
}

impl Foreign {
    /// Finds another runtime among the program's files. Loads the libompd at once, before any
    /// thread is stopped for it.
    pub fn prepare(
        modules: &[Module],
        file: impl Fn(&Module) -> Option<String>,
        ompd: &Ompd,
    ) -> Option<Foreign> {
        if modules.iter().any(|module| module.name().starts_with("libomphalos.so"))
            && ompd.library.is_none()
        {
            return None;
        }
        let by_name = |module: &Module| {
            let known =
                MAKERS.iter().find(|(called, _)| library::is_library(module.name(), called));
            known.map(|(_, maker)| (module.clone(), *maker))
        };
        let by_hand = || {
            let ours = modules.iter().find(|module| module.name().starts_with("libomphalos.so"));
            ompd.library
                .as_ref()
                .and(ours.or(modules.first()))
                .map(|it| (it.clone(), Maker::Unknown))
        };
        let (module, maker) = modules.iter().find_map(by_name).or_else(by_hand)?;
        // A copy of Omphalos may have another runtime's name, if it is installed without its links.
        if ompd.library.is_none()
            && file(&module).is_some_and(|file| exports::defines(&file, layout::SYMBOL))
        {
            return None;
        }
        let path = module.path.strip_suffix(" (deleted)").unwrap_or(&module.path);
        let library = match (&ompd.library, maker) {
            (Some(library), _) => Ok(library.clone()),
            (None, Maker::Gcc) => Err("GCC's runtime has none".to_owned()),
            (None, _) => trust::beside(Path::new(path)),
        };
        let asker = library.as_ref().map_err(|why| Fault::Unknown(why.clone()));
        let asker = asker.and_then(|library| match ompd.server.split_first() {
            Some((program, words)) => {
                let mut command = Command::new(program);
                command.args(words).arg(library);
                Asker::start(command)
            }
            None => Err(Fault::Unknown("way to ask libompd here".to_owned())),
        });
        let is_of_runtime =
            |name: &str| ["ompd_", "__kmp_", "omphalos_"].iter().any(|it| name.starts_with(it));
        let variables = match asker {
            Ok(_) => Variables::read(
                Path::new(&file(&module).unwrap_or_default()),
                module.base,
                is_of_runtime,
            ),
            Err(_) => Variables::default(),
        };
        Some(Foreign { module, maker, asker, variables, library: library.ok() })
    }

    /// The snapshot from the runtime's libompd, with notes of the facts that it does not tell.
    pub fn snapshot(&mut self, space: &dyn Space) -> Snapshot {
        let subject = Known::new(space, &self.variables);
        let asked = match &mut self.asker {
            Ok(asker) => asker.ask_library(&subject),
            Err(fault) => Err(fault.clone()),
        };
        let mut snapshot = match asked {
            Ok(mut snapshot) => {
                snapshot.notes.push(UNTOLD.to_owned());
                snapshot
            }
            Err(fault) => {
                let mut notes: Vec<String> = self.why_not(&fault).into_iter().collect();
                notes.push(SILENT.to_owned());
                let lwps = space.threads().unwrap_or_default();
                let thread = |lwp| Thread { lwp, kind: UNNUMBERED.to_owned(), ..Thread::default() };
                let threads = lwps.into_iter().map(thread).collect();
                Snapshot { format: FORMAT, threads, notes, ..Snapshot::default() }
            }
        };
        snapshot.runtime = named(self.maker, self.module.name());
        snapshot
    }

    /// Why the runtime was not asked; `None` if there is nobody to ask.
    fn why_not(&self, fault: &Fault) -> Option<String> {
        if self.maker == Maker::Gcc && self.library.is_none() {
            return Some("GCC's runtime has no OMPD: it tells nothing of itself".to_owned());
        }
        let Some(library) = self.library.as_ref().map(|library| library.display()) else {
            let why = fault.to_string();
            let why = why.strip_prefix("no ").unwrap_or(&why);
            return Some(format!(
                "the runtime's own state is not read: {why} (--ompd FILE names one)"
            ));
        };
        let missing = fault.to_string();
        Some(match missing.strip_prefix("no symbol ") {
            Some(symbol) => format!(
                "the runtime's own state is not read: {library} needs the symbol {symbol} of {}, \
                 which is stripped of it: install the debug symbols of that library (of Debian's \
                 libomp5-19: the package libomp5-19-dbgsym)",
                self.module.path
            ),
            None => format!("the runtime's own state is not read: {library}: {fault}"),
        })
    }
}
