//! The items of a construct's list, in the order in which they take effect.

use crate::section::Section;

/// The map type and the modifiers of a `map` or motion clause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Map {
    /// Copies to the device, where the storage is new there.
    pub to: bool,
    /// Copies back, when the storage goes.
    pub from: bool,
    /// Copies whether the storage is new, or goes, or not.
    pub always: bool,
    /// It is an error if the storage is not there.
    pub present: bool,
    /// No clause names the variable: if part of it is there, that part will do.
    pub implicit: bool,
    /// The program says "it must not be there" (an old extension of GCC's).
    pub fresh: bool,
    /// As LLVM's compilers make lists: an item may be a part of what an earlier one maps, and new
    /// storage is filled then, too; of an implicit one, any part will do; updates of what is there
    /// in part do nothing.
    pub loose: bool,
    /// How many bytes ahead of the section what it is a part of begins: who names that without a
    /// length means this section.
    pub ahead: usize,
    /// Counted apart: neither `release` nor `delete` takes it away (an extension of LLVM's).
    pub hold: bool,
    /// The device shares the host's memory: what is not there is used where it is.
    pub or_host: bool,
}

impl Map {
    /// `map(alloc:)`.
    pub const ALLOC: Map = Map {
        to: false,
        from: false,
        always: false,
        present: false,
        implicit: false,
        fresh: false,
        loose: false,
        ahead: 0,
        hold: false,
        or_host: false,
    };
    /// `map(to:)`.
    pub const TO: Map = Map { to: true, ..Map::ALLOC };
    /// `map(from:)`.
    pub const FROM: Map = Map { from: true, ..Map::ALLOC };
    /// `map(tofrom:)`.
    pub const TOFROM: Map = Map { to: true, from: true, ..Map::ALLOC };

    /// With `always`.
    pub const fn always(self) -> Map {
        Map { always: true, ..self }
    }
}

/// The map type and the modifiers of a `map` clause on `target exit data`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Release {
    /// Copies back if the storage goes.
    pub from: bool,
    /// Copies back in any case.
    pub always: bool,
    /// However often it is referred to, it goes.
    pub delete: bool,
    /// The section has no length: what it begins in is meant.
    pub no_length: bool,
    /// It is an error if the storage is not there.
    pub present: bool,
    /// No clause names the variable: if part of it is there, that part will do.
    pub implicit: bool,
    /// The item's `ompx_hold` count goes down, not its reference count.
    pub hold: bool,
    /// As LLVM's compilers make lists: what is there in part only counts as absent.
    pub loose: bool,
}

/// The operation that an item asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The storage is mapped.
    Map(Map),
    /// A structure begins at the address; the next items, as many as `size` says, are its members
    /// that are mapped, in ascending order.
    Members,
    /// A descriptor, as for `map(to:)`; pointers inside it follow.
    Descriptor,
    /// A pointer of the host is mapped as one to the counterpart of what it points to, from where
    /// the section begins `size` bytes behind. `may_miss`: without a counterpart it is null.
    Pointer {
        /// See above.
        may_miss: bool,
    },
    /// The same for a pointer that is mapped, to the counterpart of the item before, `size` bytes
    /// ahead of it.
    AlwaysPointer,
    /// A pointer in mapped storage is attached to the counterpart of what it points to, `size`
    /// bytes behind which the section begins. Nothing if the pointer itself is not mapped.
    Attach {
        /// Without a counterpart the pointer becomes null.
        may_miss: bool,
    },
    /// The construct has a copy of its own.
    Firstprivate,
    /// The construct has storage of its own, in which nothing was written.
    Private,
    /// The construct has a copy of a pointer of its own, which points to the counterpart, if there
    /// is one, of what stands `bias` bytes behind where the host's points. What is behind the
    /// pointer in the `size` bytes is copied.
    PrivatePointer {
        /// See above.
        bias: usize,
    },
    /// When all items are mapped: a pointer in mapped storage comes to point to the counterpart of
    /// what it points to, `bias` bytes behind which the section begins, and is copied no more, as
    /// one that is attached. What is behind the pointer in the `size` bytes is copied with it
    /// (descriptors of Fortran's). Without a counterpart of either nothing happens.
    Bind {
        /// See above.
        bias: usize,
        /// Also if the construct made neither the pointer's storage nor that behind it.
        always: bool,
        /// Without a counterpart to point to, it becomes null.
        or_null: bool,
    },
    /// When all items are mapped: the pointer at this address of the host, in what the item
    /// `parent` maps or copies, comes to point to a counterpart as with `Bind`, if there is one.
    Captured {
        /// The item's number.
        parent: usize,
        /// See above.
        bias: usize,
    },
    /// The address is a value, or a device's address: it stays as it is.
    Value,
    /// The address becomes that of its counterpart (`use_device_ptr`, `use_device_addr`).
    Translate {
        /// It is an error if there is none.
        must: bool,
    },
    /// As for `map`, but only if the storage is there.
    IfPresent,
    /// An array section without length: as for `map(alloc:)` if the byte at its begin is there, or
    /// what is ahead of a section that is. If
    /// not, the region finds null, as with OpenMP up to 5.0, but for the device's own addresses.
    NoLength {
        /// It is an error if it is not.
        must: bool,
        /// The region finds the address as it is, as with OpenMP from 5.1 on.
        keep: bool,
        /// As for [`Map`].
        hold: bool,
    },
    /// The storage is released (`target exit data`).
    Release(Release),
    /// A pointer is detached. `always`: however often it was attached.
    Detach {
        /// See above.
        always: bool,
    },
    /// Means nothing in this construct.
    Nothing,
}

/// One item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// The host's address, 0 for none.
    pub address: usize,
    /// Bytes, unless the kind says otherwise.
    pub size: usize,
    /// The alignment in bytes, a power of two.
    pub align: usize,
    /// The operation that the item asks for.
    pub kind: Kind,
}

impl Item {
    /// The section of the host's memory that the item names.
    pub fn section(&self) -> Section {
        match self.kind {
            Kind::Pointer { .. } | Kind::AlwaysPointer | Kind::Attach { .. } => {
                Section::new(self.address, crate::memory::POINTER)
            }
            _ => Section::new(self.address, self.size),
        }
    }
}
