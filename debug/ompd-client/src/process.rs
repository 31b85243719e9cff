//! A process, and its ICVs and states, as a library describes them.

use core::ffi::{CStr, c_char, c_void};
use core::ptr::{null, null_mut};

use omphalos_abi::ompd::*;
use omphalos_ompd_view::Fault;

use crate::Subject;
use crate::callbacks::{Desk, free};
use crate::handles::Thread;
use crate::library::{Functions, Library, Raw};
use crate::refusal::{Refusal, Value, call, code_name};

/// The most ICVs or states of a library that are read.
const MOST_NAMES: usize = 512;

/// A process or core file.
pub struct Process<'a> {
    pub(crate) functions: Functions,
    pub(crate) space: Raw,
    pub(crate) desk: Box<Desk<'a>>,
    icvs: Vec<(String, Icv)>,
}

/// The name of a native thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Native {
    /// The kernel's number of the thread.
    Lwp(u32),
    /// The result of `pthread_self()` in the thread.
    Pthread(u64),
}

/// An ICV by the library's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Icv {
    id: ompd_icv_id_t,
    /// The kind of handle that it is asked of: `ompd_scope_t`.
    pub scope: ompd_scope_t,
}

/// Takes a text that the library gave to this debugger.
fn taken(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the library's promise: it ends with a zero.
    let copy = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
    free(text.cast());
    copy
}

impl Drop for Process<'_> {
    fn drop(&mut self) {
        // The desk still exists: the library may call back.
        let _ = call!(self.functions, ompd_rel_address_space_handle(self.space));
    }
}

impl<'a> Process<'a> {
    /// Opens `subject`.
    pub fn open(library: &Library, subject: &'a dyn Subject) -> Result<Process<'a>, Fault> {
        let desk = Box::new(Desk::new(subject)?);
        let functions = library.functions;
        let context = (&raw const *desk).cast_mut().cast();
        let mut space: Raw = null_mut();
        let opened = call!(functions, ompd_process_initialize(context, &mut space));
        let none = Refusal::of("ompd_process_initialize");
        opened.and(if space.is_null() { Err(none) } else { Ok(()) }).map_err(
            |refusal| match desk.missing.borrow_mut().take() {
                Some(name) => Fault::Unknown(format!("symbol {name}")),
                None => Fault::Unknown(format!(
                    "answer of libompd's: ompd_process_initialize said {}",
                    code_name(refusal.code)
                )),
            },
        )?;
        let mut process = Process { functions, desk, space, icvs: Vec::new() };
        process.icvs = process.all_icvs();
        Ok(process)
    }

    /// A symbol of the runtime that the library asked for and that is missing.
    pub fn missing(&self) -> Option<String> {
        self.desk.missing.borrow().clone()
    }

    /// The version of OpenMP.
    pub fn openmp(&self) -> Value<i64> {
        let mut version = 0;
        call!(self.functions, ompd_get_omp_version(self.space, &mut version))?;
        Ok(version)
    }

    /// The thread with a native name.
    pub fn thread(&self, native: Native) -> Value<Thread<'_>> {
        let (kind, size, bytes) = match native {
            Native::Lwp(lwp) => (OMPD_THREAD_ID_LWP, 4, u64::from(lwp)),
            Native::Pthread(own) => (OMPD_THREAD_ID_PTHREAD, 8, own),
        };
        let id = (&raw const bytes).cast::<c_void>();
        let space = self.space;
        Thread::of(self, |functions, to| {
            call!(functions, ompd_get_thread_handle(space, kind, size, id, to))
        })
    }

    /// The states by number, with the library's names.
    pub fn states(&self) -> Vec<(u32, String)> {
        const UNDEFINED: i64 = 0x102;
        let (mut found, mut current) = (Vec::new(), UNDEFINED);
        while found.len() < MOST_NAMES {
            let (mut next, mut name, mut more) = (0, null(), 0);
            let (space, at) = (self.space, &mut next);
            let asked = call!(
                self.functions,
                ompd_enumerate_states(space, current, at, &mut name, &mut more)
            );
            let Ok(number) = u32::try_from(next) else { break };
            if asked.is_err() {
                break;
            }
            found.push((number, taken(name)));
            if more == 0 || next == current {
                break;
            }
            current = next;
        }
        found
    }

    fn all_icvs(&self) -> Vec<(String, Icv)> {
        let (mut found, mut current) = (Vec::new(), ompd_icv_undefined);
        while found.len() < MOST_NAMES {
            let (mut id, mut name, mut scope, mut more) = (0, null(), 0, 0);
            let (space, at, of) = (self.space, &mut id, &mut scope);
            let asked = call!(
                self.functions,
                ompd_enumerate_icvs(space, current, at, &mut name, of, &mut more)
            );
            if asked.is_err() {
                break;
            }
            found.push((taken(name), Icv { id, scope }));
            if more == 0 || id == current {
                break;
            }
            current = id;
        }
        found
    }

    /// The names of the ICVs.
    pub fn icvs(&self) -> impl Iterator<Item = &str> {
        self.icvs.iter().map(|(name, _)| &**name)
    }

    /// An ICV by its name, or by the name that it had in earlier versions.
    pub fn icv(&self, name: &str) -> Option<Icv> {
        let find = |name: &str| self.icvs.iter().find(|(known, _)| known == name);
        let known = find(name).or_else(|| {
            let earlier = name.strip_prefix("ompd-").is_none().then(|| format!("ompd-{name}"));
            find(&earlier?)
        });
        known.map(|(_, icv)| *icv)
    }

    /// The ICV of that name for the whole process.
    pub fn setting(&self, name: &str) -> Value<i64> {
        self.by_name(self.space, name)
    }

    /// An ICV of the whole process as a number, and whether the number is the whole value.
    pub fn number(&self, icv: Icv) -> Value<(i64, bool)> {
        self.number_of(self.space, icv)
    }

    /// The same as a text.
    pub fn text(&self, icv: Icv) -> Value<String> {
        self.text_of(self.space, icv)
    }

    pub(crate) fn by_name(&self, handle: Raw, name: &str) -> Value<i64> {
        let unknown = Refusal { code: ompd_rc_unsupported, ..Refusal::of("ompd_enumerate_icvs") };
        let icv = self.icv(name).ok_or(unknown)?;
        match self.number_of(handle, icv)? {
            (value, true) => Ok(value),
            (_, false) => {
                let function = "ompd_get_icv_from_scope";
                Err(Refusal { code: ompd_rc_incomplete, ..Refusal::of(function) })
            }
        }
    }

    pub(crate) fn number_of(&self, handle: Raw, icv: Icv) -> Value<(i64, bool)> {
        let Icv { id, scope } = icv;
        let mut value = 0;
        match call!(self.functions, ompd_get_icv_from_scope(handle, scope, id, &mut value)) {
            Ok(()) => Ok((value, true)),
            Err(Refusal { code: ompd_rc_incomplete, is_missing: false, .. }) => Ok((value, false)),
            Err(refusal) => Err(refusal),
        }
    }

    pub(crate) fn text_of(&self, handle: Raw, icv: Icv) -> Value<String> {
        let Icv { id, scope } = icv;
        let mut text = null();
        call!(self.functions, ompd_get_icv_string_from_scope(handle, scope, id, &mut text))?;
        Ok(taken(text))
    }
}
