//! Counters of the system and the processor by region and function, as rows that add up to the
//! whole.

use std::collections::BTreeMap;
use std::rc::Rc;

use omphalos_profile_format::{CounterDifference, counter};

use super::own_files::own_function;
use super::sums::{add, ratio};
use crate::recording::{Doing, Recording, StackIndex};
use crate::symbols::{Construct, ConstructKind, Symbols};

/// The name for code that no sample has seen.
const NOT_SAMPLED: &str = "<not sampled>";

/// The counts of one place. The processor's events are `None` where they were not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// On a processor, ns.
    pub running: u64,
    /// Page faults, those that waited for a file among them.
    pub page_faults: u64,
    /// Page faults that waited for a file or for swap.
    pub major_faults: u64,
    /// Times that threads left their processors by themselves.
    pub left: u64,
    /// Times that the system took them off.
    pub taken: u64,
    /// Cycles of the processor's clock.
    pub cycles: Option<u64>,
    /// Instructions that were completed.
    pub instructions: Option<u64>,
    /// Accesses that the last level of caches did not have.
    pub cache_misses: Option<u64>,
    /// Cycles without an instruction to begin.
    pub stalls_frontend: Option<u64>,
    /// Cycles in which instructions waited for data or for a unit.
    pub stalls_backend: Option<u64>,
    /// All slots for instructions, then those retiring, lost to bad speculation, bound by the front
    /// end, and by the back end.
    pub slots: Option<[u64; 5]>,
    /// How long the processor's events were asked for, and how long they were counted, ns.
    pub counting: (u64, u64),
}

/// The part of the program that a row is about.
#[derive(Clone, Debug)]
pub enum CounterPlace {
    /// Work in a region.
    Region(Rc<Construct>),
    /// Work outside of any region.
    Serial,
    /// In the runtime: waits, idling, its own work.
    Waiting,
    /// Threads that OpenMP does not know, and the time before a thread's first reading and after
    /// its last one.
    Others,
}

/// A part of the program with its counts.
#[derive(Clone, Debug)]
pub struct CounterRow {
    /// The part of the program that the row is about.
    pub place: CounterPlace,
    /// The counts of that part.
    pub counts: Counts,
}

/// The energy of one package of the machine, other programs' among it.
#[derive(Clone, Debug)]
pub struct Energy {
    /// The system's name for it.
    pub package: String,
    /// The energy that the package used while the program ran.
    pub joules: f64,
    /// How long that was, ns.
    pub elapsed: u64,
}

/// The counters of a run; see the module.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    /// Whether the processor counted user code alone.
    pub user_only: bool,
    /// A line for each reason why something is not counted.
    pub missing: Vec<String>,
    /// By the threads' activity, the longest on processors first; others last.
    pub rows: Vec<CounterRow>,
    /// By function, the longest first; others are not among them.
    pub functions: Vec<(Rc<str>, Counts)>,
    /// All rows together.
    pub total: Counts,
    /// The energy of each package, where it is known.
    pub energy: Vec<Energy>,
}

impl Counts {
    fn of(sums: &CounterDifference, events: u32) -> Counts {
        let known = |bit, figure| (events & bit != 0 && sums.counting > 0).then_some(figure);
        let parts = [
            sums.slots, sums.retiring, sums.bad_speculation, sums.frontend_bound,
            sums.backend_bound,
        ];
        let has_slots = events & counter::SLOTS == counter::SLOTS && sums.counting > 0;
        Counts {
            running: sums.running,
            page_faults: sums.minor_faults.saturating_add(sums.major_faults),
            major_faults: sums.major_faults,
            left: sums.left,
            taken: sums.taken,
            cycles: known(counter::CYCLES, sums.cycles),
            instructions: known(counter::INSTRUCTIONS, sums.instructions),
            cache_misses: known(counter::CACHE_MISSES, sums.cache_misses),
            stalls_frontend: known(counter::STALLS_FRONTEND, sums.stalls_frontend),
            stalls_backend: known(counter::STALLS_BACKEND, sums.stalls_backend),
            slots: has_slots.then_some(parts),
            counting: (sums.enabled, sums.counting),
        }
    }

    /// Adds the counts of another place.
    pub(crate) fn add(&mut self, other: &Counts) {
        let plain = |of: &Counts| [of.running, of.page_faults, of.major_faults, of.left, of.taken];
        let own = [
            &mut self.running, &mut self.page_faults, &mut self.major_faults, &mut self.left,
            &mut self.taken,
        ];
        own.into_iter().zip(plain(other)).for_each(|(sum, part)| add(sum, part));
        let events = [
            (&mut self.cycles, other.cycles),
            (&mut self.instructions, other.instructions),
            (&mut self.cache_misses, other.cache_misses),
            (&mut self.stalls_frontend, other.stalls_frontend),
            (&mut self.stalls_backend, other.stalls_backend),
        ];
        for (sum, part) in events {
            if let Some(part) = part {
                add(sum.get_or_insert(0), part);
            }
        }
        if let Some(parts) = other.slots {
            let sums = self.slots.get_or_insert([0; 5]);
            sums.iter_mut().zip(parts).for_each(|(sum, part)| add(sum, part));
        }
        add(&mut self.counting.0, other.counting.0);
        add(&mut self.counting.1, other.counting.1);
    }

