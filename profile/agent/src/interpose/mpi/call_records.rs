//! The records of one call that has returned: its part in a message, in a collective call, in the
//! access to a window.

use super::library::{self, Communicator, Request};
use super::messages::Message;
use super::requests::{self, Asks, Begun, Subject, Tested};
use super::windows::{self, ALL_TARGETS};
use super::{Ended, Entry, Frame, Kind, communicators, met};
use crate::clock::{moment, ns};
use crate::thread::Thread;
use omphalos_profile_format::{MpiAsked, MpiLock, MpiMeeting, MpiMessage, MpiWaited, Record, mpi};

/// The shortest wait that has a record, ns.
const SHORT_WAIT: u64 = 20_000;

/// An outermost call that has returned.
pub struct Call<'a> {
    pub thread: &'static Thread,
    pub entry: &'a Entry,
    pub frame: &'a Frame,
    pub ended: &'a Ended,
    /// Whether the call is to have records.
    pub is_measured: bool,
}

impl Call<'_> {
    /// Writes all records of the call.
    pub fn tell_all(&self) {
        match self.entry.kind {
            Kind::Message { parts, communicator, last } => {
                self.messages(parts, communicator, last, false);
            }
            Kind::Starts { parts, communicator, last } => {
                self.messages(parts, communicator, last, true);
            }
            Kind::Keeps { part, communicator, last } => self.keeps(part, communicator, last),
            Kind::Start => self.starts(Asks::WAIT),
            Kind::StartAll => self.starts(Asks::WAIT_ALL),
            Kind::Asks(asks) => self.asks(asks),
            Kind::Lock { target, window } => self.locks(target, window),
            Kind::Completes { target, window } => self.completes(target, window),
            Kind::Unlock { target, window } => self.unlocks(target, window),
            _ => self.meets(),
        }
    }

    fn push(&self, record: Record<'_>) {
        if self.is_measured {
            self.thread.own_sampler(|sampler| sampler.push(record));
        }
    }

    fn message(&self, message: Message, begins: bool) {
        if !mpi::has_message_record(message.sequence) {
            return;
        }
        let record = MpiMessage {
            communicator: message.communicator,
            rank: message.rank,
            peer: message.peer,
            tag: message.tag,
            sends: u32::from(message.sends),
            sequence: message.sequence,
            begins: u32::from(begins),
            call: self.entry.number,
            time: moment(self.ended.begin),
            elapsed: ns(self.ended.elapsed),
        };
        self.push(record.into());
    }

    fn messages(
        &self,
        parts: &[(usize, usize, bool)],
        communicator: usize,
        last: usize,
        starts: bool,
    ) {
        let (frame, is_fortran) = (self.frame, self.entry.is_fortran);
        let own = frame.communicator(communicator, is_fortran).and_then(communicators::known);
        let Some(own) = own else { return };
        for &(peer, tag, sends) in parts {
            let mut other = (frame.number(peer, is_fortran), frame.number(tag, is_fortran));
            // The call asked for any sender or any tag: the status names the real ones.
            if !sends && !starts && (other.0 < 0 || other.1 < 0) {
                other = library::received(frame.argument(last)).unwrap_or(other);
            }
            let (Ok(peer), Ok(tag)) = (u32::try_from(other.0), u32::try_from(other.1)) else {
                continue;
            };
            let Some(message) = Message::next(own, (peer, tag), sends) else { continue };
            self.message(message, true);
            if starts && let Some(request) = Request::read(frame.argument(last), 0, is_fortran) {
                requests::open(request, Subject::Message(message));
            }
        }
    }

    fn keeps(&self, (peer, tag, sends): (usize, usize, bool), communicator: usize, last: usize) {
        let (frame, is_fortran) = (self.frame, self.entry.is_fortran);
        let own = frame.communicator(communicator, is_fortran).and_then(communicators::known);
        let other = [peer, tag].map(|at| u32::try_from(frame.number(at, is_fortran)));
        let request = Request::read(frame.argument(last), 0, is_fortran);
        if let (Some((communicator, rank)), [Ok(peer), Ok(tag)], Some(request)) =
            (own, other, request)
        {
            let message = Message { communicator, rank, peer, tag, sends, sequence: 0 };
            requests::keep(request, message);
        }
    }

    fn starts(&self, which: Asks) {
        let (_, place) = which.array(self.frame, self.entry.is_fortran);
        for at in 0..self.thread.mpi.waited_count() {
            // A library may have put another request in the same place.
            let now = Request::read(place, at, self.entry.is_fortran);
            let started =
                self.thread.mpi.waited(at).and_then(|number| requests::start(number, now));
            if let Some(message) = started {
                self.message(message, true);
            }
        }
    }

    fn asks(&self, asks: Asks) {
        let calls = &self.thread.mpi;
        let all = || (0..calls.waited_count()).filter_map(|at| Some((at, calls.waited(at)?)));
        let open = || all().filter(|(_, number)| requests::is_open(*number));
        let count = open().count() as u64;
        if count == 0 {
            return;
        }
        let (begin, elapsed) = (self.ended.begin, self.ended.elapsed);
        if asks.is_test {
            let own = if asks.is_of_all() { elapsed } else { elapsed / count };
            open().for_each(|(_, number)| requests::test(number, begin, own));
        }
        let is_done = |at: usize| asks.is_done(at, self.frame, self.entry.is_fortran);
        // The time of a call that asks for all requests counts for each of them.
        let earlier = open().filter_map(|(_, number)| requests::tested(number));
        let together = earlier.reduce(|one, other| Tested {
            since: one.since.min(other.since),
            inside: one.inside.max(other.inside),
        });
        for (at, number) in open().filter(|(at, _)| is_done(*at)) {
            let (tested, group) = match asks.is_of_all() {
                true => (requests::tested(number).and(together), 0),
                false => (requests::tested(number), at as u32 + 1),
            };
            let Some(subject) = requests::close(number) else { continue };
            if let Some(tested) = tested.filter(|tested| ns(tested.inside) >= SHORT_WAIT) {
                self.tested(subject, tested, group);
            }
            if asks.is_test || ns(elapsed) < SHORT_WAIT {
                continue;
            }
            match subject {
                Subject::Message(message) => self.message(message, false),
                Subject::Begun(begun) => {
                    self.waited(begun, Tested { since: begin, inside: elapsed }, 0);
                }
            }
        }
    }

    /// Writes the record of a request for which earlier calls asked in vain; `tested` is their
    /// time.
    fn tested(&self, subject: Subject, tested: Tested, group: u32) {
        let message = match subject {
            Subject::Begun(begun) => return self.waited(begun, tested, group),
            Subject::Message(message) => message,
        };
        if !mpi::has_message_record(message.sequence) {
            return;
        }
        let record = MpiAsked {
            communicator: message.communicator,
            rank: message.rank,
            peer: message.peer,
            tag: message.tag,
            sends: u32::from(message.sends),
            sequence: message.sequence,
            call: self.entry.number,
            time: moment(tested.since),
            elapsed: ns(self.span(tested)),
            inside: ns(tested.inside),
            group,
        };
        self.push(record.into());
    }

    /// Returns the time from the first of such calls to the end of this one.
    fn span(&self, tested: Tested) -> u64 {
        let end = self.ended.begin.wrapping_add(self.ended.elapsed);
        end.saturating_sub(tested.since).max(tested.inside)
    }

    fn waited(&self, begun: Begun, asked: Tested, group: u32) {
        if !mpi::has_record(begun.sequence) {
            return;
        }
        let record = MpiWaited {
            communicator: begun.communicator,
            sequence: begun.sequence,
            begun: begun.call,
            root: begun.root,
            rank: begun.rank,
            call: self.entry.number,
            time: moment(asked.since),
            elapsed: ns(self.span(asked)),
            inside: ns(asked.inside),
            group,
        };
        self.push(record.into());
    }

    fn meets(&self) {
        let Some((met, root)) = met(self.entry, self.frame) else { return };
        if let Kind::Begins { request, .. } = self.entry.kind
            && let Some(request) =
                Request::read(self.frame.argument(request), 0, self.entry.is_fortran)
        {
            let (communicator, sequence, rank) = (met.communicator, met.sequence, met.rank);
            let call = self.entry.number;
            let begun = Begun { communicator, sequence, rank, root, call };
            requests::open(request, Subject::Begun(begun));
        }
        if mpi::has_record(met.sequence) {
            self.meeting(&met, root);
        }
    }

    fn meeting(&self, met: &communicators::Met, root: u32) {
        let record = MpiMeeting {
            communicator: met.communicator,
            sequence: met.sequence,
            call: self.entry.number,
            rank: met.rank,
            size: met.size,
            root,
            time: moment(self.ended.begin),
            elapsed: ns(self.ended.elapsed),
        };
        self.push(record.into());
    }

    fn window(&self, at: usize) -> Option<Communicator> {
        self.frame.window(at, self.entry.is_fortran)
    }

    fn locks(&self, target: Option<(usize, usize)>, window: usize) {
        let Some(window) = self.window(window) else { return };
        let number = |at: usize| self.frame.number(at, self.entry.is_fortran);
        let (kind, target) = match target {
            Some((kind, target)) => (number(kind), number(target) as u32),
            None => (0, ALL_TARGETS),
        };
        windows::lock(window.0, target, kind, (self.entry.number, self.ended));
    }

    fn completes(&self, target: Option<usize>, window: usize) {
        if let Some(window) = self.window(window) {
            let number = |at: usize| self.frame.number(at, self.entry.is_fortran) as u32;
            let target = target.map_or(ALL_TARGETS, number);
            windows::complete(window.0, target, (self.entry.number, self.ended));
        }
    }

    fn unlocks(&self, target: Option<usize>, window: usize) {
        let Some(window) = self.window(window) else { return };
        let number = |at: usize| self.frame.number(at, self.entry.is_fortran) as u32;
        let target = target.map_or(ALL_TARGETS, number);
        let Some(had) = windows::unlock(window.0, target) else { return };
        let Some((window, rank)) = communicators::known(window) else { return };
        let record = MpiLock {
            window,
            rank,
            target,
            exclusive: u32::from(had.exclusive),
            call: had.call,
            time: moment(had.got.begin),
            elapsed: ns(had.got.elapsed),
            back: moment(self.ended.begin),
            back_elapsed: ns(self.ended.elapsed),
        };
        self.push(record.into());
    }
}
