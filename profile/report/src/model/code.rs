//! The cost of the program's code, by address: work, waits, and the runtime's own work for it.

use std::rc::Rc;

use super::shares::{Class, Sums};
use super::sums::add;
use crate::maps::HashMap;
use crate::ompt::Activity;
use crate::recording::{Recording, StackIndex};
use crate::samples::Taken;
use crate::symbols::{ConstructKind, Owner, Role, Symbols};

/// Time of all threads, ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// The time in which the code ran.
    pub work: u64,
    /// The time in which it waited in the runtime, or for others at a construct's end, or was in
    /// MPI.
    pub wait: u64,
    /// The runtime's own work on its behalf.
    pub overhead: u64,
    /// Its sleep in calls of its own.
    pub blocked: u64,
}

impl Costs {
    /// Returns the sum of all.
    pub fn all(&self) -> u64 {
        [self.wait, self.overhead, self.blocked].iter().fold(self.work, |a, b| a.saturating_add(*b))
    }

    /// Counts `other` too.
    pub fn add(&mut self, other: &Costs) {
        add(&mut self.work, other.work);
        add(&mut self.wait, other.wait);
        add(&mut self.overhead, other.overhead);
        add(&mut self.blocked, other.blocked);
    }

    fn count(&mut self, class: Class, time: u64) {
        match class {
            Class::Work | Class::Serial => add(&mut self.work, time),
            Class::Blocked => add(&mut self.blocked, time),
            Class::Barrier | Class::Mutex | Class::Task | Class::Idle | Class::Mpi => {
                add(&mut self.wait, time);
            }
            Class::Overhead => add(&mut self.overhead, time),
            Class::Queued => {}
        }
    }
}

/// An address of the program's code, or the place of a construct, and its cost.
#[derive(Clone, Debug)]
pub struct CodeCost {
    /// The address in the process; none where the cost belongs to a construct, as the wait at a
    /// region's end.
    pub address: Option<u64>,
    /// Any address of the module that the code is in.
    pub(crate) near: u64,
    /// The start of the machine function; none if unknown.
    pub start: Option<u64>,
    /// The function of the source: the innermost of those that are inlined there.
    pub function: Rc<str>,
    /// Source file, its path as the compiler recorded it.
    pub file: Option<Rc<str>>,
    /// 0 = unknown.
    pub line: u32,
    /// The costs, by samples.
    pub costs: Costs,
}

/// The place that gets a sample's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Spot {
    Code(u64),
    /// A region, by its `codeptr_ra`.
    Region(u64),
}

/// The times of samples by place; most stacks repeat.
#[derive(Default)]
pub(super) struct Spots {
    known: HashMap<StackIndex, Option<Spot>>,
    pub(super) times: Sums<(Spot, Class)>,
}

impl Spots {
    /// Counts `time`, ns, of a sample for its innermost code.
    pub(super) fn add(
        &mut self,
        (recording, symbols): (&Recording, &Symbols),
        taken: &Taken,
        activity: Activity,
        time: u64,
    ) {
        let (stack, region) = (taken.stack, taken.sample.region_codeptr);
        let found = *self
            .known
            .entry(stack)
            .or_insert_with(|| innermost(recording, symbols, &recording.stacks[stack.0 as usize]));
        // A member that has left its body waits at the region's end.
        let is_of_region = activity.is_barrier() || activity == Activity::Overhead;
        let end = (is_of_region && region != 0).then_some(Spot::Region(region));
        if let Some(spot) = found.or(end) {
            let class = Class::of(activity);
            self.times.add((spot, class), class, time);
        }
    }

    /// Returns the costs, the dearest first.
    pub(super) fn costs(self, symbols: &Symbols) -> Vec<CodeCost> {
        let mut sums: HashMap<Spot, Costs> = HashMap::default();
        for ((spot, class), time) in self.times.into_all() {
            sums.entry(spot).or_default().count(class, time);
        }
        let mut all: Vec<(Spot, Costs)> = sums.into_iter().collect();
        all.sort_by_key(|(spot, costs)| (std::cmp::Reverse(costs.all()), *spot));
        all.into_iter().map(|(spot, costs)| cost(symbols, spot, costs)).collect()
    }
}

fn cost(symbols: &Symbols, spot: Spot, costs: Costs) -> CodeCost {
    match spot {
        Spot::Code(address) => {
            let functions = symbols.functions(address);
            let start = functions.last().and_then(|outermost| outermost.start);
            let own = functions.iter().find(|one| one.near > 0 && one.role != Role::Helper);
            let own = own.or(functions.first());
            CodeCost {
                address: Some(address),
                near: address,
                start,
                function: own.map_or("".into(), |one| one.shown.clone()),
                file: own.and_then(|one| one.file.clone()),
                line: own.map_or(0, |one| one.near),
                costs,
            }
        }
        Spot::Region(site) => {
            let construct = symbols.construct(site, ConstructKind::Region);
            CodeCost {
                address: None,
                near: site.saturating_sub(1),
                start: None,
                function: construct.function.clone(),
                file: construct.file.clone(),
                line: construct.line,
                costs,
            }
        }
    }
}

/// Returns the innermost code of the program with a line, or the region whose fork or end it is.
fn innermost(recording: &Recording, symbols: &Symbols, pcs: &[u64]) -> Option<Spot> {
    for (level, pc) in pcs.iter().enumerate() {
        let at = if level == 0 { *pc } else { pc.saturating_sub(1) };
        let is_own = symbols.kind(at) == Owner::User && symbols.interpreter(at).is_none();
        let has_line = || symbols.functions(at).iter().any(|one| one.near > 0);
        if is_own && has_line() {
            let first = (*pc, 0, 0)..=(*pc, u64::MAX, u32::MAX);
            let is_fork = level > 0 && recording.regions.range(first).next().is_some();
            return Some(if is_fork { Spot::Region(*pc) } else { Spot::Code(at) });
        }
    }
    None
}
