//! The parts of user-model stacks: labels, and a tree whose nodes are stacks that share prefixes.

use std::rc::Rc;

use crate::maps::HashMap;

/// The kind of a frame of a user-model stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LabelKind {
    /// A function of the user's code; also the nameless root.
    Function,
    /// A function that the C library provides.
    System,
    /// A region of `parallel`, alone or combined, or of `teams`.
    Region,
    /// An explicit task of one task construct.
    Task,
    /// A region on a device.
    Target,
    /// `<omp …>`: the runtime's work.
    Runtime,
    /// `<blocked in …>`: asleep in a call of the C library, or of the system.
    Blocked,
    /// `<without a CPU>`: able to run, but kept from it.
    Queued,
}

impl LabelKind {
    /// Returns its word in reports for programs.
    pub fn word(self) -> &'static str {
        match self {
            LabelKind::Function => "function",
            LabelKind::System => "system",
            LabelKind::Region => "region",
            LabelKind::Task => "task",
            LabelKind::Target => "target",
            LabelKind::Runtime => "runtime",
            LabelKind::Blocked => "blocked",
            LabelKind::Queued => "queued",
        }
    }
}

const KINDS: usize = LabelKind::Queued as usize + 1;

/// One frame of a user-model stack.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    pub kind: LabelKind,
    pub text: Rc<str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct LabelId(u32);

/// A stack: its innermost frame, linked to its callers. The root is the empty stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(pub(crate) u32);

/// The place of a frame: its module, by number, and its source line, as far as they are known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) module: Option<u32>,
    pub(crate) file: Option<Rc<str>>,
    /// 0 = unknown.
    pub(crate) line: u32,
}

/// The number of a [`Place`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct PlaceId(pub(crate) u32);

/// The place of each frame of a stack, by its node; those of `outside` come first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Places {
    outside: Option<PlacesId>,
    own: Box<[(NodeId, PlaceId)]>,
}

/// The number of a stack's places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct PlacesId(u32);

impl PlacesId {
    pub(crate) const NONE: PlacesId = PlacesId(0);
}

/// The most frames of a stack, which bounds recursion over the tree.
const DEEPEST: u32 = 1000;

impl NodeId {
    pub(crate) const ROOT: NodeId = NodeId(0);
}

/// All stacks of a profile.
#[derive(Debug)]
pub(crate) struct StackTree {
    labels: Vec<Label>,
    /// By the number of the kind.
    label_ids: [HashMap<Rc<str>, LabelId>; KINDS],
    /// Parent, label and depth of each node; parents come before their children.
    nodes: Vec<(NodeId, LabelId, u32)>,
    children: HashMap<(NodeId, LabelId), NodeId>,
    places: Vec<Place>,
    place_ids: HashMap<Place, PlaceId>,
    lists: Vec<Places>,
    list_ids: HashMap<Places, PlacesId>,
}

impl StackTree {
    pub(crate) fn new() -> StackTree {
        let mut tree = StackTree {
            labels: Vec::new(),
            label_ids: Default::default(),
            nodes: Vec::new(),
            children: HashMap::default(),
            places: Vec::new(),
            place_ids: HashMap::default(),
            lists: vec![Places::default()],
            list_ids: HashMap::from_iter([(Places::default(), PlacesId::NONE)]),
        };
        let root = tree.label(LabelKind::Function, "");
        tree.nodes.push((NodeId::ROOT, root, 0));
        tree
    }

    pub(crate) fn label(&mut self, kind: LabelKind, text: &str) -> LabelId {
        let ids = &mut self.label_ids[kind as usize];
        if let Some(id) = ids.get(text) {
            return *id;
        }
        let id = LabelId(self.labels.len() as u32);
        let label = Label { kind, text: text.into() };
        ids.insert(label.text.clone(), id);
        self.labels.push(label);
        id
    }

    /// Returns the stack `parent` with one more frame; a stack of [`DEEPEST`] frames gets no
    /// deeper.
    pub(crate) fn child(&mut self, parent: NodeId, label: LabelId) -> NodeId {
        let depth = self.nodes[parent.0 as usize].2;
        if depth >= DEEPEST {
            return parent;
        }
        let next = NodeId(self.nodes.len() as u32);
        let node = *self.children.entry((parent, label)).or_insert(next);
        if node == next {
            self.nodes.push((parent, label, depth + 1));
        }
        node
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn parent(&self, node: NodeId) -> NodeId {
        self.nodes[node.0 as usize].0
    }

    pub(crate) fn label_of(&self, node: NodeId) -> &Label {
        &self.labels[self.nodes[node.0 as usize].1.0 as usize]
    }

    pub(crate) fn label_id_of(&self, node: NodeId) -> LabelId {
        self.nodes[node.0 as usize].1
    }

    /// Returns the labels of a stack, outermost first.
    pub(crate) fn path(&self, mut node: NodeId) -> Vec<&Label> {
        let mut path = Vec::new();
        while node != NodeId::ROOT {
            path.push(self.label_of(node));
            node = self.parent(node);
        }
        path.reverse();
        path
    }

    pub(crate) fn place_id(&mut self, place: Place) -> PlaceId {
        let next = PlaceId(self.places.len() as u32);
        let id = *self.place_ids.entry(place.clone()).or_insert(next);
        if id == next {
            self.places.push(place);
        }
        id
    }

    pub(crate) fn place(&self, id: PlaceId) -> &Place {
        &self.places[id.0 as usize]
    }

    /// Returns the places of a stack whose outer part has those of `outside`; equal ones are kept
    /// once.
    pub(crate) fn list_of_places(
        &mut self,
        outside: PlacesId,
        own: &[(NodeId, PlaceId)],
    ) -> PlacesId {
        if own.is_empty() {
            return outside;
        }
        let outside = (outside != PlacesId::NONE).then_some(outside);
        let list = Places { outside, own: own.into() };
        let next = PlacesId(self.lists.len() as u32);
        let id = *self.list_ids.entry(list.clone()).or_insert(next);
        if id == next {
            self.lists.push(list);
        }
        id
    }

    /// Returns each frame's place, the outer part's last. For a node that comes twice, the first
    /// place holds.
    pub(crate) fn places_of(&self, id: PlacesId) -> impl Iterator<Item = (NodeId, PlaceId)> {
        // A list is made after the one outside of it: this ends.
        let lists = std::iter::successors(self.lists.get(id.0 as usize), |list| {
            self.lists.get(list.outside?.0 as usize)
        });
        lists.flat_map(|list| list.own.iter().copied())
    }
}
