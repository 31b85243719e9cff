//! The mark of a thread: the call of the C library that it is in. `interpose` sets and clears it.
//!
//! A thread in a call that may block gets no tick. So the thread notes before the call which call
//! it is, since when, and its registers. From these registers its stack is walked: by the watcher
//! while the call lasts, or by the thread itself when the call has ended.
//!
//! What must hold: the thread alone writes. `call` is written last when a call begins, and is
//! cleared only when everything about the call is booked. Meanwhile a signal handler of the
//! program's may make such a call, too: it finds `call` set and writes nothing. Another thread that
//! reads the mark reads it a second time, to know that it has not changed.

pub mod sleeping;

use crate::unwind::{Registers, capture};
use core::cell::UnsafeCell;
use core::ffi::{CStr, c_void};
use core::sync::atomic::{
    AtomicPtr, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

/// A function of the C library behind one of the agent's.
pub struct Call {
    /// Its name in reports.
    pub name: &'static CStr,
    /// Its name in the C library.
    symbol: &'static CStr,
    /// Whether the function only waits: then all of its time is blocked.
    pub only_waits: bool,
    /// The version of the symbol, if the C library has several; empty: any.
    pub version: &'static CStr,
    address: AtomicPtr<c_void>,
}

impl Call {
    /// Makes a function that is not looked up yet.
    pub const fn new(name: &'static CStr, version: &'static CStr, only_waits: bool) -> Call {
        Call::named(name, name, version, only_waits)
    }

    /// Makes a function whose name in reports is not the C library's.
    pub const fn named(
        name: &'static CStr,
        symbol: &'static CStr,
        version: &'static CStr,
        only_waits: bool,
    ) -> Call {
        let address = AtomicPtr::new(core::ptr::null_mut());
        Call { name, symbol, only_waits, version, address }
    }

    /// Returns the next definition behind the agent's, null if there is none.
    #[inline]
    pub fn real(&self) -> *mut c_void {
        let known = self.address.load(Relaxed);
        if known.is_null() { self.look_up() } else { known }
    }

    #[cold]
    fn look_up(&self) -> *mut c_void {
        // SAFETY: C strings; RTLD_NEXT is meant for this.
        let found = unsafe {
            let versioned = if self.version.is_empty() {
                core::ptr::null_mut()
            } else {
                libc::dlvsym(libc::RTLD_NEXT, self.symbol.as_ptr(), self.version.as_ptr())
            };
            if versioned.is_null() {
                libc::dlsym(libc::RTLD_NEXT, self.symbol.as_ptr())
            } else {
                versioned
            }
        };
        self.address.store(found, Relaxed);
        found
    }
}

/// The call that a thread is in.
#[derive(Default)]
pub struct Mark {
    call: AtomicPtr<Call>,
    since: AtomicU64,
    registers: UnsafeCell<Registers>,
}

impl Mark {
    /// Returns the call, if the thread is in one. Async-signal-safe.
    #[inline]
    pub fn call(&self) -> Option<&'static Call> {
        // SAFETY: null or a static.
        unsafe { self.call.load(Acquire).as_ref() }
    }

    /// Returns when the call began, ticks.
    #[inline]
    pub fn since(&self) -> u64 {
        self.since.load(Relaxed)
    }

    /// Returns the registers at the call's begin. If another thread asks, its copy may be half of
    /// one call and half of the next.
    pub fn registers(&self) -> Registers {
        // SAFETY: the cell lives as long as the mark; plain words, read as they are.
        unsafe { self.registers.get().read_volatile() }
    }

    /// Notes that the calling function is about to make `call`; its frame must last as long as the
    /// mark.
    #[inline(always)]
    pub fn begin(&self, call: &'static Call, now: u64) {
        // SAFETY: the thread alone writes.
        unsafe { capture::into(self.registers.get()) };
        self.since.store(now, Relaxed);
        self.call.store(core::ptr::from_ref(call).cast_mut(), Release);
    }

    /// Clears the mark: the call has ended and is booked, or was left by a jump.
    #[inline]
    pub fn end(&self) {
        self.call.store(core::ptr::null_mut(), Release);
    }

    /// Whether the thread, whose stack pointer is `sp`, has left the marked call without a return.
    /// Async-signal-safe.
    pub fn is_left(&self, sp: u64) -> bool {
        sp > self.registers().sp()
    }
}
