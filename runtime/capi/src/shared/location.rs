//! `ident_t`, the source location that LLVM's compilers pass to every call.

use core::ffi::c_char;
use omphalos_events::SyncKind;

/// `ident_t` (LLVM, `kmp.h`).
#[repr(C)]
pub struct Ident {
    reserved_1: i32,
    /// `KMP_IDENT_*`.
    pub flags: i32,
    reserved_2: i32,
    reserved_3: i32,
    /// `;file;function;line;column;;`
    pub source: *const c_char,
}

const BARRIER_EXPLICIT: i32 = 0x20;
const BARRIER_IMPLICIT: i32 = 0x40;
/// Sections, which are a static loop over their numbers.
pub const WORK_SECTIONS: i32 = 0x400;
/// The compiler can combine with atomic operations (reductions).
pub const ATOMIC_REDUCTION: i32 = 0x10;

/// Returns the flags of a location, 0 if there is none.
///
/// # Safety
/// `location` is null or valid.
pub unsafe fn flags(location: *const Ident) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { location.as_ref() }.map_or(0, |ident| ident.flags)
}

/// Returns the kind of barrier that a location stands for.
///
/// # Safety
/// `location` is null or valid.
pub unsafe fn barrier_kind(location: *const Ident) -> SyncKind {
    // SAFETY: the caller's promise.
    if unsafe { flags(location) } & BARRIER_EXPLICIT != 0 {
        SyncKind::BarrierExplicit
    } else {
        SyncKind::BarrierImplicitWorkshare
    }
}

/// Returns the kind of the barrier in a reduction that waits. LLVM's compilers put the construct's
/// own barrier behind it; so it counts as the implementation's, unless the location says that it is
/// a barrier.
///
/// # Safety
/// `location` is null or valid.
pub unsafe fn reduction_barrier_kind(location: *const Ident) -> SyncKind {
    // SAFETY: the caller's promise.
    if unsafe { flags(location) } & (BARRIER_EXPLICIT | BARRIER_IMPLICIT) == 0 {
        SyncKind::BarrierImplementation
    } else {
        // SAFETY: the caller's promise.
        unsafe { barrier_kind(location) }
    }
}
