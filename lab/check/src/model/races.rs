//! Finds accesses without an order: those of constructs that run at the same time, and those of the
//! host meanwhile.
//!
//! Two constructs that overlap in time are not ordered: no dependence, barrier or wait is between
//! the end of one and the beginning of the other.

use std::collections::HashMap;

use libc::pid_t;

use super::{Model, Problem, SiteId, quoted};
use crate::access::Access;
use crate::finding::Kind;
use crate::ranges::Ranges;

/// An item of a construct's list: a section, and its transfers.
struct Listed {
    start: u64,
    end: u64,
    to: bool,
    from: bool,
    /// The construct itself copies it.
    moves: bool,
}

/// A construct from its beginning to its end.
struct Running {
    thread: pid_t,
    device: i32,
    site: SiteId,
    began: u64,
    ended: Option<u64>,
    /// Whether its region is running.
    in_region: bool,
    /// Whether it has a region, running or ended.
    has_region: bool,
    lists: Vec<Listed>,
}

/// A region's use of a byte of the device's.
struct Touch {
    by: usize,
    writes: bool,
    is_atomic: bool,
}

/// The constructs that run, and the uses of shared bytes.
#[derive(Default)]
pub struct Races {
    clock: u64,
    /// The running constructs, and those that overlapped with one of these.
    all: Vec<Running>,
    touched: HashMap<u64, Vec<Touch>>,
}

/// The most different uses of one byte that are kept.
const MOST_TOUCHES: usize = 8;

impl Races {
    pub fn construct_begins(&mut self, thread: pid_t, device: i32, site: SiteId) {
        self.clock += 1;
        let (began, ended, lists) = (self.clock, None, Vec::new());
        let (in_region, has_region) = (false, false);
        self.all.push(Running { thread, device, site, began, ended, in_region, has_region, lists });
    }

    pub fn construct_ends(&mut self, thread: pid_t) {
        self.clock += 1;
        if let Some(at) = self.current(thread) {
            self.all[at].ended = Some(self.clock);
        }
        if self.all.iter().all(|it| it.ended.is_some()) {
            self.all.clear();
            self.touched.clear();
        }
    }

    /// Whether any construct is running.
    pub fn goes_on(&self) -> bool {
        self.all.iter().any(|it| it.ended.is_none())
    }

    fn current(&self, thread: pid_t) -> Option<usize> {
        self.all.iter().rposition(|it| it.thread == thread && it.ended.is_none())
    }

    /// Records that the region of the thread's construct begins or ends.
    pub fn region(&mut self, thread: pid_t, begins: bool) {
        if let Some(at) = self.current(thread) {
            self.all[at].in_region = begins;
            self.all[at].has_region = true;
        }
    }

    /// Records that the thread's construct has a section in its list.
    pub fn lists(&mut self, thread: pid_t, part: (u64, u64), way: (bool, bool), moves: bool) {
        if let Some(at) = self.current(thread) {
            let ((start, end), (to, from)) = (part, way);
            self.all[at].lists.push(Listed { start, end, to, from, moves });
        }
    }

    /// Adds the host's pages that constructs copy from or to.
    pub fn protect(&self, into: &mut Ranges) {
        let running = self.all.iter().filter(|it| it.ended.is_none());
        for listed in running.flat_map(|it| &it.lists).filter(|it| it.moves) {
            into.add_pages(listed.start, listed.end);
        }
    }

    /// Finds another running construct that has the section in its region's list.
    pub fn user(&self, thread: pid_t, device: i32, start: u64) -> Option<SiteId> {
        let uses = |it: &&Running| {
            let is_other = it.ended.is_none() && it.thread != thread && it.device == device;
            is_other
                && it.in_region
                && it.lists.iter().any(|it| it.start <= start && start < it.end)
        };
        self.all.iter().find(uses).map(|it| it.site)
    }
}

impl Model {
    /// Returns the devices' pages that two overlapping regions have in their lists, if one of the
    /// regions is running now.
    pub fn shared(&self) -> Ranges {
        let mut shared = Ranges::default();
        let regions: Vec<&Running> = self.races.all.iter().filter(|it| it.has_region).collect();
        let goes_on = |it: &Running| it.in_region && it.ended.is_none();
        let at_once = |one: &Running, other: &Running| {
            let meets = |a: &Running, b: &Running| a.ended.is_none_or(|ended| ended > b.began);
            (goes_on(one) || goes_on(other)) && meets(one, other) && meets(other, one)
        };
        for (at, one) in regions.iter().enumerate() {
            for other in &regions[at + 1..] {
                if one.device != other.device || !at_once(one, other) {
                    continue;
                }
                for mine in &one.lists {
                    for theirs in &other.lists {
                        let start = mine.start.max(theirs.start);
                        let end = mine.end.min(theirs.end);
                        let Some((from, entry)) = self.entry(one.device, start) else { continue };
                        if start >= end || entry.device == from {
                            continue;
                        }
                        let given_up =
                            self.blocks.get(&entry.block).is_none_or(|it| it.is_given_up());
                        if !given_up {
                            let there = entry.device + (start - from);
                            shared.add_pages(there, there + (end - start));
                        }
                    }
                }
            }
        }
        shared
    }

