//! Makes the copies of threadprivate variables that the compiler leaves to the runtime (Flang;
//! clang without TLS; Intel).
//!
//! Who calls: `capi`. The original belongs to the process's first OpenMP thread. Every other thread
//! has a copy, made at its first use. Each variable has a table of the threads' addresses, indexed
//! by thread number, which compiled code may read without a call. So a table never moves, and it is
//! long enough for most thread numbers (untouched pages cost nothing); threads beyond its end are
//! looked up under the lock.
//!
//! What must hold: the list of variables changes under its lock only. A thread writes its own
//! element of a table and clears it when it ends, so it reads that element without a lock.

use crate::records::Thread;
use core::ffi::c_void;
use core::sync::atomic::{AtomicPtr, Ordering};
use omphalos_sync::process_lock::{ProcessLock, rank};
use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};

/// The number of threads for which a table has room. Threads with higher numbers are looked up each
/// time.
const TABLE_THREADS: usize = 1 << 16;
/// The alignment of every copy, in bytes: enough for any type.
const ALIGNMENT: usize = 64;

/// The program's way to make and end a copy.
#[derive(Clone, Copy)]
pub enum Making {
    /// A copy begins with the bytes that the original had at its first use.
    Bytes,
    /// The constructor, copy constructor and destructor of one object.
    Object {
        /// Constructs a copy at this address; `copy` is not called then.
        make: Option<unsafe extern "C" fn(*mut c_void) -> *mut c_void>,
        /// Constructs a copy at the first address from the original at the second.
        copy: Option<unsafe extern "C" fn(*mut c_void, *mut c_void) -> *mut c_void>,
        /// Destroys a copy when its thread ends, before its memory is freed.
        end: Option<unsafe extern "C" fn(*mut c_void)>,
    },
    /// The functions for an array of `count` objects.
    Array {
        /// Constructs so many objects at this address; `copy` is not called then.
        make: Option<unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void>,
        /// Constructs so many objects at the first address from those at the second.
        copy: Option<unsafe extern "C" fn(*mut c_void, *mut c_void, usize) -> *mut c_void>,
        /// Destroys so many objects when their thread ends, before their memory is freed.
        end: Option<unsafe extern "C" fn(*mut c_void, usize)>,
        /// The number of objects in the array, the last argument of each function.
        count: usize,
    },
}

/// A threadprivate variable.
struct Variable {
    original: *mut c_void,
    /// The size of a copy in bytes, 0 until the first use.
    size: usize,
    making: Making,
    /// The bytes with which copies begin, if they are made of bytes.
    first_value: Vec<u8>,
    table: *const AtomicPtr<c_void>,
    /// The copies of threads beyond the table, by thread number.
    beyond: Vec<(i32, *mut c_void)>,
}

// SAFETY: its addresses mean the same on every thread, and code that follows them says why it may.
unsafe impl Send for Variable {}

static VARIABLES: ProcessLock<Vec<Variable>, { rank::THREADPRIVATE }> =
    ProcessLock::new(Vec::new());

fn with<R>(f: impl FnOnce(&mut Vec<Variable>) -> R) -> R {
    VARIABLES.with(f)
}

fn layout(size: usize) -> Layout {
    match Layout::from_size_align(size.max(1), ALIGNMENT) {
        Ok(layout) => layout,
        // The size is larger than the address space.
        Err(_) => std::process::abort(),
    }
}

/// Returns zeroed memory for `size` bytes; the program ends if there is none.
fn zeroed(size: usize) -> *mut c_void {
    let layout = layout(size);
    // SAFETY: the size is not 0.
    let memory = unsafe { alloc_zeroed(layout) };
    if memory.is_null() {
        handle_alloc_error(layout);
    }
    memory.cast()
}

fn find(variables: &mut Vec<Variable>, original: *mut c_void) -> &mut Variable {
    let known = variables.iter().position(|variable| variable.original == original);
    let index = known.unwrap_or_else(|| {
        variables.push(Variable {
            original,
            size: 0,
            making: Making::Bytes,
            first_value: Vec::new(),
            table: zeroed(TABLE_THREADS * size_of::<AtomicPtr<c_void>>()).cast_const().cast(),
            beyond: Vec::new(),
        });
        variables.len() - 1
    });
    &mut variables[index]
}

/// Sets how copies of the variable at `original` are made. A program calls it before the first use;
/// a later call changes nothing for copies that exist.
pub fn register(original: *mut c_void, making: Making) {
    with(|variables| find(variables, original).making = making);
}

