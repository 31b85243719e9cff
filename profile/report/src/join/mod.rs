//! Joins recorded stacks into the user's model, as section 6 of the 2007 white paper describes,
//! with the later parts of OpenMP: nested regions, explicit tasks, several compilers.
//!
//! A sample's regions are followed outwards as long as its own thread encountered them: those are
//! on its own stack. The first region that another thread encountered has its fork on that thread's
//! stack; the user-model stack at that fork becomes the prefix, recursively. On the thread's own
//! stack, every function that the runtime called is a construct's body, and becomes the construct.

mod labels;
pub(crate) mod learn;
pub(crate) mod mpi;
mod regions;
mod scripts;
mod steps;
mod walk;

use std::collections::{BTreeSet, HashSet};
use std::num::NonZeroU32;
use std::rc::Rc;

use omphalos_profile_format::{Fork, Sample};

pub use labels::LabelKind;
pub(crate) use labels::{NodeId, PlaceId, PlacesId, StackTree};
use steps::Step;
use walk::{Context, Walk};

use crate::maps::{self, HashMap};
use crate::ompt::{Activity, OVERHEAD_FRAME, TASK_EXPLICIT, THREAD_WORKER, is_league_part};
use crate::recording::{CallName, Recording, StackIndex};
use crate::samples::Taken;
use crate::symbols::{ConstructKind, Symbols};

/// The frame for time that no sample explains.
pub(crate) const NOT_SAMPLED: &str = "<not sampled>";

/// The place of a sample in the user's source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Leaf {
    pub(crate) function: Rc<str>,
    pub(crate) file: Option<Rc<str>>,
    pub(crate) line: u32,
}

/// The number of a [`Leaf`], from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct LeafId(NonZeroU32);

/// A sample in the user's model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joined {
    pub(crate) node: NodeId,
    /// The places of its frames.
    pub(crate) places: PlacesId,
    /// The place in the user's source that ran.
    pub(crate) leaf: Option<LeafId>,
    /// The activity of the thread; for the part of the time in which it was blocked, see
    /// [`Joiner::blocked_in`].
    pub(crate) activity: Activity,
}

/// The facts about a stack that are kept.
#[derive(Clone, Copy, Debug)]
struct Outline {
    /// The construct of the region in which the stack begins.
    body: Option<u64>,
    /// True where the stack's outer part is missing.
    is_cut: bool,
    /// True where the body of a region, or any function that the runtime called, is on the stack.
    has_body: bool,
    ends_in_runtime: bool,
}

/// Turns samples into user-model stacks.
pub(crate) struct Joiner<'a> {
    recording: &'a Recording,
    symbols: &'a Symbols,
    pub(crate) tree: StackTree,
    outlines: HashMap<StackIndex, Outline>,
    /// The steps of the last stack: for all stacks they would be far larger than the file.
    latest: Option<(StackIndex, Rc<[Step]>)>,
    /// For each construct's `codeptr_ra`, the regions whose forks' stacks were captured, in the
    /// order of their begins.
    captured: HashMap<u64, Vec<u64>>,
    prefixes: HashMap<u64, (NodeId, PlacesId)>,
    /// The functions of constructs whose regions have no captured fork.
    functions: HashMap<u64, NodeId>,
    /// The results so far: most samples repeat.
    joined: HashMap<(StackIndex, Context), (NodeId, PlacesId, Option<LeafId>)>,
    leaves: Vec<Leaf>,
    leaf_ids: HashMap<Leaf, LeafId>,
    /// The kind of mutex (`ompt_mutex_t`) of each wait id: some runtimes call every wait one for a
    /// lock.
    mutex_kinds: HashMap<u64, u32>,
    /// Known outlined functions: by their start, the construct that passes them on.
    bodies: HashMap<u64, (ConstructKind, u64)>,
    /// The addresses where runtimes call users' functions.
    entries: HashSet<u64>,
    /// The addresses outside the runtime where its threads begin.
    beginnings: HashSet<u64>,
    /// Whether a function of MPI is on the path.
    in_mpi: HashMap<NodeId, bool>,
    /// Whether the instruction at an address is atomic.
    atomic: HashMap<u64, bool>,
}

