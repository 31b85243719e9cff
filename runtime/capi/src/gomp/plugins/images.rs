//! Code for devices that a program of GCC's compilers brings: the parts that it has in common with
//! the host, and each device's own.
//!
//! What must hold: one thread at a time brings a device its code, under no lock, and others wait
//! for it. A file that takes its code back does so at once.

use super::functions::{Functions, Pair};
use crate::shared::device::fatal;
use core::ffi::{c_int, c_uint, c_void};
use core::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use omphalos_engine::target::played::Variables;
use omphalos_index::Numbers;
use omphalos_mapping::Section;
use omphalos_sync::process_lock::{ProcessLock, rank};
use omphalos_sys::thread::own_pthread;
use omphalos_sys::{futex, heap, message};
use std::sync::Arc;

/// The newest version of a table of GCC's that is known (those of GCC 13 to 15 have more at their
/// end).
const LIBRARY_VERSION: u32 = 3;

/// A bit in the size of a variable: the variable is there only while it is mapped.
const LINK: usize = 1 << (usize::BITS - 1);

/// The code that a file of the program brings.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Image {
    version: u32,
    /// The host's functions and variables: begin and end of either list.
    table: *const [*const usize; 4],
    kind: c_int,
    data: *const c_void,
}

// SAFETY: the program's own, which is there until it takes it back.
unsafe impl Send for Image {}

struct Images {
    list: Vec<Image>,
    /// The number of times that the list has changed, plus 1.
    version: u64,
    /// The devices' parts, by device.
    devices: Vec<OnDevice>,
}

/// The code and variables that a device has.
#[derive(Default)]
struct OnDevice {
    /// The version of the list that it follows.
    version: u64,
    began: bool,
    images: Vec<(Image, Had)>,
    variables: Arc<Variables>,
    /// The real begins of blocks that had to be aligned, by the aligned address.
    begins: Numbers,
}

/// The code and variables that came with an image.
#[derive(Clone, Default)]
struct Had {
    code: Numbers,
    variables: Vec<(Section, usize)>,
}

static IMAGES: ProcessLock<Images, { rank::IMAGES }> =
    ProcessLock::new(Images { list: Vec::new(), version: 1, devices: Vec::new() });

/// One device's code.
pub struct Code {
    device: c_int,
    /// The thread that brings the device code, 0 for none.
    busy: AtomicUsize,
    /// Counts how often that was done. A thread that waits for the end sleeps on it.
    done: AtomicU32,
}

impl Code {
    pub fn new(device: c_int) -> Code {
        Code { device, busy: AtomicUsize::new(0), done: AtomicU32::new(0) }
    }

    fn with<R>(&self, f: impl FnOnce(&mut OnDevice) -> R) -> R {
        self.with_list(|on, _, _| f(on))
    }

    /// Runs `f` with the list of all images, and its version.
    fn with_list<R>(&self, f: impl FnOnce(&mut OnDevice, &[Image], u64) -> R) -> R {
        IMAGES.with(|images| {
            let at = self.device as usize;
            if images.devices.len() <= at {
                images.devices.resize_with(at + 1, OnDevice::default);
            }
            f(&mut images.devices[at], &images.list, images.version)
        })
    }

    /// Returns the first address in a block that is a multiple of `align`. Notes the block's begin
    /// if that is another one.
    pub fn aligned(&self, begin: usize, align: usize) -> usize {
        let block = begin.next_multiple_of(align);
        if block != begin {
            self.with(|on| on.begins.insert(block, begin));
        }
        block
    }

    /// Returns the real begin of a block, which is about to be freed.
    pub fn begin_of(&self, block: usize) -> usize {
        self.with(|on| on.begins.remove(block)).unwrap_or(block)
    }

    /// Returns the device's code, by the address that stands for it on the host.
    pub fn find(&self, host: usize) -> Option<usize> {
        self.with(|on| on.images.iter().find_map(|(_, had)| had.code.get(host)))
    }

    /// Brings the device the code that came, and takes the code that went from it.
    pub fn follow(&self, functions: &Functions, number: c_int) -> Arc<Variables> {
        loop {
            let known = self
                .with_list(|on, _, version| (on.version == version).then(|| on.variables.clone()));
            if let Some(known) = known {
                return known;
            }
            let done = self.done.load(Ordering::Acquire);
            let busy =
                self.busy.compare_exchange(0, own_pthread(), Ordering::AcqRel, Ordering::Acquire);
            match busy {
                Ok(_) => {
                    self.catch_up(functions, number);
                    self.busy.store(0, Ordering::Release);
                    self.done.fetch_add(1, Ordering::Release);
                    futex::wake(&self.done, u32::MAX);
                }
                // The plugin calls a construct of OpenMP's, which finds the variables that are
                // there.
                Err(thread) if thread == own_pthread() => {
                    return self.with(|on| on.variables.clone());
                }
                Err(_) => futex::wait(&self.done, done, None),
            }
        }
    }

