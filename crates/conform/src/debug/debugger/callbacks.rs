//! What a debugger does for a `libompd.so`: memory, symbols and threads of a process or of a core.
#![allow(non_upper_case_globals)] // codes under the names of the specification

use core::ffi::{CStr, c_char, c_int, c_void};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use omphalos_abi::ompd::*;
use omphalos_inspect::space::Space;

use super::symbols::{self, Symbol};

/// A process or a core. The library knows it by its address.
pub struct Context {
    /// The runtime's file, which alone has symbols that are not exported.
    runtime: String,
    /// What is looked at now.
    space: Cell<Option<*const dyn Space>>,
    exported: RefCell<HashMap<String, Option<u64>>>,
    inner: RefCell<HashMap<String, Option<Symbol>>>,
    /// The library knows a thread by the address of its number.
    #[allow(clippy::vec_box)] // the addresses stay
    threads: RefCell<Vec<Box<u32>>>,
    /// The last symbol that was asked for in vain.
    missing: RefCell<Option<String>>,
}

impl Context {
    /// Nothing is looked at yet.
    pub fn new(runtime: &str) -> Box<Context> {
        Box::new(Context {
            runtime: runtime.to_owned(),
            space: Cell::new(None),
            exported: RefCell::default(),
            inner: RefCell::default(),
            threads: RefCell::default(),
            missing: RefCell::default(),
        })
    }

