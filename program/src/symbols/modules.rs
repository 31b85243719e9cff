//! The files of code of a process: which are opened, and the kind of each.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::rc::Rc;

use omphalos_profile_format::{library, module_flag};

use super::image::{Image, ImageError};
use super::{Symbols, embedded};
use crate::visible::visible_bytes;

/// The owner of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// The program and its libraries.
    User,
    /// The C library and the loader: code that starts threads, and code that a runtime calls.
    System,
    /// An OpenMP runtime.
    Runtime,
    /// A tool of Omphalos's.
    Tool,
}

/// A file of code, as a process has it.
#[derive(Clone, Debug)]
pub struct ModuleInfo {
    /// The address of its begin.
    pub base: u64,
    /// One past its end.
    pub end: u64,
    /// The offset in the file of its begin.
    pub file_offset: u64,
    /// The file's path in the process, which need not be UTF-8.
    pub path: PathBuf,
    /// The number of its build; empty: not known.
    pub build_id: Vec<u8>,
    /// `module_flag`s of the profile's format.
    pub flags: u32,
}

impl From<&omphalos_profile_format::Module<'_>> for ModuleInfo {
    fn from(record: &omphalos_profile_format::Module<'_>) -> ModuleInfo {
        ModuleInfo {
            base: record.base,
            end: record.end,
            file_offset: record.file_offset,
            path: OsStr::from_bytes(record.path).into(),
            build_id: record.build_id.to_vec(),
            flags: record.flags,
        }
    }
}

/// A file of code, as it is mapped.
pub(super) struct Module {
    pub(super) info: ModuleInfo,
    pub(super) kind: Owner,
    pub(super) short: Rc<str>,
    pub(super) image: Option<Image>,
    /// The number to add to an address of the file to get an address of the process.
    pub(super) bias: u64,
}

impl Symbols {
    /// Opens the files of `modules` for which `wanted` is true. Messages go to `warnings`.
    pub fn open(
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
            let shown = matches!(kind, Owner::User | Owner::System);
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
        Symbols {
            modules: list,
            learned: HashMap::default(),
            told_apart: HashMap::default(),
            python: HashMap::default(),
            opened,
        }
    }
}

fn kind_of(info: &ModuleInfo, short: &str) -> Owner {
    let is_runtime = || library::is_one_of(short, &library::RUNTIMES);
    let is_system = || library::is_one_of(short, &library::SYSTEM) || short.contains("[vdso]");
    if info.flags & module_flag::AGENT != 0 || library::is_library(short, "libomphalos_agent") {
        Owner::Tool
    } else if info.flags & module_flag::RUNTIME != 0 || is_runtime() {
        Owner::Runtime
    } else if is_system() {
        Owner::System
    } else {
        Owner::User
    }
}
