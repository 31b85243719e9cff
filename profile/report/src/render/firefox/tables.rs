//! The tables of the format: strings, sources, functions, frames and stacks, each row once.

use std::collections::HashMap;
use std::hash::Hash;
use std::rc::Rc;

use serde_json::{Value, json};

use super::libraries::Library;
use crate::join::{LabelKind, NodeId, PlaceId, PlacesId};
use crate::symbols::ModuleInfo;
use crate::{Analysis, TimedSample};

/// Names and colours; a frame's category is an index in this list. The format requires a grey one.
pub(super) const CATEGORIES: [(&str, &str); 8] = [
    ("Other", "grey"),
    ("User", "yellow"),
    ("System", "orange"),
    ("Parallel region", "green"),
    ("Task", "blue"),
    ("OpenMP wait", "red"),
    ("Blocked", "purple"),
    ("Device", "magenta"),
];

/// The category of everything on devices.
pub(super) const DEVICE: usize = 7;

/// Returns the number of a kind's category.
pub(super) fn category(kind: LabelKind) -> usize {
    match kind {
        LabelKind::Queued => 0,
        LabelKind::Function => 1,
        LabelKind::System => 2,
        LabelKind::Region => 3,
        LabelKind::Task => 4,
        LabelKind::Runtime => 5,
        LabelKind::Blocked => 6,
        LabelKind::Target => DEVICE,
    }
}

/// Rows by their content, numbered in the order in which they come.
struct Rows<T> {
    numbers: HashMap<T, usize>,
    rows: Vec<T>,
}

impl<T: Clone + Eq + Hash> Rows<T> {
    fn new() -> Self {
        Rows { numbers: HashMap::new(), rows: Vec::new() }
    }

    fn number(&mut self, row: T) -> usize {
        let next = self.rows.len();
        let number = *self.numbers.entry(row.clone()).or_insert(next);
        if number == next {
            self.rows.push(row);
        }
        number
    }

    /// Returns one column of the table.
    fn column<U>(&self, of: impl Fn(&T) -> U) -> Vec<U> {
        self.rows.iter().map(of).collect()
    }

    fn all<U: Clone>(&self, value: U) -> Vec<U> {
        vec![value; self.rows.len()]
    }

