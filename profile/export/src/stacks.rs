//! All stacks of a command's processes, their frames numbered.

use std::collections::HashMap;
use std::hash::Hash;

use omphalos_report::{Analysis, LabelKind, PlacedFrame, TimeKind};

/// A stack, its time, ns, and the kind of that time.
pub(crate) struct Stack {
    /// The number of its process.
    pub(crate) process: usize,
    /// Numbers of frames, outermost first.
    pub(crate) frames: Vec<usize>,
    pub(crate) kind: TimeKind,
    pub(crate) time: u64,
}

/// All stacks, in the order of their frames' names.
pub(crate) struct Stacks {
    pub(crate) frames: Vec<PlacedFrame>,
    pub(crate) rows: Vec<Stack>,
}

impl Stacks {
    /// Numbers the stacks of these processes. If there are several, each is the outermost frame of
    /// its stacks.
    pub(crate) fn of(processes: &[&Analysis]) -> Stacks {
        let mut frames = Numbers::default();
        let mut rows = Vec::new();
        for (process, analysis) in processes.iter().enumerate() {
            let outermost = (processes.len() > 1).then(|| frames.number(frame_of(analysis)));
            analysis.each_stack(|placed, time| {
                let kind = placed.last().map_or(TimeKind::NotSampled, |innermost| {
                    TimeKind::of(innermost.kind, &innermost.text)
                });
                let own = placed.iter().map(|frame| frames.number(frame.clone()));
                let frames = outermost.into_iter().chain(own).collect();
                rows.push(Stack { process, frames, kind, time });
            });
        }
        let frames = frames.rows;
        let key = |stack: &Stack| {
            let names = stack.frames.iter().map(|frame| (frames[*frame].text.clone(), *frame));
            (stack.process, names.collect::<Vec<_>>())
        };
        rows.sort_by_cached_key(key);
        Stacks { frames, rows }
    }
}

/// A process of several, as a frame.
fn frame_of(analysis: &Analysis) -> PlacedFrame {
    let text = format!("{} {}", program(analysis), analysis.summary().pid);
    PlacedFrame { kind: LabelKind::Function, text: text.into(), file: None, line: 0 }
}

/// The name of the program's file.
pub(crate) fn program(analysis: &Analysis) -> &str {
    let name = analysis.summary().executable.rsplit('/').next();
    name.filter(|name| !name.is_empty()).unwrap_or("program")
}

/// Rows by their content, numbered from 0 in the order in which they come.
pub(crate) struct Numbers<T> {
    numbers: HashMap<T, usize>,
    pub(crate) rows: Vec<T>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Numbers { numbers: HashMap::new(), rows: Vec::new() }
    }
}

impl<T: Clone + Eq + Hash> Numbers<T> {
    pub(crate) fn number(&mut self, row: T) -> usize {
        let next = self.rows.len();
        let number = *self.numbers.entry(row.clone()).or_insert(next);
        if number == next {
            self.rows.push(row);
        }
        number
    }
}

/// The word for a kind of time in all formats.
pub(crate) fn time_kind(kind: TimeKind) -> &'static str {
    match kind {
        TimeKind::Work => "work",
        TimeKind::Wait => "wait",
        TimeKind::Blocked => "blocked",
        TimeKind::WithoutCpu => "without_cpu",
        TimeKind::NotSampled => "not_sampled",
    }
}
