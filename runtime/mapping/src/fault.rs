//! The mistakes that a program makes with a device's data.

use crate::section::Section;
use core::fmt;

/// One such mistake, with the number of its item in the construct's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The section is partly there, or there and must not be.
    Overlaps {
        /// The item's number in the list.
        item: usize,
        /// The section that the item maps, copies or releases.
        section: Section,
        /// The section that is present.
        present: Section,
    },
    /// The program says that the section is there, and it is not.
    Absent {
        /// The item's number in the list.
        item: usize,
        /// The section that is absent.
        section: Section,
    },
    /// The storage that a pointer points to is not present.
    Dangling {
        /// The item's number in the list.
        item: usize,
        /// The address of the pointer.
        pointer: usize,
        /// The begin of the section that it should point to.
        target: usize,
    },
    /// Null cannot be attached.
    Null {
        /// The item's number in the list.
        item: usize,
        /// The address of the pointer.
        pointer: usize,
    },
    /// Other members of the structure are there, this one is not: it cannot come beside them.
    Member {
        /// The item's number in the list.
        item: usize,
        /// The member.
        section: Section,
    },
    /// The device has no memory left.
    NoMemory {
        /// The item's number in the list.
        item: usize,
        /// How much was to be mapped.
        bytes: usize,
    },
}

impl Fault {
    /// Returns the number of the item in its list.
    pub fn item(&self) -> usize {
        match *self {
            Fault::Overlaps { item, .. }
            | Fault::Absent { item, .. }
            | Fault::Dangling { item, .. }
            | Fault::Null { item, .. }
            | Fault::Member { item, .. }
            | Fault::NoMemory { item, .. } => item,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Fault::Overlaps { section, present, .. } => {
                write!(f, "{section} cannot be used: only {present} are on the device")
            }
            Fault::Absent { section, .. } => {
                write!(f, "{section} should be on the device and are not")
            }
            Fault::Dangling { pointer, target, .. } => write!(
                f,
                "the pointer at {pointer:#x} cannot be attached: what it points to, at \
                 {target:#x}, is not on the device"
            ),
            Fault::Null { pointer, .. } => {
                write!(f, "the pointer at {pointer:#x} cannot be attached: it is null")
            }
            Fault::Member { section, .. } => write!(
                f,
                "{section} cannot be mapped: other members of the same structure are on the device \
                 and were mapped without it"
            ),
            Fault::NoMemory { bytes, .. } => {
                write!(f, "{bytes} bytes cannot be mapped: the device has no memory left")
            }
        }
    }
}
