//! Reads the Python code that a thread executes out of CPython's memory, and R's functions out of
//! R's, when a stack is taken.
//!
//! | file | what |
//! |---|---|
//! | `read` | memory, copied by the system: a wrong address does no harm |
//! | `chain` | the frames of a thread, from the interpreter's records |
//! | `own_line` | the line that has called the code in which the calling thread is |
//! | `r_frames` | the same for R |
//! | `codes` | the code that has a record already, and its numbers |
//!
//! What must hold: the interpreter may be anywhere in its work, so nothing in its memory is
//! trusted (but for `own_line`): every read may fail, every loop has an end. Only [`find`] and
//! [`Python::new`] allocate.

mod chain;
pub mod codes;
mod own_line;
mod r_frames;
pub mod read;

use crate::unwind::modules::with_newest;
use core::ffi::CStr;
use core::sync::atomic::{
    AtomicPtr, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use omphalos_python::{Layout, layout, old_version};

pub use chain::{Python, Whose};
pub use own_line::{OwnLine, own_line};

/// A CPython in the process, of a known version.
struct Interpreter {
    /// The range of its code: first address, one past the last.
    place: (u64, u64),
    /// `_PyRuntime`.
    runtime: u64,
    /// `PyGILState_GetThisThreadState`; 0 = none.
    own_record: u64,
    /// `PyCode_Type`: the type of every code.
    code_kind: u64,
    /// The range of the function that executes frames, where that has to be known: first address,
    /// one past the last.
    function: (u64, u64),
    version: u32,
    layout: Layout,
}

static FOUND: AtomicPtr<Interpreter> = AtomicPtr::new(core::ptr::null_mut());

/// The module by which scripts call MPI: its first address, and one past the last; 0 = none yet.
static MPI_MODULE: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];

/// Whether an address is in the code of the module by which scripts call MPI.
#[inline]
pub fn is_in_mpi_module(address: u64) -> bool {
    let [start, end] = &MPI_MODULE;
    (start.load(Relaxed)..end.load(Relaxed)).contains(&address)
}

/// Looks for each interpreter among the objects, and for the module by which scripts call MPI, if
/// it was not found before. A signal handler must not call it.
pub fn find() {
    /// The package's folder.
    const PACKAGE: &[u8] = b"/mpi4py/";
    let is_in_package = |path: &[u8]| path.windows(PACKAGE.len()).any(|part| part == PACKAGE);
    let [start, end] = &MPI_MODULE;
    if end.load(Relaxed) == 0 {
        with_newest(|modules, _| {
            let module = modules.list.iter().find(|module| is_in_package(&module.path));
            if let Some(module) = module {
                start.store(module.start, Relaxed);
                end.store(module.end, Relaxed);
            }
        });
    }
    r_frames::find();
    if FOUND.load(Acquire).is_null()
        && let Some(interpreter) = look()
    {
        FOUND.store(Box::into_raw(Box::new(interpreter)), Release);
    }
}

/// Async-signal-safe.
fn found() -> Option<&'static Interpreter> {
    // SAFETY: null, or made by `find` and never freed.
    unsafe { FOUND.load(Acquire).as_ref() }
}

fn look() -> Option<Interpreter> {
    let is_python = |path: &[u8]| {
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
        name.starts_with(b"python") || name.starts_with(b"libpython")
    };
    let places: Vec<((u64, u64), Vec<u8>)> = with_newest(|modules, _| {
        let python = modules.list.iter().filter(|module| is_python(&module.path));
        python.map(|module| ((module.start, module.end), module.path.clone())).collect()
    })?;
    places.into_iter().find_map(|(place, path)| {
        let inside = |at: &u64| (place.0..place.1).contains(at);
        let of_object = |name| symbol(&path, name).filter(inside);
        let [runtime, code_kind] = [of_object(c"_PyRuntime")?, of_object(c"PyCode_Type")?];
        let word = |at: u64| {
            let inside = at.is_multiple_of(4) && at >= place.0 && at.checked_add(8)? <= place.1;
            // SAFETY: inside the object, where its own symbols say that the word is.
            inside.then(|| unsafe { (at as *const u64).read_unaligned() })
        };
        let version = match of_object(c"Py_Version") {
            Some(at) => word(at)? as u32,
            None => old_version(|name| of_object(name).is_some()),
        };
        let layout = layout(version, |offset| word(runtime.checked_add(offset)?))?;
        let function = match layout.wants_function() {
            true => extent(of_object(c"_PyEval_EvalFrameDefault")?).filter(|it| inside(&it.0))?,
            false => (0, 0),
        };
        let own_record = of_object(c"PyGILState_GetThisThreadState").unwrap_or(0);
        Some(Interpreter { place, runtime, own_record, code_kind, function, version, layout })
    })
}

/// Returns where the function at an address begins and ends.
fn extent(at: u64) -> Option<(u64, u64)> {
    // SAFETY: the loader fills what is given; it points to its own tables, of an object that stays.
    unsafe {
        let mut about: libc::Dl_info = core::mem::zeroed();
        let mut symbol: *const libc::Elf64_Sym = core::ptr::null();
        let into = (&raw mut symbol).cast();
        let at_code = at as *const libc::c_void;
        if libc::dladdr1(at_code, &raw mut about, into, RTLD_DL_SYMENT) == 0 {
            return None;
        }
        let size = symbol.as_ref()?.st_size;
        Some((at, at.checked_add(size)?))
    }
}

/// `dladdr1` gives the entry of the table of symbols, too.
const RTLD_DL_SYMENT: libc::c_int = 1;

/// Returns the address of a symbol in an object.
fn symbol(path: &[u8], name: &CStr) -> Option<u64> {
    // SAFETY: C strings; the object is open already, and stays as open as it was.
    unsafe {
        let mut found = libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr());
        if found.is_null() {
            let path = std::ffi::CString::new(path).ok()?;
            let flags = libc::RTLD_LAZY | libc::RTLD_NOLOAD;
            let object = libc::dlopen(path.as_ptr(), flags);
            if !object.is_null() {
                found = libc::dlsym(object, name.as_ptr());
                libc::dlclose(object);
            }
        }
        (!found.is_null()).then(|| found.addr() as u64)
    }
}
