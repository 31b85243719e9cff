//! One pass over a recorded stack, outermost frame first, that builds the user-model stack.

mod bodies;

use std::rc::Rc;

use super::Leaf;
use super::labels::{LabelId, LabelKind, NodeId, Place, PlaceId, PlacesId, StackTree};
use super::steps::{Frame, Step};
use crate::maps::HashMap;
use crate::symbols::{ConstructKind, Role, Symbols};
use bodies::Expected;

/// The facts about a stack besides its frames.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Context {
    /// The user-model stack at the fork of the outermost of `regions`, where another thread
    /// encountered that region; `None` where the stack reaches to the program's start.
    pub(super) prefix: Option<(NodeId, PlacesId)>,
    /// `codeptr_ra` of the regions on the stack, outermost first.
    pub(super) regions: Vec<u64>,
    /// `codeptr_ra` of the current explicit task's construct.
    pub(super) task: Option<u64>,
    /// True where the stack's own part begins further in than its regions and its task: its frames
    /// come after them.
    pub(super) is_torn: bool,
}

/// The kind of the next frame further out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outer {
    Start,
    Runtime,
    Construct,
    User,
}

pub(super) struct Walk<'a> {
    tree: &'a mut StackTree,
    symbols: &'a Symbols,
    bodies: &'a HashMap<u64, (ConstructKind, u64)>,
    node: NodeId,
    pending: std::vec::IntoIter<u64>,
    task: Option<u64>,
    task_shown: bool,
    /// The region at the base of a worker's stack: it is shown, and its body has not been met yet.
    base_awaited: Option<u64>,
    /// How many bodies of regions are in the steps further in.
    bodies_within: usize,
    outer: Outer,
    leaf: Option<Leaf>,
    outside: PlacesId,
    places: Vec<(NodeId, PlaceId)>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        tree: &'a mut StackTree,
        symbols: &'a Symbols,
        bodies: &'a HashMap<u64, (ConstructKind, u64)>,
        context: Context,
    ) -> Self {
        let mut walk = Walk {
            tree,
            symbols,
            bodies,
            node: context.prefix.map_or(NodeId::ROOT, |prefix| prefix.0),
            pending: context.regions.into_iter(),
            task: context.task,
            task_shown: false,
            base_awaited: None,
            bodies_within: 0,
            outer: Outer::Start,
            leaf: None,
            outside: context.prefix.map_or(PlacesId::NONE, |prefix| prefix.1),
            places: Vec::new(),
        };
        if context.is_torn {
            while walk.next_region() {}
            walk.show_task();
        } else if context.prefix.is_some() {
            walk.base_awaited = walk.pending.as_slice().first().copied();
            walk.next_region();
        }
        walk
    }

    /// Returns the stack, the places of its frames, and the innermost line of the user's source.
    pub(super) fn run(mut self, steps: &[Step]) -> (NodeId, PlacesId, Option<Leaf>) {
        let last_entry = steps
            .windows(2)
            .rposition(|two| matches!(two, [Step::Runtime, Step::Frame(_)]))
            .map(|before| before + 1);
        self.bodies_within = steps.iter().filter(|step| self.is_region_body(step)).count();
        for (i, step) in steps.iter().enumerate() {
            self.bodies_within -= usize::from(self.is_region_body(step));
            match step {
                Step::Runtime => self.outer = Outer::Runtime,
                Step::Frame(frame) => {
                    // A frame that encloses no further body belongs to the current task.
                    let innermost = last_entry.is_none_or(|last| i >= last);
                    self.outer = self.frame(frame, innermost);
                    self.note_place(frame);
                }
            }
        }
        while self.next_region() {}
        self.show_task();
        let places = self.tree.list_of_places(self.outside, &self.places);
        (self.node, places, self.leaf)
    }

    /// Shows the current task, where no frame stood for it.
    fn show_task(&mut self) {
        if let Some(task) = self.task
            && !self.task_shown
            && task != 0
        {
            self.construct(ConstructKind::Task, task);
            self.task_shown = true;
        }
    }

    fn is_region_body(&self, step: &Step) -> bool {
        let Step::Frame(frame) = step else { return false };
        let known = frame.start.and_then(|start| self.bodies.get(&start));
        matches!(known, Some((ConstructKind::Region, _)))
            || (known.is_none() && frame.role == Role::Region && frame.physical)
    }

    fn frame(&mut self, frame: &Frame, innermost: bool) -> Outer {
        self.note_leaf(frame);
        let called_by_runtime = self.outer == Outer::Runtime
            || (self.outer == Outer::Start && self.base_awaited.is_some());
        let known = frame.start.and_then(|start| self.bodies.get(&start)).copied();
        match (frame.role, known) {
            (Role::Helper, _) => return self.outer,
            // The inner half of a body whose outer half came just before.
            (Role::Body, None) if self.outer == Outer::Construct => {}
            (Role::Region, _) if self.outer == Outer::Construct && !frame.physical => {}
            (_, Some((ConstructKind::Region, site))) => self.region_body(Some(site), frame),
            (_, Some((ConstructKind::Target, site))) => {
                self.base_awaited = None;
                self.construct(ConstructKind::Target, site);
                self.task_shown |= innermost;
            }
            (_, Some((_, site))) => self.task_body(Some(site), frame, innermost),
            (Role::Region, None) => self.region_body(None, frame),
            (Role::Task, None) => self.task_body(None, frame, innermost),
            (Role::Target, None) => {
                let label = frame.start.map(|start| self.symbols.kernel(start));
                let label = label.as_deref().unwrap_or("target");
                let label = self.tree.label(LabelKind::Target, label);
                self.node = self.tree.child(self.node, label);
                self.task_shown |= innermost;
            }
            (Role::Outlined | Role::Body, None) => self.unknown_body(frame, innermost),
            (Role::User, None) => {
                let expected = self.expected_body(innermost);
                if called_by_runtime && frame.physical && expected != Expected::None {
                    self.unknown_body(frame, innermost);
                }
                // A body that is another function ended in a jump to this one.
                let is_body = expected == Expected::Any && !frame.system;
                if !(called_by_runtime && frame.physical && is_body) {
                    self.function(frame);
                    return Outer::User;
                }
            }
        }
        Outer::Construct
    }

    fn next_region(&mut self) -> bool {
        let Some(site) = self.pending.next() else { return false };
        self.construct(ConstructKind::Region, site);
        true
    }

    fn construct(&mut self, kind: ConstructKind, site: u64) {
        let construct = self.symbols.construct(site, kind);
        if construct.tail_called && *self.tree.label_of(self.node).text != *construct.function {
            let label = self.tree.label(LabelKind::Function, &construct.function);
            self.node = self.tree.child(self.node, label);
        }
        let label_kind = match kind {
            ConstructKind::Task => LabelKind::Task,
            ConstructKind::Target => LabelKind::Target,
            _ => LabelKind::Region,
        };
        let label = self.tree.label(label_kind, &construct.label);
        if label_kind == LabelKind::Task && self.fold(label) {
            return;
        }
        self.node = self.tree.child(self.node, label);
    }

    /// Goes back to the node with this label further out in the innermost region, if there is one.
    /// So a recursion has one node, whose children are those of all its depths.
    fn fold(&mut self, label: LabelId) -> bool {
        let mut at = self.node;
        while at != NodeId::ROOT {
            if self.tree.label_id_of(at) == label {
                self.node = at;
                return true;
            }
            if self.tree.label_of(at).kind == LabelKind::Region {
                return false;
            }
            at = self.tree.parent(at);
        }
        false
    }

    fn function(&mut self, frame: &Frame) {
        let kind = if frame.system { LabelKind::System } else { LabelKind::Function };
        if let Some(interpreter) = frame.interpreter {
            // The interpreter's functions call each other for each call in the script: one frame
            // stands for all.
            if *self.tree.label_of(self.node).text != *interpreter {
                let label = self.tree.label(LabelKind::System, interpreter);
                self.node = self.tree.child(self.node, label);
            }
            return;
        }
        let text = if frame.shown.is_empty() { "compiler-made function" } else { &frame.shown };
        let label = self.tree.label(kind, text);
        if self.fold(label) {
            return;
        }
        self.node = self.tree.child(self.node, label);
    }

    /// Notes the frame's place for its node. Of several frames with one node, the innermost counts.
    fn note_place(&mut self, frame: &Frame) {
        if frame.role == Role::Helper || self.node == NodeId::ROOT {
            return;
        }
        let (file, line) = match frame.line {
            0 => (None, 0),
            line => (frame.file.clone(), line),
        };
        let place = self.tree.place_id(Place { module: frame.module, file, line });
        match self.places.iter_mut().rev().find(|(node, _)| *node == self.node) {
            Some((_, known)) => *known = place,
            None => self.places.push((self.node, place)),
        }
    }

    /// Keeps the innermost frame of the user's own source so far.
    fn note_leaf(&mut self, frame: &Frame) {
        let better = frame.line > 0 || self.leaf.as_ref().is_none_or(|leaf| leaf.line == 0);
        let is_user = !frame.system && frame.interpreter.is_none();
        if frame.role != Role::Helper && is_user && frame.named && better {
            let function: Rc<str> = match (&self.leaf, frame.shown.is_empty()) {
                (Some(leaf), true) => leaf.function.clone(),
                _ => frame.name.as_ref().unwrap_or(&frame.shown).clone(),
            };
            self.leaf = Some(Leaf { function, file: frame.file.clone(), line: frame.line });
        }
    }
}