    fn catch_up(&self, functions: &Functions, number: c_int) {
        if !self.with(|on| on.began) {
            // SAFETY: the plugin's interface: first of all, once.
            if !unsafe { (functions.init_device)(number) } {
                fatal(format_args!("device {number} of {} cannot be used", functions.name));
            }
            self.with(|on| on.began = true);
        }
        let (gone, come, version) = self.with_list(|on, list, version| {
            let known: Vec<Image> = on.images.iter().map(|(image, _)| *image).collect();
            let is_for_it = |image: &&Image| image.kind == functions.kind;
            let come: Vec<Image> = list
                .iter()
                .filter(is_for_it)
                .filter(|image| !known.contains(image))
                .copied()
                .collect();
            (known.into_iter().filter(|image| !list.contains(image)).collect(), come, version)
        });
        let gone: Vec<Image> = gone;
        for image in &gone {
            // SAFETY: the plugin's interface: an image that it has.
            unsafe { (functions.unload_image)(number, image.version & 0xffff, image.data) };
        }
        let come: Vec<(Image, Had)> =
            come.into_iter().map(|image| (image, self.load(functions, number, image))).collect();
        self.with(|on| {
            on.images.retain(|(image, _)| !gone.contains(image));
            on.images.extend(come);
            let all = on.images.iter().flat_map(|(_, had)| had.variables.iter().copied());
            on.variables = Arc::new(Variables { list: all.collect(), version });
            on.version = version;
        });
    }

    /// Loads an image. If the image does not match the host's table, prints a message and takes
    /// nothing.
    fn load(&self, functions: &Functions, number: c_int, image: Image) -> Had {
        let mut table: *mut Pair = core::ptr::null_mut();
        let version = c_uint::from(image.version as u16);
        // SAFETY: the plugin's interface; the table is the compiler's.
        unsafe {
            let count = (functions.load_image)(number, version, image.data, &mut table);
            let pairs = match usize::try_from(count) {
                Ok(count) if !table.is_null() => core::slice::from_raw_parts(table, count).to_vec(),
                _ => Vec::new(),
            };
            if !table.is_null() {
                heap::free(table.cast());
            }
            match had(*image.table, &pairs) {
                Ok((had, own_number)) => {
                    if own_number != 0 {
                        let device = (&raw const self.device).cast();
                        (functions.host2dev)(number, own_number as *mut _, device, 4);
                    }
                    had
                }
                Err(why) => {
                    message!(
                        "the program's code for {} cannot be used ({why}); its regions are \
                         executed on the host",
                        functions.name
                    );
                    Had::default()
                }
            }
        }
    }
}

/// Returns the host's functions and variables that an image has, and the address for its device's
/// number (0: nowhere).
///
/// # Safety
/// The table is the compiler's.
unsafe fn had(table: [*const usize; 4], pairs: &[Pair]) -> Result<(Had, usize), String> {
    let between = |at: usize| {
        let (begin, end) = (table[at], table[at + 1]);
        let count = (end as usize).saturating_sub(begin as usize) / size_of::<usize>();
        // SAFETY: the caller's promise.
        if count == 0 { &[][..] } else { unsafe { core::slice::from_raw_parts(begin, count) } }
    };
    let (functions, variables) = (between(0), between(2).as_chunks::<2>().0);
    let expected = functions.len() + variables.len();
    if pairs.len() != expected && pairs.len() != expected + 1 {
        return Err(format!("it has {} entries, the host {expected}", pairs.len()));
    }
    let mut had = Had::default();
    for (host, pair) in functions.iter().zip(pairs) {
        had.code.insert(*host, pair.start);
    }
    for ([host, size], pair) in variables.iter().zip(&pairs[functions.len()..]) {
        if size & LINK != 0 {
            return Err(String::from("it has variables of `declare target link`"));
        }
        if pair.end.wrapping_sub(pair.start) != *size {
            return Err(format!("a variable has not the {size} bytes that it has on the host"));
        }
        had.variables.push((Section::new(*host, *size), pair.start));
    }
    Ok((had, pairs.get(expected).map_or(0, |pair| pair.start)))
}

/// Notes the code that a file of the program brings.
pub fn register(version: u32, table: *const c_void, kind: c_int, data: *const c_void) {
    if version >> 16 > LIBRARY_VERSION {
        message!("the program's code for devices is of a newer GCC; regions run on the host");
        return;
    }
    if table.is_null() {
        return;
    }
    let image = Image { version, table: table.cast(), kind, data };
    IMAGES.with(|images| {
        images.list.push(image);
        images.version += 1;
    });
}

/// Forgets the code that a file takes back. Returns whether there was such a file.
pub fn unregister(version: u32, table: *const c_void, kind: c_int, data: *const c_void) -> bool {
    let image = Image { version, table: table.cast(), kind, data };
    IMAGES.with(|images| {
        let before = images.list.len();
        images.list.retain(|known| *known != image);
        let found = images.list.len() != before;
        images.version += u64::from(found);
        found && images.devices.iter().any(|on| on.began)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_has_what_the_host_has() {
        let (functions, variables) = ([16usize, 32], [64usize, 8]);
        let of = |list: &[usize]| (list.as_ptr(), list.as_ptr().wrapping_add(list.len()));
        let ((a, b), (c, d)) = (of(&functions), of(&variables));
        let pair = |start, end| Pair { start, end };
        let mut pairs = vec![pair(1, 1), pair(2, 2), pair(800, 808), pair(900, 904)];
        // SAFETY: lists of this test.
        let (had, number) = unsafe { super::had([a, b, c, d], &pairs) }.unwrap();
        assert_eq!((had.code.get(16), had.code.get(32), number), (Some(1), Some(2), 900));
        assert_eq!(had.variables, [(Section::new(64, 8), 800)]);
        pairs[2].end = 804;
        // SAFETY: as above.
        assert!(unsafe { super::had([a, b, c, d], &pairs) }.is_err());
        // SAFETY: as above.
        assert!(unsafe { super::had([a, b, c, d], &pairs[..2]) }.is_err());
    }
}
