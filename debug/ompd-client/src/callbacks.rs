//! A debugger's services for the library: memory, symbols, threads. A library has one table of
//! callbacks for all its targets, so the context names the target.

use core::cell::{Cell, RefCell};
use core::ffi::{CStr, c_char, c_int, c_void};

use omphalos_abi::ompd::*;
use omphalos_ompd_view::Fault;

use crate::{LARGEST, Subject};

/// Calls that read or look up, for one process. A library that makes more goes round in a circle.
const MOST_CALLS: u32 = 4_000_000;
/// Memory that the library may have at once.
const MOST_MEMORY: usize = 256 << 20;

/// A target, as the context of an address space.
pub(crate) struct Desk<'a> {
    pub subject: &'a dyn Subject,
    calls: Cell<u32>,
    /// The first symbol that the library asked for and that is missing.
    pub missing: RefCell<Option<String>>,
    /// The target's threads: the kernel's number, and `pthread_self()`.
    pub threads: Vec<(u32, u64)>,
}

impl<'a> Desk<'a> {
    pub fn new(subject: &'a dyn Subject) -> Result<Desk<'a>, Fault> {
        let own = |lwp: &u32| subject.registers(*lwp).map_or(0, |registers| registers.fs_base);
        let lwps = subject.threads()?;
        let threads = lwps.iter().map(|lwp| (*lwp, own(lwp))).collect();
        Ok(Desk { subject, calls: Cell::new(0), missing: RefCell::default(), threads })
    }

    fn count(&self) -> Result<(), ompd_rc_t> {
        self.calls.set(self.calls.get() + 1);
        if self.calls.get() > MOST_CALLS { Err(ompd_rc_error) } else { Ok(()) }
    }
}

thread_local! {
    static MEMORY: Cell<usize> = const { Cell::new(0) };
}

/// The table. The context of an address space is a `Desk`; the context of a thread is its number in
/// the kernel.
pub(crate) static TABLE: ompd_callbacks_t = ompd_callbacks_t {
    alloc_memory: Some(alloc_memory),
    free_memory: Some(free_memory),
    print_string: Some(print_string),
    sizeof_type: Some(sizeof_type),
    symbol_addr_lookup: Some(symbol_addr_lookup),
    read_memory: Some(read_memory),
    write_memory: Some(write_memory),
    read_string: Some(read_string),
    device_to_host: Some(convert),
    host_to_device: Some(convert),
    get_thread_context_for_thread_id: Some(thread_context),
};

/// Bytes in front of each allocation, which hold its size.
const HEAD: usize = 16;

unsafe extern "C" fn alloc_memory(bytes: ompd_size_t, into: *mut *mut c_void) -> ompd_rc_t {
    if into.is_null() {
        return ompd_rc_bad_input;
    }
    let all = MEMORY.get();
    let Some(bytes) = usize::try_from(bytes).ok().filter(|bytes| *bytes <= MOST_MEMORY - all)
    else {
        return ompd_rc_nomem;
    };
    // SAFETY: the size is bounded; the bytes in front of the allocation are ours.
    unsafe {
        let memory = libc::calloc(1, HEAD + bytes);
        if memory.is_null() {
            return ompd_rc_nomem;
        }
        *memory.cast::<usize>() = bytes;
        *into = memory.byte_add(HEAD);
    }
    MEMORY.set(all + bytes);
    ompd_rc_ok
}

unsafe extern "C" fn free_memory(memory: *mut c_void) -> ompd_rc_t {
    if memory.is_null() {
        return ompd_rc_bad_input;
    }
    // SAFETY: the library gives back what `alloc_memory` gave.
    unsafe {
        let memory = memory.byte_sub(HEAD);
        let bytes = *memory.cast::<usize>();
        MEMORY.set(MEMORY.get().saturating_sub(bytes));
        libc::free(memory);
    }
    ompd_rc_ok
}

/// Frees memory that the library gave to this debugger.
pub(crate) fn free(memory: *const c_void) {
    if !memory.is_null() {
        // SAFETY: by the specification, the library took from `alloc_memory` what it gives to a
        // debugger.
        unsafe { free_memory(memory.cast_mut()) };
    }
}

unsafe extern "C" fn print_string(_text: *const c_char, _category: c_int) -> ompd_rc_t {
    ompd_rc_ok
}

unsafe extern "C" fn sizeof_type(
    _context: *mut ompd_address_space_context_t,
    sizes: *mut ompd_device_type_sizes_t,
) -> ompd_rc_t {
    if sizes.is_null() {
        return ompd_rc_bad_input;
    }
    // SAFETY: a place for the result.
    unsafe {
        *sizes = ompd_device_type_sizes_t {
            sizeof_char: 1,
            sizeof_short: 2,
            sizeof_int: 4,
            sizeof_long: 8,
            sizeof_long_long: 8,
            sizeof_pointer: 8,
        };
    }
    ompd_rc_ok
}

/// # Safety
/// `context` is the one that `ompd_process_initialize` got.
unsafe fn desk<'a>(context: *mut ompd_address_space_context_t) -> Option<&'a Desk<'a>> {
    // SAFETY: the caller's promise; the desk lives longer than the library's handle of it.
    unsafe { context.cast::<Desk<'a>>().as_ref() }
}

/// The number in the kernel of the thread that a context stands for.
fn lwp_of(context: *mut ompd_thread_context_t) -> Option<u32> {
    u32::try_from(context as usize).ok().filter(|lwp| *lwp != 0)
}

unsafe extern "C" fn symbol_addr_lookup(
    context: *mut ompd_address_space_context_t,
    thread: *mut ompd_thread_context_t,
    name: *const c_char,
    address: *mut ompd_address_t,
    _file: *const c_char,
) -> ompd_rc_t {
    // SAFETY: the library's promise.
    let Some(desk) = (unsafe { desk(context) }) else { return ompd_rc_bad_input };
    if name.is_null() || address.is_null() {
        return ompd_rc_bad_input;
    }
    if let Err(code) = desk.count() {
        return code;
    }
    // SAFETY: a C string.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    match desk.subject.variable(&name, lwp_of(thread)) {
        Ok(at) => {
            // SAFETY: a place for the result.
            unsafe { *address = ompd_address_t { segment: ompd_segment_none, address: at } };
            ompd_rc_ok
        }
        Err(fault) => {
            // A thread without such a variable is one that the runtime does not know.
            if thread.is_null() && matches!(fault, Fault::Unknown(_)) {
                desk.missing.borrow_mut().get_or_insert_with(|| name.into_owned());
            }
            ompd_rc_unavailable
        }
    }
}

