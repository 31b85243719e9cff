//! Brings the profiler's agent into the process while it runs, for a bounded time. The *asker* is
//! the process of `omphalos attach`, which asks for it (`omphalos_events::request`).
//!
//! | state | the thread that goes on | when |
//! |---|---|---|
//! | nobody asks | a thread that begins a region outside of any | the word of `enable` is set |
//! | the helper loads | the helper, a thread without signals | the agent is initialised |
//! | the agent waits | a thread of the program's | it begins a region: the agent records |
//! | the agent records | the helper | the time is over, or the asker says so |
//! | the agent ends | the helper | the agent has written all, and nothing of it is left |
//!
//! What must hold:
//!
//! - The file that is loaded lies beside this library. No request names code.
//! - One request at a time has the helper ([`BUSY`]). Another one gets no answer, and its asker
//!   looks from outside instead.
//! - The asker may be killed at any moment. Until the agent records, `until` bounds the wait; from
//!   then on the agent's own clock does, and [`PATIENCE`], if the asker's word has ceased to
//!   change.
//! - `fork`: the helper loads the agent under a lock of the loader's that a fork takes first. The
//!   child has no helper; its tool ends there before any event ([`after_fork_in_child`]).
//! - The end of the process ends the tool as any other (`ompt5::finish`). Only one of the two gets
//!   true from `Tool::end` and calls the finalizer. The helper is not waited for.
//! - `dlclose`: neither this library nor the agent is ever unloaded, so a hook that comes late
//!   calls code that exists. The agent keeps its slot, because it comes with the same functions
//!   again.
//! - No thread waits for the helper, and the helper waits only for the agent, within its bounds.

use crate::ompt5::{self, Wish};
use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::NonNull;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use core::time::Duration;
use omphalos_abi::ompt::START_TOOL;
use omphalos_events::request::{REQUEST, REQUEST_BYTES, answer};
use omphalos_events::{SLOTS, inquiry};
use omphalos_sync::process_lock::in_loader;
use omphalos_sys::library::{self, Loaded};
use omphalos_sys::signals::Blocked;
use omphalos_sys::{clock, thread};
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// Whether a helper is at work.
static BUSY: AtomicBool = AtomicBool::new(false);
/// The agent's slot, once it has one; [`SLOTS`]: none.
static SLOT: AtomicUsize = AtomicUsize::new(SLOTS);

/// The time after which the helper checks again whether the recording is over.
const EVERY: Duration = Duration::from_millis(5);
/// The time without a sign from the asker after which it counts as gone.
const PATIENCE: Duration = Duration::from_secs(5);
/// The path of the agent, from this library's folder.
const AGENT: &str = "omphalos/libomphalos_agent.so";
/// The agent's function that begins to record as a text says. Its result is not 0 if that is
/// impossible.
const BEGIN: &CStr = c"omphalos_agent_begin";
/// The agent's function for its state: [`WAITS`], [`RECORDS`], [`LEFT`], or over.
const STATE: &CStr = c"omphalos_agent_state";
const WAITS: u32 = 0;
const RECORDS: u32 = 1;
const LEFT: u32 = 3;
/// The longest time that the agent needs to leave, ns, if it ever does.
const LEAVES: u64 = 10_000_000_000;

type Begin = unsafe extern "C" fn(*const c_char, usize) -> c_int;
type State = unsafe extern "C" fn() -> u32;

/// Makes the helper, for a request. Called when a region begins.
pub fn bring() {
    if BUSY.swap(true, Ordering::AcqRel) {
        return;
    }
    // The helper blocks all signals: the program's signals are for the program's threads.
    let _blocked = Blocked::new();
    // SAFETY: the function takes no argument.
    if unsafe { thread::spawn(help, core::ptr::null_mut(), 0) }.is_err() {
        BUSY.store(false, Ordering::Release);
    }
}

/// Ends the request in a forked child, which has one thread and no helper.
pub fn after_fork_in_child() {
    let slot = SLOT.load(Ordering::Relaxed);
    if BUSY.swap(false, Ordering::AcqRel) {
        tell(answer::OVER);
        if slot < SLOTS {
            ompt5::forget_in_child(slot);
        }
    }
}

