//! Turns a construct's arguments, as clang's code passes them, into the list of items that the
//! mapping engine takes.

use super::arrays::{Argument, Arrays};
use super::flags::{
    ALWAYS, ATTACH, CLOSE, DELETE, FROM, HOLD, IMPLICIT, LITERAL, POINTER_AND_OBJECT, PRESENT,
    PRIVATE, RETURN, STRIDED, TO, parent,
};
use super::{names, strided};
use core::ffi::c_char;
use omphalos_engine::target::played;
use omphalos_mapping::{Item, Kind, Map, Release};

/// A counterpart has the alignment of its original, and at least this one, bytes.
const ALIGNMENT: usize = 64;
/// The logarithm of the largest alignment that a counterpart takes from its original.
const LARGEST_ALIGNMENT_LOG2: u32 = 12;

const POINTER: usize = size_of::<usize>();

/// The three ways in which a construct uses its list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Use {
    Begin,
    End,
    Update,
}

/// A construct's items and what goes with them.
#[derive(Default)]
pub struct List {
    pub items: Vec<Item>,
    /// For each item its origin: the argument's number and a name.
    origins: Vec<(usize, *const c_char)>,
    /// For each argument the item that has its address.
    pub places: Vec<usize>,
    /// Whether devices use the host's memory, except for variables that are mapped as `close`.
    shared: bool,
}

impl List {
    /// Makes the list of a construct's arguments. Calls mappers, so no lock may be held.
    ///
    /// # Safety
    /// The arrays hold as many elements as they say; the items are the program's memory.
    pub unsafe fn of(arrays: &Arrays, of: Use, shared: bool) -> List {
        let mut list = List { shared, ..List::default() };
        for at in 0..arrays.count {
            // SAFETY: the caller's promise.
            unsafe {
                let argument = arrays.get(at);
                let place = match arrays.components(at) {
                    None => list.add(&argument, at, of),
                    Some(components) => {
                        for component in &components {
                            list.add(component, at, of);
                        }
                        // The region gets the address of the counterpart of the whole.
                        list.push(&argument, at, argument.begin, 0, ADDRESS)
                    }
                };
                list.places.push(place);
            }
        }
        if played::watch::is_watched() {
            for (number, (_, name)) in list.origins.iter().enumerate() {
                played::watch::called(number, *name);
            }
        }
        list
    }

    /// Returns the name of an item in messages.
    pub fn name(&self, item: usize) -> String {
        let (argument, name) = self.origins.get(item).copied().unwrap_or((item, core::ptr::null()));
        // SAFETY: a name that the compiler passed, or null.
        unsafe { names::variable(name) }.unwrap_or_else(|| format!("list item {}", argument + 1))
    }

    #[inline(never)]
    fn push(&mut self, of: &Argument, at: usize, address: usize, size: usize, kind: Kind) -> usize {
        // Without spare bytes behind a section, a watcher sees more of the accesses beyond it.
        let least = if played::watch::is_watched() { 1 } else { ALIGNMENT };
        let align = least.max(1 << address.trailing_zeros().min(LARGEST_ALIGNMENT_LOG2));
        self.origins.push((at, of.name));
        self.items.push(Item { address, size, align, kind });
        self.items.len() - 1
    }

    /// # Safety
    /// As [`List::of`].
    unsafe fn add(&mut self, argument: &Argument, at: usize, of: Use) -> usize {
        // SAFETY: the caller's promise.
        unsafe {
            match of {
                Use::Begin => self.begin(argument, at),
                Use::End => self.end(argument, at),
                Use::Update => self.update(argument, at),
            }
        }
    }

