//! The long way of the frequent events: the functions that [`tell_tools`](super) calls when it
//! calls no tool directly.
//!
//! A hook passes its arguments to one function of the table, whichever that is. Either it is the
//! function of the only tool that wants the kind; or it is a function of this file, which has the
//! same form. A function here builds the [`Event`] again from its arguments and passes it to every
//! subscriber that wants it.
//!
//! What must hold: only `tell_tools` calls these. So each number is one of the vocabulary's
//! enumerations, and each address is that of a region's identity or of a task.

use super::{Chunk, Code, Named};
use crate::event::{Event, Kind};
use crate::kinds::{DispatchKind, Endpoint, MutexKind, SyncKind, TaskStatus, WorkKind};
use crate::subscribers::{tell_all, wants};
use omphalos_layout::{Identity, TaskTool};

/// # Safety
/// `named` is an identity that lives as long as the event.
#[inline(always)]
unsafe fn identity<'a>(named: Named) -> &'a Identity {
    // SAFETY: the caller's promise.
    unsafe { &*named }
}

/// # Safety
/// `named` is a task that lives as long as the event.
#[inline(always)]
unsafe fn task<'a>(named: Named) -> &'a TaskTool {
    // SAFETY: the caller's promise.
    unsafe { &*named.cast::<TaskTool>() }
}

/// Returns the value of an enumeration that has this number.
///
/// # Safety
/// `number` was made from a value of this type.
#[inline(always)]
unsafe fn of<T: Copy>(number: i32) -> T {
    const { assert!(size_of::<T>() == size_of::<i32>()) };
    // SAFETY: the caller's promise; the enumerations have this representation.
    unsafe { core::mem::transmute_copy(&number) }
}

/// Defines functions that build an event: kind, name, arguments, event. All have the safety
/// condition of the module.
macro_rules! long_way {
    ($($kind:ident $name:ident($($argument:ident: $type:ty),*) $event:expr;)*) => { $(
        #[cold]
        pub(super) unsafe extern "C" fn $name($($argument: $type),*) {
            if wants(Kind::$kind) {
                // SAFETY: only `tell_tools` calls this: see the module.
                tell_all(move || unsafe { $event });
            }
        }
    )* };
}

long_way! {
    TaskSchedule task_schedule(prior: Named, status: i32, next: Named) Event::TaskSchedule {
        prior: task(prior),
        status: of::<TaskStatus>(status),
        next: if next.is_null() { None } else { Some(task(next)) },
    };
    SyncRegion sync_region(kind: i32, endpoint: i32, region: Named, of_task: Named, codeptr: Code)
        Event::SyncRegion {
        kind: of::<SyncKind>(kind),
        endpoint: of::<Endpoint>(endpoint),
        region: identity(region),
        task: task(of_task),
        codeptr: codeptr as u64,
    };
    SyncWait sync_wait(kind: i32, endpoint: i32, region: Named, of_task: Named, codeptr: Code)
        Event::SyncWait {
        kind: of::<SyncKind>(kind),
        endpoint: of::<Endpoint>(endpoint),
        region: identity(region),
        task: task(of_task),
        codeptr: codeptr as u64,
    };
    Reduction reduction(_kind: i32, endpoint: i32, region: Named, of_task: Named, codeptr: Code)
        Event::Reduction {
        endpoint: of::<Endpoint>(endpoint),
        region: identity(region),
        task: task(of_task),
        codeptr: codeptr as u64,
    };
    Work work(kind: i32, endpoint: i32, region: Named, of_task: Named, count: u64, codeptr: Code)
        Event::Work {
        kind: of::<WorkKind>(kind),
        endpoint: of::<Endpoint>(endpoint),
        region: identity(region),
        task: task(of_task),
        count,
        codeptr: codeptr as u64,
    };
    Masked masked(endpoint: i32, region: Named, of_task: Named, codeptr: Code) Event::Masked {
        endpoint: of::<Endpoint>(endpoint),
        region: identity(region),
        task: task(of_task),
        codeptr: codeptr as u64,
    };
    MutexAcquire mutex_acquire(kind: i32, hint: u32, implementation: u32,
        wait_id: u64, codeptr: Code)
        Event::MutexAcquire {
            kind: of::<MutexKind>(kind),
            hint,
            implementation,
            wait_id,
            codeptr: codeptr as u64,
        };
    MutexAcquired mutex_acquired(kind: i32, wait_id: u64, codeptr: Code) Event::MutexAcquired {
        kind: of::<MutexKind>(kind),
        wait_id,
        codeptr: codeptr as u64,
    };
    MutexReleased mutex_released(kind: i32, wait_id: u64, codeptr: Code) Event::MutexReleased {
        kind: of::<MutexKind>(kind),
        wait_id,
        codeptr: codeptr as u64,
    };
    NestLock nest_lock(endpoint: i32, wait_id: u64, codeptr: Code) Event::NestLock {
        endpoint: of::<Endpoint>(endpoint),
        wait_id,
        codeptr: codeptr as u64,
    };
}

/// A part of a construct's work begins: iterations, or a section.
#[cold]
pub(super) unsafe extern "C" fn share(region: Named, of_task: Named, kind: i32, instance: u64) {
    if !wants(Kind::Dispatch) {
        return;
    }
    // SAFETY: only `tell_tools` calls this: see the module. If the part is a range of iterations,
    // `instance` is the address of a chunk.
    unsafe {
        let kind = of::<DispatchKind>(kind);
        let (first, count) = match kind.is_chunk() {
            true => {
                let chunk = &*core::ptr::with_exposed_provenance::<Chunk>(instance as usize);
                (chunk.first, chunk.count)
            }
            false => (instance, 1),
        };
        let (region, task) = (identity(region), task(of_task));
        tell_all(move || Event::Dispatch { kind, region, task, first, count });
    }
}
