//! OMPD's questions in safe form: handles that give themselves back, and refusals by their names.
#![allow(non_upper_case_globals)] // codes under the names of the specification

use core::cell::OnceCell;
use core::ffi::{CStr, c_char, c_void};
use core::fmt;

use omphalos_abi::ompd::*;

use super::callbacks::{CALLBACKS, Context, free};
use super::library::{Library, Raw};

/// A function that did not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub(super) function: &'static str,
    pub(super) code: ompd_rc_t,
    /// The library has no such function.
    pub(super) missing: bool,
}

impl Refusal {
    /// Whether the library says that there is no such thing, and not that it cannot tell.
    pub fn is_none(&self) -> bool {
        !self.missing && self.code == ompd_rc_unavailable
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        const CODES: [&str; 14] = [
            "ok",
            "unavailable",
            "stale handle",
            "bad input",
            "error",
            "unsupported",
            "needs state tracking",
            "incompatible",
            "device read error",
            "device write error",
            "no memory",
            "incomplete",
            "callback error",
            "incompatible handle",
        ];
        if self.missing {
            return write!(out, "the library has no {}", self.function);
        }
        let code = usize::try_from(self.code).ok().and_then(|code| CODES.get(code));
        write!(out, "{}: {}", self.function, code.unwrap_or(&"an unknown code"))
    }
}

/// An answer of the library's.
pub type Answer<T> = Result<T, Refusal>;

/// Calls a function of the library.
macro_rules! call {
    ($library:expr, $name:ident($($argument:expr),*)) => {
        match $library.$name {
            // SAFETY: handles are the library's own, and every place for a result is good.
            Some(function) => match unsafe { function($($argument),*) } {
                ompd_rc_ok => Ok(()),
                code => Err(Refusal { function: stringify!($name), code, missing: false }),
            },
            None => {
                let code = ompd_rc_unsupported;
                Err(Refusal { function: stringify!($name), code, missing: true })
            }
        }
    };
}

pub(super) use call;

/// A process or a core that the library has opened.
pub struct Session<'a> {
    pub(super) library: &'a Library,
    space: Raw,
    icvs: OnceCell<Vec<(String, ompd_icv_id_t, ompd_scope_t)>>,
}

/// What a handle is of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Thread,
    Region,
    Task,
}

/// A thread, a region or a task.
pub struct Handle<'a> {
    pub(super) session: &'a Session<'a>,
    pub(super) kind: Kind,
    pub(super) raw: Raw,
}

impl Drop for Handle<'_> {
    fn drop(&mut self) {
        let library = self.session.library;
        let _ = match self.kind {
            Kind::Thread => call!(library, ompd_rel_thread_handle(self.raw)),
            Kind::Region => call!(library, ompd_rel_parallel_handle(self.raw)),
            Kind::Task => call!(library, ompd_rel_task_handle(self.raw)),
        };
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        let _ = call!(self.library, ompd_rel_address_space_handle(self.space));
    }
}

impl Library {
    /// Tells the library who asks, in the words of the version that it speaks.
    pub fn begin(&self) -> Answer<()> {
        let mut version = 0;
        call!(self, ompd_get_api_version(&mut version))?;
        call!(self, ompd_initialize(version, &raw const CALLBACKS))
    }

    /// Opens what `context` looks at.
    pub fn open(&self, context: &Context) -> Answer<Session<'_>> {
        let mut space: Raw = core::ptr::null_mut();
        call!(self, ompd_process_initialize(context.raw(), &mut space))?;
        Ok(Session { library: self, space, icvs: OnceCell::new() })
    }
}

impl Session<'_> {
    /// The thread with this number of the kernel's.
    pub fn thread_by_lwp(&self, lwp: u32) -> Answer<Handle<'_>> {
        self.thread(OMPD_THREAD_ID_LWP, u64::from(lwp), 4)
    }

    /// The thread with this number of the C library's.
    pub fn thread_by_pthread(&self, pthread: u64) -> Answer<Handle<'_>> {
        self.thread(OMPD_THREAD_ID_PTHREAD, pthread, 8)
    }

    fn thread(&self, kind: ompd_thread_id_t, id: u64, size: u64) -> Answer<Handle<'_>> {
        let mut raw: Raw = core::ptr::null_mut();
        let id: *const c_void = (&raw const id).cast();
        call!(self.library, ompd_get_thread_handle(self.space, kind, size, id, &mut raw))?;
        Ok(Handle { session: self, kind: Kind::Thread, raw })
    }

    /// An ICV's number and the scope that it is asked in.
    pub fn icv(&self, name: &str) -> Option<(ompd_icv_id_t, ompd_scope_t)> {
        let all = self.icvs.get_or_init(|| self.enumerate());
        all.iter().find(|(known, ..)| known == name).map(|(_, id, scope)| (*id, *scope))
    }

    fn enumerate(&self) -> Vec<(String, ompd_icv_id_t, ompd_scope_t)> {
        let (mut all, mut id, mut more) = (Vec::new(), ompd_icv_undefined, 1);
        // A library that never says that there are no more is not believed for ever.
        while more != 0 && all.len() < 1024 {
            let (mut name, mut scope) = (core::ptr::null(), 0);
            let (now, next) = (id, &mut id);
            let answer = call!(
                self.library,
                ompd_enumerate_icvs(self.space, now, next, &mut name, &mut scope, &mut more)
            );
            if answer.is_err() {
                break;
            }
            all.push((taken(name), id, scope));
        }
        all
    }

    /// An ICV of the process.
    pub fn number(&self, id: ompd_icv_id_t, scope: ompd_scope_t) -> Answer<(i64, bool)> {
        icv_number(self.library, self.space, id, scope)
    }

    /// An ICV of the process as a text.
    pub fn text(&self, id: ompd_icv_id_t, scope: ompd_scope_t) -> Answer<String> {
        icv_text(self.library, self.space, id, scope)
    }
}

/// A text of the library's that is ours to free.
fn taken(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: a C string that our callback allocated, and nobody else has.
    unsafe {
        let owned = CStr::from_ptr(text).to_string_lossy().into_owned();
        free(text.cast_mut().cast());
        owned
    }
}

/// The number, and whether it is all of the ICV.
pub(super) fn icv_number(
    library: &Library,
    handle: Raw,
    id: ompd_icv_id_t,
    scope: ompd_scope_t,
) -> Answer<(i64, bool)> {
    let mut value = 0;
    match call!(library, ompd_get_icv_from_scope(handle, scope, id, &mut value)) {
        Ok(()) => Ok((value, true)),
        Err(refusal) if refusal.code == ompd_rc_incomplete && !refusal.missing => {
            Ok((value, false))
        }
        Err(refusal) => Err(refusal),
    }
}

pub(super) fn icv_text(
    library: &Library,
    handle: Raw,
    id: ompd_icv_id_t,
    scope: ompd_scope_t,
) -> Answer<String> {
    let mut text = core::ptr::null();
    call!(library, ompd_get_icv_string_from_scope(handle, scope, id, &mut text))?;
    Ok(taken(text))
}
