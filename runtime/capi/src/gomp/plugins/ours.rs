//! The functions that plugins call: memory, messages, and functions of OpenACC.

use core::ffi::{c_char, c_int, c_uint, c_void};
use core::sync::atomic::{AtomicBool, Ordering};
use omphalos_sys::{environment, heap, message, variadic};

/// Returns the block. Ends the program if there is no memory.
fn counted_block(block: *mut c_void, bytes: usize) -> *mut c_void {
    if block.is_null() && bytes != 0 {
        crate::shared::device::fatal(format_args!("a plugin gets no {bytes} bytes of memory"));
    }
    block
}

omphalos_sys::exported_routines! {
    /// `bytes` bytes of the host's memory, which the C library's `free` takes back
    /// (GOMP_PLUGIN_1.0).
    GOMP_PLUGIN_malloc(bytes: usize) -> *mut c_void = counted_block(heap::get(bytes), bytes);
    /// As [`GOMP_PLUGIN_malloc`], all bytes 0 (GOMP_PLUGIN_1.0).
    GOMP_PLUGIN_malloc_cleared(bytes: usize) -> *mut c_void
        = counted_block(heap::get_zeroed(bytes), bytes);
    /// The same block with another size (GOMP_PLUGIN_1.0).
    GOMP_PLUGIN_realloc(block: *mut c_void, bytes: usize) -> *mut c_void
        = counted_block(heap::resize(block, bytes), bytes);
}

/// Whether plugins' messages for their developers are wanted (`GOMP_DEBUG`).
static DEBUG: AtomicBool = AtomicBool::new(false);

/// Reads `GOMP_DEBUG`.
pub(super) fn read_debug() {
    environment::each(b"G", |name, value| {
        if name == b"GOMP_DEBUG" {
            DEBUG.store(!matches!(value.trim_ascii(), b"" | b"0"), Ordering::Relaxed);
        }
    });
}

/// # Safety
/// The arguments are those that the caller's format names; the format is argument `number`.
unsafe fn text(first: *const usize, rest: *const usize, number: usize) -> String {
    // SAFETY: the caller's promise.
    let text = unsafe { variadic::formatted(first, rest, number) };
    String::from_utf8_lossy(&text).trim_end().to_owned()
}

unsafe extern "C" fn debug(first: *const usize, rest: *const usize) {
    if DEBUG.load(Ordering::Relaxed) {
        // SAFETY: a kind, a format and the arguments that it names.
        message!("plugin: {}", unsafe { text(first, rest, 1) });
    }
}

unsafe extern "C" fn error(first: *const usize, rest: *const usize) {
    // SAFETY: a format and the arguments that it names.
    message!("plugin: {}", unsafe { text(first, rest, 0) });
}

unsafe extern "C" fn fatal(first: *const usize, rest: *const usize) {
    // SAFETY: as above.
    let text = unsafe { text(first, rest, 0) };
    crate::shared::device::fatal(format_args!("plugin: {text}"));
}

omphalos_sys::variadic_text_entry! {
    /// A message for the plugin's developers (GOMP_PLUGIN_1.0).
    GOMP_PLUGIN_debug => debug;
    /// A message (GOMP_PLUGIN_1.0).
    GOMP_PLUGIN_error => error;
    /// A message that ends the program (GOMP_PLUGIN_1.0).
    GOMP_PLUGIN_fatal => fatal;
}

omphalos_sys::exported_routines! {
    /// A region that a plugin runs beside the program is over (GOMP_PLUGIN_1.1): no region begins
    /// in that way.
    GOMP_PLUGIN_target_task_completion(_task: *mut c_void) = ();
    /// OpenACC: its data goes (GOMP_PLUGIN_1.0). No code of OpenACC runs here.
    GOMP_PLUGIN_async_unmap_vars(_variables: *mut c_void, _queue: c_int) = ();
    /// OpenACC: the plugin's data for the calling thread (GOMP_PLUGIN_1.0): none.
    GOMP_PLUGIN_acc_thread() -> *mut c_void = core::ptr::null_mut();
    /// OpenACC: OpenACC's data for the calling thread (GOMP_PLUGIN_1.3): none.
    GOMP_PLUGIN_goacc_thread() -> *mut c_void = core::ptr::null_mut();
    /// OpenACC: tells its tools (GOMP_PLUGIN_1.3): there are none.
    GOMP_PLUGIN_goacc_profiling_dispatch(
        _event: *mut c_void, _of_event: *mut c_void, _of_device: *mut c_void
    ) = ();
    /// OpenACC: the number of gangs, workers or vectors if the program gives none
    /// (GOMP_PLUGIN_1.2): the plugin decides.
    GOMP_PLUGIN_acc_default_dim(_of: c_uint) -> c_int = 0;
}

/// A device calls the host in the middle of a region (GOMP_PLUGIN_1.4).
#[unsafe(no_mangle)]
pub extern "C" fn GOMP_PLUGIN_target_rev(
    _: u64,
    _: u64,
    _: u64,
    _: u64,
    _: u64,
    _: c_int,
    _: *const c_char,
    _: *mut c_void,
) {
    crate::shared::device::fatal(format_args!(
        "a region on a device contains one for the host (`device(ancestor: 1)`): not offered"
    ));
}
