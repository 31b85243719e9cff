//! Finds the region of each thread at a look, and the thread that began the region. `attach/mod.rs`
//! calls it with the stacks that `places.rs` has read.
//!
//! A thread whose stack has the call that begins a region began that region. A worker's stack has
//! only a region's body at its outer end. If another thread at the same look is in a region with
//! this body that it began, the worker is in the same region. Nothing tells how often a region was
//! executed: two looks that find the same calls on a thread's stack count as one execution.

use std::collections::{HashMap, HashSet};

use omphalos_inspect::sampling::Told;

use super::places::{Base, Inner, Places, REGION_END, Shape};
use super::seen::{Sample, Seen};

/// The depth to which nested regions are followed.
const DEEPEST: usize = 16;
const IDLE: u32 = 0x100;
const OVERHEAD: u32 = 0x101;
/// `ompt_task_explicit`.
pub const EXPLICIT: u32 = 4;

/// A region that one thread began at one place.
#[derive(Clone, Copy, Debug)]
pub struct Fork {
    /// The region around it, 0 = none.
    pub parent: u64,
    /// The time of the first look in which the region was seen, ns.
    pub time: u64,
    /// The thread that began it.
    pub thread: u32,
    /// The return address of the call.
    pub codeptr: u64,
    /// A stack's number, and a frame: this frame and those outside it are the stack of the call.
    pub stack: (u32, usize),
    /// The number of threads that were seen in the region.
    pub members: u32,
}

/// A sample with its meaning.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// The sample itself.
    pub sample: Sample,
    /// `ompt_state_t`.
    pub state: u32,
    /// The wait id, if the runtime told it.
    pub wait_id: u64,
    /// The innermost region, 0 = none or unknown.
    pub region: u64,
    /// The return address of that region's call, 0 = none or unknown.
    pub codeptr: u64,
    /// The thread's number in the team.
    pub number: u32,
    /// `ompt_task_flag_t`.
    pub task_flags: u32,
    /// The number of regions around the thread that its own stack shows.
    pub own: u32,
    /// The stack has no frame of the program's, and ends in the runtime.
    pub is_bare: bool,
}

/// The regions of all looks so far; see the module.
pub struct Regions<'a> {
    seen: &'a Seen,
    places: &'a Places,
    /// By region, from 1.
    pub forks: Vec<Fork>,
    known: HashMap<(u32, u64, u64, Vec<u64>), u64>,
    /// The last region of a call.
    last: HashMap<u64, u64>,
    /// The regions in whose bodies each thread was seen.
    members: HashMap<u32, HashSet<u64>>,
    /// At this look: the threads in regions that they began, and the regions' numbers.
    active: Vec<(u32, u64)>,
    /// The numbers of the regions that each thread had begun at its last look.
    latest: HashMap<u32, Vec<u64>>,
}

