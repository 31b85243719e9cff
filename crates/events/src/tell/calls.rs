//! What is called for each kind of event: the table, and the macros that call by it.
//!
//! What must hold: a tool's callback stands in [`CALLS`] only while the tool in [`SLOT`] alone
//! subscribed to the kind, and only if it has the form of OpenMP 6.0's. Of the kinds in [`ASKED`]
//! nothing stands there while nobody is told of them, of the others always a function.

use super::far;
use crate::kinds::Kind;
use core::sync::atomic::{AtomicPtr, Ordering};

/// How many kinds there are.
pub(crate) const KINDS: usize = Kind::Shutdown as usize + 1;
/// The slot whose tool may be called directly: the first tool's, in most processes the only one's.
/// A constant, so that the place of its words is one too.
pub(crate) const SLOT: usize = 0;

/// Kinds that not every tool is told of which is told of what goes with them: their hooks ask whether
/// there is something to call, instead of the mask first and for that afterwards.
const ASKED: u64 =
    Kind::TaskSchedule.bit() | Kind::SyncRegion.bit() | Kind::SyncWait.bit() | Kind::Dispatch.bit();

/// By kind: what to call. Written by `put`, read by every hook that somebody listens to (acquire:
/// with it comes all that the tool did before it registered).
pub(super) static CALLS: [AtomicPtr<()>; KINDS] = {
    let mut calls = [const { AtomicPtr::new(core::ptr::null_mut()) }; KINDS];
    let mut kind = 0;
    while kind < KINDS {
        if ASKED & 1 << kind == 0 {
            calls[kind] = AtomicPtr::new(FAR[kind]);
        }
        kind += 1;
    }
    calls
};

/// By kind: what is called where no tool is called directly; null where there is no such function.
pub(super) const FAR: [*mut (); KINDS] = {
    let mut far = [core::ptr::null_mut(); KINDS];
    far[Kind::TaskSchedule as usize] = far::task_schedule as *mut ();
    far[Kind::SyncRegion as usize] = far::sync_region as *mut ();
    far[Kind::SyncWait as usize] = far::sync_wait as *mut ();
    far[Kind::Reduction as usize] = far::reduction as *mut ();
    far[Kind::Work as usize] = far::work as *mut ();
    far[Kind::Masked as usize] = far::masked as *mut ();
    far[Kind::Dispatch as usize] = far::share as *mut ();
    far[Kind::MutexAcquire as usize] = far::mutex_acquire as *mut ();
    far[Kind::MutexAcquired as usize] = far::mutex_acquired as *mut ();
    far[Kind::MutexReleased as usize] = far::mutex_released as *mut ();
    far[Kind::NestLock as usize] = far::nest_lock as *mut ();
    far
};

/// What is called for a kind, a constant: one load.
macro_rules! function_of {
    ($kind:expr) => {{
        // SAFETY: an aligned load of eight bytes within the table.
        unsafe {
            omphalos_sys::load_static!(
                $crate::tell::calls::CALLS,
                $kind as usize * size_of::<*mut ()>(),
                *mut ()
            )
        }
    }};
}

/// What is called for a kind in [`ASKED`], if anything is.
macro_rules! asked {
    ($kind:ident) => {{
        const { assert!($crate::tell::calls::is_asked(Kind::$kind)) };
        let function = if $crate::subscribers::HOOKS {
            function_of!(Kind::$kind)
        } else {
            core::ptr::null_mut()
        };
        (!function.is_null()).then_some(function)
    }};
}

/// Calls what is to be called for this kind with these arguments, of these types. `asked` in front:
/// of a kind in [`ASKED`].
macro_rules! tell {
    (asked $kind:ident: $($call:tt)*) => {{
        if let Some(function) = asked!($kind) {
            tell!(by function, $($call)*);
        }
    }};
    ($kind:ident: $($call:tt)*) => {{
        const { assert!(!$crate::tell::calls::is_asked(Kind::$kind)) };
        if $crate::subscribers::HOOKS {
            let function = function_of!(Kind::$kind);
            tell!(by function, $($call)*);
        }
    }};
    (by $function:ident, $($value:expr => $type:ty),* $(,)?) => {{
        {
            type Callback = unsafe extern "C" fn($($type),*);
            // SAFETY: `CALLS` has functions alone, each under the kind whose signature this is.
            let function = unsafe { core::mem::transmute::<*mut (), Callback>($function) };
            // SAFETY: words and frames live at least as long as the event.
            unsafe { function($($value),*) };
        }
    }};
}

/// As `tell!`, for events of which a callback does not get all: where no tool is to be called
/// directly, hands the event to all who want it.
macro_rules! tell_or {
    ($kind:ident($($call:tt)*), $event:expr) => {{
        const { assert!($crate::tell::calls::FAR[Kind::$kind as usize].is_null()) };
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

/// Whether there is nothing to call for a kind while nobody is told of it.
pub(super) const fn is_asked(kind: Kind) -> bool {
    ASKED & kind.bit() != 0
}

/// Changes what is called for a kind: a callback, or with 0 none of a tool's. `heard`: somebody
/// hears of the kind. Under the subscriber table's lock.
pub(crate) fn put(kind: usize, function: usize, heard: bool) {
    let function = match function {
        0 if !heard && ASKED & 1 << kind != 0 => core::ptr::null_mut(),
        0 => FAR[kind],
        function => core::ptr::with_exposed_provenance_mut(function),
    };
    CALLS[kind].store(function, Ordering::Release);
}
