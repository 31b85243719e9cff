//! Functions beyond OMPD, for debuggers' extensions: the whole program at one moment, and why
//! nothing goes on. An extension takes the snapshot, lets [`omphalos_look`] fill it, and asks.

use core::ffi::{CStr, c_char};
use std::ffi::{CString, OsStr};
use std::os::unix::ffi::OsStrExt;

use omphalos_abi::ompd::{ompd_address_space_context_t, ompd_address_space_handle_t};
use omphalos_ompd_answers::{Callbacks, Kind, Native, thread};
use omphalos_ompd_view::Target;
use omphalos_ompd_view::snapshot::Snapshot;
use omphalos_program::{Directive, NameParts, ProgramFile, Role, RuntimeCall, Segment};
use omphalos_why::words;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::debugger::{self, Process};
use crate::{held, look};

fn out_of(answer: &impl Serialize) -> *mut c_char {
    let text = serde_json::to_string(answer).ok().and_then(|text| CString::new(text).ok());
    text.map_or(core::ptr::null_mut(), CString::into_raw)
}

/// The JSON of the answer to a text; null if there is no answer.
///
/// # Safety
/// `text` is null or a C string.
unsafe fn answer_to<T: Serialize>(
    text: *const c_char,
    answer: impl FnOnce(&CStr) -> Option<T>,
) -> *mut c_char {
    if text.is_null() {
        return core::ptr::null_mut();
    }
    // SAFETY: the caller's promise.
    let answer = answer(unsafe { CStr::from_ptr(text) });
    answer.map_or(core::ptr::null_mut(), |answer| out_of(&answer))
}

/// Returns a snapshot as JSON, with a sentence on what each of its threads does (`doing`).
fn told(snapshot: &Snapshot) -> Value {
    let mut told = serde_json::json!(snapshot);
    let threads = told["threads"].as_array_mut().into_iter().flatten();
    for (thread, known) in threads.zip(&snapshot.threads) {
        thread["doing"] = words::doing(snapshot, known).into();
    }
    told
}

/// The whole program at this moment as JSON (`omphalos_ompd_view::snapshot`), without stacks, and
/// with a sentence on what each thread does (`doing`); null on failure. The caller gives it back
/// with [`omphalos_free`].
#[unsafe(no_mangle)]
pub extern "C" fn omphalos_snapshot(handle: *mut ompd_address_space_handle_t) -> *mut c_char {
    let Ok(space) = held(Kind::Space, handle) else { return core::ptr::null_mut() };
    out_of(&told(&space.space.runtime().snapshot()))
}

/// # Safety
/// `text` is null or a C string.
unsafe fn parsed<T: DeserializeOwned>(text: *const c_char) -> Option<T> {
    if text.is_null() {
        return None;
    }
    // SAFETY: the caller's promise.
    serde_json::from_slice(unsafe { CStr::from_ptr(text) }.to_bytes()).ok()
}

/// The snapshot with everything that `omphalos inspect` adds to it: the threads' stacks, their
/// waits outside the runtime, names and places. Null if a text cannot be parsed. `seen`: JSON,
/// described in docs/ompd.md. The caller gives the text back with [`omphalos_free`].
///
/// # Safety
/// `text` and `seen` are null or C strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omphalos_look(
    handle: *mut ompd_address_space_handle_t,
    text: *const c_char,
    seen: *const c_char,
) -> *mut c_char {
    let Ok(space) = held(Kind::Space, handle) else { return core::ptr::null_mut() };
    // SAFETY: the caller's promise.
    let (snapshot, seen) = unsafe { (parsed::<Snapshot>(text), parsed(seen)) };
    let (Some(mut snapshot), Some(seen)) = (snapshot, seen) else { return core::ptr::null_mut() };
    look::fill(space.space.target(), &mut snapshot, seen);
    out_of(&told(&snapshot))
}

/// # Safety
/// `context` is a context for the callbacks; `frame` is null or a C string.
unsafe fn of_frame<T: Serialize>(
    context: *mut ompd_address_space_context_t,
    frame: *const c_char,
    answer: impl FnOnce(&dyn Target, &look::Frame) -> T,
) -> *mut c_char {
    // SAFETY: the caller's promise.
    let (Some(callbacks), Some(frame)) = (debugger::callbacks(), unsafe { parsed(frame) }) else {
        return core::ptr::null_mut();
    };
    let target = Callbacks(Box::new(Process { callbacks, context }));
    out_of(&answer(&target, &frame))
}

/// The frames of a stack from the unwinding tables of the program's files, as a JSON list; null if
/// a text cannot be parsed. It works without a runtime. `innermost`: JSON, described in
/// docs/ompd.md. The caller gives the text back with [`omphalos_free`].
///
/// # Safety
/// `context` is a context for the callbacks; `innermost` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omphalos_stack(
    context: *mut ompd_address_space_context_t,
    innermost: *const c_char,
) -> *mut c_char {
    // SAFETY: the caller's promise.
    unsafe { of_frame(context, innermost, look::stack) }
}

/// The first two arguments of the call that a frame is in, as a JSON list, with null for an
/// argument that the code does not show; a null pointer if a text cannot be parsed. It works
/// without a runtime. `frame`: JSON, described in docs/ompd.md. The caller gives the text back with
/// [`omphalos_free`].
///
/// # Safety
/// `context` is a context for the callbacks; `frame` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omphalos_arguments(
    context: *mut ompd_address_space_context_t,
    frame: *const c_char,
) -> *mut c_char {
    // SAFETY: the caller's promise.
    unsafe { of_frame(context, frame, look::arguments) }
}

