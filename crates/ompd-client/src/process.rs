//! A process, its threads, regions and tasks, as a library tells of them.

use core::ffi::{CStr, c_char, c_void};
use core::ptr::null_mut;

use omphalos_abi::ompd::*;
use omphalos_ompd_view::Fault;

use crate::Subject;
use crate::callbacks::{Desk, free};
use crate::handles::{Handle, Thread};
use crate::library::{Functions, Library, code_name};

/// An answer, or the library's code for why there is none.
pub type Value<T> = Result<T, ompd_rc_t>;

/// ICVs and states that a library may have.
const MOST_NAMES: usize = 512;

/// A process or core file.
pub struct Process<'a> {
    pub(crate) functions: Functions,
    // The library's handle goes before the desk on which its callbacks write.
    space: Handle<ompd_address_space_handle_t>,
    pub(crate) desk: Box<Desk<'a>>,
    /// Names of ICVs, with their numbers and scopes.
    icvs: Vec<(String, ompd_icv_id_t, ompd_scope_t)>,
}

/// How a native thread is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Native {
    /// By the kernel.
    Lwp(u32),
    /// By `pthread_self()`.
    Pthread(u64),
}

pub(crate) fn done(code: ompd_rc_t) -> Value<()> {
    if code == ompd_rc_ok { Ok(()) } else { Err(code) }
}

/// Asks for a handle: the function, and its arguments but for the last.
macro_rules! handle {
    ($functions:expr, $ask:ident($($argument:expr),*) -> $release:ident) => {{
        let mut raw = null_mut();
        let ask = $functions.$ask.ok_or(ompd_rc_unsupported)?;
        // SAFETY: handles of this library that live, and a place for the result.
        done(unsafe { ask($($argument,)* &mut raw) })?;
        Handle::new(raw, $functions.$release).ok_or(ompd_rc_error)
    }};
}

pub(crate) use handle;

/// A text that the library gave to this debugger.
fn taken(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the library's promise: it ends with a zero.
    let copy = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
    free(text.cast());
    copy
}

impl<'a> Process<'a> {
    /// Begins to look at `subject`.
    pub fn open(library: &Library, subject: &'a dyn Subject) -> Result<Process<'a>, Fault> {
        let desk = Box::new(Desk::new(subject)?);
        let functions = library.functions;
        let context = (&raw const *desk).cast_mut().cast();
        let open =
            || -> Value<_> { handle!(functions, process_initialize(context) -> release_space) };
        let space = open().map_err(|code| match desk.missing.borrow_mut().take() {
            Some(name) => Fault::Unknown(format!("symbol {name}")),
            None => Fault::Unknown(format!(
                "answer of libompd's: ompd_process_initialize said {}",
                code_name(code)
            )),
        })?;
        let mut process = Process { functions, desk, space, icvs: Vec::new() };
        process.icvs = process.all_icvs();
        Ok(process)
    }

    /// A symbol of the runtime that the library asked for and that is not there.
    pub fn missing(&self) -> Option<String> {
        self.desk.missing.borrow().clone()
    }

    /// The version of OpenMP.
    pub fn openmp(&self) -> Value<i64> {
        let mut version = 0;
        let ask = self.functions.omp_version.ok_or(ompd_rc_unsupported)?;
        // SAFETY: a handle that lives, and a place.
        done(unsafe { ask(self.space.raw, &mut version) })?;
        Ok(version)
    }

    /// The thread with a native name.
    pub fn thread(&self, native: Native) -> Value<Thread<'_>> {
        let (kind, size, bytes) = match native {
            Native::Lwp(lwp) => (OMPD_THREAD_ID_LWP, 4, u64::from(lwp)),
            Native::Pthread(own) => (OMPD_THREAD_ID_PTHREAD, 8, own),
        };
        let id = (&raw const bytes).cast::<c_void>();
        let handle =
            handle!(self.functions, thread(self.space.raw, kind, size, id) -> release_thread)?;
        Ok(Thread::new(self, handle))
    }

    /// The states by number, as the library names them.
    pub fn states(&self) -> Vec<(u32, String)> {
        const UNDEFINED: i64 = 0x102;
        let Some(ask) = self.functions.states else { return Vec::new() };
        let (mut found, mut current) = (Vec::new(), UNDEFINED);
        while found.len() < MOST_NAMES {
            let (mut next, mut name, mut more) = (0, core::ptr::null(), 0);
            // SAFETY: a handle that lives, and places for the results.
            let code = unsafe { ask(self.space.raw, current, &mut next, &mut name, &mut more) };
            let Ok(number) = u32::try_from(next) else { break };
            if code != ompd_rc_ok {
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

    fn all_icvs(&self) -> Vec<(String, ompd_icv_id_t, ompd_scope_t)> {
        let Some(ask) = self.functions.icvs else { return Vec::new() };
        let (mut found, mut current) = (Vec::new(), ompd_icv_undefined);
        while found.len() < MOST_NAMES {
            let (mut next, mut name, mut scope, mut more) = (0, core::ptr::null(), 0, 0);
            let (next_at, name_at, scope_at) = (&mut next, &mut name, &mut scope);
            // SAFETY: a handle that lives, and places for the results.
            let code =
                unsafe { ask(self.space.raw, current, next_at, name_at, scope_at, &mut more) };
            if code != ompd_rc_ok {
                break;
            }
            found.push((taken(name), next, scope));
            if more == 0 || next == current {
                break;
            }
            current = next;
        }
        found
    }

    /// The names of the ICVs.
    pub fn icvs(&self) -> impl Iterator<Item = &str> {
        self.icvs.iter().map(|(name, ..)| &**name)
    }

    /// An ICV by the name that it has, or that it had before.
    pub(crate) fn icv(&self, handle: *mut c_void, name: &str) -> Value<i64> {
        let earlier = || name.strip_prefix("ompd-").is_none().then(|| format!("ompd-{name}"));
        let find = |name: &str| self.icvs.iter().find(|(known, ..)| known == name);
        let known = find(name).or_else(|| find(&earlier()?)).ok_or(ompd_rc_unsupported)?;
        let ask = self.functions.icv.ok_or(ompd_rc_unsupported)?;
        let mut value = 0;
        // SAFETY: a handle of the scope that the library named, which lives.
        done(unsafe { ask(handle, known.2, known.1, &mut value) })?;
        Ok(value)
    }

    /// What an OMPT tool has set of the thread, region or task.
    pub(crate) fn data(&self, handle: *mut c_void, scope: ompd_scope_t) -> Value<u64> {
        let ask = self.functions.tool_data.ok_or(ompd_rc_unsupported)?;
        let (mut value, mut pointer) = (0, ompd_address_t::default());
        // SAFETY: a handle of that scope that lives, and places for the results.
        done(unsafe { ask(handle, scope, &mut value, &mut pointer) })?;
        Ok(value as u64)
    }

    /// The ICV, of the whole process.
    pub fn setting(&self, name: &str) -> Value<i64> {
        self.icv(self.space.raw.cast(), name)
    }
}
