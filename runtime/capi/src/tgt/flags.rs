//! `OMP_TGT_MAPTYPE_*`: the flags that LLVM's compilers give an item of a construct's list.

#![allow(missing_docs)]

pub const TO: u64 = 0x1;
pub const FROM: u64 = 0x2;
pub const ALWAYS: u64 = 0x4;
pub const DELETE: u64 = 0x8;
/// The base is the address of a pointer, which is mapped as well.
pub const POINTER_AND_OBJECT: u64 = 0x10;
/// The item is an argument of the region.
pub const PARAMETER: u64 = 0x20;
/// `target data` returns its counterpart's address.
pub const RETURN: u64 = 0x40;
pub const PRIVATE: u64 = 0x80;
/// A value in place of an address.
pub const LITERAL: u64 = 0x100;
pub const IMPLICIT: u64 = 0x200;
pub const CLOSE: u64 = 0x400;
pub const PRESENT: u64 = 0x1000;
/// `ompx_hold`.
pub const HOLD: u64 = 0x2000;
/// A pointer, by the base, is attached when all is mapped.
pub const ATTACH: u64 = 0x4000;
/// A pointer without a counterpart becomes null.
pub const OR_NULL: u64 = 0x8000;
/// The address is that of a description of a section with several dimensions.
pub const STRIDED: u64 = 0x1000_0000_0000;

/// Returns the number of the item that this one is a part of.
pub fn parent(flags: u64) -> Option<usize> {
    ((flags >> 48) as usize).checked_sub(1)
}

/// Whether all of these flags are set.
pub fn has(flags: u64, these: u64) -> bool {
    flags & these == these
}