    /// Runs `body` while the library looks at `space`.
    pub fn with<R>(&self, space: &dyn Space, body: impl FnOnce() -> R) -> R {
        // SAFETY: the pointer is taken away again below, while `space` still lives.
        let space: *const dyn Space =
            unsafe { core::mem::transmute::<&dyn Space, &'static dyn Space>(space) };
        self.space.set(Some(space));
        let result = body();
        self.space.set(None);
        result
    }

    /// As the library's functions take it.
    pub fn raw(&self) -> *mut ompd_address_space_context_t {
        (&raw const *self).cast_mut().cast()
    }

    /// The last symbol that was asked for and is not there, if any.
    pub fn missing(&self) -> Option<String> {
        self.missing.borrow().clone()
    }

    fn space(&self) -> Option<&dyn Space> {
        // SAFETY: `with` borrows it for as long as it is set.
        self.space.get().map(|space| unsafe { &*space })
    }

    /// The address of a symbol of the target; `lwp`: whose, of a thread-local one.
    pub fn symbol(&self, name: &str, lwp: Option<u32>) -> Option<u64> {
        let space = self.space()?;
        let export = || space.symbol(name, None).ok();
        let known = || *self.exported.borrow_mut().entry(name.to_owned()).or_insert_with(export);
        let inner = || {
            let find = || symbols::inner(space, &self.runtime, name);
            let found = *self.inner.borrow_mut().entry(name.to_owned()).or_insert_with(find);
            found?.address(space, lwp)
        };
        // Of a thread-local symbol the exported value is no address.
        let found = if lwp.is_some() { inner().or_else(known) } else { known().or_else(inner) };
        if found.is_none() {
            *self.missing.borrow_mut() = Some(name.to_owned());
        }
        found
    }

    fn thread(&self, is_lwp: bool, id: u64) -> Option<*mut ompd_thread_context_t> {
        let target = self.space()?.as_target();
        let all = target.threads().ok()?;
        let is_it = |lwp: &u32| match is_lwp {
            true => u64::from(*lwp) == id,
            false => target.registers(*lwp).is_ok_and(|registers| registers.fs_base == id),
        };
        let lwp = all.into_iter().find(is_it)?;
        let mut threads = self.threads.borrow_mut();
        let at = threads.iter().position(|known| **known == lwp).unwrap_or_else(|| {
            threads.push(Box::new(lwp));
            threads.len() - 1
        });
        Some((&raw const *threads[at]).cast_mut().cast())
    }
}

/// # Safety
/// Null, or one of [`Context::raw`] that lives.
unsafe fn context<'a>(raw: *mut ompd_address_space_context_t) -> Option<&'a Context> {
    // SAFETY: the caller's promise.
    unsafe { raw.cast::<Context>().as_ref() }
}

unsafe extern "C" fn alloc(bytes: ompd_size_t, to: *mut *mut c_void) -> ompd_rc_t {
    // SAFETY: the library gives a place for the result.
    unsafe {
        *to = libc::malloc(bytes as usize);
        if (*to).is_null() { ompd_rc_nomem } else { ompd_rc_ok }
    }
}

/// Gives a piece of memory back that the library allocated.
pub unsafe extern "C" fn free(memory: *mut c_void) -> ompd_rc_t {
    // SAFETY: the caller says so.
    unsafe { libc::free(memory) };
    ompd_rc_ok
}

unsafe extern "C" fn print(_text: *const c_char, _category: c_int) -> ompd_rc_t {
    ompd_rc_ok
}

unsafe extern "C" fn sizes(
    _space: *mut ompd_address_space_context_t,
    sizes: *mut ompd_device_type_sizes_t,
) -> ompd_rc_t {
    let here = ompd_device_type_sizes_t {
        sizeof_char: 1,
        sizeof_short: 2,
        sizeof_int: 4,
        sizeof_long: 8,
        sizeof_long_long: 8,
        sizeof_pointer: 8,
    };
    // SAFETY: the library gives a place for the result.
    unsafe { *sizes = here };
    ompd_rc_ok
}

unsafe extern "C" fn symbol(
    space: *mut ompd_address_space_context_t,
    thread: *mut ompd_thread_context_t,
    name: *const c_char,
    to: *mut ompd_address_t,
    _file: *const c_char,
) -> ompd_rc_t {
    // SAFETY: contexts are ours, the name is a C string, and the library gives a place for the
    // result.
    unsafe {
        let Some(context) = context(space) else { return ompd_rc_stale_handle };
        let lwp = thread.cast::<u32>().as_ref().copied();
        match context.symbol(&CStr::from_ptr(name).to_string_lossy(), lwp) {
            Some(address) => {
                *to = ompd_address_t { segment: ompd_segment_none, address };
                ompd_rc_ok
            }
            None => ompd_rc_error,
        }
    }
}

unsafe extern "C" fn read(
    space: *mut ompd_address_space_context_t,
    _thread: *mut ompd_thread_context_t,
    at: *const ompd_address_t,
    bytes: ompd_size_t,
    into: *mut c_void,
) -> ompd_rc_t {
    // SAFETY: contexts are ours, and the buffer has so many bytes.
    unsafe {
        let Some(space) = context(space).and_then(Context::space) else {
            return ompd_rc_stale_handle;
        };
        let into = core::slice::from_raw_parts_mut(into.cast::<u8>(), bytes as usize);
        match space.read((*at).address, into) {
            Ok(()) => ompd_rc_ok,
            Err(_) => ompd_rc_error,
        }
    }
}

/// Up to the text's end; what lies behind need not be readable.
unsafe extern "C" fn read_text(
    space: *mut ompd_address_space_context_t,
    thread: *mut ompd_thread_context_t,
    at: *const ompd_address_t,
    bytes: ompd_size_t,
    into: *mut c_void,
) -> ompd_rc_t {
    for offset in 0..bytes {
        // SAFETY: as `read`; the buffer has so many bytes.
        unsafe {
            let place = ompd_address_t { segment: 0, address: (*at).address.wrapping_add(offset) };
            let byte = into.cast::<u8>().add(offset as usize);
            match read(space, thread, &place, 1, byte.cast()) {
                ompd_rc_ok if *byte == 0 => break,
                ompd_rc_ok => {}
                code => return code,
            }
        }
    }
    ompd_rc_ok
}

unsafe extern "C" fn write(
    _space: *mut ompd_address_space_context_t,
    _thread: *mut ompd_thread_context_t,
    _at: *const ompd_address_t,
    _bytes: ompd_size_t,
    _from: *const c_void,
) -> ompd_rc_t {
    ompd_rc_unsupported
}

unsafe extern "C" fn convert(
    _space: *mut ompd_address_space_context_t,
    from: *const c_void,
    unit: ompd_size_t,
    count: ompd_size_t,
    to: *mut c_void,
) -> ompd_rc_t {
    // SAFETY: both have so many units; some libraries name the same place twice.
    unsafe { core::ptr::copy(from.cast::<u8>(), to.cast(), (unit * count) as usize) };
    ompd_rc_ok
}

unsafe extern "C" fn thread(
    space: *mut ompd_address_space_context_t,
    kind: ompd_thread_id_t,
    size: ompd_size_t,
    id: *const c_void,
    to: *mut *mut ompd_thread_context_t,
) -> ompd_rc_t {
    // SAFETY: contexts are ours, the id has so many bytes, and the library gives a place for the
    // result.
    unsafe {
        let Some(context) = context(space) else { return ompd_rc_stale_handle };
        let number = match size {
            8 => id.cast::<u64>().read_unaligned(),
            4 => id.cast::<u32>().read_unaligned().into(),
            _ => return ompd_rc_bad_input,
        };
        if kind != OMPD_THREAD_ID_LWP && kind != OMPD_THREAD_ID_PTHREAD {
            return ompd_rc_unsupported;
        }
        match context.thread(kind == OMPD_THREAD_ID_LWP, number) {
            Some(found) => {
                *to = found;
                ompd_rc_ok
            }
            None => ompd_rc_unavailable,
        }
    }
}

/// The table; some libraries keep its address.
pub static CALLBACKS: ompd_callbacks_t = ompd_callbacks_t {
    alloc_memory: Some(alloc),
    free_memory: Some(free),
    print_string: Some(print),
    sizeof_type: Some(sizes),
    symbol_addr_lookup: Some(symbol),
    read_memory: Some(read),
    write_memory: Some(write),
    read_string: Some(read_text),
    device_to_host: Some(convert),
    host_to_device: Some(convert),
    get_thread_context_for_thread_id: Some(thread),
};