impl<'a> Regions<'a> {
    /// Makes the state before the first look.
    pub fn new(seen: &'a Seen, places: &'a Places) -> Regions<'a> {
        let mut members: HashMap<u32, HashSet<u64>> = HashMap::new();
        for sample in &seen.samples {
            if let Base::Body(start) = places.shapes[sample.stack as usize].base {
                let regions = places.regions.get(&start).into_iter().flatten();
                members.entry(sample.thread).or_default().extend(regions);
            }
        }
        let (forks, known, last, active, latest) = Default::default();
        Regions { seen, places, forks, known, last, members, active, latest }
    }

    fn shape(&self, sample: &Sample) -> &'a Shape {
        &self.places.shapes[sample.stack as usize]
    }

    fn told(&self, sample: &Sample) -> Option<&'a Told> {
        Some(&self.seen.told.all[sample.told? as usize])
    }

    /// Returns the number of the region that a call on this stack began.
    fn begun(&mut self, sample: &Sample, parent: u64, at: usize, codeptr: u64) -> u64 {
        let stack = &self.seen.stacks.all[sample.stack as usize];
        let key = (sample.thread, parent, codeptr, stack[at..].to_vec());
        let (thread, time) = (sample.thread, self.seen.looks[sample.look as usize]);
        let fork = Fork { parent, time, thread, codeptr, stack: (sample.stack, at), members: 0 };
        let forks = &mut self.forks;
        let region = *self.known.entry(key).or_insert_with(|| {
            forks.push(fork);
            forks.len() as u64
        });
        self.last.insert(codeptr, region);
        region
    }

    /// Returns the codeptr of a region.
    pub fn codeptr(&self, region: u64) -> u64 {
        region.checked_sub(1).map_or(0, |at| self.forks[at as usize].codeptr)
    }

    /// Places all samples of one look.
    pub fn place(&mut self, samples: &[Sample]) -> Vec<Placed> {
        self.active.clear();
        self.add_unmet(samples);
        let mut bases: Vec<Option<(u64, u64)>> = vec![None; samples.len()];
        let mut open: Vec<usize> = (0..samples.len()).collect();
        // The thread that began a region comes before the workers in it, level by level.
        for _ in 0..DEEPEST {
            let before = open.len();
            open.retain(|&at| {
                let Some(base) = self.base(&samples[at], false) else { return true };
                bases[at] = Some(base);
                self.add_begun(&samples[at], base.0);
                false
            });
            if open.is_empty() || open.len() == before {
                break;
            }
        }
        for at in open {
            let base = self.base(&samples[at], true).unwrap_or_default();
            bases[at] = Some(base);
            self.add_begun(&samples[at], base.0);
        }
        let bases = bases.into_iter().map(Option::unwrap_or_default);
        samples.iter().zip(bases).map(|(sample, base)| self.placed(sample, base)).collect()
    }

    /// Returns the region at the outer end of a sample's stack: its number (0 if unknown) and its
    /// codeptr. `None` if no thread that is placed already at this look began such a region.
    /// `last`: the last region that was seen with this codeptr is then the answer.
    fn base(&self, sample: &Sample, last: bool) -> Option<(u64, u64)> {
        let shape = self.shape(sample);
        let told = self.told(sample);
        let bodies = |start: u64| self.places.regions.get(&start).cloned().unwrap_or_default();
        let of_told = told.map_or_else(Vec::new, |told| bodies(told.body));
        let wanted: Vec<u64> = match shape.base {
            Base::Start => return Some((0, 0)),
            Base::Body(start) => {
                let by_body = bodies(start);
                // If the thread itself began regions, the runtime tells the body of the innermost
                // one, not the body at the stack's outer end.
                let is_told = by_body.is_empty() && shape.forks.is_empty();
                if is_told { of_told } else { by_body }
            }
            Base::Runtime => match told {
                Some(_) => of_told,
                // The runtime tells nothing: the thread is most likely at the end of a region in
                // whose body it was seen.
                None => self.members.get(&sample.thread).into_iter().flatten().copied().collect(),
            },
        };
        let is_wanted = |codeptr: &u64| wanted.contains(codeptr);
        let mut found = self.active.iter().map(|(thread, region)| (*thread, *region));
        let any = |(thread, region): &(u32, u64)| {
            *thread != sample.thread && is_wanted(&self.codeptr(*region))
        };
        if let Some((_, region)) = found.find(any) {
            return Some((region, self.codeptr(region)));
        }
        if !last {
            return None;
        }
        match shape.base {
            // The thread executes a task, say, or is a worker that no sample met at work: it is in
            // the region of its team.
            Base::Body(_) if wanted.is_empty() => Some(self.active_for(sample)),
            Base::Runtime if told.is_none() => Some(self.active_for(sample)),
            _ => {
                let codeptr = wanted.first().copied().unwrap_or(0);
                Some((self.last.get(&codeptr).copied().unwrap_or(0), codeptr))
            }
        }
    }

    /// Returns a region that some thread is in: if possible one in which this thread was seen
    /// before.
    fn active_for(&self, sample: &Sample) -> (u64, u64) {
        let mine = self.members.get(&sample.thread);
        let is_mine = |codeptr: u64| mine.is_some_and(|mine| mine.contains(&codeptr));
        let mut all = self.active.iter().map(|(_, region)| *region);
        let own = all.clone().find(|region| is_mine(self.codeptr(*region)));
        let region = own.or_else(|| all.next()).unwrap_or(0);
        (region, self.codeptr(region))
    }

    /// Adds threads that this look did not meet: they are taken to be in the regions of their last
    /// look.
    fn add_unmet(&mut self, samples: &[Sample]) {
        let Some(now) = samples.first().map(|first| self.seen.looks[first.look as usize]) else {
            return;
        };
        let is_met = |thread: u32| samples.iter().any(|sample| sample.thread == thread);
        let lives = |thread: u32| self.seen.threads[thread as usize].last >= now;
        self.latest.retain(|thread, _| lives(*thread));
        let mut unmet: Vec<_> =
            self.latest.iter().filter(|(thread, _)| !is_met(**thread)).collect();
        unmet.sort();
        let all = unmet.into_iter().flat_map(|(thread, all)| all.iter().map(|it| (*thread, *it)));
        self.active.extend(all);
        samples.iter().for_each(|sample| drop(self.latest.insert(sample.thread, Vec::new())));
    }

    /// Adds the regions on the sample's own stack.
    fn add_begun(&mut self, sample: &Sample, base: u64) {
        let mut region = base;
        for &(at, codeptr) in &self.shape(sample).forks {
            region = self.begun(sample, region, at, codeptr);
            self.active.push((sample.thread, region));
            self.latest.entry(sample.thread).or_default().push(region);
        }
    }

    fn placed(&mut self, sample: &Sample, (base, base_codeptr): (u64, u64)) -> Placed {
        let shape = self.shape(sample);
        let told = self.told(sample).copied();
        let (mut region, mut codeptr) = (base, base_codeptr);
        for &(at, own) in &shape.forks {
            region = self.begun(sample, region, at, own);
            codeptr = own;
        }
        let of_base = u32::from(base_codeptr != 0);
        let own = of_base + shape.forks.len() as u32;
        let work = u32::from(codeptr != 0);
        let waits = told.map(|told| told.state).filter(|state| (0x010..0x100).contains(state));
        let state = match shape.inner {
            Inner::Own => work,
            Inner::Runtime(_) if waits.is_some() => waits.unwrap_or(work),
            Inner::Runtime(Some(REGION_END)) if codeptr == 0 => IDLE,
            Inner::Runtime(Some(REGION_END)) if told.is_some_and(|told| told.state == OVERHEAD) => {
                OVERHEAD
            }
            Inner::Runtime(Some(state)) => state,
            // A thread that runs in the runtime does the runtime's own work; a thread that sleeps
            // there does none.
            Inner::Runtime(None) if sample.sleeps.is_some() => OVERHEAD,
            Inner::Runtime(None) => work,
        };
        let is_bare = shape.base == Base::Runtime;
        let (region, codeptr, own, state) = match told {
            Some(told) if is_bare && told.state == IDLE => (0, 0, 0, IDLE),
            _ => (region, codeptr, own, state),
        };
        let wait_id = told.filter(|_| (0x040..0x050).contains(&state)).map_or(0, |it| it.wait_id);
        let number = told.map_or(0, |told| told.number);
        let task_flags = told.map(|told| told.task_flags).filter(|_| !shape.called.is_empty());
        let by_stack = || if self.is_task(shape) { EXPLICIT } else { 0 };
        let task_flags = task_flags.unwrap_or_else(by_stack);
        let sample = *sample;
        Placed { sample, state, wait_id, region, codeptr, number, task_flags, own, is_bare }
    }

    /// Whether the innermost function that the runtime called is no region's body. If no bodies of
    /// regions are known, and the runtime called one function only, this is taken for one.
    fn is_task(&self, shape: &Shape) -> bool {
        let innermost = shape.called.last();
        let is_region = |start: &u64| self.places.regions.contains_key(start);
        let is_sole = shape.called.len() == 1 && self.places.regions.is_empty();
        innermost.is_some_and(|(_, start)| !is_region(start)) && !is_sole
    }
}
