//! Finds the user's own code on a call path: the frame of a source file that is nearest to the
//! path's end, or, where the path has none, of a header that belongs to no system.

use std::rc::Rc;

use crate::join::LabelKind;
use crate::model::{CallNode, LineTime, is_users};

/// Endings of files that other files include.
const HEADERS: [&str; 8] = [".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp", ".tcc", ".inc"];

/// A frame of the user's code.
pub(super) struct OwnCode<'a> {
    pub(super) function: &'a Rc<str>,
    pub(super) line: Option<&'a LineTime>,
    /// Its index in the path.
    at: usize,
}

impl OwnCode<'_> {
    /// Returns `file.c:12 in f`; for a program without lines `f`, or `file+0x12`. A frame of a
    /// script's code that calls others is called by its place already.
    pub(super) fn place(&self) -> String {
        let Some(line) = self.line else { return self.function.to_string() };
        let place = format!("{} in ", line.place());
        match self.function.starts_with(&place) {
            true => self.function.to_string(),
            false => format!("{place}{}", self.function),
        }
    }
}

/// Returns the frames, from the root on, that each have at least half of the root's time.
pub(super) fn heaviest_path(root: &CallNode) -> Vec<&CallNode> {
    let mut path = Vec::new();
    let mut at = root;
    while let Some(child) = at.children.first().filter(|child| child.total * 2 >= root.total) {
        path.push(child);
        at = child;
    }
    path
}

/// Returns the user's code nearest to the end of a path.
pub(super) fn nearest<'a>(path: &[&'a CallNode]) -> Option<OwnCode<'a>> {
    let is_program = |node: &CallNode| {
        use LabelKind::{Function, Region, Target, Task};
        [Function, Region, Task, Target].contains(&node.kind) && !node.text.is_empty()
    };
    let last = |is_own: &dyn Fn(&CallNode) -> bool| {
        path.iter().rposition(|node| is_program(node) && is_own(node))
    };
    let is_in = |node: &CallNode, is_own: fn(&str) -> bool| {
        node.lines.first().is_some_and(|line| is_own(&line.file))
    };
    let at = last(&|node| is_in(node, is_source))
        .or_else(|| last(&|node| is_in(node, is_users)))
        .or_else(|| last(&|node| !node.text.contains("+0x")))
        .or_else(|| last(&|_| true))?;
    let node = path[at];
    let line = node.lines.first().filter(|line| is_users(&line.file));
    Some(OwnCode { function: &node.text, line, at })
}

/// Returns the function that the user's code calls on the way to the path's end; `None` where the
/// user's code is the end.
pub(super) fn called_by<'a>(own: &OwnCode<'_>, path: &[&'a CallNode]) -> Option<&'a Rc<str>> {
    path.get(own.at + 1).map(|node| &node.text)
}

/// Returns the function of the C library through which the path reaches its end.
pub(super) fn library_call<'a>(own: &OwnCode<'_>, path: &[&'a CallNode]) -> Option<&'a Rc<str>> {
    let below = path.get(own.at + 1..)?;
    let of_system = below.iter().find(|node| node.kind == LabelKind::System);
    of_system.or(below.first()).map(|node| &node.text)
}

/// Whether a file is a source file of the user's, by its name.
fn is_source(file: &str) -> bool {
    is_users(file) && !HEADERS.iter().any(|end| file.ends_with(end))
}

/// Returns the user's code nearest to this function, where the function has the most time.
pub(super) fn caller_of<'a>(root: &'a CallNode, function: &str) -> Option<OwnCode<'a>> {
    let (mut todo, mut path): (Vec<(&CallNode, usize)>, Vec<&CallNode>) = (vec![(root, 0)], vec![]);
    let mut most: Option<(u64, Vec<&CallNode>)> = None;
    while let Some((node, depth)) = todo.pop() {
        path.truncate(depth);
        path.push(node);
        todo.extend(node.children.iter().map(|child| (child, depth + 1)));
        if *node.text == *function && most.as_ref().is_none_or(|(time, _)| node.own > *time) {
            most = Some((node.own, path.clone()));
        }
    }
    nearest(&most?.1)
}

#[cfg(test)]
mod tests {
    use super::{OwnCode, is_source};
    use crate::model::{LineTime, is_users};

    #[test]
    fn files_are_known_by_their_names() {
        let kinds = |file| (is_users(file), is_source(file));
        assert_eq!(kinds("/home/me/solver.cpp"), (true, true));
        assert_eq!(kinds("src/solver.f90"), (true, true));
        assert_eq!(kinds("/home/me/include/grid.hpp"), (true, false));
        assert_eq!(kinds("/usr/include/c++/12/bits/stl_algobase.h"), (false, false));
        assert_eq!(kinds("/home/me/toolchain/include/c++/v1/vector"), (false, false));
        assert_eq!(kinds("/usr/lib/gcc/x86_64-linux-gnu/12/include/immintrin.h"), (false, false));
    }

    #[test]
    fn a_place_is_said_once() {
        let line = LineTime { file: "/home/me/fit.R".into(), line: 12, time: 1 };
        let place = |function: &str| {
            OwnCode { function: &function.into(), line: Some(&line), at: 0 }.place()
        };
        assert_eq!(place("pureR"), "fit.R:12 in pureR");
        assert_eq!(place("fit.R:12 in pureR"), "fit.R:12 in pureR");
    }
}