    fn len(&self) -> usize {
        self.rows.len()
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Func {
    name: usize,
    source: Option<usize>,
    /// A library.
    resource: Option<usize>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Frame {
    func: usize,
    category: usize,
    line: Option<u32>,
}

/// Tables under construction.
pub(super) struct Tables<'a> {
    /// The process that rows are added for, and how much later than the first one it began, ns.
    analysis: &'a Analysis,
    later: u64,
    /// The numbers of that process's files of code, in `libraries`.
    modules: Vec<usize>,
    libraries: Rows<Library>,
    strings: Rows<Rc<str>>,
    sources: Rows<usize>,
    /// By the number of the library.
    resources: Rows<usize>,
    funcs: Rows<Func>,
    frames: Rows<Frame>,
    /// Frame and the stack outside of it.
    stacks: Rows<(usize, Option<usize>)>,
    known: HashMap<(NodeId, PlacesId), Option<usize>>,
}

impl<'a> Tables<'a> {
    pub(super) fn new(analysis: &'a Analysis) -> Self {
        Tables {
            analysis,
            later: 0,
            modules: Vec::new(),
            libraries: Rows::new(),
            strings: Rows::new(),
            sources: Rows::new(),
            resources: Rows::new(),
            funcs: Rows::new(),
            frames: Rows::new(),
            stacks: Rows::new(),
            known: HashMap::new(),
        }
    }

    /// Turns to this process, which began `later` than the first one, ns.
    pub(super) fn turn_to(&mut self, analysis: &'a Analysis, later: u64) {
        (self.analysis, self.later) = (analysis, later);
        self.known.clear();
        let libraries = &mut self.libraries;
        let modules = analysis.modules.iter();
        let number =
            |module: &ModuleInfo| libraries.number((module.path.clone(), module.build_id.clone()));
        self.modules = modules.map(number).collect();
    }

    /// Returns a time of the process, ns, in the format's unit.
    pub(super) fn ms(&self, time: u64) -> f64 {
        super::ms(time.saturating_add(self.later))
    }

    pub(super) fn libraries(&self) -> &[Library] {
        &self.libraries.rows
    }

    pub(super) fn string(&mut self, text: &str) -> usize {
        self.strings.number(text.into())
    }

    /// Returns the number of a sample's stack; `None` for the empty one.
    pub(super) fn stack(&mut self, sample: &TimedSample) -> Option<usize> {
        let analysis = self.analysis;
        let places = sample.places;
        if let Some(known) = self.known.get(&(sample.node, places)) {
            return *known;
        }
        let mut place_of: HashMap<NodeId, PlaceId> = HashMap::new();
        for (node, place) in analysis.stacks.places_of(places) {
            place_of.entry(node).or_insert(place);
        }
        // From the innermost node outwards to the first known one, then back in.
        let mut chain = Vec::new();
        let mut at = sample.node;
        while at != NodeId::ROOT && !self.known.contains_key(&(at, places)) {
            chain.push(at);
            at = analysis.stacks.parent(at);
        }
        let mut stack = self.known.get(&(at, places)).copied().flatten();
        for node in chain.into_iter().rev() {
            let frame = self.frame(node, place_of.get(&node).copied());
            stack = Some(self.stacks.number((frame, stack)));
            self.known.insert((node, places), stack);
        }
        stack
    }

    fn frame(&mut self, node: NodeId, place: Option<PlaceId>) -> usize {
        let analysis = self.analysis;
        let label = analysis.stacks.label_of(node);
        let place = place.map(|place| analysis.stacks.place(place));
        let name = self.strings.number(label.text.clone());
        let source = place.and_then(|place| place.file.clone()).map(|file| {
            let file = self.strings.number(crate::visible(&file).into());
            self.sources.number(file)
        });
        let library = place.and_then(|place| self.modules.get(place.module? as usize).copied());
        let resource = library.map(|library| self.resources.number(library));
        let func = self.funcs.number(Func { name, source, resource });
        let line = place.map(|place| place.line).filter(|line| *line > 0);
        self.frames.number(Frame { func, category: category(label.kind), line })
    }

    /// Returns `shared` of the format.
    pub(super) fn into_value(mut self) -> Value {
        let names: Vec<usize> = self
            .resources
            .rows
            .clone()
            .into_iter()
            .map(|library| {
                let path = self.libraries.rows.get(library).map(|(path, _)| path);
                let name = path.and_then(|path| path.file_name()).unwrap_or_default();
                let name = crate::visible(&name.to_string_lossy()).into_owned();
                self.string(&name)
            })
            .collect();
        let (funcs, frames, stacks) = (&self.funcs, &self.frames, &self.stacks);
        let none: Option<u32> = None;
        json!({
            "stackTable": {
                "frame": stacks.column(|(frame, _)| *frame),
                "prefix": stacks.column(|(_, outside)| *outside),
                "length": stacks.len(),
            },
            "frameTable": {
                "address": frames.all(-1),
                "inlineDepth": frames.all(0),
                "category": frames.column(|frame| frame.category),
                "subcategory": frames.all(0),
                "func": frames.column(|frame| frame.func),
                "nativeSymbol": frames.all(none),
                "innerWindowID": frames.all(0),
                "line": frames.column(|frame| frame.line),
                "column": frames.all(none),
                "length": frames.len(),
            },
            "funcTable": {
                "name": funcs.column(|func| func.name),
                "isJS": funcs.all(false),
                "relevantForJS": funcs.all(false),
                "resource": funcs.column(|func| func.resource.map_or(-1, |number| number as i64)),
                "source": funcs.column(|func| func.source),
                "lineNumber": funcs.all(none),
                "columnNumber": funcs.all(none),
                "length": funcs.len(),
            },
            "resourceTable": {
                "lib": self.resources.rows,
                "name": names,
                "host": self.resources.all(none),
                // A library.
                "type": self.resources.all(1),
                "length": self.resources.len(),
            },
            "nativeSymbols": {
                "libIndex": [], "address": [], "name": [], "functionSize": [], "length": 0,
            },
            "sources": {
                "id": self.sources.all(none),
                "filename": self.sources.rows,
                "startLine": self.sources.all(1),
                "startColumn": self.sources.all(1),
                "sourceMapURL": self.sources.all(none),
                "length": self.sources.len(),
            },
            "stringArray": self.strings.rows.iter().map(|text| &**text).collect::<Vec<_>>(),
        })
    }
}
