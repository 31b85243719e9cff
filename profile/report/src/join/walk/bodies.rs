//! Constructs' bodies on the stack: the construct of each body, and the regions without a frame,
//! whose bodies left by a jump.

use super::Walk;
use crate::join::labels::LabelKind;
use crate::join::steps::Frame;
use crate::symbols::ConstructKind;

/// The body that the runtime should call next, where it calls a function that is no known body.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    /// No body is expected.
    None,
    /// A known body is expected, so the function that was met is another one.
    Other,
    /// The body is not known, so it may be the function that was met.
    Any,
}

impl Walk<'_> {
    /// Returns the body that the runtime should call next.
    pub(super) fn expected_body(&self, innermost: bool) -> Expected {
        let site = match self.task {
            Some(task) if innermost && !self.task_shown => Some(task),
            _ => self.base_awaited.or(self.pending.as_slice().first().copied()),
        };
        match site {
            None => Expected::None,
            Some(site) if self.symbols.site(site).body.is_some() => Expected::Other,
            Some(_) => Expected::Any,
        }
    }

    /// Takes a body of unknown kind: that of the sample's task if it is not shown yet, else a
    /// region's.
    pub(super) fn unknown_body(&mut self, frame: &Frame, innermost: bool) {
        if innermost && self.task.is_some() && !self.task_shown {
            self.task_body(None, frame, innermost);
        } else {
            self.region_body(None, frame);
        }
    }

    pub(super) fn region_body(&mut self, site: Option<u64>, frame: &Frame) {
        let base = self.base_awaited.take();
        let body_of = |site: &u64| self.symbols.site(*site).body;
        let pending = self.pending.as_slice();
        let is_body = |site: &u64| body_of(site).is_some_and(|body| Some(body) == frame.start);
        let own = site.and_then(|_| pending.iter().position(is_body));
        // The base's body jumped into the runtime, if this one is known to belong to another
        // region.
        if let Some(base) = base.filter(|base| own.is_none() || is_body(base)) {
            if site.is_none() {
                self.go_in(base);
            }
            return;
        }
        if let Some(own) = own {
            // Regions before it have no frame: their bodies jumped into the runtime.
            for _ in 0..=own {
                self.next_region();
            }
            return;
        }
        // The next region is known to have another body: records of the regions between are
        // missing.
        let other = site.is_some() && pending.first().is_some_and(|next| body_of(next).is_some());
        let first = pending.first().copied();
        if !other && self.next_region() {
            if let (None, Some(first)) = (site, first) {
                self.go_in(first);
            }
            return;
        }
        match site {
            Some(site) => self.construct(ConstructKind::Region, site),
            None => self.function(frame),
        }
    }

    /// Goes on from the region at `site`, whose body left by a jump, into each next region that
    /// such a jump leads to.
    fn go_in(&mut self, mut site: u64) {
        let symbols = self.symbols;
        let body_of = |site: u64| symbols.site(site).body;
        while let Some(&next) = self.pending.as_slice().first() {
            let handed = body_of(site).and_then(|body| symbols.handed_by_jump(body));
            if handed.is_none() || handed != body_of(next) {
                return;
            }
            self.next_region();
            site = next;
        }
    }

    pub(super) fn task_body(&mut self, site: Option<u64>, frame: &Frame, innermost: bool) {
        // A region has no body on the stack if none comes further in: a thread in a region's
        // closing barrier has left its body.
        self.base_awaited = None;
        while self.pending.len() > self.bodies_within && self.next_region() {}
        let current = self.task.filter(|task| innermost && *task != 0);
        match site.or(current) {
            Some(site) => self.construct(ConstructKind::Task, site),
            None if frame.shown.is_empty() => {
                let label = self.tree.label(LabelKind::Task, "task");
                self.node = self.tree.child(self.node, label);
            }
            None => {
                let label = self.tree.label(LabelKind::Task, &format!("task in {}", frame.shown));
                self.node = self.tree.child(self.node, label);
            }
        }
        self.task_shown |= innermost;
    }
}
