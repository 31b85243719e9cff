//! What a user's mapper asks for: how many components there are, and to add one.

use super::arrays::{Argument, Components};
use core::ffi::{c_char, c_void};

unsafe extern "C" fn count(handle: *mut c_void) -> i64 {
    // SAFETY: the handle that the mapper was called with.
    let components = unsafe { handle.cast::<Components>().as_ref() };
    components.map_or(0, |components| components.0.len() as i64)
}

unsafe extern "C" fn push(
    handle: *mut c_void,
    base: *mut c_void,
    begin: *mut c_void,
    size: i64,
    flags: i64,
    name: *const c_char,
) {
    // SAFETY: as above.
    if let Some(components) = unsafe { handle.cast::<Components>().as_mut() } {
        let (base, begin) = (base as usize, begin as usize);
        let size = usize::try_from(size).unwrap_or(0);
        components.0.push(Argument { base, begin, size, flags: flags as u64, name });
    }
}

omphalos_sys::entries! {
    /// How many components a mapper has pushed.
    omphalos__tgt_mapper_num_components => count;
    /// One more.
    omphalos__tgt_push_mapper_component => push;
}
