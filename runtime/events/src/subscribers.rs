//! The subscriber table: the kinds of events that each tool wants.
//!
//! `MASK` is the union of the slots' masks, and the only word that a hook reads. A slot is filled
//! once (`attach`) and emptied at the tool's end. Its function pointer is published before its bits
//! and stays valid after they are cleared, so a hook that read an old mask still calls good code.
//!
//! Until the tools have started (`become_known`), the kinds that they will want are unknown, and
//! `MASK` says that every kind is wanted. So a hook that comes before its thread's first contact
//! (which starts the tools) acts as with a tool. It notes the caller, makes the contact so that
//! there is something to tell, and tells the tools that are attached then. If there are none, only
//! that first call was a little slower.

use crate::event::{Event, Kind};
use crate::partner::{self, ATTACHED};
use crate::tell_tools::{self, Functions, KINDS, PLACES};
use core::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use omphalos_layout::SLOTS;
use omphalos_sync::process_lock::{ProcessLock, rank};

/// Called for each event of a kind that the slot wants, on the thread to which it happens.
pub type TellEvent = fn(slot: usize, event: &Event<'_>);

/// The tools with data words, one subscriber without, and debuggers, which are told nothing.
const SUBSCRIBERS: usize = SLOTS + 2;
/// The slot of debuggers.
pub const DEBUGGERS: usize = SLOTS + 1;
/// The union of the masks until the tools have started.
const UNKNOWN: u64 = u64::MAX;
/// Held by a thread that changes a mask.
static CHANGING: ProcessLock<(), { rank::SUBSCRIBERS }> = ProcessLock::new(());
/// Whether the tools were started. Under `CHANGING`.
static KNOWN: AtomicBool = AtomicBool::new(false);
/// Union of all slots' masks, or [`UNKNOWN`]. Written under `CHANGING`, read by every hook
/// (relaxed: a tool that attaches while regions run may miss events that race with it). Public for
/// entry stubs, which only compare it with 0. Most stubs look at a word of their thread instead,
/// which follows this one (`install_watcher`). A debugger writes it too, while the program stands
/// still (docs/debug-state.md).
pub static MASK: AtomicU64 = AtomicU64::new(UNKNOWN);
/// By slot: the kinds that it wants, and [`ATTACHED`]. Public for its address.
pub static SLOT_MASKS: [AtomicU64; SUBSCRIBERS] = [const { AtomicU64::new(0) }; SUBSCRIBERS];
/// By kind: the slots that want it, as bits. Written before `MASK`.
static WANTED_BY: [AtomicU8; KINDS] = [const { AtomicU8::new(0) }; KINDS];
/// By slot and place: the tool's function of the kind's direct form ([`tell_tools`]), 0 if there is
/// none.
static DIRECT: [[AtomicUsize; PLACES]; SLOTS] =
    [const { [const { AtomicUsize::new(0) }; PLACES] }; SLOTS];
/// Called when [`MASK`] has changed: a `fn()` as an integer, 0 = none.
static WATCHER: AtomicUsize = AtomicUsize::new(0);
/// Function pointers as integers; 0 is a free slot. Written by `attach` (release) before the mask.
static TELL_EVENT: [AtomicUsize; SUBSCRIBERS] = [const { AtomicUsize::new(0) }; SUBSCRIBERS];
/// The slots, as bits, whose tools went before they were told anything ([`give_back`]).
static GIVEN_BACK: AtomicU8 = AtomicU8::new(0);
/// Whether the hooks are there. Without them tools attach and are told nothing. The bench compares
/// a library without hooks with the real one, to measure the hooks while no tool is attached.
pub(crate) const HOOKS: bool = !cfg!(feature = "no-hooks");

/// Returns the mask that the hooks test: one load.
#[inline(always)]
fn asked_for() -> u64 {
    if !HOOKS {
        return 0;
    }
    // SAFETY: a word of eight bytes.
    unsafe { omphalos_sys::load_static!(MASK, 0, u64) }
}

/// Whether any subscriber wants events of this kind. The engine's hooks ask it: one load and one
/// test. Yes until the tools have started.
#[inline(always)]
pub fn wants(kind: Kind) -> bool {
    wants_any(kind.bit())
}

/// Whether any subscriber wants events of any of these kinds (a union of [`Kind::bit`]s): still one
/// load, for constructs with several events.
#[inline(always)]
pub fn wants_any(kinds: u64) -> bool {
    asked_for() & kinds != 0
}

/// Whether any tool is attached, even if it only inquires. Only then do identities need ids and
/// fresh words; otherwise `omp_control_tool` answers "no tool". Yes until the tools have started.
#[inline(always)]
pub fn active() -> bool {
    if !HOOKS {
        return false;
    }
    // SAFETY: as in `asked_for`.
    unsafe { omphalos_sys::if_static_is_set!(MASK, { return true }) };
    false
}

/// Takes a free slot for `tell_event`; `None` when [`SLOTS`] tools are attached already.
pub fn attach(tell_event: TellEvent) -> Option<usize> {
    let fresh = |slot: &usize| {
        TELL_EVENT[*slot]
            .compare_exchange(0, tell_event as usize, Ordering::AcqRel, Ordering::Relaxed)
            .is_ok()
    };
    // A slot that was given back is taken only if there is no other: its former tool may still call
    // the functions that it got.
    let left = |slot: &usize| GIVEN_BACK.fetch_and(!(1 << slot), Ordering::AcqRel) & 1 << slot != 0;
    (0..SLOTS).find(fresh).or_else(|| {
        let slot = (0..SLOTS).find(left)?;
        TELL_EVENT[slot].store(tell_event as usize, Ordering::Release);
        Some(slot)
    })
}

/// Gives back the slot of a tool that goes before it wanted anything; another tool may get it. The
/// caller has cleared the words that the tool may have written.
pub fn give_back(slot: usize) {
    if let Some(direct) = DIRECT.get(slot) {
        partner::leave(slot);
        change(slot, |_| direct.iter().for_each(|function| function.store(0, Ordering::Relaxed)));
    }
    if slot < SLOTS {
        GIVEN_BACK.fetch_or(1 << slot, Ordering::AcqRel);
    }
}

/// Takes the one slot for an interface whose clients have no data words: it must not ask an
/// identity for one. Later calls get the same slot.
pub fn attach_wordless(tell_event: TellEvent) -> usize {
    TELL_EVENT[SLOTS].store(tell_event as usize, Ordering::Release);
    SLOTS
}

/// From now on constructs keep everything that tools could ask for (identities, frames, the stack
/// of tasks) even without a tool, for debuggers. Debuggers are told no events.
pub fn keep_for_debuggers() {
    subscribe(DEBUGGERS, 0);
}

/// Whether constructs keep that for debuggers. A debugger may write the slot's mask itself.
#[inline(always)]
pub fn keeps_for_debuggers() -> bool {
    SLOT_MASKS[DEBUGGERS].load(Ordering::Relaxed) != 0
}

/// Whether a tool is attached: not only a debugger.
pub fn has_tool() -> bool {
    SLOT_MASKS[..DEBUGGERS].iter().any(|mask| mask.load(Ordering::Acquire) != 0)
}

/// Ends a slot's subscriptions. The slot is not used again: no other tool may get the ended tool's
/// data words, and a hook may be about to call it.
pub fn detach(slot: usize) {
    change(slot, |mask| mask.store(0, Ordering::Release));
}

/// Adds kinds that `slot` wants (a union of [`Kind::bit`]s, 0 for none). From its first call on the
/// slot counts as attached, so that identities are kept even for a tool that only inquires.
pub fn subscribe(slot: usize, kinds: u64) {
    change(slot, |mask| {
        mask.fetch_or(kinds | ATTACHED, Ordering::AcqRel);
    });
}

/// Notes the function of the tool in `slot` for one kind (its bit); 0: none. The function has the
/// kind's direct form ([`tell_tools`]). From the tool's next `subscribe` on, if it is the only one
/// that wants the kind, the function is called without [`TellEvent`].
///
/// # Safety
/// `function` has that form and stays callable until it is replaced and the slot's subscriptions
/// changed, and for the calls then under way.
pub unsafe fn connect(slot: usize, kind: u64, function: usize) {
    note(slot, Some(kind.trailing_zeros() as usize), function);
}

/// As [`connect`] for the barriers that end a region, of a kind that tells of barriers.
///
/// # Safety
/// As for [`connect`].
pub unsafe fn connect_closing(slot: usize, kind: u64, function: usize) {
    note(slot, tell_tools::closing_place(kind.trailing_zeros() as usize), function);
}

fn note(slot: usize, place: Option<usize>, function: usize) {
    if let (Some(direct), Some(place)) = (DIRECT.get(slot), place)
        && let Some(noted) = direct.get(place)
    {
        noted.store(function, Ordering::Relaxed);
        change(slot, |_| ());
    }
}

/// Removes kinds that `slot` wants.
pub fn unsubscribe(slot: usize, kinds: u64) {
    change(slot, |mask| {
        mask.fetch_and(!kinds | ATTACHED, Ordering::AcqRel);
    });
}

/// Makes the tool in `slot` the [partner], if it can be. True if it is. Not async-signal-safe.
pub fn become_partner(slot: usize) -> bool {
    let is_partner = partner::enter(slot);
    change(slot, |_| ());
    is_partner
}

/// Changes one slot's mask and makes the union anew. The lock orders the two steps of concurrent
/// callers; it is held for a few instructions and never by a hook. Not async-signal-safe.
fn change(slot: usize, edit: impl FnOnce(&AtomicU64)) {
    let changing = CHANGING.lock();
    edit(&SLOT_MASKS[slot % SUBSCRIBERS]);
    let mut partners = 0;
    for (kind, wanted_by) in WANTED_BY.iter().enumerate() {
        let asked = |slot: &usize| SLOT_MASKS[*slot].load(Ordering::Relaxed) & 1 << kind != 0;
        let wanting = (0..SUBSCRIBERS).filter(asked).fold(0, |all, slot| all | 1 << slot);
        wanted_by.store(wanting, Ordering::Release);
        tell_tools::put(kind, direct(kind, wanting), wanting != 0);
        partners |= u64::from(partner::is_its(wanting)) << kind;
    }
    let attached = |slot: usize| SLOT_MASKS[slot].load(Ordering::Relaxed) != 0;
    // Quiet threads do not keep the state that a debugger is to find.
    let agreed = attached(partner::SLOT) && !attached(DEBUGGERS);
    let is_other = |slot: usize| slot != partner::SLOT && attached(slot);
    if partner::is_its(1 << partner::SLOT) && !(0..SUBSCRIBERS).any(is_other) {
        partners |= ATTACHED;
    }
    partner::note(if agreed { partners } else { 0 });
    unite(changing);
}

/// Returns the functions of the tool that alone wants a kind, for direct calls; none if several
/// want it. `wanting`: the slots that want it, as bits.
fn direct(kind: usize, wanting: u8) -> Functions {
    let slot = if wanting.is_power_of_two() { wanting.trailing_zeros() as usize } else { SLOTS };
    DIRECT.get(slot).map_or(Functions::default(), |direct| {
        let at = |place: usize| direct[place].load(Ordering::Relaxed);
        Functions { usual: at(kind), closing: tell_tools::closing_place(kind).map_or(0, at) }
    })
}

/// Notes that the tools are started: from now on the union of the masks is known. Not
/// async-signal-safe.
pub(crate) fn become_known() {
    let changing = CHANGING.lock();
    KNOWN.store(true, Ordering::Relaxed);
    unite(changing);
}

/// Computes the union again under the lock, gives the lock back, and calls the watcher if the union
/// has changed.
fn unite(changing: impl Sized) {
    let union = match KNOWN.load(Ordering::Relaxed) {
        true => SLOT_MASKS.iter().fold(0, |all, mask| all | mask.load(Ordering::Acquire)),
        false => UNKNOWN,
    };
    let before = MASK.swap(union, Ordering::AcqRel);
    drop(changing);
    let watcher = WATCHER.load(Ordering::Acquire);
    if before != union && watcher != 0 {
        // SAFETY: only `install_watcher` writes the word, and only with such a function.
        let watcher: fn() = unsafe { core::mem::transmute::<usize, fn()>(watcher) };
        watcher();
    }
}

/// Has `watcher` called whenever [`active`] or [`wants`] may answer differently, on the thread that
/// caused it, after the change. Calls may overlap, so the watcher must ask them itself.
pub fn install_watcher(watcher: fn()) {
    WATCHER.store(watcher as usize, Ordering::Release);
}

/// Returns the kinds that `slot` wants.
pub fn mask_of(slot: usize) -> u64 {
    SLOT_MASKS[slot % SUBSCRIBERS].load(Ordering::Acquire) & !ATTACHED
}

/// Passes `event` to every slot that wants its kind. Frequent events have a shorter way:
/// [`crate::tell_tools`].
#[cold]
#[inline(never)]
pub fn dispatch(event: &Event<'_>) {
    tell_those(u8::MAX, event);
}

/// As [`dispatch`], for callers that would otherwise keep the parts of the event.
#[cold]
#[inline(never)]
pub(crate) fn tell_all<'a>(event: impl FnOnce() -> Event<'a>) {
    dispatch(&event());
}

/// Passes `event` to those of `slots` (bits) that want its kind.
#[cold]
pub fn dispatch_to(slots: u8, event: &Event<'_>) {
    tell_those(slots, event);
}

fn tell_those(slots: u8, event: &Event<'_>) {
    let mut slots = slots & WANTED_BY[event.kind() as usize].load(Ordering::Acquire);
    while slots != 0 {
        let rest = slots & (slots - 1);
        let slot = (slots.trailing_zeros() as usize).min(SLOTS);
        let tell_event = TELL_EVENT[slot].load(Ordering::Acquire);
        if tell_event != 0 {
            // SAFETY: only `attach` writes the table, and only with a `TellEvent`.
            let tell_event: TellEvent =
                unsafe { core::mem::transmute::<usize, TellEvent>(tell_event) };
            tell_event(slot, event);
        }
        slots = rest;
    }
}
