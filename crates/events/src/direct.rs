//! The direct call: a hook calls the one tool that hears of a kind itself.
//!
//! The vocabulary has OpenMP 6.0's numbers, so for the events that happen often the callback of a tool
//! of that generation takes just what the event has. If such a tool is the only one that hears of a kind,
//! building the event, finding the tool and taking the event to pieces again would be most of what the
//! event costs. What must hold: a function stands in [`CALLS`] only while the tool in [`SLOT`] alone
//! subscribed to the kind, and then has the signature that [`call`] gives it.

use crate::event::Event;
use crate::kinds::{Endpoint, Kind, SyncKind, TaskFlags};
use core::ffi::c_void;
use core::sync::atomic::{AtomicUsize, Ordering};
use omphalos_layout::{Frame, Identity, TaskTool};

/// How many kinds there are.
pub(crate) const KINDS: usize = Kind::Shutdown as usize + 1;
/// The slot whose tool may be called directly: the first tool's, in most processes the only one's. A
/// constant, so that the place of its words is one too.
pub(crate) const SLOT: usize = 0;

/// By kind: the callback to call, 0 where the event takes the long way. Written by `put`, read by
/// every hook that somebody listens to (acquire: with it comes all that the tool did before it
/// registered).
static CALLS: [AtomicUsize; KINDS] = [const { AtomicUsize::new(0) }; KINDS];

/// What is called for a kind, a constant: one load. Asked for by name on x86-64, as the hooks' mask is.
macro_rules! function_of {
    ($kind:expr) => {{
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        {
            let function: usize;
            // SAFETY: an aligned load of eight bytes within the table, which acquires on this processor.
            unsafe {
                core::arch::asm!(
                    "mov {function}, qword ptr [rip + {calls} + {offset}]",
                    function = out(reg) function,
                    calls = sym CALLS,
                    offset = const $kind as usize * 8,
                    options(readonly, nostack, preserves_flags),
                );
            }
            function
        }
        #[cfg(not(all(target_arch = "x86_64", not(miri))))]
        CALLS[$kind as usize].load(Ordering::Acquire)
    }};
}

/// Changes what is called for a kind. Under the subscriber table's lock.
pub(crate) fn put(kind: usize, function: usize) {
    CALLS[kind].store(function, Ordering::Release);
}

type Word = *mut u64;
type Frames = *const Frame;
type Code = *const c_void;

/// `ompt_dispatch_chunk_t`.
#[repr(C)]
struct Chunk {
    first: u64,
    count: u64,
}

