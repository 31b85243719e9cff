//! Cache lines that several threads write in turn, by the memory that sampled instructions name.
//!
//! A cache line that threads take from each other slows the instructions that use it, so samples
//! meet a thread there. A line that is written seldom, or by one thread for long, has few samples
//! or few changes of the thread, and does not count.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use super::own_files::own_function;
use super::sums::add;
use crate::ompt::Activity;
use crate::recording::Recording;
use crate::samples::Taken;
use crate::symbols::{Access, Symbols};

/// Bytes of a cache line of every x86-64 processor.
const LINE: u64 = 64;
/// Fewer samples at a line say nothing.
const LEAST_SAMPLES: u64 = 8;
/// At least one in so many parts of the time at a line belongs to other writers than the busiest.
const OF_OTHERS: u64 = 4;
/// The thread changes at least once in so many samples.
const OF_CHANGES: u64 = 8;

/// Memory that threads write in turn: the cache lines that the same code writes.
#[derive(Clone, Debug)]
pub struct SharedMemory {
    /// The variable's name, without an index or field; none for memory without a name.
    pub name: Option<String>,
    /// The function whose instructions took the most time there.
    pub function: Rc<str>,
    /// Source file of these instructions, none if unknown.
    pub file: Option<Rc<str>>,
    /// 0 = unknown.
    pub line: u32,
    /// The number of threads that use it.
    pub threads: u64,
    /// The number of cache lines.
    pub lines: u64,
    /// True where each thread uses bytes of its own: false sharing.
    pub is_apart: bool,
    /// True where some of the instructions are atomic.
    pub is_atomic: bool,
    /// Time at the instructions that use it, by samples, ns of all threads.
    pub time: u64,
}

/// A thread's use of a line.
#[derive(Clone, Copy, Default)]
struct Use {
    weight: u64,
    writes: bool,
    /// A bit for each byte.
    bytes: u64,
}

#[derive(Default)]
struct CacheLine {
    threads: BTreeMap<u32, Use>,
    last: Option<u32>,
    samples: u64,
    changes: u64,
    weight: u64,
    atomic: u64,
    /// Weights by instruction and address.
    places: HashMap<(u64, u64), u64>,
}

impl CacheLine {
    /// Adds an access. `weight`: 0 where the sample is counted already.
    fn add(&mut self, taken: &Taken, weight: u64, instruction: u64, address: u64, access: Access) {
        let thread = taken.sample.thread;
        let of = self.threads.entry(thread).or_default();
        add(&mut of.weight, weight);
        of.writes |= access.writes;
        of.bytes |= (u64::MAX >> (LINE - access.length.clamp(1, LINE))) << (address % LINE);
        self.samples += u64::from(weight > 0);
        self.changes += u64::from(self.last.is_some_and(|last| last != thread));
        self.last = Some(thread);
        add(&mut self.weight, weight);
        add(&mut self.atomic, if access.is_atomic { weight } else { 0 });
        add(self.places.entry((instruction, address)).or_default(), weight);
    }

    fn is_shared(&self) -> bool {
        let written = self.threads.values().filter(|of| of.writes).map(|of| of.weight);
        let most = written.clone().max().unwrap_or(0);
        let others = written.fold(0, u64::saturating_add) - most;
        self.samples >= LEAST_SAMPLES
            && others >= self.weight / OF_OTHERS
            && others > 0
            && self.changes >= self.samples / OF_CHANGES
    }

    fn is_apart(&self) -> bool {
        let each = self.threads.values().map(|of| of.bytes.count_ones()).sum::<u32>();
        let all = self.threads.values().fold(0, |all, of| all | of.bytes);
        each == all.count_ones()
    }
}

/// Finds all that a recording shows, the longest time first; `None` where it has no such samples.
/// `faulting`: instructions that wait for the system, and not for a line. `work`: the threads' work
/// in all, ns.
pub(super) fn find(
    recording: &Recording,
    symbols: &Symbols,
    faulting: &BTreeSet<u64>,
    work: u64,
) -> Option<Vec<SharedMemory>> {
    let mut lines: HashMap<u64, CacheLine> = HashMap::new();
    let mut accesses = HashMap::new();
    let (mut all, mut has_any) = (0, false);
    for taken in recording.samples.iter() {
        let weight = u64::from(taken.sample.weight);
        if Activity::of_state(taken.sample.state) == Activity::Parallel {
            add(&mut all, weight);
        }
        if taken.memory == [None; 2] {
            continue;
        }
        let Some(pc) = recording.stacks[taken.stack.0 as usize].first() else { continue };
        let waits_for_system = faulting.contains(pc);
        // Two instructions may use one line.
        let mut line_before = None;
        for (behind, address) in taken.memory.into_iter().flatten() {
            has_any = true;
            if waits_for_system {
                continue;
            }
            let instruction = pc.wrapping_sub(u64::from(behind));
            let access = accesses.entry(instruction).or_insert_with(|| symbols.access(instruction));
            let Some(access) = access.filter(|_| address != 0) else { continue };
            let line = lines.entry(address / LINE).or_default();
            let is_counted = line_before.replace(address / LINE) == Some(address / LINE);
            line.add(&taken, if is_counted { 0 } else { weight }, instruction, address, access);
        }
    }
    let shared = lines.into_values().filter(CacheLine::is_shared);
    let time = |weight: u64| (work as f64 * weight as f64 / all.max(1) as f64) as u64;
    has_any.then(|| by_code(symbols, shared, time))
}

/// Joins lines that the same source code uses in the same way.
fn by_code(
    symbols: &Symbols,
    lines: impl Iterator<Item = CacheLine>,
    time: impl Fn(u64) -> u64,
) -> Vec<SharedMemory> {
    let mut found: BTreeMap<(Rc<str>, u32, bool), SharedMemory> = BTreeMap::new();
    for line in lines {
        let heaviest = line.places.iter().max_by_key(|&(place, weight)| (weight, place));
        let Some((&(instruction, address), _)) = heaviest else { continue };
        let functions = symbols.functions(instruction);
        let Some(own) = own_function(&functions) else { continue };
        let key = (own.shown.clone(), own.line, line.is_apart());
        let row = found.entry(key).or_insert_with(|| SharedMemory {
            name: symbols.datum(address).map(whole),
            function: own.shown.clone(),
            file: own.file.clone(),
            line: own.line,
            threads: 0,
            lines: 0,
            is_apart: line.is_apart(),
            is_atomic: line.atomic > 0,
            time: 0,
        });
        row.threads = row.threads.max(line.threads.len() as u64);
        row.lines += 1;
        add(&mut row.time, time(line.weight));
    }
    let mut rows: Vec<SharedMemory> = found.into_values().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.time));
    rows
}

/// Returns a variable's name without an index or field: `counts` for `counts[3].hits+8`.
pub(super) fn whole(part: String) -> String {
    part.split(['[', '+', '.']).next().unwrap_or_default().to_owned()
}
