//! The debugger's callbacks.

use core::ffi::{CStr, c_void};
use std::sync::{Mutex, PoisonError};

use omphalos_abi::earlier::ompd2016::*;
use omphalos_ompd_answers::{Answer, Code, Debugger};

static GIVEN: Mutex<Option<ompd_callbacks_t>> = Mutex::new(None);

/// The debugger's table, if it gave one.
pub fn callbacks() -> Option<ompd_callbacks_t> {
    *GIVEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes the debugger's table.
pub fn take(callbacks: Option<&ompd_callbacks_t>) -> Answer<()> {
    let table = *callbacks.ok_or(Code::BadInput)?;
    let complete = table.d_alloc_memory.is_some()
        && table.d_free_memory.is_some()
        && table.t_symbol_addr_lookup.is_some()
        && table.t_read_memory.is_some();
    if !complete {
        return Err(Code::BadInput);
    }
    *GIVEN.lock().unwrap_or_else(PoisonError::into_inner) = Some(table);
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

fn at(address: u64) -> ompd_address_t {
    ompd_address_t { segment: OMPD_SEGMENT_UNSPECIFIED, address }
}

impl Debugger for Process {
    fn allocate(&self, bytes: usize) -> Result<*mut c_void, Code> {
        let allocate = self.callbacks.d_alloc_memory.ok_or(Code::CallbackError)?;
        let mut memory = core::ptr::null_mut();
        // SAFETY: the debugger's function, with a place for its result.
        done(unsafe { allocate(bytes as u64, &mut memory) })?;
        if memory.is_null() { Err(Code::NoMemory) } else { Ok(memory) }
    }

    unsafe fn free(&self, memory: *mut c_void) -> Result<(), Code> {
        let free = self.callbacks.d_free_memory.ok_or(Code::CallbackError)?;
        // SAFETY: the caller's promise.
        done(unsafe { free(memory) })
    }

    fn is_alike(&self) -> Result<bool, Code> {
        let mut sizes = ompd_target_type_sizes_t::default();
        let Some(sizeof) = self.callbacks.t_sizeof_prim_type else { return Ok(true) };
        // SAFETY: the debugger's function, with a place for its result.
        done(unsafe { sizeof(self.context, &mut sizes) })?;
        let (one, mut turned) = (1u32, 1u32);
        if let Some(convert) = self.callbacks.target_to_host {
            // SAFETY: as above.
            done(unsafe {
                convert(self.context, (&raw const one).cast(), 4, 1, (&raw mut turned).cast())
            })?;
        }
        Ok((sizes.sizeof_int, sizes.sizeof_pointer) == (4, 8) && turned == 1)
    }

    fn symbol(&self, name: &CStr, _file: Option<&CStr>) -> Result<u64, Code> {
        let look = self.callbacks.t_symbol_addr_lookup.ok_or(Code::CallbackError)?;
        let mut found = at(0);
        // SAFETY: as above.
        done(unsafe { look(self.context, core::ptr::null_mut(), name.as_ptr(), &mut found) })?;
        Ok(found.address)
    }

    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Code> {
        let read = self.callbacks.t_read_memory.ok_or(Code::CallbackError)?;
        let (none, bytes) = (core::ptr::null_mut(), into.len() as i64);
        // SAFETY: as above.
        done(unsafe { read(self.context, none, &at(address), bytes, into.as_mut_ptr().cast()) })
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Code> {
        let write = self.callbacks.t_write_memory.ok_or(Code::CallbackError)?;
        let (none, count) = (core::ptr::null_mut(), bytes.len() as i64);
        // SAFETY: as above.
        done(unsafe { write(self.context, none, &at(address), count, bytes.as_ptr().cast()) })
    }
}
