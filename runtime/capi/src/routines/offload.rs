//! LLVM's library of devices (`libomptarget`) executes the target constructs of clang's programs
//! and tells the runtime of them, for tools.
//!
//! The library asks the runtime in `libomp.so` once for the callbacks that the tool registered
//! (`ompt_libomp_connect`), and calls those. It gets functions of this file instead, which turn its
//! calls into events. So every tool is told, of any generation, even one that registers later. Only
//! the callbacks with data words (`_emi`) are given: they bring all that the others do. Between a
//! begin and its end the library keeps two words for the tool; here these hold addresses of
//! records. What must hold: no function is given if no tool can come, so that a program without a
//! tool pays nothing.

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use core::sync::atomic::{AtomicBool, Ordering};
use omphalos_abi::ompt::*;
use omphalos_engine::Thread;
use omphalos_engine::target::devices;
use omphalos_engine::target::library::{self, Memory, Record};
use omphalos_events::{
    self as events, DeviceEvent, Endpoint, Event, Identity, Kind, TargetKind, TargetOp,
};

/// Called by `libomptarget` when it comes: hands over the function that it asks for callbacks.
///
/// # Safety
/// `library` is null or points to the library's initializer and finalizer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompt_libomp_connect(library: *const ompt_start_tool_result_t) {
    // SAFETY: the caller's promise.
    let Some(library) = (unsafe { library.as_ref() }) else { return };
    if events::none() {
        return;
    }
    if let Some(initialize) = library.initialize {
        // Its finalizer is never called: after the tools' end these functions tell nothing, and the
        // library may be unloaded by then.
        // SAFETY: the initializer gets the arguments of its signature; it keeps no word of its own.
        unsafe { initialize(lookup, 0, core::ptr::null_mut()) };
    }
}

/// Returns the functions that the library gets: number, name and address of each.
fn given() -> [(ompt_callbacks_t, &'static [u8], usize); 7] {
    macro_rules! callbacks {
        ($($name:ident => $function:ident: $type:ident,)*) => {
            [$(($name, stringify!($name).as_bytes(), $function as $type as usize)),*]
        };
    }
    callbacks! {
        ompt_callback_target_emi => target: ompt_callback_target_emi_t,
        ompt_callback_target_data_op_emi => data_op: ompt_callback_target_data_op_emi_t,
        ompt_callback_target_submit_emi => submit: ompt_callback_target_submit_emi_t,
        ompt_callback_device_initialize => initialize: ompt_callback_device_initialize_t,
        ompt_callback_device_finalize => finalize: ompt_callback_device_finalize_t,
        ompt_callback_device_load => load: ompt_callback_device_load_t,
        ompt_callback_device_unload => unload: ompt_callback_device_unload_t,
    }
}

unsafe extern "C" fn lookup(name: *const c_char) -> Option<ompt_interface_fn_t> {
    if name.is_null() {
        return None;
    }
    // SAFETY: the library passes a zero-terminated string.
    let name = unsafe { CStr::from_ptr(name) }.to_bytes();
    let address = match name {
        b"ompt_get_callback" => get_callback as ompt_get_callback_t as usize,
        b"ompt_get_task_data" | b"ompt_get_target_task_data" => {
            word as extern "C" fn() -> *mut ompt_data_t as usize
        }
        _ => given().into_iter().find(|(_, its, _)| *its == name)?.2,
    };
    // SAFETY: the address of a function; the library casts it back to its type.
    Some(unsafe { core::mem::transmute::<usize, ompt_interface_fn_t>(address) })
}

unsafe extern "C" fn get_callback(
    number: ompt_callbacks_t,
    function: *mut Option<ompt_callback_t>,
) -> c_int {
    let ours = given().into_iter().find(|(its, ..)| *its == number).map_or(0, |(.., at)| at);
    // SAFETY: the address of a callback, or 0 for none.
    let ours = unsafe { core::mem::transmute::<usize, Option<ompt_callback_t>>(ours) };
    if !function.is_null() {
        // SAFETY: where the library wants the address.
        unsafe { *function = ours };
    }
    c_int::from(ours.is_some())
}

/// Returns a task's word, which comes back with each construct. It is no tool's, since each tool
/// has its own.
extern "C" fn word() -> *mut ompt_data_t {
    struct Nobodys(core::cell::UnsafeCell<ompt_data_t>);
    // SAFETY: never read or written, only handed round.
    unsafe impl Sync for Nobodys {}
    static WORD: Nobodys = Nobodys(core::cell::UnsafeCell::new(ompt_data_t { value: 0 }));
    WORD.0.get()
}

/// Returns the endpoints that a number stands for, in order; none if it is no endpoint.
fn endpoints(number: c_int) -> &'static [Endpoint] {
    match number {
        1 => &[Endpoint::Begin],
        2 => &[Endpoint::End],
        3 => &[Endpoint::Begin, Endpoint::End],
        _ => &[],
    }
}

