//! Requests: the message or collective call that each stands for, until a call says that it is
//! done.
//!
//! A persistent request stands for a message of its channel again and again, between `MPI_Start`
//! and such a call.
//!
//! What must hold: the table is bounded; a request that finds no place has no record.

use super::library::Request;
use super::messages::{Message, mixed};
use super::{Frame, read};
use core::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// The most requests that are open at one time.
const REQUESTS: usize = 4096;
/// The number of places that are looked at for one request.
const PROBES: usize = 16;
/// The place of a request that has none.
pub const NONE: u16 = u16::MAX;

/// Describes which requests a call is about, and where it says which of them are done.
#[derive(Clone, Copy)]
pub struct Asks {
    has_many: bool,
    /// Whether the call returns at once.
    pub is_test: bool,
    done: Done,
}

/// Describes which requests are done: numbers are places of arguments.
#[derive(Clone, Copy)]
enum Done {
    All,
    /// All, if this argument is true.
    AllIf(usize),
    /// One, if `only_if` is true.
    One {
        which: usize,
        only_if: Option<usize>,
    },
    /// As many as `count` says.
    Some {
        count: usize,
        which: usize,
    },
}

impl Asks {
    pub const WAIT: Asks = Asks { has_many: false, is_test: false, done: Done::All };
    pub const WAIT_ALL: Asks = Asks { has_many: true, ..Asks::WAIT };
    pub const WAIT_ANY: Asks =
        Asks { done: Done::One { which: 2, only_if: None }, ..Asks::WAIT_ALL };
    pub const WAIT_SOME: Asks = Asks { done: Done::Some { count: 2, which: 3 }, ..Asks::WAIT_ALL };
    pub const TEST: Asks = Asks { has_many: false, is_test: true, done: Done::AllIf(1) };
    pub const TEST_ALL: Asks = Asks { has_many: true, is_test: true, done: Done::AllIf(2) };
    pub const TEST_ANY: Asks =
        Asks { done: Done::One { which: 2, only_if: Some(3) }, ..Asks::TEST_ALL };
    pub const TEST_SOME: Asks = Asks { is_test: true, ..Asks::WAIT_SOME };

    /// Returns the number of requests of the call, and where they are.
    pub fn array(self, frame: &Frame, is_fortran: bool) -> (usize, usize) {
        match self.has_many {
            false => (1, frame.argument(0)),
            true => (usize::try_from(frame.number(0, is_fortran)).unwrap_or(0), frame.argument(1)),
        }
    }

    /// Whether the call asks for all of several requests, so that its time is the time of each.
    pub fn is_of_all(self) -> bool {
        matches!(self.done, Done::All | Done::AllIf(_))
    }

    /// Whether the request at this place of the array is done, after the call has returned.
    pub fn is_done(self, at: usize, frame: &Frame, is_fortran: bool) -> bool {
        let is_true = |place: usize| read(frame.argument(place)).unwrap_or(0) != 0;
        let index = |number: i32| usize::try_from(number - i32::from(is_fortran)).ok();
        match self.done {
            Done::All => true,
            Done::AllIf(flag) => is_true(flag),
            Done::One { which, only_if } => {
                only_if.is_none_or(is_true)
                    && read(frame.argument(which)).and_then(index) == Some(at)
            }
            Done::Some { count, which } => {
                let count = read(frame.argument(count)).unwrap_or(0);
                let mut all = (0..usize::try_from(count).unwrap_or(0)).map(|number| {
                    let place = frame.argument(which);
                    read(place.wrapping_add(number * size_of::<i32>())).and_then(index)
                });
                all.any(|index| index == Some(at))
            }
        }
    }
}

/// A collective call that has begun and is not done.
#[derive(Clone, Copy, Default)]
pub struct Begun {
    pub communicator: u64,
    pub sequence: u64,
    pub rank: u32,
    pub root: u32,
    pub call: u32,
}

/// The message or collective call that a request stands for.
#[derive(Clone, Copy)]
pub enum Subject {
    Message(Message),
    Begun(Begun),
}

/// The time of calls that asked for a request and returned before it was done.
#[derive(Clone, Copy)]
pub struct Tested {
    /// When the first of these calls began, ticks.
    pub since: u64,
    /// The time in all of them, ticks.
    pub inside: u64,
}

/// A place of the table; without a request it is free. A message has the other's rank and whether
/// it is sent in the fields where a collective call has the root and its number.
struct Open {
    request: AtomicUsize,
    kind: AtomicU32,
    communicator: AtomicU64,
    ranks: AtomicU64,
    tag: AtomicU32,
    detail: AtomicU32,
    sequence: AtomicU64,
    since: AtomicU64,
    inside: AtomicU64,
}

/// The values of `kind`: a message, a collective call, a persistent request that has been started,
/// and one that has not.
const MESSAGE: u32 = 0;
const BEGUN: u32 = 1;
const STARTED: u32 = 2;
const KEPT: u32 = 3;

static ALL: [Open; REQUESTS] = [const {
    Open {
        request: AtomicUsize::new(0),
        kind: AtomicU32::new(0),
        communicator: AtomicU64::new(0),
        ranks: AtomicU64::new(0),
        tag: AtomicU32::new(0),
        detail: AtomicU32::new(0),
        sequence: AtomicU64::new(0),
        since: AtomicU64::new(0),
        inside: AtomicU64::new(0),
    }
}; REQUESTS];

fn places(request: Request) -> impl Iterator<Item = usize> {
    let start = mixed(&[request.0 as u64]) as usize % REQUESTS;
    (0..PROBES).map(move |at| (start + at) % REQUESTS)
}