unsafe extern "C" fn read_memory(
    context: *mut ompd_address_space_context_t,
    _thread: *mut ompd_thread_context_t,
    address: *const ompd_address_t,
    bytes: ompd_size_t,
    buffer: *mut c_void,
) -> ompd_rc_t {
    // SAFETY: the library's promise.
    let (Some(desk), Some(address)) = (unsafe { desk(context) }, unsafe { address.as_ref() })
    else {
        return ompd_rc_bad_input;
    };
    if let Err(code) = desk.count() {
        return code;
    }
    if buffer.is_null() || bytes > LARGEST {
        return ompd_rc_bad_input;
    }
    // SAFETY: the library's promise: the buffer has that many bytes.
    let into = unsafe { core::slice::from_raw_parts_mut(buffer.cast::<u8>(), bytes as usize) };
    // After a failed read, nothing of the buffer's earlier contents is left.
    into.fill(0);
    match desk.subject.read(address.address, into) {
        Ok(()) => ompd_rc_ok,
        Err(_) => ompd_rc_error,
    }
}

unsafe extern "C" fn write_memory(
    _context: *mut ompd_address_space_context_t,
    _thread: *mut ompd_thread_context_t,
    _address: *const ompd_address_t,
    _bytes: ompd_size_t,
    _buffer: *const c_void,
) -> ompd_rc_t {
    // This debugger only reads.
    ompd_rc_unsupported
}

/// Reads a string up to its zero, byte by byte, since the memory behind it may be missing.
unsafe extern "C" fn read_string(
    context: *mut ompd_address_space_context_t,
    thread: *mut ompd_thread_context_t,
    address: *const ompd_address_t,
    bytes: ompd_size_t,
    buffer: *mut c_void,
) -> ompd_rc_t {
    // SAFETY: the library's promise.
    let Some(mut address) = (unsafe { address.as_ref() }).copied() else {
        return ompd_rc_bad_input;
    };
    for at in 0..bytes.min(LARGEST) as usize {
        // SAFETY: as above; one byte each.
        unsafe {
            let into = buffer.byte_add(at);
            match read_memory(context, thread, &address, 1, into) {
                ompd_rc_ok if *into.cast::<u8>() == 0 => return ompd_rc_ok,
                ompd_rc_ok => {}
                code => return code,
            }
        }
        address.address = address.address.wrapping_add(1);
    }
    ompd_rc_ok
}

/// Target and debugger have the same byte order, so converting is copying.
unsafe extern "C" fn convert(
    _context: *mut ompd_address_space_context_t,
    input: *const c_void,
    size: ompd_size_t,
    count: ompd_size_t,
    output: *mut c_void,
) -> ompd_rc_t {
    match size.checked_mul(count) {
        Some(bytes) if bytes <= LARGEST && !input.is_null() && !output.is_null() => {
            // SAFETY: the library's promise; the two may be one place.
            unsafe { core::ptr::copy(input.cast::<u8>(), output.cast::<u8>(), bytes as usize) };
            ompd_rc_ok
        }
        _ => ompd_rc_bad_input,
    }
}

unsafe extern "C" fn thread_context(
    context: *mut ompd_address_space_context_t,
    kind: ompd_thread_id_t,
    size: ompd_size_t,
    id: *const c_void,
    thread: *mut *mut ompd_thread_context_t,
) -> ompd_rc_t {
    // SAFETY: the library's promise.
    let Some(desk) = (unsafe { desk(context) }) else { return ompd_rc_bad_input };
    if id.is_null() || thread.is_null() {
        return ompd_rc_bad_input;
    }
    // SAFETY: the library's promise: `id` has `size` bytes.
    let known = unsafe {
        match (kind, size) {
            (OMPD_THREAD_ID_LWP, 4) => {
                let lwp = id.cast::<u32>().read_unaligned();
                desk.threads.iter().find(|(known, _)| *known == lwp)
            }
            (OMPD_THREAD_ID_LWP | OMPD_THREAD_ID_PTHREAD, 8) => {
                let own = id.cast::<u64>().read_unaligned();
                let is_lwp = kind == OMPD_THREAD_ID_LWP;
                let is_it = |(lwp, pthread): &&(u32, u64)| match is_lwp {
                    true => u64::from(*lwp) == own,
                    false => *pthread == own && own != 0,
                };
                desk.threads.iter().find(is_it)
            }
            _ => return ompd_rc_unsupported,
        }
    };
    let Some((lwp, _)) = known else { return ompd_rc_unavailable };
    // SAFETY: a place for the result.
    unsafe { *thread = *lwp as usize as *mut ompd_thread_context_t };
    ompd_rc_ok
}
