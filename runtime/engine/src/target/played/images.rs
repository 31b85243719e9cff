//! Loads code for devices that comes with the program in files of its own (images). Each device has
//! a copy of an image, with variables of its own.
//!
//! Images come and go with the program's files. The constructors and destructors of these files
//! call [`load`] and [`unload`], so no thread executes an image's regions earlier or later. What
//! must hold: an image's own constructors and destructors run under no lock of the runtime.

use super::{STATE, count, lifetime, watch, with_table};
use core::ffi::{CStr, c_void};
use omphalos_index::Index;
use omphalos_mapping::Section;
use omphalos_sys::library::{self, Loaded};

/// A thing that the program and an image have in common, by its name.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The address on the host: a variable's, or the address that stands for a region there.
    pub address: usize,
    /// The name in the image.
    pub name: &'a CStr,
    /// The kind of thing.
    pub what: What,
}

/// The kind of an [`Entry`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A region's code.
    Region,
    /// A variable of so many bytes that the device has from the beginning.
    Variable(usize),
    /// A pointer to a variable that is on the device only while it is mapped.
    Link {
        /// Whether the pointer points to the host's variable.
        shared: bool,
    },
    /// A function that the host knows by its address. In the image, the name is that of a pointer
    /// to the device's function.
    Function,
    /// A function without arguments, called when the image has come.
    Constructor,
    /// A function without arguments, called before the image goes.
    Destructor,
}

/// The images that are loaded.
pub(super) struct Images {
    /// The addresses of a region's code on each device, by the address that stands for the region
    /// on the host. 0: the device has no such code.
    addresses: Index<Vec<usize>>,
    /// The images and variables, by the file that they came with.
    files: Index<File>,
}

/// The images and variables that came with one file.
struct File {
    images: Vec<Loaded>,
    known: Vec<usize>,
    variables: Vec<Section>,
    destructors: Vec<usize>,
}

impl Images {
    pub(super) const fn new() -> Images {
        Images { addresses: Index::new(), files: Index::new() }
    }
}

/// Loads an image onto each device. `file`: the file that it came with.
///
/// # Errors
/// The text says why the image cannot be loaded. No device has any of it then.
pub fn load(file: usize, image: &[u8], entries: &[Entry<'_>]) -> Result<(), String> {
    let mut images = Vec::new();
    for _ in 0..count() {
        match Loaded::of_bytes(image, watch::is_watched()) {
            Ok(loaded) => images.push(loaded),
            Err(why) => {
                images.into_iter().for_each(Loaded::unload);
                return Err(why);
            }
        }
    }
    let find = |image: &Loaded, entry: &Entry| image.find(entry.name).map_or(0, |at| at as usize);
    let mut came =
        File { images, known: Vec::new(), variables: Vec::new(), destructors: Vec::new() };
    let mut constructors = Vec::new();
    for entry in entries {
        let there: Vec<usize> = came.images.iter().map(|image| find(image, entry)).collect();
        match entry.what {
            What::Region => {
                came.known.push(entry.address);
                STATE.with(|state| state.images.addresses.insert(entry.address, there));
            }
            What::Variable(bytes) => {
                came.variables.push(declare(Section::new(entry.address, bytes), &there));
            }
            What::Link { shared } => {
                let section = Section::new(entry.address, size_of::<usize>());
                came.variables.push(declare(section, &there));
                for at in there.into_iter().filter(|&at| shared && at != 0) {
                    // SAFETY: both are pointers, on the host and in the image, and no thread uses
                    // them yet.
                    unsafe { *(at as *mut usize) = *(entry.address as *const usize) };
                }
            }
            What::Function => {
                let function = |at: usize| match at {
                    0 => 0,
                    // SAFETY: a pointer in the image.
                    at => unsafe { *(at as *const usize) },
                };
                let there: Vec<usize> = there.into_iter().map(function).collect();
                let section = Section::new(entry.address, size_of::<usize>());
                came.variables.push(declare(section, &there));
            }
            What::Constructor => constructors.extend(there),
            What::Destructor => came.destructors.extend(there),
        }
    }
    let regions = entries.iter().filter(|entry| entry.what == What::Region);
    let first = regions.map(|entry| entry.name).next();
    let bases = came.images.iter().map(|image| {
        let region = first.and_then(|name| image.find(name));
        region.and_then(|region| library::base_of(region)).unwrap_or(0)
    });
    let bases = bases.collect();
    STATE.with(|state| state.images.files.insert(file, came));
    lifetime::image_came(file, image, bases);
    call(&constructors);
    Ok(())
}

/// Declares a variable on each device that has it.
fn declare(section: Section, there: &[usize]) -> Section {
    for (device, &at) in (0..).zip(there).filter(|(_, at)| **at != 0) {
        with_table(device, |table, _| table.declare(section, at));
    }
    section
}

/// Calls functions without arguments.
fn call(functions: &[usize]) {
    for &function in functions.iter().filter(|&&function| function != 0) {
        // SAFETY: the image says that it is a function without arguments.
        let function: extern "C" fn() = unsafe { core::mem::transmute(function) };
        function();
    }
}

/// Unloads the images that came with a file.
pub fn unload(file: usize) {
    let Some(gone) = STATE.with(|state| state.images.files.remove(file)) else { return };
    lifetime::image_goes(file);
    call(&gone.destructors);
    for device in 0..count() {
        with_table(device, |table, _| {
            gone.variables.iter().for_each(|section| table.withdraw(*section));
        });
    }
    STATE.with(|state| {
        gone.known.iter().for_each(|known| drop(state.images.addresses.remove(*known)));
    });
    gone.images.into_iter().for_each(Loaded::unload);
}

/// Returns a region's code on a device. `host`: the address that stands for the region on the host.
pub fn region(device: i32, host: usize) -> Option<*const c_void> {
    let device = usize::try_from(device).ok()?;
    let found = STATE.with(|state| state.images.addresses.get(host)?.get(device).copied());
    found.filter(|&at| at != 0).map(|at| at as *const c_void)
}
