//! Unwinds stacks inside the process and inside a signal handler.
//!
//! Most programs are built without frame pointers, so this reads the call frame information of
//! `.eh_frame` with gimli. A program counter's rule is kept in a cache of the thread, so nearly
//! every frame costs one look-up and two or three reads of the stack. framehop would do most of it,
//! but not frames whose address is read from memory: GCC makes those in every function that aligns
//! its stack, which is what vectorised loops do, and in PLT entries and signal frames.
//!
//! What must hold: [`walk::walk`] allocates nothing, takes no lock, reads only between the stack
//! pointer and the stack's end and inside mapped modules, and stops after [`MAX_FRAMES`] frames.
//! The list of modules is made outside handlers and swapped in whole.

pub mod cache;
pub mod calls;
pub mod capture;
pub mod depth;
pub mod expression;
pub mod modules;
pub mod newcomer;
pub mod object;
pub mod operand;
pub mod rules;
mod sweep;
pub mod vacated;
pub mod walk;

/// The deepest stack that is recorded; the outer frames of a deeper one are missing.
pub const MAX_FRAMES: usize = 256;

/// DWARF's numbers of the registers that matter here.
pub mod register {
    #![allow(missing_docs)]
    pub const RBX: usize = 3;
    pub const RBP: usize = 6;
    pub const RSP: usize = 7;
    pub const R12: usize = 12;
    /// The return address column: the program counter.
    pub const RIP: usize = 16;
    pub const COUNT: usize = 17;
}

/// A frame's registers, by DWARF number.
#[derive(Clone, Copy, Debug, Default)]
pub struct Registers(pub [u64; register::COUNT]);

impl Registers {
    /// The program counter.
    pub fn pc(&self) -> u64 {
        self.0[register::RIP]
    }

    /// The stack pointer.
    pub fn sp(&self) -> u64 {
        self.0[register::RSP]
    }

    /// Returns a register by any number, if it is one of these.
    pub fn get(&self, number: u16) -> Option<u64> {
        self.0.get(usize::from(number)).copied()
    }
}

/// The part of the thread's stack that may be read.
#[derive(Clone, Copy, Debug)]
pub struct StackMemory {
    /// The first readable address.
    pub low: u64,
    /// The address one past the last readable one.
    pub high: u64,
    /// The number to add to an address before a read: 0, except in a copy.
    pub shift: u64,
}

impl StackMemory {
    /// Returns the word at `address`, `None` outside the stack.
    pub fn read(&self, address: u64) -> Option<u64> {
        let end = address.checked_add(8)?;
        if address < self.low || end > self.high || address & 7 != 0 {
            return None;
        }
        // SAFETY: within the live part of the calling thread's stack, or within a copy of
        // another's; aligned.
        Some(unsafe { (address.wrapping_add(self.shift) as *const u64).read_volatile() })
    }
}
