//! The long way of the frequent events: the functions that [`tell`](super) calls when it calls no
//! tool directly.
//!
//! A hook passes its arguments to one function of the table, whichever that is. Either it is the
//! callback of the only tool that wants the kind; or it is a function of this file, which has the
//! callback's signature. A function here builds the [`Event`] again from its arguments and passes
//! it to every subscriber that wants it.
//!
//! What must hold: only `tell` calls these, with the arguments that the tool in [`SLOT`] would get.
//! So each number is one of the vocabulary's enumerations. And each word is the data word that this
//! tool has in an identity: the identity is found by the word's address.

use super::calls::SLOT;
use super::{Chunk, Code, Word};
use crate::event::Event;
use crate::kinds::{DispatchKind, Endpoint, Kind, MutexKind, SyncKind, TaskStatus, WorkKind};
use crate::subscribers::{tell_all, wants};
use core::mem::offset_of;
use omphalos_layout::{Identity, TaskTool};

/// Where [`SLOT`]'s word stands in an identity.
const WORD: usize = offset_of!(Identity, words) + SLOT * size_of::<u64>();

/// The identity that contains a word.
///
/// # Safety
/// `word` is [`SLOT`]'s word of an identity.
#[inline(always)]
unsafe fn identity<'a>(word: Word) -> &'a Identity {
    // SAFETY: the caller's promise. The word's address was made from the identity's, which is
    // exposed.
    unsafe { &*core::ptr::with_exposed_provenance::<Identity>(word.expose_provenance() - WORD) }
}

/// The task whose identity contains a word.
///
/// # Safety
/// `word` is [`SLOT`]'s word of a task.
#[inline(always)]
unsafe fn task<'a>(word: Word) -> &'a TaskTool {
    let at = offset_of!(TaskTool, identity) + WORD;
    // SAFETY: as in `identity`.
    unsafe { &*core::ptr::with_exposed_provenance::<TaskTool>(word.expose_provenance() - at) }
}

/// The value of an enumeration that has this number.
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

/// A part of a construct's work begins: iterations, or a section.
#[cold]
pub(super) unsafe extern "C" fn share(region: Word, of_task: Word, kind: i32, instance: u64) {
    if !wants(Kind::Dispatch) {
        return;
    }
    // SAFETY: only `tell` calls this: see the module. If the part is a range of iterations,
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
