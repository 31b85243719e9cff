//! Calls of MPI, for a program that the agent is preloaded into: how long each takes, by place, and
//! when a process comes to each collective call. From these times, a reader of all processes'
//! records learns which process waited for which.
//!
//! | file | what |
//! |---|---|
//! | `entries` | the functions |
//! | `library` | the library behind them, of either kind |
//! | `communicators` | names for communicators |
//! | `messages` | messages between two processes |
//! | `requests` | operations that begin in one call, and end in a later one |
//! | `windows` | access to windows |
//! | `call_records` | the records of one call |
//! | `absent` | functions that the library does not have |
//!
//! No call is changed, and the agents of two processes do not talk. A function that calls another
//! one of these counts once: in some libraries, Fortran's functions call C's.
//!
//! What must hold: the agent calls the library only after `MPI_Init` and before `MPI_Finalize`.

mod absent;
mod call_records;
mod communicators;
mod entries;
mod library;
mod messages;
mod requests;
mod windows;

use crate::accounting::mpi::{Ended, site};
use crate::clock::{moment, ticks};
use crate::life::threads;
use crate::sampling::watch;
use crate::thread::Thread;
use crate::{python, recording, stream, unwind};
use communicators::{Met, WORLD};
use core::ffi::{CStr, c_int, c_void};
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};
use library::{Communicator, Request};
use omphalos_profile_format::{Rank, job};
use requests::Asks;

/// The meaning of a function's arguments. A number is an argument's place, from 0.
enum Kind {
    /// No argument matters.
    Plain,
    /// Sends or receives a message, or both: the places of the other's rank and of the tag, and
    /// whether the message is sent; then the places of the communicator, and of the request or the
    /// status.
    Message { parts: &'static [(usize, usize, bool)], communicator: usize, last: usize },
    /// As `Message`, but the call returns before the message is done.
    Starts { parts: &'static [(usize, usize, bool)], communicator: usize, last: usize },
    /// Makes a persistent request for a message.
    Keeps { part: (usize, usize, bool), communicator: usize, last: usize },
    /// Starts a persistent request.
    Start,
    /// Starts several persistent requests.
    StartAll,
    /// Waits for requests, or asks whether they are done.
    Asks(Asks),
    /// Frees the request that is the first argument.
    Releases,
    /// A collective call: each process of a communicator makes it.
    Collective { communicator: usize, root: Option<usize> },
    /// As `Collective`, but the call returns before the operation is done.
    Begins { communicator: usize, root: Option<usize>, request: usize },
    /// A collective call that makes a window.
    CreatesWindow { communicator: usize, new: usize },
    /// A call that each process of the window, the second argument, makes.
    Fence,
    /// A call that each process of a window makes, and which frees it: its address is the first
    /// argument.
    FreesWindow,
    /// Asks for access to a window: the places of the kind of access and of the target's rank.
    Lock { target: Option<(usize, usize)>, window: usize },
    /// Completes the operations on the window.
    Completes { target: Option<usize>, window: usize },
    /// Gives the access back.
    Unlock { target: Option<usize>, window: usize },
    /// A collective call as for `Collective`, which also makes another communicator.
    Creates { communicator: usize, new: usize },
    /// Frees the communicator whose address is the first argument.
    Frees,
    /// Begins MPI.
    Init,
    /// Begins MPI for several threads.
    InitThread,
    /// Ends MPI.
    Finalize,
}

/// A function of MPI.
struct Entry {
    /// Its number in the records.
    number: u32,
    name: &'static CStr,
    kind: Kind,
    /// Whether it is Fortran's: then each argument is an address, and a handle is a number there.
    is_fortran: bool,
    real: AtomicPtr<c_void>,
}

impl Entry {
    const fn new(number: Option<u32>, name: &'static CStr, kind: Kind, is_fortran: bool) -> Entry {
        let number = match number {
            Some(number) => number,
            None => panic!("a function without a number"),
        };
        Entry { number, name, kind, is_fortran, real: AtomicPtr::new(null_mut()) }
    }

    /// Returns the library's function, or one that refuses.
    #[inline]
    fn real(&self) -> *mut c_void {
        let known = self.real.load(Relaxed);
        if known.is_null() { self.look_up() } else { known }
    }

    #[cold]
    fn look_up(&self) -> *mut c_void {
        let found = omphalos_sys::errno::keep(|| library::next(self.name));
        if found.is_null() {
            return refused as extern "C" fn() -> c_int as *mut c_void;
        }
        self.real.store(found, Relaxed);
        found
    }
}

/// Stands in for the real function where there is no library of MPI, or none with this function.
extern "C" fn refused() -> c_int {
    /// `MPI_ERR_OTHER` of most libraries; any number but 0 is an error.
    const ERROR: c_int = 16;
    ERROR
}

/// The stack of an entry's stub.
#[repr(C)]
struct Frame {
    registers: [usize; 6],
    result: usize,
    /// The handle that an argument names and that the call frees.
    kept: usize,
    callers_frame: usize,
    /// The address that the call returns to.
    caller: usize,
    stack: [usize; 8],
}

impl Frame {
    fn argument(&self, at: usize) -> usize {
        let further = at.checked_sub(self.registers.len());
        further
            .map_or_else(|| self.registers.get(at), |further| self.stack.get(further))
            .copied()
            .unwrap_or(0)
    }

    /// Returns an argument that is a number.
    fn number(&self, at: usize, is_fortran: bool) -> c_int {
        let word = self.argument(at);
        match is_fortran {
            false => word as c_int,
            true => read(word).unwrap_or(0),
        }
    }

    fn communicator(&self, at: usize, is_fortran: bool) -> Option<Communicator> {
        match is_fortran {
            false => Some(Communicator::of_argument(self.argument(at))),
            true => Communicator::of_fortran(read(self.argument(at))?),
        }
    }

    /// Returns a window, in the form of a communicator.
    fn window(&self, at: usize, is_fortran: bool) -> Option<Communicator> {
        match is_fortran {
            false => Some(Communicator::of_argument(self.argument(at))),
            true => Communicator::of_window(read(self.argument(at))?),
        }
    }

    /// Returns the window whose address is an argument.
    fn window_at(&self, at: usize, is_fortran: bool) -> Option<Communicator> {
        match (is_fortran, self.argument(at)) {
            (_, 0) => None,
            (true, place) => Communicator::of_window(read(place)?),
            // SAFETY: what the program passed for it.
            (false, place) => Some(unsafe { Communicator::read(place) }),
        }
    }

    /// Returns the communicator whose address is an argument.
    fn communicator_at(&self, at: usize, is_fortran: bool) -> Option<Communicator> {
        let place = self.argument(at);
        match (is_fortran, place) {
            (_, 0) => None,
            (true, _) => Communicator::of_fortran(read(place)?),
            // SAFETY: what the program passed for it.
            (false, _) => Some(unsafe { Communicator::read(place) }),
        }
    }
}

/// Reads the number whose address is an argument.
fn read(at: usize) -> Option<c_int> {
    let place = core::ptr::with_exposed_provenance::<c_int>(at);
    // SAFETY: null, or what the program passed for a number.
    unsafe { place.as_ref() }.copied()
}

/// Returns the calling thread, if it executes the program's code.
#[inline]
fn caller() -> Option<&'static Thread> {
    Thread::current().filter(|thread| thread.alive.load(Relaxed) && !thread.is_in_callback())
}

/// Does what [`caller`] does. A thread that OpenMP does not know is recorded from its first call
/// on.
#[inline]
fn caller_or_new() -> Option<&'static Thread> {
    match Thread::current() {
        Some(_) => caller(),
        None => omphalos_sys::errno::keep(threads::newcomer),
    }
}