/// Returns the address in one of the library's words.
///
/// # Safety
/// `word` is null or one of the words that only these functions write.
unsafe fn kept<T>(word: *const u64) -> *mut T {
    if word.is_null() {
        return core::ptr::null_mut();
    }
    // SAFETY: the caller's promise.
    core::ptr::with_exposed_provenance_mut(unsafe { *word } as usize)
}

/// Keeps an address in one of the library's words.
///
/// # Safety
/// `word` is null or valid for a write.
unsafe fn keep<T>(word: *mut u64, record: *mut T) {
    if !word.is_null() {
        // SAFETY: the caller's promise.
        unsafe { *word = record.expose_provenance() as u64 };
    }
}

unsafe extern "C" fn target(
    kind: c_int,
    endpoint: c_int,
    device: c_int,
    _task: *mut ompt_data_t,
    _target_task: *mut ompt_data_t,
    target: *mut ompt_data_t,
    codeptr: *const c_void,
) {
    let (Some(kind), false) = (TargetKind::from_number(kind), target.is_null()) else { return };
    let word = target.cast::<u64>();
    know_devices();
    for endpoint in endpoints(endpoint) {
        // SAFETY: the construct's word, which only this function writes between begin and end.
        unsafe {
            match endpoint {
                Endpoint::Begin => keep(word, library::begin(kind, device, codeptr as u64)),
                _ => {
                    library::end(kept(word));
                    keep::<Record>(word, core::ptr::null_mut());
                }
            }
        }
    }
}

/// Asks the library once how many devices it has. When it connects, it does not know yet.
fn know_devices() {
    static KNOWN: AtomicBool = AtomicBool::new(false);
    if !KNOWN.swap(true, Ordering::Relaxed) {
        library::has_devices(devices::count());
    }
}

/// Tells tools of an operation, and begins and ends it around that.
///
/// # Safety
/// Both words are null or the library's, which only these functions write.
unsafe fn operation(
    endpoint: c_int,
    target: *const ompt_data_t,
    word: *mut u64,
    tell: impl Fn(*const Record, *const Identity, Endpoint),
) {
    if word.is_null() {
        return;
    }
    // SAFETY: the caller's promise; a construct's record stands until its end.
    let construct = unsafe { kept::<Record>(target.cast()) };
    for &endpoint in endpoints(endpoint) {
        // SAFETY: as above; the operation's record stands from its begin to its end.
        unsafe {
            if endpoint == Endpoint::Begin {
                keep(word, library::operation_begins(construct));
            }
            let operation = kept::<Identity>(word);
            tell(construct, operation, endpoint);
            if endpoint == Endpoint::End {
                library::operation_ends(operation);
                keep::<Identity>(word, core::ptr::null_mut());
            }
        }
    }
}

unsafe extern "C" fn data_op(
    endpoint: c_int,
    _target_task: *mut ompt_data_t,
    target: *mut ompt_data_t,
    word: *mut ompt_id_t,
    op: c_int,
    source: *mut c_void,
    source_device: c_int,
    destination: *mut c_void,
    destination_device: c_int,
    bytes: usize,
    codeptr: *const c_void,
) {
    let Some(op) = TargetOp::from_number(op) else { return };
    let memory = Memory {
        op,
        source: (source, source_device),
        destination: (destination, destination_device),
        bytes,
        codeptr: codeptr as u64,
    };
    // SAFETY: the library's words, and records that stand.
    unsafe {
        operation(endpoint, target, word, |construct, operation, endpoint| {
            library::data_op(construct, operation, endpoint, memory);
        });
    }
}

unsafe extern "C" fn submit(
    endpoint: c_int,
    target: *mut ompt_data_t,
    word: *mut ompt_id_t,
    teams: c_uint,
) {
    // SAFETY: as in `data_op`.
    unsafe {
        operation(endpoint, target, word, |construct, operation, endpoint| {
            library::submit(construct, operation, endpoint, teams);
        });
    }
}

/// Tells of a device. This may start the runtime, and so the tools.
fn tell_device(event: DeviceEvent) {
    Thread::current();
    if events::wants(Kind::Device) {
        events::dispatch(&Event::Device(event));
    }
}

unsafe extern "C" fn initialize(
    device: c_int,
    kind: *const c_char,
    handle: *mut ompt_device_t,
    lookup: Option<ompt_function_lookup_t>,
    documentation: *const c_char,
) {
    let (handle, lookup) = (handle.cast(), lookup.map_or(0, |lookup| lookup as usize));
    tell_device(DeviceEvent::Initialize { device, kind, handle, lookup, documentation });
}

unsafe extern "C" fn finalize(device: c_int) {
    tell_device(DeviceEvent::Finalize { device });
}

unsafe extern "C" fn load(
    device: c_int,
    file: *const c_char,
    offset: i64,
    in_file: *mut c_void,
    bytes: usize,
    on_host: *mut c_void,
    on_device: *mut c_void,
    module: u64,
) {
    tell_device(DeviceEvent::Load {
        device,
        file,
        offset,
        in_file,
        bytes,
        on_host,
        on_device,
        module,
    });
}

unsafe extern "C" fn unload(device: c_int, module: u64) {
    tell_device(DeviceEvent::Unload { device, module });
}