/// Returns the table of the variable at `original`: `TABLE_THREADS` addresses, null where a thread
/// has no copy yet.
pub fn table(original: *mut c_void) -> *const AtomicPtr<c_void> {
    with(|variables| find(variables, original).table)
}

/// Returns the calling thread's element of a table, if the table is long enough.
///
/// # Safety
/// `table` is a result of [`table`].
#[inline(always)]
pub unsafe fn element(
    thread: &Thread,
    table: *const AtomicPtr<c_void>,
) -> Option<&AtomicPtr<c_void>> {
    let index = thread.gtid as usize;
    // SAFETY: tables have `TABLE_THREADS` elements and are never freed.
    (index < TABLE_THREADS).then(|| unsafe { &*table.add(index) })
}

impl Variable {
    fn element<'a>(&self, thread: &'a Thread) -> Option<&'a AtomicPtr<c_void>> {
        // SAFETY: the variable's own table.
        unsafe { element(thread, self.table) }
    }
}

/// Returns the calling thread's copy of the `size` bytes at `original`. Makes it if there is none.
///
/// # Safety
/// `original` is valid for `size` bytes, and the registered functions fit it.
pub unsafe fn copy_of(thread: &Thread, original: *mut c_void, size: usize) -> *mut c_void {
    let (known, making, image) = with(|variables| {
        let variable = find(variables, original);
        if variable.size == 0 && size != 0 {
            variable.size = size;
            // SAFETY: the caller's promise; no code has changed the original through the runtime
            // yet.
            let bytes = unsafe { core::slice::from_raw_parts(original.cast::<u8>(), size) };
            variable.first_value = bytes.to_vec();
        }
        let known = match variable.element(thread) {
            Some(element) => element.load(Ordering::Relaxed),
            None => variable
                .beyond
                .iter()
                .find(|(number, _)| *number == thread.gtid)
                .map_or(core::ptr::null_mut(), |&(_, copy)| copy),
        };
        let image: *const u8 = variable.first_value.as_ptr();
        (known, variable.making, image)
    });
    if !known.is_null() {
        return known;
    }
    let copy = if thread.gtid == 0 {
        original
    } else {
        // The copy is made without the lock: a constructor may use other threadprivate variables.
        // SAFETY: as above; the first value is kept as long as the process lives.
        unsafe { make(original, size, making, image) }
    };
    with(|variables| {
        let variable = find(variables, original);
        match variable.element(thread) {
            Some(element) => element.store(copy, Ordering::Release),
            None => variable.beyond.push((thread.gtid, copy)),
        }
    });
    copy
}

/// # Safety
/// As for [`copy_of`]; `image` has `size` bytes.
unsafe fn make(
    original: *mut c_void,
    size: usize,
    making: Making,
    image: *const u8,
) -> *mut c_void {
    let copy = zeroed(size);
    // SAFETY: the caller's promise; the copy has `size` bytes.
    unsafe {
        match making {
            Making::Object { make: Some(make), .. } => {
                make(copy);
            }
            Making::Object { copy: Some(from), .. } => {
                from(copy, original);
            }
            Making::Array { make: Some(make), count, .. } => {
                make(copy, count);
            }
            Making::Array { copy: Some(from), count, .. } => {
                from(copy, original, count);
            }
            _ => core::ptr::copy_nonoverlapping(image, copy.cast(), size),
        }
    }
    copy
}

/// Ends the copies of a thread that ends, and clears its elements for the next thread of its
/// number.
pub(crate) fn thread_ends(thread: &Thread) {
    let copies: Vec<(*mut c_void, usize, Making)> = with(|variables| {
        let mut copies = Vec::new();
        for variable in variables {
            let copy = match variable.element(thread) {
                Some(element) => element.swap(core::ptr::null_mut(), Ordering::Relaxed),
                None => {
                    let at = variable.beyond.iter().position(|(number, _)| *number == thread.gtid);
                    at.map_or(core::ptr::null_mut(), |at| variable.beyond.swap_remove(at).1)
                }
            };
            if !copy.is_null() && copy != variable.original {
                copies.push((copy, variable.size, variable.making));
            }
        }
        copies
    });
    for (copy, size, making) in copies {
        // SAFETY: the copy was made by `make` with this size, and no other code uses it.
        unsafe {
            match making {
                Making::Object { end: Some(end), .. } => end(copy),
                Making::Array { end: Some(end), count, .. } => end(copy, count),
                _ => {}
            }
            dealloc(copy.cast(), layout(size));
        }
    }
}
