//! Finds the construct of a `codeptr_ra` in the source: the directive's kind, file, line and
//! function.
//!
//! Compilers disagree about the line of the call that they put in a directive's place; README.md
//! ("The line of a construct") describes the remedies.

use std::rc::Rc;

use crate::visible::visible;

use super::body::{BodyLine, body_line};
use super::construct_line::{directive, in_source, is_outlined};
use super::{Function, Inner, Owner, Role, Site, Symbols, enclosing};

/// The kind of a construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ConstructKind {
    /// `parallel`, alone or combined, and `teams`.
    Region,
    /// `task`, `taskloop`.
    Task,
    /// A region of `target`.
    Target,
    /// Any other place that called the runtime: a critical, a lock routine.
    Place,
}

/// A construct of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Construct {
    /// Its kind, which decides the begin of `label`.
    pub kind: ConstructKind,
    /// Full path as the compiler recorded it.
    pub file: Option<Rc<str>>,
    /// 0 = unknown.
    pub line: u32,
    /// The user's function that contains it.
    pub function: Rc<str>,
    /// `region at file.c:42 in main`, `task at file.c:50 in main`, `file.c:60 in main`.
    pub label: Rc<str>,
    /// The compiler made the call of the runtime a jump: the function is on no stack.
    pub tail_called: bool,
}

impl Construct {
    fn new(
        kind: ConstructKind,
        file: Option<Rc<str>>,
        line: u32,
        function: Rc<str>,
        is_named: bool,
        elsewhere: &str,
    ) -> Construct {
        let place = match &file {
            Some(file) if line > 0 => {
                format!("{}:{line}", visible(file.rsplit('/').next().unwrap_or(file)))
            }
            _ => elsewhere.to_owned(),
        };
        // A nameless function would be `module+0x1234` too, which adds nothing.
        let place = if is_named { format!("{place} in {function}") } else { place };
        let label = match kind {
            ConstructKind::Region => format!("region at {place}"),
            ConstructKind::Task => format!("task at {place}"),
            ConstructKind::Target => format!("target at {place}"),
            ConstructKind::Place => place,
        };
        Construct { kind, file, line, function, label: label.into(), tail_called: false }
    }
}

impl Construct {
    /// A place whose file, line and function are known already.
    pub fn at(file: Rc<str>, line: u32, function: Rc<str>) -> Construct {
        Construct::new(ConstructKind::Place, Some(file), line, function, true, "an unknown place")
    }

    /// The place of the last call of a construct's body, described by the construct's line.
    pub fn last_call(&self) -> Construct {
        let label = format!("a last call in {}", self.label).into();
        Construct { kind: ConstructKind::Place, label, ..self.clone() }
    }

    /// The same place with another line.
    pub fn at_line(&self, line: u32) -> Construct {
        let (file, function) = (self.file.clone(), self.function.clone());
        Construct::new(ConstructKind::Place, file, line, function, true, "an unknown place")
    }
}

pub(super) fn find(symbols: &Symbols, codeptr_ra: u64, kind: ConstructKind) -> Construct {
    if kind == ConstructKind::Target {
        let place = symbols.inner(codeptr_ra, 0, Inner::Target).construct;
        let label = format!("target at {}", place.label).into();
        return Construct { kind, label, ..(*place).clone() };
    }
    if let Some(place) = symbols.python(codeptr_ra) {
        return Construct::at(place.file, place.line, place.name);
    }
    let site = match kind {
        ConstructKind::Place => Site { after: codeptr_ra, ..Site::default() },
        _ => symbols.site(codeptr_ra),
    };
    let body = site.body.map(|start| (start, body_line(symbols, start)));
    let body = match body {
        // The construct's function ended in a jump to the runtime. That function's caller does not
        // show which function it was: only the body does.
        Some((start, own)) if site.is_unknown || in_runtime(symbols, codeptr_ra) => {
            let tail_called = site.tail_called;
            return Construct { tail_called, ..from_body(symbols, kind, start, own) };
        }
        None if in_runtime(symbols, codeptr_ra) => {
            let function = if codeptr_ra != 0 { "the runtime" } else { "an unknown place" };
            return Construct::new(kind, None, 0, function.into(), true, "an unknown place");
        }
        body => body,
    };
    let functions = symbols.functions(site.after - 1);
    let (file, line) = directive(symbols, kind, &site, body.as_ref(), &functions);
    let by_gcc = is_outlined(body.as_ref());
    let function = function_around(symbols, &site, by_gcc, &functions, (file.as_deref(), line));
    let is_named = functions[0].named || *function != *functions[0].shown;
    let elsewhere = address_in_words(symbols, site.after);
    let construct = Construct::new(kind, file, line, function, is_named, &elsewhere);
    Construct { tail_called: site.tail_called, ..construct }
}

/// The name of the user's function around a construct, by the functions at its call and by the name
/// of its body. `at`: the directive's file and line.
fn function_around(
    symbols: &Symbols,
    site: &Site,
    by_gcc: bool,
    functions: &[Function],
    at: (Option<&str>, u32),
) -> Rc<str> {
    let (call_pc, (file, line)) = (site.after - 1, at);
    let by_call = user_function(symbols, call_pc, file, line);
    let by_body = site.body.and_then(|start| {
        let functions = symbols.functions(start);
        let named = functions.last().filter(|body| body.named);
        named.map(|body| body.shown.clone()).filter(|shown| !shown.is_empty())
    });
    let is_off = by_gcc && functions[0].line != line;
    match (by_call, by_body) {
        // An inlined lambda is a bare `operator()`: its outlined body has the whole name.
        (Some(call), Some(body)) if body.ends_with(&format!("::{call}")) => body,
        // gcc's lines around the call may be those of a function inlined in front of it.
        (Some(_), Some(body)) if functions[1..].iter().any(|outer| outer.shown == body) => body,
        // The same if the body is named after no function there: the call's line shows it.
        (Some(_), Some(body)) if functions.len() > 1 && is_off => without_number(&body),
        // The same if nothing shows that a function was inlined.
        (Some(call), Some(body)) if call != body && is_off => {
            let around = around(symbols, call_pc, file, line);
            around.filter(|around| *around == without_number(&body)).unwrap_or(call)
        }
        (Some(call), _) => call,
        (None, Some(body)) => body,
        (None, None) => functions[0].shown.clone(),
    }
}

