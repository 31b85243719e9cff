//! LLVM's schedule numbers.

use crate::shared::schedule::{Kind, Resolved, resolve};
use omphalos_engine::Thread;
use omphalos_engine::worksharing::{Schedule, rounded_share};
use omphalos_events::WorkKind;

/// `kmp_sch_static_chunked`.
pub const STATIC_CHUNKED: i32 = 33;
/// `kmp_sch_static`.
pub const STATIC: i32 = 34;
/// `kmp_sch_static_greedy`: all shares but the last ones have one size.
const STATIC_GREEDY: i32 = 40;
/// `kmp_sch_static_balanced`: shares that differ by one iteration at most.
const STATIC_BALANCED: i32 = 41;
/// `kmp_sch_static_balanced_chunked`.
pub const STATIC_BALANCED_CHUNKED: i32 = 45;
/// `kmp_sch_guided_simd`: chunks are multiples of the simd width.
const GUIDED_SIMD: i32 = 46;
/// `kmp_sch_runtime`, `kmp_sch_runtime_simd`.
const RUNTIME: i32 = 37;
const RUNTIME_SIMD: i32 = 47;
/// `kmp_distribute_static_chunked`.
pub const DISTRIBUTE_STATIC_CHUNKED: i32 = 91;
/// `kmp_distribute_static`.
pub const DISTRIBUTE_STATIC: i32 = 92;

/// `kmp_sch_modifier_monotonic` and `_nonmonotonic`.
const MONOTONIC: i32 = 1 << 29;
const NONMONOTONIC: i32 = 1 << 30;
/// First number of the "ordered" block and of the "nomerge" block (`kmp_ord_lower`,
/// `kmp_nm_lower`).
const ORDERED_LOWER: i32 = 64;
const NOMERGE_LOWER: i32 = 160;
const LOWER: i32 = 32;

/// Returns a number without its modifier bits.
pub fn without_modifiers(number: i32) -> i32 {
    number & !(MONOTONIC | NONMONOTONIC)
}

/// Whether static loops without a chunk are dealt as [`STATIC_GREEDY`] (`KMP_SCHEDULE`).
pub fn greedy() -> bool {
    omphalos_settings::settings().loop_kinds.greedy
}

/// Returns the chunk size of a static loop without one: 0, so its shares are even, or the size of a
/// greedy share.
pub fn even_chunk(trip: u64, size: u32) -> u64 {
    if greedy() { rounded_share(trip, size, 1) } else { 0 }
}

/// The properties of a loop that a schedule number asks for.
pub struct Decoded {
    /// The schedule with its chunk in iterations; a static one's 0 = even shares.
    pub how: Resolved,
    /// The loop has an `ordered` clause.
    pub ordered: bool,
    /// Static: each thread has one share, a multiple of `how.chunk`. Guided: each chunk is such a
    /// multiple.
    pub rounded: bool,
    /// A thread's chunks may come in any order.
    pub nonmonotonic: bool,
}

/// Decodes a schedule number with its chunk, at least 1. A number without a modifier comes from a
/// compiler of OpenMP 4.5, for which dynamic is monotonic. So is `schedule(runtime)`, as in LLVM's
/// runtime unless OMP_SCHEDULE says `nonmonotonic`. Inlined, so that the result stays in registers.
#[inline(always)]
pub fn decode(thread: &Thread, number: i32, chunk: u64) -> Decoded {
    let any_order = number & NONMONOTONIC != 0 && number & MONOTONIC == 0;
    let mut number = without_modifiers(number);
    if (NOMERGE_LOWER..NOMERGE_LOWER + 64).contains(&number) {
        number -= NOMERGE_LOWER - LOWER;
    }
    let ordered = (ORDERED_LOWER..ORDERED_LOWER + LOWER).contains(&number);
    if ordered {
        number -= ORDERED_LOWER - LOWER;
    }
    let mut rounded = false;
    let mut how = match number {
        STATIC_CHUNKED => Resolved::new(Schedule::Static, chunk, WorkKind::LoopStatic),
        STATIC | STATIC_GREEDY | STATIC_BALANCED => {
            rounded = number == STATIC_GREEDY || number == STATIC && greedy();
            Resolved::new(Schedule::Static, u64::from(rounded), WorkKind::LoopStatic)
        }
        STATIC_BALANCED_CHUNKED => {
            rounded = true;
            Resolved::new(Schedule::Static, chunk, WorkKind::LoopStatic)
        }
        36 | 42 | 43 => Resolved::new(Schedule::Guided, chunk, WorkKind::LoopGuided),
        GUIDED_SIMD => {
            rounded = true;
            Resolved::new(Schedule::Guided, chunk, WorkKind::LoopGuided)
        }
        RUNTIME => {
            let how = resolve(thread, Kind::Runtime, 0);
            rounded = how.kind == WorkKind::LoopStatic && how.chunk == 0 && greedy();
            Resolved { chunk: if rounded { 1 } else { how.chunk }, ..how }
        }
        RUNTIME_SIMD => {
            let how = resolve(thread, Kind::Runtime, 0);
            rounded = how.schedule == Schedule::Guided || how.chunk == 0;
            // The chunk is the simd width; run-sched-var's chunk counts such widths.
            Resolved { chunk: how.chunk.max(1).saturating_mul(chunk), ..how }
        }
        // `auto` is guided, as in LLVM's own runtime.
        38 => Resolved::new(Schedule::Guided, 1, WorkKind::LoopGuided),
        // dynamic_chunked, trapezoidal, static_steal.
        _ => Resolved::new(Schedule::Dynamic, chunk, WorkKind::LoopDynamic),
    };
    if how.schedule == Schedule::Guided && thread.team().size.get() == 1 {
        // One thread gets one chunk, as in a static loop.
        rounded = false;
        how = Resolved::new(Schedule::Static, 0, WorkKind::LoopStatic);
    }
    let nonmonotonic = how.schedule == Schedule::Dynamic
        && any_order
        && !ordered
        && !matches!(number, RUNTIME | RUNTIME_SIMD)
        && !omphalos_settings::settings().loop_kinds.monotonic;
    Decoded { how, ordered, rounded, nonmonotonic }
}
