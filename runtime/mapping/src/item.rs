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
    /// The item follows the rules of LLVM's lists. If it is a part of an earlier item whose storage
    /// is new, it is filled, too. Of an implicit item, any part that is there will do. An update of
    /// an item of which only a part is there does nothing.
    pub loose: bool,
    /// The number of bytes from the begin of the whole variable to the section, which is a part of
    /// it. An item without a length that begins among these bytes means this section.
    pub ahead: usize,
    /// Counted apart: neither `release` nor `delete` takes it away (an extension of LLVM's).
    pub hold: bool,
    /// The device shares the host's memory: a section that is not there is used where it is.
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

    /// Returns the map with `always`.
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
    /// The storage goes, whatever its reference count is.
    pub delete: bool,
    /// The section has no length: the storage in which it begins is meant.
    pub no_length: bool,
    /// It is an error if the storage is not there.
    pub present: bool,
    /// No clause names the variable: if part of it is there, that part will do.
    pub implicit: bool,
    /// The item's `ompx_hold` count goes down, not its reference count.
    pub hold: bool,
    /// The item follows the rules of LLVM's lists: a section that is there only in part counts as
    /// absent.
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
    /// A pointer of the host is mapped as a pointer to the counterpart of its target, which begins
    /// `size` bytes behind the pointer's value. `may_miss`: without a counterpart it is null.
    Pointer {
        /// See above.
        may_miss: bool,
    },
    /// A pointer that is mapped comes to point `size` bytes ahead of the counterpart of the item
    /// before.
    AlwaysPointer,
    /// A pointer in mapped storage is attached to the counterpart of its target, which begins
    /// `size` bytes behind the pointer's value. Nothing happens if the pointer itself is not
    /// mapped.
    Attach {
        /// Without a counterpart the pointer becomes null.
        may_miss: bool,
    },
    /// The construct has a copy of its own.
    Firstprivate,
    /// The construct has storage of its own, in which nothing was written.
    Private,
    /// The construct has a copy of a pointer of its own. If the pointer's target, `bias` bytes
    /// behind its value, has a counterpart, the copy points there, `bias` bytes ahead of it. The
    /// bytes behind the pointer, up to `size`, are copied.
    PrivatePointer {
        /// See above.
        bias: usize,
    },
    /// When all items are mapped: a pointer in mapped storage comes to point to the counterpart of
    /// its target, which begins `bias` bytes behind the pointer's value, and is copied no more, as
    /// an attached one. The bytes behind the pointer, up to `size`, are copied with it (descriptors
    /// of Fortran's). Nothing happens if the pointer or its target has no counterpart.
    Bind {
        /// See above.
        bias: usize,
        /// Also if the construct made neither the pointer's storage nor that behind it.
        always: bool,
        /// Without a counterpart to point to, it becomes null.
        or_null: bool,
    },
    /// When all items are mapped: the pointer at this address of the host, in the section that the
    /// item `parent` maps or copies, comes to point to a counterpart as with `Bind`, if there is
    /// one.
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
    /// An array section without length: as for `map(alloc:)` if the byte at its begin is in a
    /// mapped section, or ahead of one in the same variable. If not, the region finds null, as with
    /// OpenMP up to 5.0, but for the device's own addresses.
    NoLength {
        /// It is an error if there is no such section.
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
    /// Returns the section of the host's memory that the item names.
    pub fn section(&self) -> Section {
        match self.kind {
            Kind::Pointer { .. } | Kind::AlwaysPointer | Kind::Attach { .. } => {
                Section::new(self.address, crate::memory::POINTER)
            }
            _ => Section::new(self.address, self.size),
        }
    }
}
