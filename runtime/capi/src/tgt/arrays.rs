//! A construct's list as LLVM's compilers pass it: arrays of bases, addresses, sizes, types, names
//! and mappers.

use super::flags;
use super::mappers::Components;
use core::ffi::{c_char, c_void};
use omphalos_engine::target::{Construct, played};
use omphalos_events::{MapFlags, MapItems};

/// See the module. The last two arrays may be null.
#[derive(Clone, Copy)]
pub struct Arrays {
    pub count: usize,
    pub bases: *mut *mut c_void,
    pub begins: *const *mut c_void,
    pub sizes: *const i64,
    pub types: *const u64,
    pub names: *const *const c_char,
    pub mappers: *const *const c_void,
}

/// One item of the list.
#[derive(Clone, Copy)]
pub struct Argument {
    /// The begin of the whole variable that `begin` is a part of; or the address of the pointer.
    pub base: usize,
    pub begin: usize,
    pub size: usize,
    pub flags: u64,
    /// `;name;file;line;column;;`, or null.
    pub name: *const c_char,
}

impl Argument {
    /// Returns the begin of the whole variable that `begin` is a part of.
    ///
    /// # Safety
    /// The base is of the kind that the flags say.
    pub unsafe fn pointed_base(&self) -> usize {
        if self.has(flags::POINTER_AND_OBJECT) {
            // SAFETY: the caller's promise; structures may be packed.
            unsafe { (self.base as *const usize).read_unaligned() }
        } else {
            self.base
        }
    }

    /// Returns the number of bytes from the [base](Argument::pointed_base) to `begin`.
    ///
    /// # Safety
    /// As [`Argument::pointed_base`].
    pub unsafe fn ahead(&self) -> usize {
        // SAFETY: the caller's promise.
        self.begin.saturating_sub(unsafe { self.pointed_base() })
    }

    /// Whether this is a pointer of the construct's own; the base is then the pointer's address.
    pub fn is_private_pointer(&self) -> bool {
        self.has(flags::PRIVATE | flags::ATTACH)
    }

    pub fn has(&self, these: u64) -> bool {
        flags::has(self.flags, these)
    }

    /// Returns the number of bytes from the address in the pointer at the base to `begin`.
    ///
    /// # Safety
    /// The base is the address of a pointer.
    pub unsafe fn bias(&self) -> usize {
        // SAFETY: the caller's promise; structures may be packed.
        let value = unsafe { (self.base as *const usize).read_unaligned() };
        self.begin.wrapping_sub(value)
    }
}

/// A user's mapper: pushes the parts of an item.
type Mapper = unsafe extern "C" fn(
    handle: *mut c_void,
    base: *mut c_void,
    begin: *mut c_void,
    size: i64,
    flags: i64,
    name: *const c_char,
);

impl Arrays {
    /// Makes the arrays of a construct without names and mappers.
    pub fn new(
        count: i32,
        bases: *mut *mut c_void,
        begins: *const *mut c_void,
        sizes: *const i64,
        types: *const u64,
    ) -> Arrays {
        let (names, mappers) = (core::ptr::null(), core::ptr::null());
        let count = usize::try_from(count).unwrap_or(0);
        Arrays { count, bases, begins, sizes, types, names, mappers }
    }

    /// Returns one item of the list.
    ///
    /// # Safety
    /// The arrays hold `count` elements, and `at` is less.
    pub unsafe fn get(&self, at: usize) -> Argument {
        // SAFETY: the caller's promise.
        unsafe {
            Argument {
                base: *self.bases.add(at) as usize,
                begin: *self.begins.add(at) as usize,
                size: usize::try_from(*self.sizes.add(at)).unwrap_or(0),
                flags: *self.types.add(at),
                name: if self.names.is_null() { core::ptr::null() } else { *self.names.add(at) },
            }
        }
    }

    /// Calls the item's mapper and returns the components that it pushes; `None` without a mapper.
    ///
    /// # Safety
    /// As [`Arrays::get`]; the mapper is the program's.
    pub unsafe fn components(&self, at: usize) -> Option<Vec<Argument>> {
        if self.mappers.is_null() {
            return None;
        }
        // SAFETY: the caller's promise.
        unsafe {
            let mapper = *self.mappers.add(at);
            let item = self.get(at);
            if mapper.is_null() || item.flags & (flags::LITERAL | flags::PRIVATE) != 0 {
                return None;
            }
            let mapper: Mapper = core::mem::transmute(mapper);
            let mut components = Components::new();
            mapper(
                (&raw mut components).cast(),
                item.base as *mut c_void,
                item.begin as *mut c_void,
                item.size as i64,
                item.flags as i64,
                item.name,
            );
            Some(components.arguments())
        }
    }

    /// Tells tools of the items.
    ///
    /// # Safety
    /// As [`Arrays::get`].
    #[cold]
    pub unsafe fn tell_copies(&self, construct: &Construct, device: i32) {
        let (mut addresses, mut sizes, mut all) = (Vec::new(), Vec::new(), Vec::new());
        for at in 0..self.count {
            // SAFETY: the caller's promise.
            let item = unsafe { self.get(at) };
            if item.flags & (flags::LITERAL | flags::ATTACH) == 0 {
                addresses.push(item.begin as *mut c_void);
                sizes.push(item.size);
                all.push(map_flags(item.flags));
            }
        }
        let there = played::with_table(device, |table, _| {
            let of = |host: &*mut c_void| table.translate(*host as usize).unwrap_or(0);
            addresses.iter().map(|host| of(host) as *mut c_void).collect()
        });
        let there: Vec<*mut c_void> = there.unwrap_or_default();
        let (addresses, on_device, sizes, flags) = (&addresses, &there, &sizes, &all);
        construct.map(MapItems { addresses, on_device, sizes, flags }, false);
    }
}

/// Returns the flags that tools are told for a map type of LLVM's.
fn map_flags(of: u64) -> u32 {
    let pairs = [
        (flags::TO, MapFlags::TO),
        (flags::FROM, MapFlags::FROM),
        (flags::DELETE, MapFlags::DELETE),
        (flags::ALWAYS, MapFlags::ALWAYS),
        (flags::IMPLICIT, MapFlags::IMPLICIT),
    ];
    let said = pairs.iter().filter(|(its, _)| flags::has(of, *its));
    let said = said.fold(0, |said, (_, is)| said | is);
    let moves = MapFlags::TO | MapFlags::FROM | MapFlags::DELETE;
    if said & moves == 0 { said | MapFlags::ALLOC } else { said }
}
