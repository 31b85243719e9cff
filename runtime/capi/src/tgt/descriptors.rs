//! The records by which LLVM's programs bring code for devices.

use core::ffi::{CStr, c_char, c_void};
use omphalos_engine::target::played::{Entry, What};

/// The code for devices that a file of the program brings.
#[repr(C)]
pub struct File {
    count: i32,
    images: *const Image,
    entries: *const c_void,
    entries_end: *const c_void,
}

/// Code for one kind of device.
#[repr(C)]
struct Image {
    start: *const u8,
    end: *const u8,
    entries: *const c_void,
    entries_end: *const c_void,
}

/// An entry up to LLVM 19.
#[repr(C)]
struct Older {
    address: *const c_void,
    name: *const c_char,
    size: usize,
    flags: i32,
    data: i32,
}

/// An entry since then. Its first word is 0, where an older one has an address.
#[repr(C)]
struct Newer {
    zero: u64,
    version: u16,
    kind: u16,
    flags: u32,
    address: *const c_void,
    name: *const c_char,
    size: u64,
    data: u64,
    more: *const c_void,
}

const LINK: u32 = 0x1;
const CONSTRUCTOR: u32 = 0x2;
const DESTRUCTOR: u32 = 0x4;
const INDIRECT: u32 = 0x8;
const REQUIRES: u32 = 0x10;
const INDIRECT_TABLE: u32 = 0x20;

/// The kind of OpenMP's entries.
const OPENMP: u16 = 1;

/// A `requires` directive for unified shared memory.
pub const UNIFIED_SHARED_MEMORY: u64 = 0x8;

/// Bytes of a pointer to a variable.
const POINTER: usize = size_of::<usize>();

/// An entry of either layout.
struct Read {
    address: usize,
    name: *const c_char,
    size: usize,
    flags: u32,
    data: u64,
}

/// The contents of a file's entries.
#[derive(Default)]
pub struct Entries {
    pub all: Vec<Entry<'static>>,
    /// Bits of `requires` directives.
    pub requires: u64,
}

impl File {
    /// Returns the images, which are there as long as the file.
    ///
    /// # Safety
    /// The record is a program's.
    pub unsafe fn images(&self) -> Vec<&'static [u8]> {
        let count = usize::try_from(self.count).unwrap_or(0);
        // SAFETY: the caller's promise.
        let one = |at| unsafe {
            let image = &*self.images.add(at);
            let bytes = (image.end as usize).saturating_sub(image.start as usize);
            core::slice::from_raw_parts(image.start, bytes)
        };
        (0..count).map(one).collect()
    }

    /// Returns the things that the file has in common with its images. `shared`: devices use the
    /// host's memory.
    ///
    /// # Safety
    /// The record is a program's.
    pub unsafe fn entries(&self, shared: bool) -> Entries {
        // SAFETY: the caller's promise.
        let all = unsafe { read(self.entries, self.entries_end) };
        let mut entries = Entries::default();
        for entry in &all {
            if entry.flags & REQUIRES != 0 {
                entries.requires |= entry.data;
            }
        }
        let shared = shared || entries.requires & UNIFIED_SHARED_MEMORY != 0;
        for entry in all {
            if entry.flags & REQUIRES != 0 || entry.name.is_null() {
                continue;
            }
            let what = match (entry.flags, entry.size) {
                // A class's table of functions is there as other variables are.
                (flags, bytes) if flags & INDIRECT_TABLE != 0 => What::Variable(bytes),
                (flags, _) if flags & INDIRECT != 0 => What::Function,
                (flags, _) if flags & CONSTRUCTOR != 0 => What::Constructor,
                (flags, _) if flags & DESTRUCTOR != 0 => What::Destructor,
                (_, 0) => What::Region,
                (flags, _) if flags & LINK != 0 => What::Link { shared },
                // If devices use the host's memory, a variable is a pointer to the host's one, and
                // the flags do not tell.
                (_, POINTER) if shared => What::Link { shared },
                (_, bytes) => What::Variable(bytes),
            };
            // SAFETY: the file's own string.
            let name = unsafe { CStr::from_ptr(entry.name) };
            entries.all.push(Entry { address: entry.address, name, what });
        }
        entries
    }
}

