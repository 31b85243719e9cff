//! Finds the functions at an address, with those that are inlined there.

use std::rc::Rc;

use super::modules::Owner;
use super::names::{self, Role};
use super::{Symbols, flang, python, qualified};

/// The only code that the kernel puts into a process.
const VDSO: &str = "[vdso]";

/// A function on a stack, as shown.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its role in the user's model.
    pub role: Role,
    /// The user's function; for a compiler-made function, the one that contains the construct, if
    /// the name tells it.
    pub shown: Rc<str>,
    /// False for `libfoo.so+0x1234`.
    pub named: bool,
    /// The source file.
    pub file: Option<Rc<str>>,
    /// 0 = none.
    pub line: u32,
    /// `line`; or, if the code has none, the line of the function's code next to it.
    pub near: u32,
    /// Address in the process at which the machine function starts, for the outermost of inlined
    /// functions; `None` for those inlined into it.
    pub start: Option<u64>,
}

impl Symbols {
    pub(super) fn look_up(&self, pc: u64) -> Vec<Function> {
        if let Some(place) = self.python(pc) {
            return vec![python::function(place)];
        }
        let Some(module) = self.module(pc) else { return vec![unnamed(format!("{pc:#x}").into())] };
        let offset = (pc - module.info.base).wrapping_add(module.info.file_offset);
        if module.kind == Owner::System && module.short.contains("vdso") {
            // The kernel's code has no file.
            return vec![unnamed(VDSO.into())];
        }
        let Some(image) = &module.image else {
            return vec![unnamed(format!("{}+{offset:#x}", module.short).into())];
        };
        let address = pc.wrapping_sub(module.bias);
        if let Some(callee) = image.stub_target(address) {
            return vec![Function { named: true, ..unnamed(names::display(&callee, None).into()) }];
        }
        let symbol = image.function_symbol(address);
        let start = symbol
            .map(|symbol| symbol.address)
            .or_else(|| image.function_bounds(address).map(|(start, _)| start));
        let process_start = start.map(|start| start.wrapping_add(module.bias));
        let raw = image.frames(address);
        let last = raw.len().saturating_sub(1);
        // Outer functions have the lines of the calls that inlined code replaces.
        let nearest = match raw.first() {
            Some(innermost) if innermost.line == 0 && raw.len() > 1 => image.near_line(address),
            _ => 0,
        };
        let mut functions: Vec<Function> = Vec::with_capacity(raw.len().max(1));
        for (i, frame) in raw.into_iter().enumerate() {
            // The symbol table has names of clones for which the line information has the plain
            // name.
            let by_symbol = (i == last).then(|| symbol.map(|symbol| symbol.name.clone())).flatten();
            let name = match (by_symbol, frame.name) {
                // In line information a lambda is `operator()`, and a Fortran program has its
                // title.
                (Some(symbol), Some(_)) if names::is_mangled(&symbol) => Some(symbol),
                // The C library's line information has its internal names.
                (Some(symbol), Some(_)) if module.kind == Owner::System => Some(symbol),
                (Some(symbol), Some(name)) if names::classify(&symbol).0 == Role::User => {
                    Some(name)
                }
                (Some(symbol), _) => Some(symbol),
                (None, name) => name,
            };
            let Some(mut name) = name else { continue };
            if qualified::has_scopes(frame.language)
                && names::classify(&name).0 == Role::User
                && !names::is_mangled(&name)
                && let Some(entry) = frame.entry
            {
                name = image.qualified_name(address, entry).unwrap_or(name);
            }
            let (role, base) = names::classify(&name);
            let path = frame.file.as_deref().filter(|_| i == 0);
            let directive = path.and_then(|p| flang::line_of_critical(self, pc, p, frame.line));
            let line = directive.unwrap_or(frame.line);
            functions.push(Function {
                role,
                shown: names::display(base, frame.language).into(),
                named: true,
                file: frame.file,
                line,
                near: if i == 0 { line.max(nearest) } else { line },
                start: if i == last { process_start } else { None },
            });
        }
        if functions.is_empty() {
            functions.push(match symbol.or_else(|| image.whole(address)) {
                Some(symbol) => {
                    let (role, base) = names::classify(&symbol.name);
                    let shown = names::display(base, None).into();
                    Function { role, start: process_start, named: true, ..unnamed(shown) }
                }
                None => {
                    // All samples of one nameless function share the name of its start.
                    let at = start.map_or(offset, |start| {
                        start
                            .wrapping_add(module.bias)
                            .wrapping_sub(module.info.base)
                            .wrapping_add(module.info.file_offset)
                    });
                    let shown = format!("{}+{at:#x}", module.short).into();
                    Function { start: process_start, ..unnamed(shown) }
                }
            });
        }
        functions
    }
}

fn unnamed(shown: Rc<str>) -> Function {
    Function { role: Role::User, shown, named: false, file: None, line: 0, near: 0, start: None }
}
