//! The file and the line of a construct's directive, by its call, its body and the source.

use std::rc::Rc;

use crate::entries::{self, Part};

use super::body::{BodyLine, body_line};
use super::{ConstructKind, Function, Role, Site, Symbols, flang, source};

/// Whether the body is a function that gcc made of the construct.
pub(super) fn is_outlined(body: Option<&(u64, BodyLine)>) -> bool {
    body.is_some_and(|(_, own)| own.role == Role::Outlined)
}

/// The file and the line of the directive at a call, which is in these functions.
pub(super) fn directive(
    symbols: &Symbols,
    kind: ConstructKind,
    site: &Site,
    body: Option<&(u64, BodyLine)>,
    functions: &[Function],
) -> (Option<Rc<str>>, u32) {
    let (call, call_pc, by_gcc) = (&functions[0], site.after - 1, is_outlined(body));
    let is_region = kind == ConstructKind::Region;
    let (mut file, mut line) = (call.file.clone(), call.line);
    if let Some((start, own)) = body
        && own.line > 0
        && (line == 0 || by_gcc && (is_region || is_of_another(symbols, functions, *start)))
    {
        (file, line) = (own.file.clone(), own.line);
    }
    let Some(path) = file.as_deref() else { return (file, line) };
    let by_flang = |start| flang::directive_of_body(symbols, start, path, kind);
    if let Some(line) = site.body.and_then(by_flang) {
        return (file, line);
    }
    let body_line = body.map_or(0, |(_, own)| own.line);
    let found = in_source(symbols, call_pc, path, line, body_line, kind);
    // If gcc's call and body have the same line, and the directive does not reach it, a macro of
    // another file makes the directive there.
    let agree = by_gcc && call.line == body_line && call.file.as_deref() == Some(path);
    if agree && is_region && !spans(symbols, call_pc, path, found, body_line) {
        return (file, body_line);
    }
    let is_task = by_gcc && kind == ConstructKind::Task;
    let by_body = is_task.then(|| own_directive(symbols, site, path, found)).flatten();
    (file, by_body.unwrap_or(found))
}

/// Whether a call has a line of a function that is inlined there, but passes a body of an outer
/// one: gcc's call of a task may have the line of code that was inlined in front of it.
fn is_of_another(symbols: &Symbols, around: &[Function], body: u64) -> bool {
    let Some((call, outer)) = around.split_first() else { return false };
    let body = symbols.functions(body);
    let body = body.last().filter(|body| body.named && !body.shown.is_empty());
    body.is_some_and(|body| {
        call.shown != body.shown && outer.iter().any(|function| function.shown == body.shown)
    })
}

/// The line of the directive, from the source if it can be read.
pub(super) fn in_source(
    symbols: &Symbols,
    pc: u64,
    path: &str,
    line: u32,
    body_line: u32,
    kind: ConstructKind,
) -> u32 {
    let modified = symbols.module(pc).and_then(|module| module.image.as_ref()?.modified);
    let opened = &mut *symbols.opened.borrow_mut();
    source::directive_line(&mut opened.sources, path, line, body_line, kind, modified)
}

/// Whether the directive at `line` reaches the line `other`.
fn spans(symbols: &Symbols, pc: u64, path: &str, line: u32, other: u32) -> bool {
    let all = symbols.directives(pc, path);
    all.iter().any(|directive| directive.line == line && directive.last >= other)
}

/// The task directive above the body of gcc's code, if the call has the line of another directive:
/// one whose task another call makes (at -O0 a call may have the line of the task before it), or
/// one whose body the call is in.
fn own_directive(symbols: &Symbols, site: &Site, path: &str, line: u32) -> Option<u32> {
    let directive_of = |start: u64| {
        let own = body_line(symbols, start).line;
        in_source(symbols, start, path, own, own, ConstructKind::Task)
    };
    let own = directive_of(site.body?);
    let others = symbols.calls_around(site.after - 1);
    let mut others = others
        .iter()
        .filter(|call| call.after != site.after && entries::part(&call.callee) == Some(Part::Task));
    let is_another = |start: u64| directive_of(start) == line;
    let mut of_other = || others.any(|call| symbols.site(call.after).body.is_some_and(is_another));
    let around = symbols.functions(site.after - 1);
    let body = around.last().filter(|body| body.role == Role::Outlined);
    let is_inside = || body.and_then(|body| body.start).is_some_and(is_another);
    (own > line && (is_inside() || of_other())).then_some(own)
}
