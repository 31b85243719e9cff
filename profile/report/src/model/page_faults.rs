//! Finds instructions that use memory without a page: the first access to each page stops there
//! until the system has made one. The samples name the memory that their instructions use.
//!
//! Samples of code that goes through new memory stand where pages begin. Samples of code that uses
//! memory again stand anywhere.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use super::own_files::own_function;
use super::sums::add;
use crate::ompt::Activity;
use crate::recording::Recording;
use crate::symbols::Symbols;

/// Bytes of the smallest page of an x86-64 processor.
const PAGE: u64 = 4096;
/// If pages are used in order, the first access to a page is to its first bytes.
const BEGIN: u64 = 64;
/// Samples at fewer pages say nothing.
const LEAST_PAGES: usize = 8;
/// An instruction meets new pages where at least this part of its time is at pages' begins.
const OF_BEGINS: f64 = 0.75;

/// Code that spends its time in the first accesses to pages.
#[derive(Clone, Debug)]
pub struct PageFaults {
    /// The function whose instructions these are.
    pub function: Rc<str>,
    /// Their source file, none if unknown.
    pub file: Option<Rc<str>>,
    /// 0 = unknown.
    pub line: u32,
    /// The number of threads that samples met there.
    pub threads: u64,
    /// Time at these instructions, by samples, ns of all threads.
    pub time: u64,
}

#[derive(Default)]
struct Met {
    weight: u64,
    at_begins: u64,
    pages: BTreeSet<u64>,
    threads: BTreeSet<u32>,
}

/// Finds the instructions that meet new pages, and their cost by code, the longest time first.
/// `work`: the threads' work in all, ns.
pub(super) fn find(
    recording: &Recording,
    symbols: &Symbols,
    work: u64,
) -> (BTreeSet<u64>, Vec<PageFaults>) {
    let mut met: HashMap<u64, Met> = HashMap::new();
    let mut all = 0;
    for taken in recording.samples.iter() {
        let weight = u64::from(taken.sample.weight);
        if Activity::of_state(taken.sample.state) == Activity::Parallel {
            add(&mut all, weight);
        }
        // The instruction that met the page is the one at which the thread goes on.
        let own = taken.memory.into_iter().flatten().find(|(behind, _)| *behind == 0);
        let Some((_, address)) = own.filter(|(_, address)| *address != 0) else { continue };
        let Some(pc) = recording.stacks[taken.stack.0 as usize].first() else { continue };
        let of = met.entry(*pc).or_default();
        add(&mut of.weight, weight);
        add(&mut of.at_begins, if address % PAGE < BEGIN { weight } else { 0 });
        of.pages.insert(address / PAGE);
        of.threads.insert(taken.sample.thread);
    }
    met.retain(|_, of| {
        of.pages.len() >= LEAST_PAGES && of.at_begins as f64 >= OF_BEGINS * of.weight as f64
    });
    let mut found: BTreeMap<(Rc<str>, u32), PageFaults> = BTreeMap::new();
    for (instruction, of) in &met {
        let functions = symbols.functions(*instruction);
        let Some(own) = own_function(&functions) else { continue };
        let row = found.entry((own.shown.clone(), own.line)).or_insert_with(|| PageFaults {
            function: own.shown.clone(),
            file: own.file.clone(),
            line: own.line,
            threads: 0,
            time: 0,
        });
        row.threads = row.threads.max(of.threads.len() as u64);
        add(&mut row.time, (work as f64 * of.weight as f64 / all.max(1) as f64) as u64);
    }
    let mut rows: Vec<PageFaults> = found.into_values().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.time));
    (met.into_keys().collect(), rows)
}
