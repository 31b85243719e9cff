//! The debugger's callbacks, and the processes that it names.
//!
//! In this generation the debugger defines `ompd_initialize`, the function that fills in the table,
//! and the library calls it. The library does so at its first use, so that the debugger is ready
//! then.

use core::ffi::{CStr, c_char, c_int, c_void};
use std::sync::{Arc, Mutex, PoisonError};

use omphalos_abi::earlier::ompd2013::*;
use omphalos_ompd_answers::{Answer, Ask, Code, Debugger, Held, Space};

use crate::HANDLES;

/// The debugger's table, and the context that it named last, for functions without a context.
static GIVEN: Mutex<(Option<ompd_callbacks_t>, usize)> = Mutex::new((None, 0));

/// The debugger's table. The first call asks the debugger for it.
pub fn callbacks() -> Answer<ompd_callbacks_t> {
    if let (Some(known), _) = *GIVEN.lock().unwrap_or_else(PoisonError::into_inner) {
        return Ok(known);
    }
    // SAFETY: a lookup by name.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"ompd_initialize".as_ptr()) };
    if found.is_null() {
        return Err(Code::Error);
    }
    let mut table = ompd_callbacks_t::default();
    // SAFETY: a debugger of this generation has this function under the name. No lock is held: the
    // function may call us.
    let code = unsafe {
        let initialize: unsafe extern "C" fn(*mut ompd_callbacks_t) -> ompd_rc_t =
            core::mem::transmute(found);
        initialize(&mut table)
    };
    let complete = table.d_alloc_memory.is_some()
        && table.t_symbol_addr_lookup.is_some()
        && table.t_read_memory.is_some();
    if code != ompd_rc_ok || !complete {
        return Err(Code::Error);
    }
    GIVEN.lock().unwrap_or_else(PoisonError::into_inner).0 = Some(table);
    Ok(table)
}

/// The process of a context, opened if it was not open.
pub fn process(context: *mut ompd_context_t) -> Answer<Arc<Space>> {
    let callbacks = callbacks()?;
    if context.is_null() {
        return Err(Code::BadInput);
    }
    opened(callbacks, context)
}

fn opened(callbacks: ompd_callbacks_t, context: *mut ompd_context_t) -> Answer<Arc<Space>> {
    let known = HANDLES.opened(context as usize);
    let space = match known {
        Some(space) => space,
        None => {
            let process = Box::new(Process { callbacks, context });
            let space = Space::open(process, context as usize)?;
            HANDLES.constant(Held::space(space.clone()))?;
            space
        }
    };
    GIVEN.lock().unwrap_or_else(PoisonError::into_inner).1 = context as usize;
    Ok(space)
}

/// The process that was named last; if none was, the one that the debugger reads without a context.
pub fn latest() -> Answer<Arc<Space>> {
    let callbacks = callbacks()?;
    let context = GIVEN.lock().unwrap_or_else(PoisonError::into_inner).1;
    opened(callbacks, context as *mut ompd_context_t)
}

struct Process {
    callbacks: ompd_callbacks_t,
    context: *mut ompd_context_t,
}

// SAFETY: only the debugger's callbacks follow the context; one thread at a time uses OMPD.
unsafe impl Send for Process {}
// SAFETY: as above.
unsafe impl Sync for Process {}

fn done(code: ompd_rc_t) -> Answer<()> {
    if code == ompd_rc_ok { Ok(()) } else { Err(Code::CallbackError) }
}

impl Debugger for Process {
    fn allocate(&self, bytes: usize) -> Result<*mut c_void, Code> {
        let allocate = self.callbacks.d_alloc_memory.ok_or(Code::CallbackError)?;
        let mut memory = core::ptr::null_mut();
        // SAFETY: the debugger's function, with a place for its result.
        done(unsafe { allocate(self.context, bytes, &mut memory) })?;
        if memory.is_null() { Err(Code::NoMemory) } else { Ok(memory) }
    }

    unsafe fn free(&self, memory: *mut c_void) -> Result<(), Code> {
        let free = self.callbacks.d_free_memory.ok_or(Code::CallbackError)?;
        // SAFETY: the caller's promise.
        done(unsafe { free(self.context, memory) })
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
                convert(self.context, (&raw const one).cast(), (&raw mut turned).cast(), 4)
            })?;
        }
        Ok((sizes.sizeof_int, sizes.sizeof_pointer) == (4, 8) && turned == 1)
    }

    fn symbol(&self, name: &CStr, _file: Option<&CStr>) -> Result<u64, Code> {
        let look = self.callbacks.t_symbol_addr_lookup.ok_or(Code::CallbackError)?;
        let mut found = 0;
        let name: *const c_char = name.as_ptr();
        // SAFETY: as above.
        done(unsafe { look(self.context, name, &mut found) })?;
        Ok(found)
    }

    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Code> {
        let read = self.callbacks.t_read_memory.ok_or(Code::CallbackError)?;
        let (mut address, bytes) = (address, into.len() as i64);
        // SAFETY: as above.
        done(unsafe { read(self.context, &mut address, into.as_mut_ptr().cast(), bytes) })
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Code> {
        let write = self.callbacks.t_write_memory.ok_or(Code::CallbackError)?;
        let (mut address, count) = (address, bytes.len() as i64);
        let from = bytes.as_ptr().cast_mut().cast();
        // SAFETY: as above; the debugger reads from the buffer, as the text says.
        done(unsafe { write(self.context, &mut address, from, count) })
    }
}

/// Asks the runtime for tool support, or for its end. A call of `ompt_enable_complete` tells the
/// debugger that the change is complete, but a program that stands still calls nothing. So this
/// function calls [`ompt_enable_complete`] of this library, unless a tool has to end. The program
/// itself calls its function of that name where a tool has ended, or has started with the runtime.
pub fn switch_tracking(setting: c_int) -> Answer<()> {
    let space = latest()?;
    let runtime = space.runtime();
    let written = if setting == 0 {
        runtime.ask_for(Ask::Off)
    } else {
        runtime.ask_for_places().and_then(|()| runtime.ask_for(Ask::On))
    };
    written.map_err(|_| Code::Unsupported)?;
    if setting != 0 || runtime.tool_slot()?.is_none() {
        ompt_enable_complete();
    }
    Ok(())
}

/// The debugger's place for a breakpoint in this library; the program has one of the same name.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn ompt_enable_complete() {
    core::hint::black_box(());
}
