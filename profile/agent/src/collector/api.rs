//! Requests to the runtime.

use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};
use omphalos_abi::collector::*;

type Api = unsafe extern "C" fn(*mut c_void) -> c_int;

static API: AtomicPtr<c_void> = AtomicPtr::new(core::ptr::null_mut());

/// Asks the dynamic linker for the interface. Returns false if no library has it.
pub fn find() -> bool {
    // SAFETY: a C string and a pseudo handle.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, OMP_COLLECTOR_API.as_ptr()) };
    API.store(found, Relaxed);
    !found.is_null()
}

/// Returns the interface's address.
pub fn address() -> *const c_void {
    API.load(Relaxed)
}

/// One entry with room for 12 bytes, and the list's end.
#[repr(C)]
struct Message {
    size: c_int,
    request: Request,
    code: ErrorCode,
    answer: c_int,
    memory: [c_int; 3],
    end: c_int,
}

/// Sends one request; returns its error code, and the memory as the runtime left it.
fn send_request(request: Request, memory: [c_int; 3]) -> (ErrorCode, [c_int; 3]) {
    let api = API.load(Relaxed);
    if api.is_null() {
        return (OMP_ERRCODE_UNSUPPORTED, memory);
    }
    // SAFETY: the paper gives this type to a function of this name.
    let api: Api = unsafe { core::mem::transmute(api) };
    let mut message =
        Message { size: 28, request, code: OMP_ERRCODE_ERROR, answer: 0, memory, end: 0 };
    // SAFETY: a list of one entry, whose memory is as long as it says.
    unsafe { api((&raw mut message).cast()) };
    (message.code, message.memory)
}

/// Sends a request without data.
pub fn simple(request: Request) -> ErrorCode {
    send_request(request, [0; 3]).0
}

/// Registers a callback.
pub fn register(event: Event, callback: Callback) -> ErrorCode {
    let address = callback as usize as u64;
    send_request(
        OMP_REQ_REGISTER,
        [event, address as u32 as c_int, (address >> 32) as u32 as c_int],
    )
    .0
}

/// Unregisters the callback.
pub fn unregister(event: Event) {
    send_request(OMP_REQ_UNREGISTER, [event, 0, 0]);
}

fn wide(low: c_int, high: c_int) -> u64 {
    u64::from(low as u32) | u64::from(high as u32) << 32
}

/// Returns the calling thread's state and the wait id; the serial state if there is no answer.
/// Async-signal-safe.
pub fn state() -> (ThreadState, u64) {
    match send_request(OMP_REQ_STATE, [0; 3]) {
        (OMP_ERRCODE_OK, [state, low, high]) => (state, wide(low, high)),
        _ => (THR_SERIAL_STATE, 0),
    }
}

/// Returns the id of the calling thread's region, 0 outside. Async-signal-safe.
pub fn current_region() -> u64 {
    match send_request(OMP_REQ_CURRENT_PRID, [0; 3]) {
        (OMP_ERRCODE_OK, [low, high, _]) => wide(low, high),
        _ => 0,
    }
}
