//! The distinct stacks of a recording: threads and chunks repeat them.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;

use crate::maps::HashMap;
use crate::recording::StackIndex;

/// Stacks while they are read.
#[derive(Debug)]
pub(crate) struct Stacks {
    /// By [`StackIndex`]; program counters, innermost first. The first is empty.
    all: Vec<Box<[u64]>>,
    /// One stack of each content, by its hash.
    known: HashMap<u64, StackIndex>,
    hasher: RandomState,
    /// By the thread of the chunk.
    names: HashMap<u32, Names>,
}

/// The names of stacks in a thread's chunks, in ascending order.
#[derive(Debug, Default)]
struct Names {
    names: Vec<u64>,
    stacks: Vec<StackIndex>,
}

impl Stacks {
    pub(crate) fn new() -> Stacks {
        let (known, names) = (HashMap::default(), HashMap::default());
        Stacks { all: vec![Box::default()], known, hasher: RandomState::default(), names }
    }

    /// Adds a stack that `thread` calls `name` from here on.
    pub(crate) fn add(&mut self, thread: u32, name: u64, frames: Vec<u64>) {
        let hash = self.hasher.hash_one(&frames);
        let known = self.known.get(&hash).copied();
        let known = known.filter(|known| *self.all[known.0 as usize] == frames[..]);
        let stack = known.unwrap_or_else(|| {
            let stack = StackIndex(self.all.len() as u32);
            self.all.push(frames.into_boxed_slice());
            self.known.insert(hash, stack);
            stack
        });
        let Names { names, stacks } = self.names.entry(thread).or_default();
        // An agent's names ascend.
        if names.last().is_none_or(|last| *last < name) {
            names.push(name);
            stacks.push(stack);
            return;
        }
        match names.binary_search(&name) {
            Ok(at) => stacks[at] = stack,
            Err(at) => {
                names.insert(at, name);
                stacks.insert(at, stack);
            }
        }
    }

    /// Returns the stack that `thread` calls `name`; the empty one where it is unknown.
    pub(crate) fn named(&self, thread: u32, name: u64) -> StackIndex {
        let found = self.names.get(&thread).and_then(|own| {
            let at = own.names.binary_search(&name).ok()?;
            own.stacks.get(at).copied()
        });
        found.unwrap_or(StackIndex(0))
    }

    /// Returns all stacks, by [`StackIndex`].
    pub(crate) fn into_all(self) -> Vec<Box<[u64]>> {
        self.all
    }
}