    /// Handles the host's use of its own memory: finds a construct that copies it at this time.
    pub fn host_races(&mut self, thread: pid_t, access: &Access) -> Option<Problem> {
        let running = self.races.all.iter().filter(|it| it.ended.is_none() && it.thread != thread);
        let bad = |it: &&Listed| {
            let meets = access.start < it.end && it.start < access.end();
            meets && it.moves && (it.from || it.to && access.writes)
        };
        let found = running.filter_map(|it| Some((it, it.lists.iter().find(bad)?))).next();
        let (construct, listed) = found?;
        let (device, site, is_from) = (construct.device, construct.site, listed.from);
        let at = access.start.max(listed.start);
        let named = self.entry(device, at).and_then(|(_, entry)| entry.named.as_ref());
        let variable = named.map(|named| named.name.clone());
        let name = quoted(named.map(|named| named.element(at)).as_deref(), "memory");
        let verb = if access.writes { "writes" } else { "reads" };
        let way = if is_from { "from" } else { "to" };
        let what = format!(
            "race: the host {verb} {name} while a construct goes on that copies it {way} device \
             {device}"
        );
        let others = vec![("goes on:".to_owned(), site)];
        let advice = Some("wait for it (`taskwait`, `depend`), or leave out `nowait`".to_owned());
        let (kind, device, construct) = (Kind::Race, Some(device), None);
        Some(Problem { kind, variable, device, what, construct, others, advice })
    }

    /// Handles a region's use of a device's memory: finds another region that used it without any
    /// order.
    pub fn regions_race(&mut self, thread: pid_t, access: &Access) -> Option<Problem> {
        let by = self.races.current(thread).filter(|at| self.races.all[*at].in_region)?;
        if !self.shared().iter().any(|(from, to)| access.start < to && from < access.end()) {
            return None;
        }
        let (began, site, device) = {
            let own = &self.races.all[by];
            (own.began, own.site, own.device)
        };
        let touch = |at: &Touch| {
            let other = &self.races.all[at.by];
            let at_once = at.by != by && other.ended.is_none_or(|ended| ended > began);
            (at_once && (at.writes || access.writes) && !(at.is_atomic || access.is_atomic))
                .then_some((other.site, at.writes))
        };
        let mut found = None;
        for at in access.start..access.end() {
            let touches = self.races.touched.get(&at).map_or(&[][..], Vec::as_slice);
            found = touches.iter().find_map(touch).map(|(other, wrote)| (at, other, wrote));
            if found.is_some() {
                break;
            }
        }
        let (writes, is_atomic) = (access.writes, access.is_atomic);
        for at in access.start..access.end() {
            let touches = self.races.touched.entry(at).or_default();
            let is_known =
                |it: &Touch| it.by == by && it.writes == writes && it.is_atomic == is_atomic;
            if touches.len() < MOST_TOUCHES && !touches.iter().any(is_known) {
                touches.push(Touch { by, writes, is_atomic });
            }
        }
        let (at, other, wrote) = found?;
        let block = self.block(at)?;
        let variable = self.variable_on_device(block, at);
        let name = quoted(self.name_on_device(block, at).as_deref(), "memory of the device");
        let verb = if access.writes { "writes" } else { "reads" };
        let done = if wrote { "writes" } else { "reads" };
        let what = format!(
            "race: the region {verb} {name}, which another one {done} that goes on at the same time"
        );
        let others = vec![("the other one:".to_owned(), other)];
        let advice = Some("order them by `depend`, or `taskwait` between them".to_owned());
        let (kind, device, construct) = (Kind::Race, Some(device), Some(site));
        Some(Problem { kind, variable, device, what, construct, others, advice })
    }

    /// Finds a construct that still uses a section that is about to be unmapped.
    pub fn deleted_in_use(
        &self,
        thread: pid_t,
        device: i32,
        start: u64,
        site: SiteId,
    ) -> Option<Problem> {
        let user = self.races.user(thread, device, start)?;
        let (_, entry) = self.entry(device, start)?;
        let variable = entry.named.as_ref().map(|named| named.name.clone());
        let name = quoted(variable.as_deref(), "memory");
        let what = format!(
            "deleted in use: {name} is taken from device {device} while a region goes on that has \
             it mapped"
        );
        let others = vec![("goes on:".to_owned(), user)];
        let advice = Some("wait for the region before".to_owned());
        let (kind, device, construct) = (Kind::DeletedInUse, Some(device), Some(site));
        Some(Problem { kind, variable, device, what, construct, others, advice })
    }
}