/// Calls the tool, if there is one to call directly for this event. Inlined where the event is built:
/// the event's kind is known there, and nothing of the event reaches memory.
#[inline(always)]
pub(crate) fn call(event: &Event<'_>) -> bool {
    /// Calls what is to be called for this kind with these arguments, of these types.
    macro_rules! callback {
        ($kind:ident: $($value:expr => $type:ty),* $(,)?) => {{
            let function = function_of!(Kind::$kind);
            if function == 0 {
                return false;
            }
            type Callback = unsafe extern "C" fn($($type),*);
            // SAFETY: `CALLS` has callbacks alone, each under the kind whose signature this is.
            let function = unsafe { core::mem::transmute::<usize, Callback>(function) };
            // SAFETY: words and frames live at least as long as the event.
            unsafe { function($($value),*) };
        }};
    }
    let word = |identity: &Identity| -> Word { identity.word(SLOT) };
    let task_word = |task: &TaskTool| -> Word { task.identity.word(SLOT) };
    match *event {
        Event::ParallelBegin { encountering, region, requested, flags, codeptr, .. } => {
            callback!(ParallelBegin:
                task_word(encountering) => Word, &raw const encountering.frame => Frames,
                word(region) => Word, requested => u32, flags => u32, codeptr as Code => Code
            )
        }
        Event::ParallelEnd { encountering, region, flags, codeptr } => callback!(ParallelEnd:
            word(region) => Word, task_word(encountering) => Word, flags => u32,
            codeptr as Code => Code
        ),
        Event::ImplicitTask { endpoint, region, task, parallelism, index, flags } => {
            let (region, parallelism) =
                shown_team(endpoint, region, SLOT, parallelism, index, flags);
            callback!(ImplicitTask:
                endpoint as i32 => i32, region => Word, task_word(task) => Word,
                parallelism => u32, index => u32, flags => u32
            );
        }
        Event::TaskCreate { encountering, task, flags, has_dependences, codeptr, .. } => {
            callback!(TaskCreate:
                task_word(encountering) => Word, &raw const encountering.frame => Frames,
                task_word(task) => Word, flags => u32, i32::from(has_dependences) => i32,
                codeptr as Code => Code
            )
        }
        Event::TaskSchedule { prior, status, next } => callback!(TaskSchedule:
            task_word(prior) => Word, status as i32 => i32,
            next.map_or(core::ptr::null_mut(), task_word) => Word
        ),
        Event::SyncRegion { kind, endpoint, region, task, codeptr } => callback!(SyncRegion:
            kind as i32 => i32, endpoint as i32 => i32,
            shown_region(kind, endpoint, word(region)) => Word, task_word(task) => Word,
            codeptr as Code => Code
        ),
        Event::SyncWait { kind, endpoint, region, task, codeptr } => callback!(SyncWait:
            kind as i32 => i32, endpoint as i32 => i32,
            shown_region(kind, endpoint, word(region)) => Word, task_word(task) => Word,
            codeptr as Code => Code
        ),
        Event::Work { kind, endpoint, region, task, count, codeptr } => callback!(Work:
            kind as i32 => i32, endpoint as i32 => i32, word(region) => Word,
            task_word(task) => Word, count => u64, codeptr as Code => Code
        ),
        Event::Masked { endpoint, region, task, codeptr } => callback!(Masked:
            endpoint as i32 => i32, word(region) => Word, task_word(task) => Word,
            codeptr as Code => Code
        ),
        Event::Dispatch { kind, region, task, first, count } => {
            let chunk = Chunk { first, count };
            let instance = if kind.is_chunk() { (&raw const chunk) as u64 } else { first };
            callback!(Dispatch:
                word(region) => Word, task_word(task) => Word, kind as i32 => i32, instance => u64
            );
        }
        Event::TaskDependence { source, sink } => {
            callback!(TaskDependence: task_word(source) => Word, task_word(sink) => Word);
        }
        Event::Dependences { task, dependences } => callback!(Dependences:
            task_word(task) => Word, dependences.as_ptr().cast() => Code,
            dependences.len() as i32 => i32
        ),
        Event::MutexAcquire { kind, hint, implementation, wait_id, codeptr } => {
            callback!(MutexAcquire:
                kind as i32 => i32, hint => u32, implementation => u32, wait_id => u64,
                codeptr as Code => Code
            )
        }
        Event::MutexAcquired { kind, wait_id, codeptr } => {
            callback!(MutexAcquired: kind as i32 => i32, wait_id => u64, codeptr as Code => Code);
        }
        Event::MutexReleased { kind, wait_id, codeptr } => {
            callback!(MutexReleased: kind as i32 => i32, wait_id => u64, codeptr as Code => Code);
        }
        Event::NestLock { endpoint, wait_id, codeptr } => {
            callback!(NestLock: endpoint as i32 => i32, wait_id => u64, codeptr as Code => Code);
        }
        _ => return false,
    }
    true
}

/// The region's word as 5.0 and later show it with a synchronisation event: gone when the barrier that
/// ends it is left.
#[inline(always)]
pub fn shown_region<T>(kind: SyncKind, endpoint: Endpoint, word: *mut T) -> *mut T {
    let ends = matches!(kind, SyncKind::BarrierImplicitParallel | SyncKind::BarrierTeams);
    if ends && endpoint == Endpoint::End { core::ptr::null_mut() } else { word }
}

/// The region's word and the size of the team as 5.0 and later show them with an implicit or initial
/// task.
///
/// The text wants no region at the end. But that of an initial task has no end of its own: here tools
/// give back what its word holds, as LLVM's runtime lets them, unasked. The text wants a size of 0 at
/// the end; tools that know LLVM's runtime get the size on the primary thread.
#[inline(always)]
pub fn shown_team<T>(
    endpoint: Endpoint,
    region: &Identity,
    slot: usize,
    parallelism: u32,
    index: u32,
    flags: u32,
) -> (*mut T, u32) {
    let word = region.word(slot).cast();
    let primary = flags & TaskFlags::IMPLICIT != 0 && index == 0;
    if endpoint != Endpoint::End {
        return (word, parallelism);
    }
    let shown = if region.is_initial_region() { word } else { core::ptr::null_mut() };
    (shown, if primary { parallelism } else { 0 })
}