impl<'a> Joiner<'a> {
    pub(crate) fn new(recording: &'a Recording, symbols: &'a Symbols) -> Joiner<'a> {
        let mut captured: HashMap<u64, Vec<u64>> = HashMap::default();
        let mut forks: Vec<&(Fork, StackIndex)> = recording.forks.values().collect();
        forks.sort_by_key(|(fork, _)| fork.region);
        for (fork, stack) in &forks {
            if stack.0 != 0 && !is_league_part(fork.flags) {
                captured.entry(fork.codeptr_ra).or_default().push(fork.region);
            }
        }
        let mut sites: BTreeSet<(ConstructKind, u64)> = BTreeSet::new();
        sites.extend(forks.iter().map(|(fork, _)| (ConstructKind::Region, fork.codeptr_ra)));
        sites.extend(recording.regions.keys().map(|key| (ConstructKind::Region, key.0)));
        sites.extend(recording.tasks.keys().map(|key| (ConstructKind::Task, *key)));
        let (regions, tasks) = recording.samples.sites();
        sites.extend(regions.into_iter().map(|site| (ConstructKind::Region, site)));
        sites.extend(tasks.into_iter().map(|site| (ConstructKind::Task, site)));
        // A task that stands for a construct with nowait has that construct's body.
        let targets = recording.targets.keys().map(|key| (ConstructKind::Target, key.0));
        let mut bodies = HashMap::default();
        for (kind, site) in sites.into_iter().chain(targets) {
            if let Some(start) = symbols.site(site).body {
                bodies.insert(start, (kind, site));
            }
        }
        Joiner {
            recording,
            symbols,
            tree: StackTree::new(),
            outlines: HashMap::default(),
            latest: None,
            captured,
            prefixes: HashMap::default(),
            functions: HashMap::default(),
            joined: HashMap::default(),
            leaves: Vec::new(),
            leaf_ids: HashMap::default(),
            in_mpi: HashMap::default(),
            atomic: HashMap::default(),
            mutex_kinds: recording.mutexes.keys().map(|key| (key.0, key.1)).collect(),
            bodies,
            entries: steps::entries(symbols, &recording.stacks),
            beginnings: beginnings_of(recording, symbols),
        }
    }

    /// Joins a sample into the user's model.
    pub(crate) fn join(&mut self, taken: &Taken) -> Joined {
        let Taken { sample, stack, blocked, .. } = taken;
        let mut activity = self.activity(sample);
        // A worker has left a region: the runtime's state is still that of the last barrier.
        if activity.is_barrier() && sample.region == 0 && self.is_bare(*stack) {
            activity = Activity::Idle;
        }
        if activity == Activity::Idle {
            let label = self.tree.label(LabelKind::Runtime, "<omp idle>");
            let node = self.tree.child(NodeId::ROOT, label);
            return Joined { node, places: PlacesId::NONE, leaf: None, activity };
        }
        let explicit = sample.task_flags & TASK_EXPLICIT != 0;
        let (mut context, outermost) = self.context(
            sample.thread,
            sample.region,
            sample.region_codeptr,
            Some(sample.thread_num),
            explicit.then_some(sample.task_codeptr),
            0,
        );
        let Outline { body, is_cut, has_body, ends_in_runtime } = self.outline_of(*stack);
        if context.regions.is_empty() {
            // The thread's first samples in a region may lack it.
            context.regions.extend(body);
        }
        if context.prefix.is_none()
            && is_cut
            && let Some(&site) = context.regions.first()
        {
            context.prefix = Some(match outermost {
                Some(region) => self.prefix_of(region, 0),
                None => self.prefix_of_site(site, sample.region, 0),
            });
        }
        let is_whole = context.prefix.is_some() || has_body;
        if let Some(fork) = (!is_whole).then(|| self.torn_from(sample, *stack)).flatten() {
            context.prefix = Some(self.prefix_of(fork, 0));
            context.regions.drain(..context.regions.len().saturating_sub(1));
            context.is_torn = true;
        }
        // A thread that is blocked is in its call, even if the runtime is innermost on the stack: a
        // body that ends in a jump to the call has no frame.
        let in_runtime = blocked.is_none() && ends_in_runtime;
        let key = (*stack, context);
        let (mut node, places, leaf) = match self.joined.get(&key) {
            Some(known) => *known,
            None => {
                let steps = self.steps_of(*stack);
                let (node, places, leaf) = self.walk(key.1.clone(), &steps);
                let leaf = leaf.map(|leaf| self.leaf_id(leaf));
                self.joined.insert(key, (node, places, leaf));
                (node, places, leaf)
            }
        };
        let leaf =
            leaf.map(|leaf| self.atomic_before(taken).map_or(leaf, |at| self.moved(leaf, at)));
        // No callback tells that the runtime hands out a chunk or makes a task: its code on the
        // stack does.
        let activity = match activity {
            Activity::Serial | Activity::Parallel if self.is_in_mpi(node) => Activity::Mpi,
            Activity::Serial | Activity::Parallel if in_runtime => Activity::Overhead,
            activity => activity,
        };
        let pseudo = activity.pseudo_frame();
        if let Some(pseudo) = pseudo {
            let label = self.tree.label(LabelKind::Runtime, pseudo);
            node = self.tree.child(node, label);
        }
        Joined { node, places, leaf, activity }
    }

    /// Whether a function of MPI is on the path, in a profile that times these. Then events tell
    /// how long the thread was in it.
    fn is_in_mpi(&mut self, node: NodeId) -> bool {
        if self.recording.mpi_calls.is_empty() || node == NodeId::ROOT {
            return false;
        }
        if let Some(known) = self.in_mpi.get(&node) {
            return *known;
        }
        let is_its = mpi::name(&self.tree.label_of(node).text).is_some();
        let is_in_mpi = is_its || self.is_in_mpi(self.tree.parent(node));
        self.in_mpi.insert(node, is_in_mpi);
        is_in_mpi
    }

    /// Returns the stack for time that no sample explains.
    pub(crate) fn not_sampled(&mut self) -> NodeId {
        let label = self.tree.label(LabelKind::System, NOT_SAMPLED);
        self.tree.child(NodeId::ROOT, label)
    }

    /// Returns the stack for time at work in which threads had no processor.
    pub(crate) fn without_cpu(&mut self) -> NodeId {
        let label = self.tree.label(LabelKind::Queued, "<without a CPU>");
        self.tree.child(NodeId::ROOT, label)
    }

    /// Returns the stack for time in the runtime without samples.
    pub(crate) fn overhead(&mut self) -> NodeId {
        let label = self.tree.label(LabelKind::Runtime, OVERHEAD_FRAME);
        self.tree.child(NodeId::ROOT, label)
    }

    /// Returns the stack of a thread that is blocked in a call; `node` is the sample's stack.
    pub(crate) fn blocked_in(&mut self, node: NodeId, call: CallName) -> NodeId {
        let call = self.recording.call(call);
        let innermost = self.tree.label_of(node);
        let is_call = innermost.kind == LabelKind::System && *innermost.text == **call;
        let outside = if is_call { self.tree.parent(node) } else { node };
        let label = self.tree.label(LabelKind::Blocked, &format!("<blocked in {call}>"));
        self.tree.child(outside, label)
    }

    /// Returns the atomic instruction in front of a sample's. A signal that comes while an atomic
    /// instruction waits for its cache line is taken behind it.
    fn atomic_before(&mut self, taken: &Taken) -> Option<u64> {
        let (behind, _) = taken.memory[1]?;
        let pc = *self.recording.stacks[taken.stack.0 as usize].first()?;
        let at = pc.wrapping_sub(u64::from(behind));
        let is_atomic = || self.symbols.access(at).is_some_and(|access| access.is_atomic);
        (*self.atomic.entry(at).or_insert_with(is_atomic)).then_some(at)
    }

    /// Returns the place of the instruction at `at`, if it is in the same file as `leaf`.
    fn moved(&mut self, leaf: LeafId, at: u64) -> LeafId {
        let place = self.leaf(leaf).clone();
        let functions = self.symbols.functions(at);
        let known = functions.iter().find(|one| one.line > 0 && one.file == place.file);
        known.map_or(leaf, |known| self.leaf_id(Leaf { line: known.line, ..place }))
    }

    fn leaf_id(&mut self, leaf: Leaf) -> LeafId {
        let next = LeafId(NonZeroU32::MIN.saturating_add(self.leaves.len() as u32));
        let id = *self.leaf_ids.entry(leaf.clone()).or_insert(next);
        if id == next {
            self.leaves.push(leaf);
        }
        id
    }

    pub(crate) fn leaf(&self, id: LeafId) -> &Leaf {
        &self.leaves[id.0.get() as usize - 1]
    }

    /// Returns the thread's activity by its state.
    fn activity(&self, sample: &Sample) -> Activity {
        match Activity::of_state(sample.state) {
            Activity::Lock => match self.mutex_kinds.get(&sample.wait_id) {
                Some(&kind) => Activity::of_mutex(kind),
                None => Activity::Lock,
            },
            other => other,
        }
    }

    fn walk(&mut self, context: Context, steps: &[Step]) -> (NodeId, PlacesId, Option<Leaf>) {
        Walk::new(&mut self.tree, self.symbols, &self.bodies, context).run(steps)
    }

    fn steps_of(&mut self, stack: StackIndex) -> Rc<[Step]> {
        if let Some((_, known)) = self.latest.as_ref().filter(|latest| latest.0 == stack) {
            return known.clone();
        }
        let pcs = self.recording.stacks.get(stack.0 as usize).map_or(&[][..], |pcs| pcs);
        let steps: Rc<[Step]> =
            steps::of_stack(self.symbols, &self.entries, &self.beginnings, pcs).into();
        self.latest = Some((stack, steps.clone()));
        steps
    }

    /// Whether no function of the program is on the stack.
    fn is_bare(&mut self, stack: StackIndex) -> bool {
        self.steps_of(stack).iter().all(|step| matches!(step, Step::Runtime))
    }

    fn outline_of(&mut self, stack: StackIndex) -> Outline {
        if let Some(known) = self.outlines.get(&stack) {
            return *known;
        }
        let steps = self.steps_of(stack);
        // A stack that begins in a region says nothing of its outer part: the fork does.
        let body = match steps.iter().find(|step| !matches!(step, Step::Runtime)) {
            Some(Step::Frame(frame)) => frame.start.and_then(|start| self.bodies.get(&start)),
            _ => None,
        };
        let body = body.filter(|known| known.0 == ConstructKind::Region).map(|known| known.1);
        let is_cut = body.is_some() || !matches!(steps.first(), Some(Step::Frame(_)));
        let has_body = body.is_some()
            || steps.windows(2).any(|two| matches!(two, [Step::Runtime, Step::Frame(_)]))
            || steps.iter().any(|step| match step {
                Step::Frame(frame) => frame.start.is_some_and(|at| self.bodies.contains_key(&at)),
                Step::Runtime => false,
            });
        let ends_in_runtime = matches!(steps.last(), Some(Step::Runtime));
        let outline = Outline { body, is_cut, has_body, ends_in_runtime };
        self.outlines.insert(stack, outline);
        outline
    }

    /// Returns the region whose fork's stack has the outer part that a sample's stack lacks: code
    /// that cannot be walked through hides that part. `None` if the stack has the call that began
    /// the region, begins like the fork's stack, or is another thread's.
    fn torn_from(&self, sample: &Sample, stack: StackIndex) -> Option<u64> {
        let is_known = self.recording.forks.contains_key(&sample.region);
        let like = || self.captured_like(sample.region_codeptr, sample.region);
        let region = if is_known { Some(sample.region) } else { like() }?;
        let (fork, at_fork) = self.recording.forks.get(&region)?;
        let pcs = |stack: StackIndex| self.recording.stacks.get(stack.0 as usize);
        let own = pcs(stack)?;
        let is_torn = own.last()? != pcs(*at_fork)?.last()? && !own.contains(&fork.codeptr_ra);
        (is_torn && fork.thread == sample.thread).then_some(region)
    }
}

/// Returns the addresses outside the runtime where its threads begin.
fn beginnings_of(recording: &Recording, symbols: &Symbols) -> HashSet<u64> {
    let threads = recording.threads.iter().filter(|(_, info)| info.kind == THREAD_WORKER);
    let workers: maps::HashSet<u32> = threads.map(|(thread, _)| *thread).collect();
    let mut of_workers = vec![false; recording.stacks.len()];
    for taken in recording.samples.iter() {
        if let Some(known) = of_workers.get_mut(taken.stack.0 as usize)
            && !*known
        {
            *known = workers.contains(&taken.sample.thread);
        }
    }
    let stacks = recording.stacks.iter().zip(of_workers).filter(|(_, of_worker)| *of_worker);
    steps::beginnings(symbols, stacks.map(|(pcs, _)| &**pcs))
}
