//! Carries out each request, and gives its answer.

use super::events;
use super::message::{Answer, Entry};
use super::session::{self, EVENTS};
use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use omphalos_abi::collector::*;
use omphalos_events::{Identity, Inquiry, Notes, State, inquiry};
use omphalos_sync::process_lock::in_loader;
use omphalos_sys::dynamic::is_defined_beside;
use omphalos_sys::{own_file, program_file};

const DONE: Answer = Answer::Code(OMP_ERRCODE_OK);
/// The bytes of `{int, pointer}` without padding.
const PACKED: usize = 12;
/// The bytes of `{int, pointer}` as a C compiler lays it out.
const PADDED: usize = 16;

/// Answers one entry.
pub fn answer(entry: &Entry) -> Answer {
    let request = entry.request();
    if request == OMP_REQ_START {
        return start();
    }
    // Before START any other request is out of order, even one with an unknown number.
    if !session::started() {
        return Answer::Code(OMP_ERRCODE_SEQUENCE_ERR);
    }
    if !(OMP_REQ_START..OMP_REQ_LAST).contains(&request) {
        return Answer::Code(OMP_ERRCODE_UNKNOWN);
    }
    match request {
        OMP_REQ_REGISTER => register(entry),
        OMP_REQ_UNREGISTER => unregister(entry),
        OMP_REQ_STATE => state(entry),
        OMP_REQ_CURRENT_PRID => id(current_region()),
        OMP_REQ_PARENT_PRID => parent_region().map_or(Answer::Code(OMP_ERRCODE_THREAD_ERR), id),
        OMP_REQ_STOP => {
            session::stop();
            DONE
        }
        OMP_REQ_PAUSE => {
            session::pause();
            DONE
        }
        _ => {
            session::resume();
            DONE
        }
    }
}

fn start() -> Answer {
    Answer::Code(if session::start() { OMP_ERRCODE_OK } else { OMP_ERRCODE_SEQUENCE_ERR })
}

fn register(entry: &Entry) -> Answer {
    let Some(event) = entry.input(0).map(c_int::from_ne_bytes) else {
        return Answer::TooSmall(PACKED);
    };
    let Some(packed) = entry.input(4).map(usize::from_ne_bytes) else {
        return Answer::TooSmall(PACKED);
    };
    if let Some(code) = refused(event) {
        return Answer::Code(code);
    }
    let callback = match entry.input(8).map(usize::from_ne_bytes) {
        None => packed,
        Some(padded) => choose(packed, padded),
    };
    if callback == 0 {
        return Answer::Code(OMP_ERRCODE_ERROR);
    }
    if is_tau(callback) {
        session::set_tau();
    }
    session::register(event as usize, callback);
    DONE
}

/// Whether TAU's handler of events is in the file of a callback, or is the callback. The answer for
/// the first client's file is kept: a forked child, in which no thread may wait for the loader,
/// then finds it.
fn is_tau(callback: usize) -> bool {
    static FIRST: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];
    static FIRST_IS: AtomicBool = AtomicBool::new(false);
    let [begin, end] = &FIRST;
    let start = begin.load(Ordering::Acquire);
    if start != 0 && (start..end.load(Ordering::Relaxed)).contains(&callback) {
        return FIRST_IS.load(Ordering::Relaxed);
    }
    let handler = c"Tau_omp_event_handler";
    let place = callback as *const c_void;
    let (file, beside) = in_loader(|| (own_file::extent(place), is_defined_beside(place, handler)));
    let is_it =
        beside || program_file::function(handler).is_some_and(|found| found.cast_const() == place);
    if let Some(file) = file
        && end.compare_exchange(0, file.end, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    {
        FIRST_IS.store(is_it, Ordering::Relaxed);
        begin.store(file.start, Ordering::Release);
    }
    is_it
}

/// Returns the callback. Of two readings of the same bytes, it is the one that is an address of
/// loaded code or data. If both are, or neither, the session's earlier requests decide.
fn choose(packed: usize, padded: usize) -> usize {
    let pads = match (is_loaded(packed), is_loaded(padded)) {
        (true, false) => false,
        (false, true) => true,
        _ => session::padded(),
    };
    session::set_padded(pads);
    if pads { padded } else { packed }
}

fn is_loaded(address: usize) -> bool {
    in_loader(|| own_file::of(address as *const c_void)).is_some()
}

fn unregister(entry: &Entry) -> Answer {
    let Some(event) = entry.input(0).map(c_int::from_ne_bytes) else {
        return Answer::TooSmall(size_of::<c_int>());
    };
    if let Some(code) = refused(event) {
        return Answer::Code(code);
    }
    session::register(event as usize, 0);
    DONE
}

/// Returns the error why an event cannot be registered; `None` if it can. Implementations may have
/// events of their own; this one has none.
fn refused(event: c_int) -> Option<ErrorCode> {
    match event {
        1.. if (event as usize) < EVENTS => None,
        OMP_EVENT_THR_RESERVED_IMPL => Some(OMP_ERRCODE_UNSUPPORTED),
        _ => Some(OMP_ERRCODE_UNKNOWN),
    }
}

