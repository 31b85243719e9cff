//! The processor's events of one thread, by perf_event: one group, so that all of its events are
//! counted at the same time.
//!
//! What must hold: all of it is async-signal-safe. The program may close a descriptor of the
//! agent's and use its number for a file of its own: so each use first asks whether the descriptor
//! is still the event.

use crate::numbers;

/// The number of events that a group may have, in the order of the records' figures.
pub const EVENTS: usize = 10;
/// The place of the slots event. It has to lead its group, and its parts follow it.
pub const SLOTS: usize = 5;

/// An event, as perf_event names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The source's number: 0 for the processor's by the kernel's names.
    pub kind: u32,
    /// The event's number there.
    pub config: u64,
}

/// Opens an event in a group (a descriptor, -1 for a group of its own), in user code alone or not;
/// returns the descriptor, or errno.
pub type Open<'a> = &'a mut dyn FnMut(Event, i32, bool) -> Result<i32, i32>;

/// The counts of a group since it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// How long the thread ran meanwhile, ns.
    pub enabled: u64,
    /// The part of that time in which the group was counted, ns.
    pub counting: u64,
    /// The counts; 0 where an event is not in the group.
    pub values: [u64; EVENTS],
}

impl Reading {
    /// Returns the difference to an earlier reading.
    pub fn since(&self, before: &Reading) -> Reading {
        let value = |at: usize| {
            let of = |reading: &Reading| reading.values.get(at).copied().unwrap_or(0);
            of(self).saturating_sub(of(before))
        };
        Reading {
            enabled: self.enabled.saturating_sub(before.enabled),
            counting: self.counting.saturating_sub(before.counting),
            values: core::array::from_fn(value),
        }
    }
}

/// An event that is open.
#[derive(Clone, Copy, Debug)]
struct Opened {
    file: i32,
    /// The kernel's number of the event.
    id: u64,
    /// Its place in a reading.
    place: usize,
}

/// The open events of one thread.
pub struct Group {
    opened: [Option<Opened>; EVENTS],
}

impl Group {
    /// Opens a group for the calling thread; `None` if no event could be opened. The errno of each
    /// event goes to its place in the list; 0 = the event is open, or was not asked for.
    pub fn open(
        events: &[Option<Event>; EVENTS],
        user_only: bool,
        open: Open<'_>,
    ) -> (Option<Group>, [i32; EVENTS]) {
        let mut errors = [0; EVENTS];
        let mut opened = [None; EVENTS];
        let (mut count, mut leader) = (0, -1);
        for place in (SLOTS..EVENTS).chain(0..SLOTS) {
            let (Some(Some(event)), Some(error)) = (events.get(place), errors.get_mut(place))
            else {
                continue;
            };
            match open(*event, leader, user_only) {
                Ok(file) => {
                    leader = if leader < 0 { file } else { leader };
                    if let Some(next) = opened.get_mut(count) {
                        *next = Some(Opened { file, id: id_of(file).unwrap_or(0), place });
                        count += 1;
                    }
                }
                Err(errno) => *error = errno,
            }
            // Without its leader, a group of slots counts nothing.
            if place == EVENTS - 1 && errors.get(SLOTS) != Some(&0) {
                close_all(&mut opened);
                (count, leader) = (0, -1);
            }
        }
        if leader >= 0 {
            begin(leader);
        }
        ((count > 0).then_some(Group { opened }), errors)
    }

    /// Reads the group's counts. Returns `None` if the descriptor is not the agent's any more.
    pub fn read(&self) -> Option<Reading> {
        let leader = self.opened.first().copied().flatten()?;
        if id_of(leader.file) != Some(leader.id) {
            return None;
        }
        let mut words = [0u64; 3 + EVENTS];
        // SAFETY: the buffer belongs to this function. The code makes the system call itself,
        // because another library's function may stand before the C library's.
        let length = unsafe {
            let size = size_of_val(&words);
            libc::syscall(libc::SYS_read, leader.file, words.as_mut_ptr(), size)
        };
        let words = words.get(..usize::try_from(length).ok()? / 8)?;
        self.decode(words)
    }

    /// Decodes a number of values, two times, and the values in the order in which the events were
    /// opened.
    fn decode(&self, words: &[u64]) -> Option<Reading> {
        let [count, enabled, counting, counted @ ..] = words else { return None };
        let mut values = [0; EVENTS];
        let counted = counted.get(..usize::try_from(*count).ok()?)?;
        for (opened, value) in self.opened.iter().flatten().zip(counted) {
            *values.get_mut(opened.place)? = *value;
        }
        Some(Reading { enabled: *enabled, counting: *counting, values })
    }

    /// Closes the descriptors that are still the agent's.
    pub fn close(mut self) {
        close_all(&mut self.opened);
    }
}

fn close_all(opened: &mut [Option<Opened>; EVENTS]) {
    for Opened { file, id, .. } in opened.iter_mut().filter_map(Option::take) {
        if id_of(file) == Some(id) {
            // SAFETY: an event of the agent's.
            unsafe { libc::syscall(libc::SYS_close, file) };
        }
    }
}

/// Returns the kernel's number of an event; `None` for any other file.
fn id_of(file: i32) -> Option<u64> {
    /// `PERF_EVENT_IOC_ID`
    const ASKS_ID: u64 = 0x8008_2407;
    let mut id = 0u64;
    // SAFETY: the word is ours; a file that is no event refuses the request.
    let status = unsafe { libc::syscall(libc::SYS_ioctl, file, ASKS_ID, &mut id) };
    (status == 0).then_some(id)
}