/// Takes apart a function's name from a debugger: the function's role, the function around its
/// construct, the name as its author wrote it; as JSON (described in docs/ompd.md). Null if `name`
/// is null. The caller gives the text back with [`omphalos_free`].
///
/// # Safety
/// `name` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omphalos_name(name: *const c_char) -> *mut c_char {
    let parts = |name: &CStr| {
        let NameParts { role, around, plain, inner } = NameParts::of(&name.to_string_lossy());
        let role = match role {
            Role::User => "user",
            Role::Region => "region",
            Role::Task => "task",
            Role::Outlined => "outlined",
            Role::Target => "target",
            Role::Body => "body",
            Role::Helper => "helper",
        };
        let name = serde_json::json!({
            "role": role, "around": around, "plain": plain, "inner": inner
        });
        Some(name)
    };
    // SAFETY: the caller's promise.
    unsafe { answer_to(name, parts) }
}

/// The contents of a program's file, as JSON (described in docs/ompd.md); null if it cannot be
/// read. The caller gives the text back with [`omphalos_free`].
///
/// # Safety
/// `path` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omphalos_file(path: *const c_char) -> *mut c_char {
    let parts = |path: &CStr| {
        let file = ProgramFile::read(OsStr::from_bytes(path.to_bytes()).as_ref())?;
        let segment = |it: &Segment| (it.address, it.offset, it.length, it.mapped, it.flags);
        let segments: Vec<_> = file.segments.iter().map(segment).collect();
        let call = |it: &RuntimeCall| {
            let (bodies, inner) = (it.bodies.clone(), it.inner.clone());
            (it.address, it.after, it.callee.to_string(), it.is_jump, bodies, inner)
        };
        let calls: Vec<_> = file.calls.iter().map(call).collect();
        Some(serde_json::json!({"segments": segments, "exports": file.exports, "calls": calls}))
    };
    // SAFETY: the caller's promise.
    unsafe { answer_to(path, parts) }
}

/// The directives of a source file, as JSON: a list of first line, last line, words without
/// clauses; null if the file cannot be read. The caller gives the text back with [`omphalos_free`].
///
/// # Safety
/// `path` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omphalos_directives(path: *const c_char) -> *mut c_char {
    let told = |it: &Directive| (it.line, it.last, it.words.join(" "));
    let all = |path: &CStr| {
        let found = Directive::of_file(&path.to_string_lossy())?;
        Some(found.iter().map(told).collect::<Vec<_>>())
    };
    // SAFETY: the caller's promise.
    unsafe { answer_to(path, all) }
}

/// A construct's place in the source, as JSON; null if the text cannot be parsed. `asked`: JSON;
/// docs/ompd.md describes both. The caller gives the text back with [`omphalos_free`].
///
/// # Safety
/// `asked` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omphalos_construct(asked: *const c_char) -> *mut c_char {
    // SAFETY: the caller's promise.
    let Some(asked) = (unsafe { parsed(asked) }) else { return core::ptr::null_mut() };
    out_of(&look::construct(&asked))
}

/// The control variables of the thread with this kernel number, as a JSON list of scope, name and
/// value; null on failure. The caller gives the text back with [`omphalos_free`].
#[unsafe(no_mangle)]
pub extern "C" fn omphalos_icvs(handle: *mut ompd_address_space_handle_t, lwp: u64) -> *mut c_char {
    let Ok(space) = held(Kind::Space, handle) else { return core::ptr::null_mut() };
    out_of(&space.icvs_of_thread(lwp))
}

/// The address of a thread's copy of a threadprivate variable that the compiler leaves to the
/// runtime, as JSON; JSON's null if the variable itself is to be read. A null pointer on failure.
/// `lwp`: the thread's number in the kernel. `pointer`: the address of the variable's pointer to
/// its table of copies. The caller gives the text back with [`omphalos_free`].
#[unsafe(no_mangle)]
pub extern "C" fn omphalos_copy(
    handle: *mut ompd_address_space_handle_t,
    lwp: u64,
    pointer: u64,
) -> *mut c_char {
    let copy = || {
        let thread = thread::by_native(&held(Kind::Space, handle)?.space, Native::Lwp(lwp))?;
        thread.ask_runtime(|runtime, at| runtime.thread(at).threadprivate_copy(pointer))
    };
    copy().map_or(core::ptr::null_mut(), |copy| out_of(&copy))
}

/// The reasons why nothing goes on, as a JSON list of findings; null if the text is no snapshot.
/// `earlier`: the same program a moment before, or null. The caller gives the text back with
/// [`omphalos_free`].
///
/// # Safety
/// `text` and `earlier` are null or C strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omphalos_why(text: *const c_char, earlier: *const c_char) -> *mut c_char {
    // SAFETY: the caller's promise.
    let (now, before) = unsafe { (parsed::<Snapshot>(text), parsed(earlier)) };
    let Some(now) = now else { return core::ptr::null_mut() };
    out_of(&omphalos_why::explain(&now, before.as_ref()))
}

/// Frees a text.
///
/// # Safety
/// `text` is null or came from one of the functions above, once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omphalos_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: the caller's promise.
        drop(unsafe { CString::from_raw(text) });
    }
}