/// Async-signal-safe.
fn state(entry: &Entry) -> Answer {
    let (state, wait_id) = inquiry().map_or((THR_SERIAL_STATE, 0), |engine| {
        let (state, wait_id) = (engine.state)();
        let state = match (engine.notes)() {
            Some(notes) if events::has_joined(notes) && current_region() == 0 => THR_SERIAL_STATE,
            Some(notes) if events::has_joined(notes) => THR_WORK_STATE,
            _ => number(state),
        };
        // All members of a team wait at the same barrier of the same region.
        let barrier = matches!(state, THR_IBAR_STATE | THR_EBAR_STATE);
        (state, if barrier { current_region() } else { wait_id })
    });
    if entry.room() < PACKED {
        // TAU's buffer has room for the state alone, and TAU reads the state whatever the code
        // says.
        return Answer::FirstWord(state.to_ne_bytes(), PACKED);
    }
    let mut bytes = [0; 16];
    bytes[..4].copy_from_slice(&state.to_ne_bytes());
    let padded = session::padded() && entry.room() >= PADDED;
    let (at, length) = if padded { (8, PADDED) } else { (4, PACKED) };
    bytes[at..at + 8].copy_from_slice(&wait_id.to_ne_bytes());
    Answer::Data(bytes, length)
}

/// Returns a state in the numbers of 2007. Taskwait and taskgroup came later: they count as
/// overhead of the runtime.
fn number(state: State) -> ThreadState {
    match state {
        State::WORK_SERIAL | State::UNDEFINED => THR_SERIAL_STATE,
        State::WORK_PARALLEL | State::WORK_FREE_AGENT => THR_WORK_STATE,
        State::WORK_REDUCTION => THR_REDUC_STATE,
        State::WAIT_BARRIER_EXPLICIT => THR_EBAR_STATE,
        State::WAIT_BARRIER_IMPLICIT_PARALLEL
        | State::WAIT_BARRIER_IMPLICIT_WORKSHARE
        | State::WAIT_BARRIER_IMPLEMENTATION
        | State::WAIT_BARRIER_TEAMS => THR_IBAR_STATE,
        State::IDLE => THR_IDLE_STATE,
        State::WAIT_LOCK | State::WAIT_NEST_LOCK | State::WAIT_MUTEX => THR_LKWT_STATE,
        State::WAIT_CRITICAL => THR_CTWT_STATE,
        State::WAIT_ATOMIC => THR_ATWT_STATE,
        State::WAIT_ORDERED => THR_ODWT_STATE,
        _ => THR_OVHD_STATE,
    }
}

fn id(id: u64) -> Answer {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&id.to_ne_bytes());
    Answer::Data(bytes, 8)
}

/// Returns the region whose fork (for TAU: or join) the calling thread tells at this moment, 0 if
/// it tells none.
fn named(engine: &Inquiry) -> u64 {
    (engine.notes)().map_or(0, |notes| notes.named.load(Ordering::Relaxed))
}

fn region(engine: &Inquiry, level: u32) -> u64 {
    let info = (engine.region)(level).1;
    // SAFETY: the engine's region is null or lives while the calling thread is in it.
    info.and_then(|info| unsafe { info.region.as_ref() }).map_or(0, id_of)
}

/// Returns the region's id as clients get it. The engine's id has the thread from bit 40 on and the
/// thread's count below. TAU reads only the lower half of the number. So both go into the lower
/// half: 12 bits of the thread, 20 of the count. All other bits are kept, so different regions have
/// different ids.
pub fn id_of(region: &Identity) -> u64 {
    let id = region.region_id();
    let (thread, count) = (id >> 40, id & 0xff_ffff_ffff);
    let low = (count & 0xf_ffff) << 12 | (thread & 0xfff);
    (thread >> 12) << 52 | (count >> 20) << 32 | low
}

/// Async-signal-safe.
pub fn current_region() -> u64 {
    let Some(engine) = inquiry() else { return 0 };
    let noted = |notes: &Notes| match notes.named.load(Ordering::Relaxed) {
        0 => notes.leaving.load(Ordering::Relaxed),
        id => id,
    };
    match (engine.notes)().map_or(0, noted) {
        0 => region(engine, 0),
        id => id,
    }
}

/// Returns the id of the region around the calling thread's; `None` on a thread that must not ask.
fn parent_region() -> Option<u64> {
    let Some(engine) = inquiry() else {
        // Before the runtime's start only the initial thread could be a primary thread.
        return omphalos_sys::thread::is_main().then_some(0);
    };
    if named(engine) != 0 {
        return Some(region(engine, 0));
    }
    // Idle workers and threads that OpenMP does not know are in no task.
    let task = (engine.task)(0).1?;
    // Outside of regions a thread that the program made is no OpenMP thread.
    let is_strange = region(engine, 0) == 0 && !omphalos_sys::thread::is_main();
    if task.thread_num != 0 || is_strange {
        return None;
    }
    Some(region(engine, 1))
}
