//! What a `codeptr_ra` stands for in the source: the directive's kind, file, line and function.
//!
//! Compilers disagree about the line of the call they put in a directive's place; README.md ("The
//! line of a construct") says what is done about it.

use std::rc::Rc;

use super::{ModuleKind, Role, Symbols, enclosing, source};

/// What kind of construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ConstructKind {
    /// `parallel`, alone or combined, and `teams`.
    Region,
    /// `task`, `taskloop`.
    Task,
    /// Any other place that called the runtime: a critical, a lock routine.
    Place,
}

/// A construct of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Construct {
    pub kind: ConstructKind,
    /// Full path as the compiler recorded it.
    pub file: Option<Rc<str>>,
    /// 0 = unknown.
    pub line: u32,
    /// The user's function that it stands in.
    pub function: Rc<str>,
    /// `region at file.c:42 in main`, `task at file.c:50 in main`, `file.c:60 in main`.
    pub label: Rc<str>,
}

impl Construct {
    fn new(
        kind: ConstructKind,
        file: Option<Rc<str>>,
        line: u32,
        function: Rc<str>,
        elsewhere: &str,
    ) -> Construct {
        let place = match &file {
            Some(file) if line > 0 => {
                format!("{}:{line}", file.rsplit('/').next().unwrap_or(file))
            }
            _ => elsewhere.to_owned(),
        };
        // A nameless function is `module+0x1234` already: no need to say so twice.
        let place = if *function == *place { place } else { format!("{place} in {function}") };
        let label = match kind {
            ConstructKind::Region => format!("region at {place}"),
            ConstructKind::Task => format!("task at {place}"),
            ConstructKind::Place => place,
        };
        Construct { kind, file, line, function, label: label.into() }
    }
}

pub(super) fn find(symbols: &Symbols, codeptr_ra: u64, kind: ConstructKind) -> Construct {
    if codeptr_ra == 0 || symbols.kind(codeptr_ra - 1) == ModuleKind::Runtime {
        let function = Rc::from(if codeptr_ra == 0 { "an unknown place" } else { "the runtime" });
        return Construct::new(kind, None, 0, function, "an unknown place");
    }
    let call_pc = codeptr_ra - 1;
    let functions = symbols.functions(call_pc);
    let call = &functions[0];
    let outlined = match kind {
        ConstructKind::Place => None,
        _ => symbols.outlined_function(codeptr_ra),
    };
    let body = outlined.map(|start| body_line(symbols, start));
    let (mut file, mut line) = (call.file.clone(), call.line);
    if let Some((body_role, body_file, first_line)) = &body
        && *body_role == Role::Outlined
        && kind == ConstructKind::Region
        && *first_line > 0
    {
        (file, line) = (body_file.clone(), *first_line);
    }
    if kind != ConstructKind::Place
        && let Some(path) = &file
    {
        let body_line = body.as_ref().map_or(0, |(_, _, line)| *line);
        let modified = symbols.module(call_pc).and_then(|m| m.image.as_ref()?.modified);
        let opened = &mut *symbols.opened.borrow_mut();
        line = source::directive_line(&mut opened.sources, path, line, body_line, kind, modified);
    }
    let function = user_function(symbols, call_pc, file.as_deref(), line)
        .or_else(|| {
            // The outlined function's own name may tell more than that of the calling code.
            let functions = symbols.functions(outlined?);
            let function = functions.last()?;
            (!function.shown.is_empty()).then(|| function.shown.clone())
        })
        .unwrap_or_else(|| call.shown.clone());
    let module = symbols.module_name(call_pc);
    let elsewhere = match &module {
        Some(_) if !call.named => call.shown.to_string(),
        Some(module) => {
            let base = symbols.module(call_pc).map_or(0, |m| m.info.base - m.info.file_offset);
            format!("{module}+{:#x}", codeptr_ra - base)
        }
        None => format!("{codeptr_ra:#x}"),
    };
    Construct::new(kind, file, line, function, &elsewhere)
}

/// Role of the outlined function at `start`, and the first line of its own that it names.
fn body_line(symbols: &Symbols, start: u64) -> (Role, Option<Rc<str>>, u32) {
    let mut role = Role::Outlined;
    for pc in start..start + 64 {
        let functions = symbols.functions(pc);
        let Some(own) = functions.last().filter(|own| own.start == Some(start)) else { break };
        role = own.role;
        if own.line > 0 {
            return (role, own.file.clone(), own.line);
        }
    }
    (role, None, 0)
}

/// The function of the user's source that the code at `pc` belongs to.
fn user_function(symbols: &Symbols, pc: u64, file: Option<&str>, line: u32) -> Option<Rc<str>> {
    let functions = symbols.functions(pc);
    // From inlined outwards: the first with a name of the user's, be it as an outlined one's base.
    let innermost = functions.first()?;
    if !innermost.shown.is_empty() {
        return Some(innermost.shown.clone());
    }
    let module = symbols.module(pc)?;
    let dwarf = module.image.as_ref()?.dwarf()?;
    enclosing::function(dwarf, pc.wrapping_sub(module.bias), file?, line)
        .or_else(|| functions.iter().find(|f| !f.shown.is_empty()).map(|f| f.shown.clone()))
}
