//! The files of code that a process had: which ones are opened, and what each one is.

use std::cell::RefCell;
use std::collections::HashMap;
use std::os::unix::ffi::OsStrExt;
use std::rc::Rc;

use omphalos_profile_format::{library, module_flag};

use super::image::{Image, ImageError};
use super::{Symbols, embedded};
use crate::Progress;
use crate::recording::{ModuleInfo, Recording};
use crate::visible::visible_bytes;

/// What the joining needs to know about the module of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ModuleKind {
    /// An OpenMP runtime.
    Runtime,
    /// The agent.
    Agent,
    /// libc and the dynamic loader: what starts threads, and what a runtime calls.
    System,
    /// The program and its libraries.
    User,
}

/// A file of code, as it is mapped.
pub(super) struct Module {
    pub(super) info: ModuleInfo,
    pub(super) kind: ModuleKind,
    pub(super) short: Rc<str>,
    pub(super) image: Option<Image>,
    /// What to add to an address of the file to get one of the process.
    pub(super) bias: u64,
}

impl Symbols {
    /// Opens the modules that any address of the recording lies in.
    pub(crate) fn of_recording(
        recording: &Recording,
        warnings: &mut Vec<String>,
        progress: &mut dyn Progress,
    ) -> Symbols {
        let mut addresses: Vec<u64> = Vec::new();
        for stack in &recording.stacks {
            addresses.extend_from_slice(stack);
        }
        addresses.extend(recording.forks.values().map(|(fork, _)| fork.codeptr_ra));
        addresses.extend(recording.regions.keys().map(|key| key.0));
        addresses.extend(recording.tasks.keys());
        addresses.extend(recording.constructs.keys().map(|key| key.2));
        addresses.extend(recording.region_bodies.values().flat_map(|known| [known.0, known.1]));
        addresses.extend(recording.targets.keys().map(|key| key.0));
        addresses.extend(recording.mutexes.keys().flat_map(|key| [key.0, key.2]));
        addresses.sort_unstable();
        addresses.dedup();
        progress.begin("reading symbols", recording.modules.len() as u64);
        let wanted = |module: &ModuleInfo| {
            let next = addresses.partition_point(|address| *address < module.base);
            addresses.get(next).is_some_and(|address| *address < module.end)
        };
        let symbols =
            Symbols::open(&recording.modules, &wanted, warnings, |done| progress.advance(done));
        progress.end();
        symbols
    }

    /// Opens the files of `modules` that `wanted` says are needed; messages go to `warnings`.
    pub(crate) fn open(
        modules: &[ModuleInfo],
        wanted: &dyn Fn(&ModuleInfo) -> bool,
        warnings: &mut Vec<String>,
        mut opened: impl FnMut(u64),
    ) -> Symbols {
        let mut list: Vec<Module> = Vec::with_capacity(modules.len());
        for info in modules {
            let name = visible_bytes(info.path.as_os_str().as_bytes());
            let short = name.rsplit('/').next().unwrap_or(&name);
            let (kind, short) = (kind_of(info, short), Rc::from(short));
            // No frame of the runtime or the agent is ever shown.
            let shown = matches!(kind, ModuleKind::User | ModuleKind::System);
            let from_memory = embedded::is_in_memory(info);
            let image = if shown && wanted(info) && from_memory {
                embedded::open(info, modules)
            } else if shown && wanted(info) && info.path.is_absolute() {
                match Image::open(&info.path, &info.build_id) {
                    Ok(image) => Some(image),
                    Err(ImageError::Unreadable) => {
                        warnings.push(format!("'{name}' cannot be read: no names from it"));
                        None
                    }
                    Err(ImageError::Changed) => {
                        warnings.push(format!(
                            "'{name}' is another build than the profiled one: no names from it \
                             (restore that build, or record again)"
                        ));
                        None
                    }
                }
            } else {
                None
            };
            let address =
                image.as_ref().and_then(|image| image.address_of_offset(info.file_offset));
            let bias = info.base.wrapping_sub(address.unwrap_or(info.file_offset));
            list.push(Module { info: info.clone(), kind, short, image, bias });
            opened(list.len() as u64);
        }
        list.sort_by_key(|module| module.info.base);
        let opened = RefCell::default();
        Symbols { modules: list, learned: HashMap::new(), told_apart: HashMap::new(), opened }
    }
}

fn kind_of(info: &ModuleInfo, short: &str) -> ModuleKind {
    let is_runtime = || library::is_one_of(short, &library::RUNTIMES);
    let is_system = || library::is_one_of(short, &library::SYSTEM) || short.contains("[vdso]");
    if info.flags & module_flag::AGENT != 0 || library::is_library(short, "libomphalos_agent") {
        ModuleKind::Agent
    } else if info.flags & module_flag::RUNTIME != 0 || is_runtime() {
        ModuleKind::Runtime
    } else if is_system() {
        ModuleKind::System
    } else {
        ModuleKind::User
    }
}