#[inline]
fn blocked(thread: &Thread, now: u64) -> u64 {
    thread.blocked_at(now).iter().sum()
}

/// Notes that a function was called; returns the address where the call goes on.
extern "C" fn begins(entry: &'static Entry, frame: &mut Frame) -> *mut c_void {
    let real = entry.real();
    if matches!(entry.kind, Kind::Init | Kind::InitThread) {
        omphalos_sys::errno::keep(absent::hide);
    }
    if let Some(thread) = caller_or_new() {
        let outermost =
            (!thread.mpi.is_open()).then(|| (entry.number, place_of_call(thread, entry, frame)));
        let now = ticks();
        thread.mpi.begin(outermost, now, blocked(thread, now));
        if outermost.is_some() {
            note_requests(thread, entry, frame);
        }
    }
    forgets(entry, frame);
    real
}

/// Notes the handle that is gone when the call has returned.
#[inline]
fn forgets(entry: &Entry, frame: &mut Frame) {
    match entry.kind {
        Kind::Frees => {
            if let Some(communicator) = frame.communicator_at(0, entry.is_fortran) {
                communicators::forget(communicator);
            }
        }
        Kind::FreesWindow => {
            frame.kept = frame.window_at(0, entry.is_fortran).map_or(0, |window| window.0);
        }
        Kind::Releases => {
            if let Some(request) = Request::read(frame.argument(0), 0, entry.is_fortran) {
                requests::release(request);
            }
        }
        _ => {}
    }
}

/// Notes the requests that a call is about: after the call, the program's handles are gone.
#[inline]
fn note_requests(thread: &Thread, entry: &Entry, frame: &Frame) {
    let (count, place) = match entry.kind {
        Kind::Asks(asks) => asks.array(frame, entry.is_fortran),
        Kind::Start => Asks::WAIT.array(frame, entry.is_fortran),
        Kind::StartAll => Asks::WAIT_ALL.array(frame, entry.is_fortran),
        _ => return,
    };
    for at in 0..count.min(MOST_REQUESTS) {
        let request = Request::read(place, at, entry.is_fortran);
        thread.mpi.waits_for(request.and_then(requests::find).unwrap_or(requests::NONE));
    }
}

/// The number of requests of one call that are looked at.
const MOST_REQUESTS: usize = 256;