fn is_persistent(slot: &Open) -> bool {
    slot.request.load(Relaxed) != 0 && slot.kind.load(Relaxed) >= STARTED
}

/// Returns a place for a request: its own, a free one, or that of a request that was never asked
/// for.
fn place_for(request: Request) -> Option<&'static Open> {
    let fits = |at: &usize| [0, request.0].contains(&ALL[*at].request.load(Relaxed));
    let other = || places(request).find(|at| !is_persistent(&ALL[*at]));
    places(request).find(fits).or_else(other).map(|at| &ALL[at])
}

fn fill(slot: &Open, request: Request, kind: u32, subject: Subject) {
    let (communicator, ranks, tag, detail, sequence) = match subject {
        Subject::Message(of) => {
            (of.communicator, (of.rank, of.peer), of.tag, u32::from(of.sends), of.sequence)
        }
        Subject::Begun(of) => (of.communicator, (of.rank, of.root), 0, of.call, of.sequence),
    };
    slot.request.store(0, Relaxed);
    slot.kind.store(kind, Relaxed);
    slot.communicator.store(communicator, Relaxed);
    slot.ranks.store(u64::from(ranks.0) << 32 | u64::from(ranks.1), Relaxed);
    slot.tag.store(tag, Relaxed);
    slot.detail.store(detail, Relaxed);
    slot.sequence.store(sequence, Relaxed);
    slot.inside.store(0, Relaxed);
    slot.request.store(request.0, Relaxed);
}

/// Makes a request stand for this subject until it is done. A request whose end is not reported
/// gives its place to another one.
pub fn open(request: Request, subject: Subject) {
    let kind = if matches!(subject, Subject::Begun(_)) { BEGUN } else { MESSAGE };
    if request.0 != 0
        && let Some(slot) = place_for(request)
    {
        fill(slot, request, kind, subject);
    }
}

/// Makes a persistent request stand for messages like this, each from a start on.
pub fn keep(request: Request, message: Message) {
    if request.0 != 0
        && let Some(slot) = place_for(request)
    {
        fill(slot, request, KEPT, Subject::Message(message));
    }
}

/// Notes that a persistent request has been started, which may have another handle by now; returns
/// the message.
pub fn start(number: u16, now: Option<Request>) -> Option<Message> {
    let slot = ALL.get(usize::from(number)).filter(|slot| is_persistent(slot))?;
    let Subject::Message(known) = subject(slot) else { return None };
    let (own, other) = ((known.communicator, known.rank), (known.peer, known.tag));
    let message = Message::next(own, other, known.sends)?;
    let request = now.filter(|now| now.0 != 0).unwrap_or(Request(slot.request.load(Relaxed)));
    slot.request.store(0, Relaxed);
    if let Some(slot) = place_for(request) {
        fill(slot, request, STARTED, Subject::Message(message));
    }
    Some(message)
}

/// Returns the number of a request's place.
pub fn find(request: Request) -> Option<u16> {
    let mut own = places(request).filter(|at| ALL[*at].request.load(Relaxed) == request.0);
    own.next().filter(|_| request.0 != 0).map(|at| at as u16)
}

/// Frees the place of a request that is gone.
pub fn release(request: Request) {
    if let Some(number) = find(request) {
        ALL[usize::from(number)].request.store(0, Relaxed);
    }
}

/// Whether an operation is open at this place.
pub fn is_open(number: u16) -> bool {
    let slot = ALL.get(usize::from(number));
    slot.is_some_and(|slot| slot.request.load(Relaxed) != 0 && slot.kind.load(Relaxed) != KEPT)
}

/// Notes a call that asked for the request, began at `begin` and took `elapsed`, ticks; the request
/// is not done yet.
pub fn test(number: u16, begin: u64, elapsed: u64) {
    let Some(slot) = ALL.get(usize::from(number)) else { return };
    let before = slot.inside.load(Relaxed);
    if before == 0 {
        slot.since.store(begin, Relaxed);
    }
    slot.inside.store(before.wrapping_add(elapsed.max(1)), Relaxed);
}

/// Returns the time of earlier calls that asked for it.
pub fn tested(number: u16) -> Option<Tested> {
    let slot = ALL.get(usize::from(number))?;
    let inside = slot.inside.load(Relaxed);
    (inside > 0).then(|| Tested { since: slot.since.load(Relaxed), inside })
}

fn subject(slot: &Open) -> Subject {
    let (ranks, detail) = (slot.ranks.load(Relaxed), slot.detail.load(Relaxed));
    let (communicator, sequence) = (slot.communicator.load(Relaxed), slot.sequence.load(Relaxed));
    let (rank, other) = ((ranks >> 32) as u32, ranks as u32);
    match slot.kind.load(Relaxed) {
        BEGUN => Subject::Begun(Begun { communicator, sequence, rank, root: other, call: detail }),
        _ => Subject::Message(Message {
            communicator,
            rank,
            peer: other,
            tag: slot.tag.load(Relaxed),
            sends: detail == 1,
            sequence,
        }),
    }
}

/// Ends the operation at this place, because it is done; returns it.
pub fn close(number: u16) -> Option<Subject> {
    let slot = ALL.get(usize::from(number)).filter(|_| is_open(number))?;
    let subject = subject(slot);
    slot.inside.store(0, Relaxed);
    match slot.kind.load(Relaxed) {
        STARTED => slot.kind.store(KEPT, Relaxed),
        _ => slot.request.store(0, Relaxed),
    }
    Some(subject)
}
