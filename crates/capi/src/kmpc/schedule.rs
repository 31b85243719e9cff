//! LLVM's schedule numbers.

use crate::gomp::schedule::{Kind, resolve};
use omphalos_engine::Thread;
use omphalos_engine::worksharing::Schedule;
use omphalos_events::WorkKind;

/// `kmp_sch_static_chunked`.
pub const STATIC_CHUNKED: i32 = 33;
/// `kmp_sch_static_balanced_chunked`.
pub const STATIC_BALANCED_CHUNKED: i32 = 45;
/// `kmp_distribute_static_chunked`.
pub const DISTRIBUTE_STATIC_CHUNKED: i32 = 91;
/// `kmp_distribute_static`.
pub const DISTRIBUTE_STATIC: i32 = 92;

/// Monotonic and nonmonotonic modifier bits.
const MODIFIERS: i32 = 3 << 29;
/// First number of the "ordered" block and of the "nomerge" block (`kmp_ord_lower`, `kmp_nm_lower`).
const ORDERED_LOWER: i32 = 64;
const NOMERGE_LOWER: i32 = 160;
const LOWER: i32 = 32;

/// A number without its modifier bits.
pub fn without_modifiers(number: i32) -> i32 {
    number & !MODIFIERS
}

/// Schedule, chunk, what tools are told, and whether the loop is ordered.
pub fn decode(thread: &Thread, number: i32, chunk: u64) -> (Schedule, u64, WorkKind, bool) {
    let mut number = without_modifiers(number);
    if (NOMERGE_LOWER..NOMERGE_LOWER + 64).contains(&number) {
        number -= NOMERGE_LOWER - LOWER;
    }
    let ordered = (ORDERED_LOWER..ORDERED_LOWER + LOWER).contains(&number);
    if ordered {
        number -= ORDERED_LOWER - LOWER;
    }
    let (schedule, chunk, kind) = match number {
        STATIC_CHUNKED | STATIC_BALANCED_CHUNKED => {
            (Schedule::Static, chunk.max(1), WorkKind::LoopStatic)
        }
        // static, static_greedy, static_balanced.
        34 | 40 | 41 => (Schedule::Static, 0, WorkKind::LoopStatic),
        36 | 42 | 43 | 46 => (Schedule::Guided, chunk.max(1), WorkKind::LoopGuided),
        37 | 47 => resolve(thread, Kind::Runtime, 0),
        // auto: guided, as LLVM's own runtime takes it.
        38 => (Schedule::Guided, 1, WorkKind::LoopGuided),
        // dynamic_chunked, trapezoidal, static_steal.
        _ => (Schedule::Dynamic, chunk.max(1), WorkKind::LoopDynamic),
    };
    if schedule == Schedule::Guided && thread.team().size.get() == 1 {
        // One thread: one chunk, which is what a static loop deals.
        return (Schedule::Static, 0, WorkKind::LoopStatic, ordered);
    }
    (schedule, chunk, kind, ordered)
}