/// Notes that the function has returned.
extern "C" fn ends(entry: &'static Entry, frame: &Frame) {
    let Some(thread) = caller() else {
        // A thread without a record: its collective calls are counted, where C's function is
        // called.
        if !entry.is_fortran && recording::is_running() {
            met(entry, frame);
        }
        return;
    };
    let region = thread.place.region.load(Relaxed);
    let is_measured = recording::is_measured();
    let ended = thread.mpi.end(region != 0, is_measured, |now| blocked(thread, now));
    let Some(ended) = ended else { return };
    if !matches!(entry.kind, Kind::Plain | Kind::Frees | Kind::Releases) {
        let call = call_records::Call { thread, entry, frame, ended: &ended, is_measured };
        omphalos_sys::errno::keep(|| call.tell_all());
    }
    if is_measured {
        let codeptr = if region == 0 { 0 } else { thread.place.codeptr.load(Relaxed) };
        // The agent knows a script's module from the begin of MPI on.
        let place = match entry.kind {
            Kind::Init | Kind::InitThread => place_of_call(thread, entry, frame),
            _ => thread.mpi.place(),
        };
        let key = [u64::from(entry.number), place, codeptr];
        let sums = thread.mpi_sites.entry_of(key);
        sums.add(site::COUNT, 1);
        sums.add(site::ELAPSED, ended.elapsed);
        sums.raise(site::LONGEST, ended.elapsed);
    }
}

/// Returns the place of a call: where it returns to, or the line of the script that calls MPI by a
/// module, whose own places say nothing.
#[inline]
fn place_of_call(thread: &Thread, entry: &Entry, frame: &Frame) -> u64 {
    let caller = frame.caller as u64;
    if !python::is_in_mpi_module(caller) {
        return caller;
    }
    // The module begins MPI while it is imported.
    let past_imports = matches!(entry.kind, Kind::Init | Kind::InitThread);
    let Some(line) = python::own_line(past_imports) else { return caller };
    if line.is_new() {
        omphalos_sys::errno::keep(|| thread.own_sampler(|sampler| sampler.tell_line(&line)));
    }
    line.address
}

/// Counts the collective call on its communicator. Returns which call it was, and the root's rank
/// plus one, 0 without a root.
fn met(entry: &Entry, frame: &Frame) -> Option<(Met, u32)> {
    let is_fortran = entry.is_fortran;
    match entry.kind {
        Kind::Init | Kind::InitThread => {
            began(entry, frame);
            None
        }
        Kind::Finalize => Some((communicators::meet(Communicator::world())?, 0)),
        Kind::Collective { communicator, root } | Kind::Begins { communicator, root, .. } => {
            let met = communicators::meet(frame.communicator(communicator, is_fortran)?)?;
            let root = root.map_or(0, |at| frame.number(at, is_fortran).wrapping_add(1) as u32);
            Some((met, root))
        }
        Kind::Fence => Some((communicators::meet(frame.window(1, is_fortran)?)?, 0)),
        Kind::FreesWindow => {
            let window = Communicator(frame.kept);
            let met = communicators::meet(window);
            communicators::forget(window);
            Some((met?, 0))
        }
        Kind::CreatesWindow { communicator, new } => {
            let met = communicators::meet(frame.communicator(communicator, is_fortran)?)?;
            if let Some(made) = frame.window_at(new, is_fortran) {
                communicators::add(made, met.child(u64::MAX), (met.rank, met.size));
            }
            Some((met, 0))
        }
        Kind::Creates { communicator, new } => {
            let parent = frame.communicator(communicator, is_fortran)?;
            let met = communicators::meet(parent)?;
            let made = frame.communicator_at(new, is_fortran).filter(|made| made.is_shared());
            if let Some(made) = made
                && let Some(place) = made.place()
                && let Some(leader) = made.leader(parent)
            {
                communicators::add(made, met.child(u64::from(leader)), place);
            }
            Some((met, 0))
        }
        _ => None,
    }
}

/// Notes that MPI has begun: from here on there is a record, even if the process never uses OpenMP.
#[cold]
fn began(entry: &Entry, frame: &Frame) {
    let world = Communicator::world();
    let Some((number, size)) = world.place() else { return };
    communicators::add(world, WORLD, (number, size));
    if size < 2 || !recording::is_running() {
        return;
    }
    let (asked, given) = match (&entry.kind, entry.is_fortran) {
        (Kind::InitThread, false) => (frame.number(2, false), read(frame.argument(3)).unwrap_or(0)),
        (Kind::InitThread, true) => (frame.number(0, true), frame.number(1, true)),
        _ => (0, 0),
    };
    if stream::open() {
        watch::start();
    }
    if unwind::modules::refresh(|| moment(ticks())) {
        stream::process::write_modules();
    }
    let (job, library) = (job::name().unwrap_or_default(), library::version());
    let record = Rank {
        number,
        size,
        level_asked: asked.wrapping_add(1) as u32,
        level: given.wrapping_add(1) as u32,
        job: job.as_bytes(),
        library: &library,
    };
    stream::process::write(record.into());
}
