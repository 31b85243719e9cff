//! The caller of the runtime, as entry stubs pass it on.
//!
//! The return address lies at the stack pointer that the program had at the entry. On x86-64 the
//! call puts it there, elsewhere the stub does.

use crate::tls;

/// The caller of an entry.
///
/// A value is two registers. The return address is read from memory only when a tool asks. So a
/// value must not outlive the entry that it tells of.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The address of the return address: the stack pointer at the entry; [`NOBODY`] if it is
    /// unknown.
    at: *const u64,
    /// The frame pointer register at the call: the caller's frame if it keeps one.
    frame_pointer: u64,
}

/// The return address of an unknown call.
static NOBODY: u64 = 0;

/// In the frame pointer's place: the call is over. No address, and no number that a program which
/// uses the register for something else is likely to have there (1 is).
const PAST: u64 = 0xa5c3_70e1_9b2d_4f87;

/// The largest distance of a frame from the entry. Beyond it, the frame pointer register holds
/// something else.
const LARGEST_FRAME: u64 = 1 << 20;

impl Caller {
    /// No known caller: the runtime itself.
    pub const NONE: Caller = Caller { at: &raw const NOBODY, frame_pointer: 0 };

    /// Returns a call whose return address is in this word, for as long as the word stands. Its
    /// border is the word's address, which means something if the word lies on the stack.
    #[inline(always)]
    pub fn noted(address: &core::cell::Cell<u64>) -> Caller {
        Caller { at: address.as_ptr(), frame_pointer: 0 }
    }

    /// Returns a call that is over, by the return address that it had, for as long as the word
    /// stands. It has no border and no frame any more.
    #[inline(always)]
    pub fn past(address: &core::cell::Cell<u64>) -> Caller {
        Caller { at: address.as_ptr(), frame_pointer: PAST }
    }

    /// Whether the call has a place on the stack.
    #[inline(always)]
    fn stands(&self) -> bool {
        !core::ptr::eq(self.at, &raw const NOBODY) && self.frame_pointer != PAST
    }

    /// Returns the return address of the call, 0 if unknown.
    #[inline(always)]
    pub fn address(&self) -> u64 {
        // SAFETY: the stack pointer at an entry that the thread is still in, or a word that stands:
        // either way the return address lies there.
        unsafe { *self.at }
    }

    /// Returns the border between the program's frame and the runtime's, 0 if unknown: the word of
    /// the return address. The program's stack pointer is above it, that of every frame of the
    /// runtime below.
    #[inline(always)]
    pub fn border(&self) -> u64 {
        if self.stands() { self.entry_border() } else { 0 }
    }

    /// Returns the border, for a call that an entry stub passed on.
    #[inline(always)]
    pub fn entry_border(&self) -> u64 {
        self.at as u64
    }

    /// Returns the caller's stack pointer after the return, 0 if unknown.
    #[inline]
    pub fn stack_pointer(&self) -> u64 {
        if self.stands() { self.at as u64 + 8 } else { 0 }
    }

    /// Returns the same call without its frame pointer, for code that keeps it over other calls.
    #[inline(always)]
    pub fn without_frame(self) -> Caller {
        Caller { frame_pointer: 0, ..self }
    }

    /// Returns the caller's frame pointer, if it keeps one.
    #[inline]
    pub fn frame_pointer(&self) -> Option<u64> {
        let border = self.border();
        let keeps_one = self.frame_pointer > border
            && self.frame_pointer - border < LARGEST_FRAME
            && self.frame_pointer.is_multiple_of(8);
        keeps_one.then_some(self.frame_pointer)
    }
}

/// A call as the stubs of [`class_entries!`](crate::class_entries) hand it over: the thread's class
/// word, which is odd, and where the return address lies. As a [`Caller`] it must not outlive its
/// entry.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Entered {
    word: usize,
    at: *const u64,
}

impl Entered {
    /// Returns the thread's record, null if the word does not have it.
    #[inline(always)]
    pub fn record(self) -> *const u8 {
        core::ptr::with_exposed_provenance(self.word - 1)
    }

    /// Returns the caller.
    #[inline(always)]
    pub fn caller(self) -> Caller {
        Caller { at: self.at, frame_pointer: 0 }
    }
}

/// A call as the stubs of [`found_entries!`](crate::found_entries) hand it over where a tool may be
/// attached: the thread's record, null if it has none, and the canonical frame address of the
/// entry. As a [`Caller`] it must not outlive its entry.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Found {
    record: *const u8,
    cfa: *const u64,
}

impl Found {
    /// Returns the thread's record, null if it has none.
    #[inline(always)]
    pub fn record(self) -> *const u8 {
        self.record
    }

    /// Returns the caller.
    #[inline(always)]
    pub fn caller(self) -> Caller {
        // SAFETY: the return address stands below it.
        Caller { at: unsafe { self.cfa.sub(1) }, frame_pointer: 0 }
    }
}

/// A call as the stubs of [`placed_entries!`](crate::placed_entries) hand it over to the quick
/// function: the thread's record, and where the return address lies. It must not outlive its entry.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Placed {
    record: *const u8,
    at: *const u64,
}

impl Placed {
    /// Returns the thread's record.
    #[inline(always)]
    pub fn record(self) -> *const u8 {
        self.record
    }

    /// Returns the return address of the call.
    #[inline(always)]
    pub fn address(self) -> u64 {
        // SAFETY: the stack pointer at an entry that the thread is still in.
        unsafe { *self.at }
    }
}

/// A register whose value no code reads.
pub type Unused = usize;

/// Whether the stubs note the caller: only tools ask for it, and they need the hooks.
pub const NOTES: bool = !cfg!(feature = "no-hooks");

/// Returns the caller of the entry that this thread is in. Must be called first behind an entry
/// stub.
#[inline(always)]
pub fn caller() -> Caller {
    if !NOTES {
        return Caller::NONE;
    }
    Caller {
        at: tls::entry_stack_pointer() as *const u64,
        frame_pointer: tls::entry_frame_pointer(),
    }
}

/// Returns the address of the stack arguments of the entry that this thread is in: those that found
/// no register. Must be called first behind a stub of [`noted_entries!`](crate::noted_entries).
#[inline(always)]
pub fn stack_arguments() -> *const u64 {
    (tls::entry_stack_pointer() + 8) as *const u64
}
