//! The subscriber table: who hears of which kinds.
//!
//! `MASK` is the union of the slots' masks and the only thing that a hook reads. A slot is filled
//! once (`attach`) and emptied at the tool's end; its function pointer is published before its bits
//! and stays valid after they are cleared, so a hook that read an old mask still calls good code.

use crate::event::Event;
use crate::kinds::Kind;
use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use omphalos_layout::SLOTS;

/// Called for each event of a kind that the slot subscribed to, on the thread that has the event.
pub type Notify = fn(slot: usize, event: &Event<'_>);

/// The tools that have data words, and one subscriber beside them that has none.
const SUBSCRIBERS: usize = SLOTS + 1;
/// In a slot's mask: a tool is attached, whatever it hears of. Above every [`Kind::bit`].
const ATTACHED: u64 = 1 << 63;
/// Held by whoever changes a mask.
static CHANGING: AtomicBool = AtomicBool::new(false);
/// Union of all slots' masks. Written under `CHANGING`, read by every hook (relaxed: a
/// tool that attaches while regions run may miss events that race with it). Public for entry stubs,
/// which only compare it with 0.
pub static MASK: AtomicU64 = AtomicU64::new(0);
static SLOT_MASKS: [AtomicU64; SUBSCRIBERS] = [const { AtomicU64::new(0) }; SUBSCRIBERS];
/// The slots that have a mask, as bits: an event visits no others. Written before `MASK`.
static FILLED: AtomicU64 = AtomicU64::new(0);
/// Function pointers as integers; 0 is a free slot. Written by `attach` (release) before the mask.
static NOTIFY: [AtomicUsize; SUBSCRIBERS] = [const { AtomicUsize::new(0) }; SUBSCRIBERS];

/// Whether any subscriber wants events of this kind: one load and one test, for the engine's hooks.
#[inline(always)]
pub fn wants(kind: Kind) -> bool {
    MASK.load(Ordering::Relaxed) & kind.bit() != 0
}

/// Whether any subscriber wants events of any of these kinds (a union of [`Kind::bit`]s): still one
/// load, for constructs with several events.
#[inline(always)]
pub fn wants_any(kinds: u64) -> bool {
    MASK.load(Ordering::Relaxed) & kinds != 0
}

/// Whether any tool is attached, to events or only to inquire: identities need ids and fresh words
/// only then. `omp_control_tool` answers "no tool" otherwise.
#[inline(always)]
pub fn active() -> bool {
    MASK.load(Ordering::Relaxed) != 0
}

/// Takes a free slot for `notify`; `None` when [`SLOTS`] tools are attached already.
pub fn attach(notify: Notify) -> Option<usize> {
    (0..SLOTS).find(|&slot| {
        NOTIFY[slot]
            .compare_exchange(0, notify as usize, Ordering::AcqRel, Ordering::Relaxed)
            .is_ok()
    })
}

/// Takes the slot beside the tools, for an interface whose clients have no data words on anything:
/// it must not ask an identity for one. There is one such slot; later calls get the same.
pub fn attach_wordless(notify: Notify) -> usize {
    NOTIFY[SLOTS].store(notify as usize, Ordering::Release);
    SLOTS
}

/// Ends a slot's subscriptions. The slot is not used again: data words of a tool that ended must
/// not be handed to another one.
pub fn detach(slot: usize) {
    change(slot, |mask| mask.store(0, Ordering::Release));
}

/// Lets `slot` hear of more kinds (a union of [`Kind::bit`]s, 0 for none). From its first call on the
/// slot counts as attached, so that identities are kept also for a tool that only inquires.
pub fn subscribe(slot: usize, kinds: u64) {
    change(slot, |mask| {
        mask.fetch_or(kinds | ATTACHED, Ordering::AcqRel);
    });
}

/// Lets `slot` hear of these kinds no more.
pub fn unsubscribe(slot: usize, kinds: u64) {
    change(slot, |mask| {
        mask.fetch_and(!kinds | ATTACHED, Ordering::AcqRel);
    });
}

/// Changes one slot's mask and makes the union anew. The lock orders the two steps of concurrent
/// callers; it is held for a few instructions and never by a hook. Not async-signal-safe.
fn change(slot: usize, edit: impl FnOnce(&AtomicU64)) {
    while CHANGING.swap(true, Ordering::Acquire) {
        core::hint::spin_loop();
    }
    edit(&SLOT_MASKS[slot % SUBSCRIBERS]);
    let union = SLOT_MASKS.iter().fold(0, |all, m| all | m.load(Ordering::Acquire));
    let filled = |slot: &usize| SLOT_MASKS[*slot].load(Ordering::Relaxed) != 0;
    FILLED.store(
        (0..SUBSCRIBERS).filter(filled).fold(0, |all, slot| all | 1 << slot),
        Ordering::Release,
    );
    MASK.store(union, Ordering::Release);
    CHANGING.store(false, Ordering::Release);
}

/// The kinds that `slot` hears of.
pub fn mask_of(slot: usize) -> u64 {
    SLOT_MASKS[slot % SUBSCRIBERS].load(Ordering::Acquire) & !ATTACHED
}

/// Hands `event` to every slot that wants its kind.
#[cold]
#[inline(never)]
pub fn dispatch(event: &Event<'_>) {
    let bit = event.kind().bit();
    let mut slots = FILLED.load(Ordering::Acquire);
    while slots != 0 {
        let slot = slots.trailing_zeros() as usize % SUBSCRIBERS;
        slots &= slots - 1;
        if SLOT_MASKS[slot].load(Ordering::Relaxed) & bit == 0 {
            continue;
        }
        let notify = NOTIFY[slot].load(Ordering::Acquire);
        if notify != 0 {
            // SAFETY: only `attach` writes the table, and only with a `Notify`.
            let notify: Notify = unsafe { core::mem::transmute::<usize, Notify>(notify) };
            notify(slot, event);
        }
    }
}
