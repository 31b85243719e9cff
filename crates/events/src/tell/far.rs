//! The long way of the events that happen often: what [`tell`](super) calls where no tool is called
//! directly.
//!
//! Each function has the signature of the kind's callback, puts the event together again and hands
//! it to all who want it. What must hold: only `tell` calls these, with what it would hand to the
//! tool in [`SLOT`]; so the numbers are those of the vocabulary's enumerations, and a word is that
//! tool's of an identity, which is known by it.

use super::calls::SLOT;
use super::{Chunk, Code, Word};
use crate::event::Event;
use crate::kinds::{DispatchKind, Endpoint, Kind, MutexKind, SyncKind, TaskStatus, WorkKind};
use crate::subscribers::{tell_all, wants};
use core::mem::offset_of;
use omphalos_layout::{Identity, TaskTool};

/// Where [`SLOT`]'s word stands in an identity.
const WORD: usize = offset_of!(Identity, words) + SLOT * size_of::<u64>();

/// The identity that a word belongs to.
///
/// # Safety
/// It is [`SLOT`]'s word of an identity.
#[inline(always)]
unsafe fn identity<'a>(word: Word) -> &'a Identity {
    // SAFETY: the caller's promise. The word was reached through the identity, whose address is
    // known to all.
    unsafe { &*core::ptr::with_exposed_provenance::<Identity>(word.expose_provenance() - WORD) }
}

/// The task that a word belongs to.
///
/// # Safety
/// It is [`SLOT`]'s word of a task.
#[inline(always)]
unsafe fn task<'a>(word: Word) -> &'a TaskTool {
    let at = offset_of!(TaskTool, identity) + WORD;
    // SAFETY: as in `identity`.
    unsafe { &*core::ptr::with_exposed_provenance::<TaskTool>(word.expose_provenance() - at) }
}

/// A number of the vocabulary's.
///
/// # Safety
/// It came from a value of this type.
#[inline(always)]
unsafe fn of<T: Copy>(number: i32) -> T {
    const { assert!(size_of::<T>() == size_of::<i32>()) };
    // SAFETY: the caller's promise; the enumerations have this representation.
    unsafe { core::mem::transmute_copy(&number) }
}

/// Functions that put an event together: name, arguments, event. All have the safety of the module.
macro_rules! far {
    ($($kind:ident $name:ident($($argument:ident: $type:ty),*) $event:expr;)*) => { $(
        #[cold]
        pub(super) unsafe extern "C" fn $name($($argument: $type),*) {
            if wants(Kind::$kind) {
                // SAFETY: only `tell` calls this: see the module.
                tell_all(move || unsafe { $event });
            }
        }
    )* };
}

far! {
    TaskSchedule task_schedule(prior: Word, status: i32, next: Word) Event::TaskSchedule {
        prior: task(prior),
        status: of::<TaskStatus>(status),
        next: if next.is_null() { None } else { Some(task(next)) },
    };
    SyncRegion sync_region(kind: i32, endpoint: i32, region: Word, of_task: Word, codeptr: Code)
        Event::SyncRegion {
        kind: of::<SyncKind>(kind),
        endpoint: of::<Endpoint>(endpoint),
        region: identity(region),
        task: task(of_task),
        codeptr: codeptr as u64,
    };
    SyncWait sync_wait(kind: i32, endpoint: i32, region: Word, of_task: Word, codeptr: Code)
        Event::SyncWait {
        kind: of::<SyncKind>(kind),
        endpoint: of::<Endpoint>(endpoint),
        region: identity(region),
        task: task(of_task),
        codeptr: codeptr as u64,
    };
    Reduction reduction(_kind: i32, endpoint: i32, region: Word, of_task: Word, codeptr: Code)
        Event::Reduction {
        endpoint: of::<Endpoint>(endpoint),
        region: identity(region),
        task: task(of_task),
        codeptr: codeptr as u64,
    };
    Work work(kind: i32, endpoint: i32, region: Word, of_task: Word, count: u64, codeptr: Code)
        Event::Work {
        kind: of::<WorkKind>(kind),
        endpoint: of::<Endpoint>(endpoint),
        region: identity(region),
        task: task(of_task),
        count,
        codeptr: codeptr as u64,
    };
    Masked masked(endpoint: i32, region: Word, of_task: Word, codeptr: Code) Event::Masked {
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

/// A share of a construct's work begins.
#[cold]
pub(super) unsafe extern "C" fn share(region: Word, of_task: Word, kind: i32, instance: u64) {
    if !wants(Kind::Dispatch) {
        return;
    }
    // SAFETY: only `tell` calls this: see the module. A share of iterations comes as the address of
    // a chunk.
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
