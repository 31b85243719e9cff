//! Bytes of the host's memory that are out of date, because a device has newer ones.

use libc::pid_t;

use super::device::{are_bad, are_old};
use super::{Model, Problem, SiteId, quoted};
use crate::access::Access;
use crate::finding::Kind;
use crate::names::Named;
use crate::ranges::Ranges;

/// The known states of a byte of the host's.
pub mod state {
    pub const FINE: u8 = 0;
    /// A region wrote another value on the device.
    pub const OLDER: u8 = 1;
    /// The byte was copied from a place that nothing had written.
    pub const UNWRITTEN: u8 = 2;
    /// A region wrote another value, which is lost.
    pub const LOST: u8 = 3;
    /// The host wrote another value, which a device's older one has overwritten.
    pub const OVERWRITTEN: u8 = 4;
}
use state::{FINE, LOST, OLDER, OVERWRITTEN, UNWRITTEN};

/// The most accesses of the host to one section that are seen one by one. After these the section's
/// pages stay open.
const MOST_FAULTS: u32 = 20_000;

/// A section of the host's memory.
pub struct Stale {
    pub start: u64,
    pub states: Vec<u8>,
    /// The host's values of the bytes that are not fine.
    pub values: Vec<u8>,
    pub named: Option<Named>,
    pub device: i32,
    /// The region that wrote it.
    pub region: SiteId,
    /// The site where the region's value was lost, or was overwritten.
    pub lost: Option<SiteId>,
    pub faults: u32,
    /// The call of the function that has the variable.
    pub owner: Option<Call>,
}

/// A running call of a function, on a thread's stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub thread: pid_t,
    /// The frame's address in the debug information (its CFA).
    pub frame: u64,
    pub function: String,
}

impl Stale {
    fn end(&self) -> u64 {
        self.start + self.states.len() as u64
    }

    pub fn part(&mut self, start: u64, end: u64) -> &mut [u8] {
        let count = self.states.len() as u64;
        let from = start.saturating_sub(self.start).min(count);
        let to = end.saturating_sub(self.start).min(count);
        &mut self.states[from as usize..to.max(from) as usize]
    }

    /// Records the host's current bytes from `start` on.
    pub fn note_values(&mut self, start: u64, now: &[u8]) {
        let first = start.saturating_sub(self.start).min(self.values.len() as u64) as usize;
        let skipped = self.start.saturating_sub(start).min(now.len() as u64) as usize;
        for (value, now) in self.values[first..].iter_mut().zip(&now[skipped..]) {
            *value = *now;
        }
    }

    fn state(&self, address: u64) -> u8 {
        let at = address.wrapping_sub(self.start);
        usize::try_from(at).ok().and_then(|at| self.states.get(at).copied()).unwrap_or(FINE)
    }

    /// Adds the pages with bytes that are not fine.
    pub fn protect(&self, into: &mut Ranges) {
        if self.faults > MOST_FAULTS {
            return;
        }
        let mut at = 0;
        while let Some(from) = self.states[at..].iter().position(|state| *state != FINE) {
            let from = at + from;
            let run = self.states[from..].iter().take_while(|state| **state != FINE).count();
            at = from + run;
            into.add_pages(self.start + from as u64, self.start + at as u64);
        }
    }

    pub fn is_fine(&self) -> bool {
        self.states.iter().all(|state| *state == FINE)
    }
}

impl Model {
    /// Handles the host's use of its own memory: records writes, and returns the error in a read.
    /// If the bytes are a variable on a stack, the variable's call is returned too: the error
    /// exists only while that call is running.
    pub fn host_uses_its_own(&mut self, access: &Access) -> Option<(Problem, Option<Call>)> {
        let mut problem = None;
        for at in 0..self.stale.len() {
            let stale = &mut self.stale[at];
            if access.end() <= stale.start || stale.end() <= access.start {
                continue;
            }
            stale.faults += 1;
            let is_old =
                are_old(access, |byte| matches!(stale.state(byte), OLDER | LOST | OVERWRITTEN))
                    || are_bad(access, |byte| stale.state(byte) == UNWRITTEN);
            if access.reads && is_old {
                let first = (access.start..access.end()).find(|byte| stale.state(*byte) != FINE);
                let found = self.stale_here(&self.stale[at], first.unwrap_or(access.start));
                problem = problem.or(Some((found, self.stale[at].owner.clone())));
                // One report is enough.
                self.stale[at].states.fill(FINE);
            } else if access.writes {
                stale.part(access.start, access.end()).fill(FINE);
            }
        }
        problem
    }

    /// Forgets bytes that do not belong to a variable of the program's.
    pub fn forget(&mut self, access: &Access) {
        for stale in self.stale_mut(access.start, access.end()) {
            stale.part(access.start, access.end()).fill(FINE);
        }
    }

    fn stale_here(&self, stale: &Stale, address: u64) -> Problem {
        let variable = stale.named.as_ref().map(|named| named.name.clone());
        let element = stale.named.as_ref().map(|named| named.element(address));
        let name = quoted(element.as_deref(), "memory");
        let device = stale.device;
        let mut others = vec![("written there:".to_owned(), stale.region)];
        let lost = |how: &str| stale.lost.map(|at| (how.to_owned(), at));
        let (kind, what, advice) = match stale.state(address) {
            UNWRITTEN => {
                others = lost("copied back:").into_iter().collect();
                let what = format!(
                    "copied back unwritten: the host reads {name}, which was copied from device \
                     {device}, where nobody had written it"
                );
                (Kind::CopiedUnwritten, what, "map it with `tofrom`, or write all of it")
            }
            OVERWRITTEN => {
                others = lost("copied back:").into_iter().collect();
                let what = format!(
                    "wrong direction: the host reads {name}; what it wrote there was overwritten \
                     by the older value of device {device}"
                );
                (Kind::OverwrittenOnHost, what, "`target update to` copies to the device before")
            }
            LOST => {
                others.extend(lost("overwritten:"));
                let what = format!(
                    "wrong direction: the host reads {name}; what the region wrote to it on device \
                     {device} was overwritten from the host"
                );
                (Kind::Overwritten, what, "`target update from` copies from the device")
            }
            _ => {
                others.extend(lost("released without a copy:"));
                let what = format!(
                    "stale copy: the host reads {name}, of which device {device} has or had a \
                     newer value"
                );
                let advice = match stale.lost {
                    Some(_) => "map it with `from` or `tofrom`, or `target update from` before",
                    None => "copy it before: `target update from`",
                };
                (Kind::StaleOnHost, what, advice)
            }
        };
        let advice = Some(advice.to_owned());
        Problem { kind, variable, device: Some(device), what, construct: None, others, advice }
    }

    /// Returns the records of the host's bytes of a section.
    pub fn stale_mut(&mut self, start: u64, end: u64) -> impl Iterator<Item = &mut Stale> {
        self.stale.iter_mut().filter(move |stale| stale.start < end && start < stale.end())
    }

    /// Forgets sections that are fine and not mapped.
    pub fn forget_fine(&mut self) {
        let entries = &self.entries;
        self.stale
            .retain(|stale| entries.contains_key(&(stale.device, stale.start)) || !stale.is_fine());
    }
}
