//! Memory on another NUMA node than the thread that uses it, by the memory that sampled
//! instructions name and the node of its page.
//!
//! Samples meet a thread at instructions that wait for memory. So the time at far memory is the
//! time that near memory would shorten, but not all of it would go.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::own_files::own_function;
use super::shared_memory::whole;
use super::sums::add;
use crate::ompt::Activity;
use crate::recording::Recording;
use crate::symbols::Symbols;

/// No machine has more nodes; further ones in a damaged file are not taken.
const MOST_NODES: u32 = 1 << 10;

/// Code that uses memory of another node.
#[derive(Clone, Debug)]
pub struct FarMemory {
    /// The variable's name, without an index or field; none for memory without a name.
    pub name: Option<String>,
    /// The function whose instructions these are.
    pub function: Rc<str>,
    /// Their source file, none if unknown.
    pub file: Option<Rc<str>>,
    /// 0 = unknown.
    pub line: u32,
    /// The number of threads that samples met there.
    pub threads: u64,
    /// Time at these instructions with far memory, by samples, ns of all threads, by the node that
    /// has it.
    pub times: BTreeMap<u32, u64>,
}

impl FarMemory {
    /// Time at far memory, ns of all threads.
    pub fn time(&self) -> u64 {
        self.times.values().fold(0, |all: u64, time| all.saturating_add(*time))
    }
}

/// Work by the thread's node and the node of the memory that it uses.
#[derive(Clone, Debug, Default)]
pub struct MemoryNodes {
    /// By samples, ns of all threads: the node of the thread, then that of the memory.
    pub times: BTreeMap<(u32, u32), u64>,
    /// Code that uses far memory, the longest time first.
    pub far: Vec<FarMemory>,
}

/// Finds all that a recording shows; nothing where the machine has one node or the system did not
/// say. `work`: the threads' work in all, ns.
pub(super) fn find(recording: &Recording, symbols: &Symbols, work: u64) -> MemoryNodes {
    #[derive(Default)]
    struct Met {
        weights: BTreeMap<u32, u64>,
        threads: BTreeSet<u32>,
        /// The last address that was met.
        address: u64,
    }
    let mut nodes: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    let mut met: BTreeMap<u64, Met> = BTreeMap::new();
    let mut all = 0;
    for taken in recording.samples.iter() {
        let weight = u64::from(taken.sample.weight);
        if Activity::of_state(taken.sample.state) == Activity::Parallel {
            add(&mut all, weight);
        }
        let Some((node, from)) = taken.nodes.filter(|of| of.0.max(of.1) < MOST_NODES) else {
            continue;
        };
        add(nodes.entry((from, node)).or_default(), weight);
        let Some((behind, address)) = taken.memory.into_iter().flatten().next() else { continue };
        let Some(pc) = recording.stacks[taken.stack.0 as usize].first() else { continue };
        if node != from {
            let of = met.entry(pc.wrapping_sub(u64::from(behind))).or_default();
            add(of.weights.entry(node).or_default(), weight);
            of.threads.insert(taken.sample.thread);
            of.address = address;
        }
    }
    let time = |weight: u64| (work as f64 * weight as f64 / all.max(1) as f64) as u64;
    let mut far: BTreeMap<(Rc<str>, u32), FarMemory> = BTreeMap::new();
    for (instruction, of) in &met {
        let functions = symbols.functions(*instruction);
        let Some(own) = own_function(&functions) else { continue };
        let row = far.entry((own.shown.clone(), own.line)).or_insert_with(|| FarMemory {
            name: symbols.datum(of.address).map(whole),
            function: own.shown.clone(),
            file: own.file.clone(),
            line: own.line,
            threads: 0,
            times: BTreeMap::new(),
        });
        row.threads = row.threads.max(of.threads.len() as u64);
        for (node, weight) in &of.weights {
            add(row.times.entry(*node).or_default(), time(*weight));
        }
    }
    let mut far: Vec<FarMemory> = far.into_values().collect();
    far.sort_by_key(|row| std::cmp::Reverse(row.time()));
    MemoryNodes { times: nodes.into_iter().map(|(of, weight)| (of, time(weight))).collect(), far }
}