/// Begins to count a group, all of it at once. Had the group counted already when an event joined
/// it, the kernel would schedule the event only when the thread next comes to a processor
/// (Linux 6.18).
fn begin(leader: i32) {
    /// `PERF_EVENT_IOC_ENABLE`
    const BEGINS: u64 = 0x2400;
    // SAFETY: a file that is no event refuses the request.
    unsafe { libc::syscall(libc::SYS_ioctl, leader, BEGINS, 0) };
}

/// Opens an event of the calling thread, under a number that the program does not reach. The first
/// event of a group does not count before the group begins.
pub fn open(event: Event, leader: i32, user_only: bool) -> Result<i32, i32> {
    /// The structure of the first version, bytes.
    const SIZE: u64 = 64;
    /// The bits that ask for both times, and for all of a group at once.
    const TIMES_AND_GROUP: u64 = 1 | 2 | 8;
    /// The bits that leave out the kernel and the hypervisor below it.
    const USER_ONLY: u64 = 1 << 5 | 1 << 6;
    const CLOSED_BY_EXEC: i32 = 8;
    if !numbers::are_many() {
        return Err(libc::EMFILE);
    }
    let flags = u64::from(leader < 0) | if user_only { USER_ONLY } else { 0 };
    let kind_and_size = u64::from(event.kind) | SIZE << 32;
    let attributes = [kind_and_size, event.config, 0, 0, TIMES_AND_GROUP, flags, 0, 0];
    // SAFETY: the structure is ours and as long as it says; 0 and -1 are the calling thread on any
    // processor.
    let file = unsafe {
        let all = attributes.as_ptr();
        libc::syscall(libc::SYS_perf_event_open, all, 0, -1, leader, CLOSED_BY_EXEC)
    };
    match i32::try_from(file) {
        Ok(file) if file >= 0 => Ok(numbers::high(file)),
        // SAFETY: every thread has its errno.
        _ => Err(unsafe { *libc::__errno_location() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [Option<Event>; EVENTS] = [None; EVENTS];

    /// A group of the kernel's software events, which virtual machines have, too.
    #[test]
    fn a_group_counts_this_thread() {
        let (faults, clock) = (Event { kind: 1, config: 2 }, Event { kind: 1, config: 0 });
        let mut events = NONE;
        (events[0], events[3]) = (Some(clock), Some(faults));
        let (group, errors) = Group::open(&events, true, &mut open);
        // A machine may refuse all of perf_event.
        let Some(group) = group else { return assert!(errors[0] != 0 && errors[3] != 0) };
        let before = group.read().expect("a reading");
        let mut pages = vec![0u8; 1 << 22];
        pages.chunks_mut(4096).for_each(|page| page[0] = 1);
        let since = group.read().expect("a reading").since(&before);
        assert!(since.values[3] > 0 && since.values[0] > 0, "{since:?} {}", pages[0]);
        assert!(since.counting > 0 && since.counting <= since.enabled);
        assert_eq!(since.values[1], 0);
        let file = group.opened[0].unwrap().file;
        group.close();
        assert_eq!(id_of(file), None);
    }

    #[test]
    fn a_number_that_the_program_took_is_let_alone() {
        let mut events = NONE;
        events[0] = Some(Event { kind: 1, config: 0 });
        let (Some(group), _) = Group::open(&events, true, &mut open) else { return };
        let file = group.opened[0].unwrap().file;
        // SAFETY: no memory involved; the number is the test's own.
        unsafe {
            libc::close(file);
            let other = libc::eventfd(5, 0);
            assert!(libc::dup2(other, file) == file);
            libc::close(other);
        }
        assert_eq!(group.read(), None);
        group.close();
        let mut value = 0u64;
        // SAFETY: the word is ours.
        let length = unsafe { libc::read(file, (&raw mut value).cast(), 8) };
        assert_eq!((length, value), (8, 5), "nobody read it, nobody closed it");
        // SAFETY: as above.
        unsafe { libc::close(file) };
    }

    /// The answers of a processor that this machine does not have.
    #[test]
    fn a_reading_has_its_values_in_their_places() {
        let mut events = NONE;
        for place in [0, 1, 5, 6, 7, 8, 9] {
            events[place] = Some(Event { kind: 4, config: place as u64 });
        }
        let mut led = Vec::new();
        let mut answer = |event: Event, leader, _| {
            led.push((event.config, leader));
            Ok(1_000_000 + event.config as i32)
        };
        let (group, errors) = Group::open(&events, false, &mut answer);
        assert_eq!(errors, [0; EVENTS]);
        assert_eq!(led[0], (5, -1), "the slots lead");
        assert!(led[1..].iter().all(|(_, leader)| *leader == 1_000_005));
        let group = group.unwrap();
        let read = group.decode(&[7, 100, 50, 11, 12, 13, 14, 15, 16, 17]).unwrap();
        assert_eq!((read.enabled, read.counting), (100, 50));
        assert_eq!(read.values, [16, 17, 0, 0, 0, 11, 12, 13, 14, 15]);
        assert_eq!(group.decode(&[7, 100]), None);
        assert_eq!(group.decode(&[u64::MAX, 1, 1, 1]), None);
    }
}
