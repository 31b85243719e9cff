//! The table of the function to call for each kind of event, and the macros that call through it.
//!
//! What must hold: [`CALLS`] holds a tool's function only while that tool alone wants the kind, and
//! only one of the kind's direct form. For a kind in [`ASKED`] it holds null while no tool wants
//! the kind; for any other kind it always holds a function.

use super::long_way;
use crate::event::Kind;
use core::sync::atomic::{AtomicPtr, Ordering};

/// How many kinds there are.
pub(crate) const KINDS: usize = Kind::Shutdown as usize + 1;
/// Places of the table: the kinds, and two for the barriers that end regions.
pub(crate) const PLACES: usize = KINDS + 2;
/// The place, behind the kinds, of the function for `SyncRegion` of a barrier that ends a region.
pub(super) const CLOSING: usize = KINDS;
/// The same for `SyncWait`.
pub(super) const CLOSING_WAIT: usize = KINDS + 1;

/// Returns the place in the table that a kind has for barriers that end regions, if it has one of
/// its own.
pub(crate) const fn closing_place(kind: usize) -> Option<usize> {
    match kind {
        _ if kind == Kind::SyncRegion as usize => Some(CLOSING),
        _ if kind == Kind::SyncWait as usize => Some(CLOSING_WAIT),
        _ => None,
    }
}

/// Kinds that a tool may leave out although it wants the events around them. Their hooks ask the
/// table whether there is something to call, instead of the mask first and the table afterwards.
const ASKED: u64 =
    Kind::TaskSchedule.bit() | Kind::SyncRegion.bit() | Kind::SyncWait.bit() | Kind::Dispatch.bit();

/// For each kind, the function to call. `put` writes it, and each hook whose event a tool wants
/// reads it (acquire: the hook sees everything that the tool did before it registered).
pub(super) static CALLS: [AtomicPtr<()>; PLACES] = {
    let mut calls = [const { AtomicPtr::new(core::ptr::null_mut()) }; PLACES];
    let mut kind = 0;
    while kind < KINDS {
        if ASKED & 1 << kind == 0 {
            calls[kind] = AtomicPtr::new(LONG_WAY[kind]);
        }
        kind += 1;
    }
    calls
};

/// For each kind, the function if no tool is called directly. Null if there is no such function.
pub(super) const LONG_WAY: [*mut (); KINDS] = {
    let mut long_way = [core::ptr::null_mut(); KINDS];
    long_way[Kind::TaskSchedule as usize] = long_way::task_schedule as *mut ();
    long_way[Kind::SyncRegion as usize] = long_way::sync_region as *mut ();
    long_way[Kind::SyncWait as usize] = long_way::sync_wait as *mut ();
    long_way[Kind::Reduction as usize] = long_way::reduction as *mut ();
    long_way[Kind::Work as usize] = long_way::work as *mut ();
    long_way[Kind::Masked as usize] = long_way::masked as *mut ();
    long_way[Kind::Dispatch as usize] = long_way::share as *mut ();
    long_way[Kind::MutexAcquire as usize] = long_way::mutex_acquire as *mut ();
    long_way[Kind::MutexAcquired as usize] = long_way::mutex_acquired as *mut ();
    long_way[Kind::MutexReleased as usize] = long_way::mutex_released as *mut ();
    long_way[Kind::NestLock as usize] = long_way::nest_lock as *mut ();
    long_way
};

/// The function to call for a constant kind or place: one load.
macro_rules! function_of {
    ($kind:expr) => {{
        // SAFETY: an aligned load of eight bytes within the table.
        unsafe {
            omphalos_sys::load_static!(
                $crate::tell_tools::calls::CALLS,
                $kind as usize * size_of::<*mut ()>(),
                *mut ()
            )
        }
    }};
}

/// The function to call for a kind in [`ASKED`], if there is one.
macro_rules! asked {
    ($kind:ident) => {{ asked!($kind, Kind::$kind) }};
    ($kind:ident, $place:expr) => {{
        const { assert!($crate::tell_tools::calls::is_asked(Kind::$kind)) };
        let function =
            if $crate::subscribers::HOOKS { function_of!($place) } else { core::ptr::null_mut() };
        (!function.is_null()).then_some(function)
    }};
}

/// Calls the function of this kind with these arguments, of these types. With `asked` in front: a
/// kind in [`ASKED`].
macro_rules! tell {
    (asked $kind:ident: $($call:tt)*) => {{
        if let Some(function) = asked!($kind) {
            tell!(by function, $($call)*);
        }
    }};
    ($kind:ident: $($call:tt)*) => {{
        const { assert!(!$crate::tell_tools::calls::is_asked(Kind::$kind)) };
        if $crate::subscribers::HOOKS {
            let function = function_of!(Kind::$kind);
            tell!(by function, $($call)*);
        }
    }};
    (by $function:ident, $($value:expr => $type:ty),* $(,)?) => {{
        {
            type Direct = unsafe extern "C" fn($($type),*);
            // SAFETY: `CALLS` has functions alone, each under the kind whose signature this is.
            let function = unsafe { core::mem::transmute::<*mut (), Direct>($function) };
            // SAFETY: identities and frames live at least as long as the event.
            unsafe { function($($value),*) };
        }
    }};
}

/// As `tell!`, for events whose direct form does not have all parts. If no tool is called directly,
/// passes the event to all tools that want it.
macro_rules! tell_or {
    ($kind:ident($($call:tt)*), $event:expr) => {{
        const { assert!($crate::tell_tools::calls::LONG_WAY[Kind::$kind as usize].is_null()) };
        let function = if $crate::subscribers::HOOKS {
            function_of!(Kind::$kind)
        } else {
            core::ptr::null_mut()
        };
        if $crate::subscribers::HOOKS && !function.is_null() {
            tell!(by function, $($call)*);
        } else if $crate::subscribers::wants(Kind::$kind) {
            $crate::subscribers::tell_all(move || $event);
        }
    }};
}

/// Whether the table holds null for this kind while no tool wants it.
pub(super) const fn is_asked(kind: Kind) -> bool {
    ASKED & kind.bit() != 0
}

/// A tool's functions for a kind: addresses, 0 for none.
#[derive(Clone, Copy, Default)]
pub(crate) struct Functions {
    pub usual: usize,
    /// For the barrier that ends a region, where the kind tells of barriers.
    pub closing: usize,
}

/// Changes the function of a kind: a tool's function, or with 0 none. `wanted`: some tool wants the
/// kind. Under the subscriber table's lock.
pub(crate) fn put(kind: usize, functions: Functions, wanted: bool) {
    let found = |function: usize| match function {
        0 if !wanted && ASKED & 1 << kind != 0 => core::ptr::null_mut(),
        0 => LONG_WAY[kind],
        function => core::ptr::with_exposed_provenance_mut(function),
    };
    CALLS[kind].store(found(functions.usual), Ordering::Release);
    if let Some(place) = closing_place(kind) {
        CALLS[place].store(found(functions.closing), Ordering::Release);
    }
}
