//! The places where locks are asked for by a jump.
//!
//! A construct's body may end in a jump to the function that it calls last. That function returns
//! to the runtime, which called the body, and so the tool is told a place in the runtime.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::recording::Recording;
use crate::symbols::{Construct, ConstructKind, Owner, Symbols};

/// The jumps for locks that constructs end with, each looked for once.
pub(super) struct LastCalls<'a> {
    recording: &'a Recording,
    symbols: &'a Symbols,
    by_region: RefCell<BTreeMap<u64, Rc<Construct>>>,
    /// One past each jump of a task's body.
    of_tasks: OnceCell<Vec<u64>>,
}

impl<'a> LastCalls<'a> {
    pub(super) fn new(recording: &'a Recording, symbols: &'a Symbols) -> Self {
        let (by_region, of_tasks) = Default::default();
        Self { recording, symbols, by_region, of_tasks }
    }

    /// Returns the place of the mutex site `key`, if a jump of the program led there.
    pub(super) fn place(&self, key: (u64, u32, u64)) -> Option<Rc<Construct>> {
        if self.symbols.kind(key.2.wrapping_sub(1)) != Owner::Runtime {
            return None;
        }
        let region = *self.recording.mutex_places.get(&key)?;
        let known = self.by_region.borrow().get(&region).cloned();
        Some(known.unwrap_or_else(|| {
            let found = self.of_region(region);
            self.by_region.borrow_mut().insert(region, found.clone());
            found
        }))
    }

    /// Returns the line of the jumps if there is only one line; else the region's.
    fn of_region(&self, region: u64) -> Rc<Construct> {
        let tasks = self.of_tasks.get_or_init(|| {
            let tasks = self.recording.tasks.keys();
            tasks.flat_map(|&task| self.symbols.locks_by_jump(task)).collect()
        });
        let of_region = self.symbols.locks_by_jump(region);
        let jumps = of_region.iter().chain(tasks);
        let mut places = jumps.map(|&after| self.symbols.construct(after, ConstructKind::Place));
        let region = self.symbols.construct(region, ConstructKind::Region);
        // A compiler that makes one jump of two may give it no line.
        if let Some(first) = places.next()
            && (first.line > 0 || region.line == 0)
            && places.all(|place| place.label == first.label)
        {
            return first;
        }
        Rc::new(region.last_call())
    }
}