extern "C" fn help(_: *mut c_void) -> *mut c_void {
    let mut text = Box::new([0; REQUEST_BYTES]);
    let number = REQUEST.number.load(Ordering::Acquire);
    if let Some(length) = REQUEST.copy_text(&mut text)
        && !is_withdrawn(number)
        && clock::wall_nanoseconds() < REQUEST.until.load(Ordering::Relaxed)
    {
        tell(answer::LOADS);
        REQUEST.answered.store(number, Ordering::Release);
        let until = REQUEST.until.load(Ordering::Relaxed);
        tell(serve(number, until, &text[..length]));
    }
    BUSY.store(false, Ordering::Release);
    core::ptr::null_mut()
}

fn tell(what: u32) {
    REQUEST.answer.store(what, Ordering::Release);
}

fn is_withdrawn(number: u64) -> bool {
    REQUEST.over.load(Ordering::Acquire) == number
}

/// Loads the agent, lets it record, and ends it. Returns the last answer.
fn serve(number: u64, until: u64, text: &[u8]) -> u32 {
    let Some(agent) = load() else { return answer::REFUSED };
    // SAFETY: functions of the agent's, which have these types.
    let (begin, state): (Begin, State) = unsafe {
        match (agent.find(BEGIN), agent.find(STATE)) {
            (Some(begin), Some(state)) => (
                core::mem::transmute::<*mut c_void, Begin>(begin),
                core::mem::transmute::<*mut c_void, State>(state),
            ),
            _ => return answer::REFUSED,
        }
    };
    // SAFETY: the text and its length.
    if unsafe { begin(text.as_ptr().cast(), text.len()) } != 0 {
        return answer::REFUSED;
    }
    let slot = match attach(&agent) {
        Ok(slot) => slot,
        Err(refused) => return refused,
    };
    let mut beat = (REQUEST.beat.load(Ordering::Relaxed), clock::nanoseconds());
    loop {
        // SAFETY: takes nothing.
        let now = match unsafe { state() } {
            WAITS if clock::wall_nanoseconds() < until => answer::AWAITS,
            RECORDS => answer::RECORDS,
            _ => break,
        };
        let (sign, time) = (REQUEST.beat.load(Ordering::Relaxed), clock::nanoseconds());
        if sign != beat.0 {
            beat = (sign, time);
        }
        let is_alone = Duration::from_nanos(time - beat.1) > PATIENCE;
        if is_alone || is_withdrawn(number) {
            break;
        }
        tell(now);
        thread::rest(EVERY);
    }
    ompt5::end_late(slot);
    // Another thread may have ended the agent at the process's end, and still write.
    let begin = clock::nanoseconds();
    // SAFETY: as above.
    while unsafe { state() } != LEFT && clock::nanoseconds() - begin < LEAVES {
        thread::rest(EVERY);
    }
    answer::OVER
}

/// Loads the agent that lies beside this library. It stays loaded.
fn load() -> Option<Loaded> {
    let own = library::file_of(bring as *const () as *const c_void)?;
    let own = PathBuf::from(std::ffi::OsStr::from_bytes(own.to_bytes())).canonicalize().ok()?;
    let path = CString::new(own.parent()?.join(AGENT).as_os_str().as_bytes()).ok()?;
    in_loader(|| Loaded::load(&path)).ok()
}

/// Attaches the agent's tool, in the slot that it had before, or in a new one.
fn attach(agent: &Loaded) -> Result<usize, u32> {
    let engine = inquiry().ok_or(answer::REFUSED)?;
    let ask = agent.find(START_TOOL).ok_or(answer::REFUSED)?;
    // SAFETY: the agent's definition of that function.
    let wish: NonNull<Wish> = unsafe { ompt5::ask_tool(engine, ask) }.ok_or(answer::REFUSED)?;
    let slot = ompt5::slot_again(SLOT.load(Ordering::Relaxed))?;
    // The slot is noted before the first event, so that a forked child knows it.
    SLOT.store(slot, Ordering::SeqCst);
    // SAFETY: the agent's own answer, which it keeps.
    match unsafe { ompt5::begin_late(slot, wish) } {
        true => Ok(slot),
        false => {
            ompt5::end_late(slot);
            Err(answer::REFUSED)
        }
    }
}