/// # Safety
/// Between the two addresses are entries of either layout, all of the same.
unsafe fn read(start: *const c_void, end: *const c_void) -> Vec<Read> {
    let bytes = (end as usize).saturating_sub(start as usize);
    if bytes == 0 {
        return Vec::new();
    }
    // SAFETY: the caller's promise.
    unsafe {
        if *start.cast::<u64>() == 0 {
            let all = core::slice::from_raw_parts(start.cast(), bytes / size_of::<Newer>());
            all.iter().filter(|entry: &&Newer| entry.kind == OPENMP).map(Newer::read).collect()
        } else {
            let all = core::slice::from_raw_parts(start.cast(), bytes / size_of::<Older>());
            all.iter().map(Older::read).collect()
        }
    }
}

impl Older {
    fn read(&self) -> Read {
        let (flags, data) = (self.flags as u32, self.data as u32);
        let (address, name) = (self.address as usize, self.name);
        Read { address, name, size: self.size, flags, data: u64::from(data) }
    }
}

impl Newer {
    fn read(&self) -> Read {
        let (address, size) = (self.address as usize, self.size as usize);
        Read { address, name: self.name, size, flags: self.flags, data: self.data }
    }
}

/// Returns the shared object for this processor in an image of these bytes, perhaps in a wrapping
/// of LLVM's; `None` for other images.
pub fn shared_object(bytes: &[u8]) -> Option<&[u8]> {
    let object = unwrapped(bytes).unwrap_or(bytes);
    let half = |at: usize| object.get(at..at + 2).map(|two| u16::from_le_bytes([two[0], two[1]]));
    let is_ours = object.starts_with(b"\x7fELF\x02\x01")
        && half(16) == Some(libc::ET_DYN)
        && half(18) == Some(libc::EM_X86_64);
    is_ours.then_some(object)
}

/// Returns the first image in a wrapping.
fn unwrapped(bytes: &[u8]) -> Option<&[u8]> {
    let rest = bytes.strip_prefix(b"\x10\xff\x10\xad")?;
    let version = u32::from_le_bytes(rest.get(..4)?.try_into().ok()?);
    let word = |at: usize| -> Option<usize> {
        let word = u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?);
        usize::try_from(word).ok()
    };
    // In both versions the third word is the offset of the first image's record. The third version
    // may be compressed; the fifth word says so.
    let known = matches!(version, 1 | 2) || version == 3 && word(32)? == 0;
    let entry = word(16).filter(|_| known)?;
    let (offset, size) = (word(entry.checked_add(24)?)?, word(entry.checked_add(32)?)?);
    bytes.get(offset..offset.checked_add(size)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_as_compilers_make_them() {
        assert_eq!((size_of::<Older>(), size_of::<Newer>()), (32, 56));
        assert_eq!((size_of::<File>(), size_of::<Image>()), (32, 32));
    }

    #[test]
    fn a_wrapping_is_taken_off() {
        let mut object = b"\x7fELF\x02\x01".to_vec();
        object.resize(16, 0);
        object.extend([3, 0, 62, 0]);
        assert_eq!(shared_object(&object), Some(&object[..]));
        let mut wrapped = b"\x10\xff\x10\xad\x01\0\0\0".to_vec();
        let words = [92u64, 32, 40, 0, 0, 0, 72, object.len() as u64];
        wrapped.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        wrapped.extend(&object);
        assert_eq!(shared_object(&wrapped), Some(&object[..]));
        assert_eq!(shared_object(&wrapped[..40]), None);
        object[18] = 190;
        assert_eq!(shared_object(&object), None, "for another processor");
    }
}
