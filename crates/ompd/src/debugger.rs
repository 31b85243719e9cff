//! The debugger's callbacks.

use core::ffi::{CStr, c_void};
use std::sync::{Mutex, PoisonError};

use omphalos_abi::ompd::*;
use omphalos_ompd_answers::{Answer, Code, Debugger};

/// The version whose interface this is: that of the first one, as debuggers of today ask for it;
/// later ones have the same table of callbacks and functions.
pub const API_VERSION: ompd_word_t = 201_811;
/// What a debugger may ask for: 5.0, 5.1, 5.2, 6.0.
const SERVED: [ompd_word_t; 4] = [API_VERSION, 202_011, 202_111, 202_411];

static GIVEN: Mutex<Option<(ompd_word_t, ompd_callbacks_t)>> = Mutex::new(None);

fn given() -> Option<(ompd_word_t, ompd_callbacks_t)> {
    *GIVEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the debugger asked for; 0 before it did.
pub fn api_version() -> ompd_word_t {
    given().map_or(0, |given| given.0)
}

/// The debugger's table, if it gave one.
pub fn callbacks() -> Option<ompd_callbacks_t> {
    given().map(|given| given.1)
}

/// Takes the debugger's table.
pub fn take(version: ompd_word_t, callbacks: Option<&ompd_callbacks_t>) -> Answer<()> {
    if !SERVED.contains(&version) {
        return Err(Code::Unsupported);
    }
    let table = *callbacks.ok_or(Code::BadInput)?;
    let complete = table.alloc_memory.is_some()
        && table.free_memory.is_some()
        && table.symbol_addr_lookup.is_some()
        && table.read_memory.is_some();
    if !complete {
        return Err(Code::BadInput);
    }
    *GIVEN.lock().unwrap_or_else(PoisonError::into_inner) = Some((version, table));
    Ok(())
}

/// The debugger is done.
pub fn forget() -> Answer<()> {
    let before = GIVEN.lock().unwrap_or_else(PoisonError::into_inner).take();
    before.map(drop).ok_or(Code::Unsupported)
}

/// A process of the debugger.
pub struct Process {
    pub callbacks: ompd_callbacks_t,
    pub context: *mut ompd_address_space_context_t,
}

// SAFETY: the context is a name that only the debugger's callbacks look behind; OMPD is used by one
// thread at a time.
unsafe impl Send for Process {}
// SAFETY: as above.
unsafe impl Sync for Process {}

/// A callback's code. One that failed for lack of memory says so, and one to which the context
/// means nothing.
fn done(code: ompd_rc_t) -> Answer<()> {
    match code {
        ompd_rc_ok => Ok(()),
        ompd_rc_nomem => Err(Code::NoMemory),
        ompd_rc_bad_input => Err(Code::BadInput),
        ompd_rc_stale_handle => Err(Code::StaleHandle),
        ompd_rc_incompatible => Err(Code::Incompatible),
        _ => Err(Code::CallbackError),
    }
}

/// An address in no segment.
pub fn at(address: u64) -> ompd_address_t {
    ompd_address_t { segment: ompd_segment_none, address }
}

/// Memory of the debugger.
pub fn allocate(callbacks: &ompd_callbacks_t, bytes: usize) -> Answer<*mut c_void> {
    let allocate = callbacks.alloc_memory.ok_or(Code::CallbackError)?;
    let mut memory = core::ptr::null_mut();
    // SAFETY: the debugger's function, with a place for its result.
    done(unsafe { allocate(bytes as u64, &mut memory) })?;
    if memory.is_null() { Err(Code::NoMemory) } else { Ok(memory) }
}

impl Debugger for Process {
    fn allocate(&self, bytes: usize) -> Result<*mut c_void, Code> {
        allocate(&self.callbacks, bytes)
    }

    unsafe fn free(&self, memory: *mut c_void) -> Result<(), Code> {
        let free = self.callbacks.free_memory.ok_or(Code::CallbackError)?;
        // SAFETY: the caller's promise.
        done(unsafe { free(memory) })
    }

    fn is_alike(&self) -> Result<bool, Code> {
        let mut sizes = ompd_device_type_sizes_t::default();
        let Some(sizeof) = self.callbacks.sizeof_type else { return Ok(true) };
        // SAFETY: the debugger's function, with a place for its result.
        done(unsafe { sizeof(self.context, &mut sizes) })?;
        let one: u32 = 1;
        let mut turned: u32 = 1;
        if let Some(convert) = self.callbacks.device_to_host {
            // SAFETY: as above.
            done(unsafe {
                convert(self.context, (&raw const one).cast(), 4, 1, (&raw mut turned).cast())
            })?;
        }
        Ok((sizes.sizeof_int, sizes.sizeof_pointer) == (4, 8) && turned == 1)
    }

    fn symbol(&self, name: &CStr, file: Option<&CStr>) -> Result<u64, Code> {
        let look = self.callbacks.symbol_addr_lookup.ok_or(Code::CallbackError)?;
        let mut found = at(0);
        let file = file.map_or(core::ptr::null(), CStr::as_ptr);
        // SAFETY: as above.
        done(unsafe {
            look(self.context, core::ptr::null_mut(), name.as_ptr(), &mut found, file)
        })?;
        Ok(found.address)
    }

    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Code> {
        let read = self.callbacks.read_memory.ok_or(Code::CallbackError)?;
        let (none, bytes) = (core::ptr::null_mut(), into.len() as u64);
        // SAFETY: as above.
        done(unsafe { read(self.context, none, &at(address), bytes, into.as_mut_ptr().cast()) })
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Code> {
        let write = self.callbacks.write_memory.ok_or(Code::CallbackError)?;
        let (none, count) = (core::ptr::null_mut(), bytes.len() as u64);
        // SAFETY: as above.
        done(unsafe { write(self.context, none, &at(address), count, bytes.as_ptr().cast()) })
    }
}