    /// Instructions a cycle.
    pub fn per_cycle(&self) -> Option<f64> {
        let cycles = self.cycles.filter(|cycles| *cycles > 0)?;
        Some(ratio(self.instructions?, cycles))
    }

    /// Misses of the last level of caches in a thousand instructions.
    pub fn misses_per_thousand(&self) -> Option<f64> {
        let instructions = self.instructions.filter(|all| *all > 0)?;
        Some(1000.0 * ratio(self.cache_misses?, instructions))
    }

    /// Shares of the cycles that stalled at the front end, and at the back end.
    pub fn stalled(&self) -> [Option<f64>; 2] {
        let cycles = self.cycles.filter(|cycles| *cycles > 0);
        [self.stalls_frontend, self.stalls_backend].map(|stalls| Some(ratio(stalls?, cycles?)))
    }

    /// Shares of the slots: retiring, bad speculation, front-end bound, back-end bound.
    pub fn top_down(&self) -> Option<[f64; 4]> {
        let [slots, parts @ ..] = self.slots.filter(|[slots, ..]| *slots > 0)?;
        Some(parts.map(|part| ratio(part, slots)))
    }
}

/// Returns the counters; `None` where nobody asked for them.
pub(super) fn of(recording: &Recording, symbols: &Symbols) -> Option<Counters> {
    let counted = &recording.counted;
    let (events, user_only, missing) = counted.sources.clone()?;
    let mut rows: BTreeMap<(Doing, Rc<str>), CounterRow> = BTreeMap::new();
    let mut functions: BTreeMap<Rc<str>, Counts> = BTreeMap::new();
    let mut all = Counters { user_only, missing, ..Counters::default() };
    for ((doing, stack), sums) in &counted.places {
        let counts = Counts::of(sums, events);
        let (key, place) = match doing {
            Doing::Region(codeptr) => {
                let construct = symbols.construct(*codeptr, ConstructKind::Region);
                ((Doing::Region(0), construct.label.clone()), CounterPlace::Region(construct))
            }
            Doing::Serial => ((*doing, "".into()), CounterPlace::Serial),
            Doing::Waiting => ((*doing, "".into()), CounterPlace::Waiting),
        };
        let row = rows.entry(key).or_insert(CounterRow { place, counts: Counts::default() });
        row.counts.add(&counts);
        all.total.add(&counts);
        if *doing != Doing::Waiting {
            functions.entry(function(recording, symbols, *stack)).or_default().add(&counts);
        }
    }
    all.rows = rows.into_values().collect();
    all.rows.sort_by_key(|row| std::cmp::Reverse(row.counts.running));
    let others = others(recording, &all.total);
    if others != Counts::default() {
        all.total.add(&others);
        all.rows.push(CounterRow { place: CounterPlace::Others, counts: others });
    }
    all.functions = functions.into_iter().collect();
    all.functions.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.running));
    for (package, known) in &counted.energy {
        match known {
            Ok((energy, elapsed)) => all.energy.push(Energy {
                package: package.clone(),
                joules: *energy as f64 / 1e6,
                elapsed: *elapsed,
            }),
            Err(why) => all.missing.push(why.clone()),
        }
    }
    let (enabled, counting) = all.total.counting;
    if enabled > 0 && counting == 0 {
        all.missing.push(
            "the processor's events: others had its counters all of the time, as the kernel's \
             watchdog (kernel.nmi_watchdog) or another profiler has"
                .to_owned(),
        );
    }
    Some(all)
}

/// Returns the function at the end of a stack.
fn function(recording: &Recording, symbols: &Symbols, stack: StackIndex) -> Rc<str> {
    match recording.stacks.get(stack.0 as usize).and_then(|stack| stack.first()) {
        Some(pc) => {
            let functions = symbols.functions(*pc);
            own_function(&functions).map_or_else(|| NOT_SAMPLED.into(), |own| own.shown.clone())
        }
        None => NOT_SAMPLED.into(),
    }
}

/// Returns the process's counts beyond those of known threads. They are not known for a part of the
/// run.
fn others(recording: &Recording, known: &Counts) -> Counts {
    let Some(process) = recording.counted.process.filter(|_| !recording.has_parts) else {
        return Counts::default();
    };
    let rest = |all: u64, known: u64| all.saturating_sub(known);
    Counts {
        running: rest(recording.computed.unwrap_or(0), known.running),
        page_faults: rest(
            process.minor_faults.saturating_add(process.major_faults),
            known.page_faults,
        ),
        major_faults: rest(process.major_faults, known.major_faults),
        left: rest(process.left, known.left),
        taken: rest(process.taken, known.taken),
        ..Counts::default()
    }
}