    /// # Safety
    /// As [`List::of`].
    unsafe fn begin(&mut self, of: &Argument, at: usize) -> usize {
        let shared = self.shared && !of.has(CLOSE);
        if of.has(LITERAL) || of.has(PRIVATE) {
            // SAFETY: the caller's promise.
            return unsafe { self.own_value(of, at) };
        }
        if of.has(ATTACH) {
            if shared {
                return self.push(of, at, of.base, of.size, Kind::Nothing);
            }
            // SAFETY: the base of such an item is the address of a pointer.
            let bias = unsafe { of.bias() };
            let kind = Kind::Bind { bias, always: of.has(ALWAYS), or_null: false };
            return self.push(of, at, of.base, of.size, kind);
        }
        if of.size == 0 && (shared || of.has(RETURN)) {
            return self.push(of, at, of.begin, 0, ADDRESS);
        }
        let hold = of.has(HOLD);
        if of.has(POINTER_AND_OBJECT) {
            let implicit = of.has(IMPLICIT);
            let map = Map { implicit, hold, loose: true, or_host: shared, ..Map::ALLOC };
            self.push(of, at, of.base, POINTER, Kind::Map(map));
        }
        let kind = if of.size == 0 {
            Kind::NoLength { must: of.has(PRESENT), keep: true, hold }
        } else {
            Kind::Map(Map {
                to: of.has(TO),
                from: of.has(FROM),
                always: of.has(ALWAYS),
                present: of.has(PRESENT),
                implicit: of.has(IMPLICIT),
                loose: true,
                // SAFETY: as above.
                ahead: unsafe { of.ahead() },
                hold,
                or_host: shared,
                fresh: false,
            })
        };
        let place = self.push(of, at, of.begin, of.size, kind);
        if of.has(POINTER_AND_OBJECT) {
            // SAFETY: as above.
            let bias = unsafe { of.bias() };
            let kind = Kind::Bind { bias, always: true, or_null: !shared };
            self.push(of, at, of.base, POINTER, kind);
        }
        place
    }

    /// Adds an item that belongs to this construct alone: a value, or a private copy.
    ///
    /// # Safety
    /// As [`List::of`].
    unsafe fn own_value(&mut self, of: &Argument, at: usize) -> usize {
        // SAFETY: the base of these items is the address of a pointer.
        let bias = || unsafe { of.bias() };
        if of.has(LITERAL | POINTER_AND_OBJECT | IMPLICIT) {
            let parent = parent(of.flags).and_then(|parent| self.places.get(parent).copied());
            let kind = match parent {
                Some(parent) if !self.shared => Kind::Captured { parent, bias: bias() },
                _ => Kind::Nothing,
            };
            self.push(of, at, of.base, POINTER, kind)
        } else if of.has(LITERAL) {
            self.push(of, at, of.base, 0, Kind::Value)
        } else if of.has(ATTACH) {
            let kind = Kind::PrivatePointer { bias: bias() };
            self.push(of, at, of.base, of.size, kind)
        } else {
            let kind = if of.has(TO) { Kind::Firstprivate } else { Kind::Private };
            self.push(of, at, of.begin, of.size, kind)
        }
    }

    fn end(&mut self, of: &Argument, at: usize) -> usize {
        let nothing =
            of.flags & (LITERAL | PRIVATE | ATTACH) != 0 || of.has(RETURN) && of.size == 0;
        if nothing {
            return self.push(of, at, of.begin, of.size, Kind::Nothing);
        }
        let (hold, implicit) = (of.has(HOLD), of.has(IMPLICIT));
        if of.has(POINTER_AND_OBJECT) {
            // No clause names the pointer: nothing is wrong if a `delete` has released it before.
            let release = Release { hold, implicit: true, ..Release::default() };
            self.push(of, at, of.base, POINTER, Kind::Release(release));
        }
        let release = Release {
            from: of.has(FROM),
            always: of.has(FROM | ALWAYS),
            delete: of.has(DELETE),
            no_length: of.size == 0,
            // Everything is present on a device that shares the host's memory.
            present: of.has(PRESENT) && !self.shared,
            implicit,
            hold,
            loose: true,
        };
        self.push(of, at, of.begin, of.size, Kind::Release(release))
    }

    /// # Safety
    /// As [`List::of`].
    unsafe fn update(&mut self, of: &Argument, at: usize) -> usize {
        if of.flags & (LITERAL | PRIVATE | ATTACH) != 0 {
            return self.push(of, at, of.begin, of.size, Kind::Nothing);
        }
        let (to, from, present) = (of.has(TO), of.has(FROM), of.has(PRESENT));
        let kind = Kind::Map(Map { to, from, present, loose: true, ..Map::ALLOC });
        if of.has(STRIDED) {
            // SAFETY: the address is that of a description; the size is its number of dimensions.
            let pieces = unsafe { strided::pieces(of.base, of.begin, of.size) };
            for (address, bytes) in pieces {
                self.push(of, at, address, bytes, kind);
            }
            return self.items.len().saturating_sub(1);
        }
        self.push(of, at, of.begin, of.size, kind)
    }
}

/// The request for the address of a counterpart, if there is one.
const ADDRESS: Kind = Kind::Translate { must: false };