/// An address as `module+0x1234`, by its place in the file; as a number if it is in no file.
fn address_in_words(symbols: &Symbols, address: u64) -> String {
    let Some(name) = symbols.module_name(address - 1) else { return format!("{address:#x}") };
    let module = symbols.module(address - 1);
    let base = module.map_or(0, |module| module.info.base.wrapping_sub(module.info.file_offset));
    format!("{name}+{:#x}", address.wrapping_sub(base))
}

/// A region of `target` from its code, which begins with the directive's line.
pub(super) fn of_kernel(symbols: &Symbols, start: u64) -> Construct {
    let functions = symbols.functions(start);
    let own = functions.last().cloned();
    let own = own.map_or_else(Default::default, |own| (own.file, own.line, own.shown));
    let (file, line, function): (Option<Rc<str>>, u32, Rc<str>) = own;
    Construct::new(ConstructKind::Target, file, line, function, true, "an unknown place")
}

fn in_runtime(symbols: &Symbols, codeptr_ra: u64) -> bool {
    codeptr_ra == 0 || symbols.kind(codeptr_ra - 1) == Owner::Runtime
}

/// A construct from its `codeptr_ra` and the start of its outlined function. If the code does not
/// show that the call passes this function, the construct's function ended in a jump to the
/// runtime, and the return address belongs to an outer function: then the body is right.
pub(super) fn find_with_body(
    symbols: &Symbols,
    codeptr_ra: u64,
    kind: ConstructKind,
    start: u64,
) -> Construct {
    let site = symbols.site(codeptr_ra);
    let is_body = match site.body {
        Some(body) => body == start,
        None => site.is_direct || in_function_of(symbols, codeptr_ra, start),
    };
    if is_body {
        return (*symbols.construct(codeptr_ra, kind)).clone();
    }
    Construct { tail_called: true, ..find_by_body(symbols, kind, start) }
}

/// Whether the call in front of `codeptr_ra` is in the function that the body at `start` is named
/// after.
fn in_function_of(symbols: &Symbols, codeptr_ra: u64, start: u64) -> bool {
    let body = symbols.functions(start);
    let Some(body) = body.last().filter(|body| body.named && !body.shown.is_empty()) else {
        return false;
    };
    symbols.functions(codeptr_ra.wrapping_sub(1)).iter().any(|around| around.shown == body.shown)
}

/// A construct from the start of its outlined function.
pub(super) fn find_by_body(symbols: &Symbols, kind: ConstructKind, start: u64) -> Construct {
    from_body(symbols, kind, start, body_line(symbols, start))
}

/// A construct whose directive is not known, but only its body.
fn from_body(symbols: &Symbols, kind: ConstructKind, start: u64, own: BodyLine) -> Construct {
    let line = match &own.file {
        Some(path) => in_source(symbols, start, path, own.line, own.line, kind),
        None => 0,
    };
    let functions = symbols.functions(start);
    // A function that is inlined at the front of a body is not the one around the construct.
    let by_name = functions.last().filter(|body| body.named && body.role == Role::Outlined);
    let by_name = by_name.map(|body| body.shown.clone()).filter(|shown| !shown.is_empty());
    let is_nameless = || functions.last().is_some_and(|body| body.shown.is_empty());
    let by_line = || is_nameless().then(|| around(symbols, start, own.file.as_deref(), line))?;
    let by_front = || user_function(symbols, start, own.file.as_deref(), line);
    let function = by_name.or_else(by_line).or_else(by_front);
    let function = function.unwrap_or_else(|| "an unknown function".into());
    let is_named = functions.last().is_none_or(|body| body.named);
    let elsewhere = functions.last().map_or_else(String::new, |body| body.shown.to_string());
    Construct::new(kind, own.file, line, function, is_named, &elsewhere)
}

/// The name without the number that gcc gives to nested functions: `inner.0`.
fn without_number(name: &str) -> Rc<str> {
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit());
    plain.strip_suffix('.').filter(|_| plain.len() < name.len()).unwrap_or(name).into()
}

/// The function of the user's source that the code at `pc` belongs to.
pub(super) fn user_function(
    symbols: &Symbols,
    pc: u64,
    file: Option<&str>,
    line: u32,
) -> Option<Rc<str>> {
    let functions = symbols.functions(pc);
    // The innermost function comes first; then, if it has no name of the user's, the one around the
    // line in the source; then the first with a name further out.
    let innermost = functions.first()?;
    if !innermost.shown.is_empty() {
        return Some(innermost.shown.clone());
    }
    around(symbols, pc, file, line)
        .or_else(|| functions.iter().find(|f| !f.shown.is_empty()).map(|f| f.shown.clone()))
}

/// The function around a line of the file that the code at `pc` is from.
pub(super) fn around(symbols: &Symbols, pc: u64, file: Option<&str>, line: u32) -> Option<Rc<str>> {
    symbols.maker(pc).or_else(|| enclosing::function(symbols, pc, file?, line))
}
