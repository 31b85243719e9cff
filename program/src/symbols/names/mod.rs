//! Symbol names: what compilers made of a source construct, and the name that is shown for a user's
//! function.
//!
//! gcc outlines `f` into `f._omp_fn.0` (regions and tasks alike); clang into `f.omp_outlined` with
//! a body `f.omp_outlined_debug__`, and tasks into `.omp_task_entry.` with a body `.omp_outlined.`;
//! flang into `f..omp_par` (both); icx into `f.DIR.OMP.PARALLEL…` and `f.DIR.OMP.TASK…`.

use addr2line::demangle;
use gimli::{DW_LANG_C, DW_LANG_C11, DW_LANG_C17, DW_LANG_C89, DW_LANG_C99};
use gimli::{DW_LANG_Fortran03, DW_LANG_Fortran77, DW_LANG_Fortran90, DW_LANG_Fortran95};
use gimli::{DW_LANG_Fortran08, DW_LANG_Rust, DwLang};

use crate::visible::visible;

mod cython;
mod library;
mod written;

pub(super) use library::plain;
pub use written::NameParts;

/// The role of a function in the user's model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A function that the user (or a library) wrote.
    User,
    /// The body of a parallel region.
    Region,
    /// The body of an explicit task.
    Task,
    /// The body of a region or a task; only the call that passes it to the runtime shows which.
    Outlined,
    /// A region of `target`, on the host or a device.
    Target,
    /// The inner half of a construct's body, called by its outer half.
    Body,
    /// Another function that a compiler made: a copy or reduction function.
    Helper,
}

/// Takes a linkage name apart: its role, and the linkage name of the function around the construct
/// (the name itself for [`Role::User`]); empty if the name does not tell.
pub(crate) fn classify(name: &str) -> (Role, &str) {
    let name = strip_clone_suffixes(name);
    let before = |marker: &str| name.find(marker).map(|at| &name[..at]);
    if let Some(base) = before("._omp_cpyfn.") {
        return (Role::Helper, base);
    }
    // The second one is a loop that gcc parallelises by itself (`-ftree-parallelize-loops`).
    if let Some(base) = before("._omp_fn.").or_else(|| before("._loopfn.")) {
        return (Role::Outlined, base);
    }
    if let Some(base) = before("..omp_par") {
        return (Role::Outlined, base);
    }
    if let Some(at) = name.find(".DIR.OMP.") {
        let directive = &name[at + ".DIR.OMP.".len()..];
        let role = if directive.starts_with("TASK") { Role::Task } else { Role::Region };
        return (role, &name[..at]);
    }
    if name.starts_with(".omp_task_entry.") {
        return (Role::Task, "");
    }
    const HELPERS: [&str; 9] = [
        ".omp.", ".omp_task_privates_map.", ".omp_task_dup.", ".omp_task_destructor.",
        ".omp_combiner.", ".omp_initializer.", ".red_init.", ".red_comb.", ".red_fini.",
    ];
    if HELPERS.iter().any(|helper| name.contains(helper)) {
        return (Role::Helper, "");
    }
    if let Some(kernel) = kernel(name) {
        return kernel;
    }
    if let Some(base) = before(".omp_outlined") {
        // `.omp_outlined.` without a base is a task's body; in older clang also a region's. Of
        // several in one function, all but the first have a number.
        let unnumbered = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let is_body = unnumbered.ends_with("_debug__") || base.is_empty();
        let role = if is_body { Role::Body } else { Role::Region };
        return (role, base);
    }
    (Role::User, name)
}

/// A region of `target` as clang names it on devices:
/// `__omp_offloading_DEVICE_FILE_FUNCTION_lLINE`.
fn kernel(name: &str) -> Option<(Role, &str)> {
    let mut parts = name.strip_prefix("__omp_offloading_")?.splitn(3, '_');
    let rest = parts.nth(2)?;
    let (at, _) = rest
        .rmatch_indices("_l")
        .find(|(at, _)| rest[at + 2..].starts_with(|c: char| c.is_ascii_digit()))?;
    let (function, behind) = rest.split_at(at);
    let role = match behind {
        _ if behind.contains(".omp_outlined") && behind.ends_with("_debug__") => Role::Body,
        _ if behind.contains(".omp_outlined") => Role::Region,
        _ if behind.ends_with("_debug__") => Role::Body,
        _ => Role::Target,
    };
    Some((role, function))
}

/// Cuts off the suffixes of optimisers for a copy or a part of a function.
fn strip_clone_suffixes(mut name: &str) -> &str {
    const SUFFIXES: [&str; 7] =
        [".cold", ".part", ".constprop", ".isra", ".lto_priv", ".llvm", ".localalias"];
    loop {
        let without_number = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let stem = match without_number.strip_suffix('.') {
            Some(stem) if without_number.len() < name.len() => stem,
            _ => name,
        };
        let Some(shorter) = SUFFIXES.iter().find_map(|suffix| stem.strip_suffix(suffix)) else {
            return name;
        };
        if shorter.is_empty() {
            return name;
        }
        name = shorter;
    }
}

/// Whether a linkage name says more than the plain name of the function.
pub(crate) fn is_mangled(name: &str) -> bool {
    ["_Z", "_R", "_Q", "MAIN__"].iter().any(|prefix| name.starts_with(prefix))
        || name.strip_prefix("__").is_some_and(|rest| rest.contains("_MOD_"))
}

/// The name as the user wrote it: demangled, without parameters.
pub(crate) fn display(name: &str, language: Option<DwLang>) -> String {
    visible(&readable(name, language)).into_owned()
}

fn readable(name: &str, language: Option<DwLang>) -> String {
    if matches!(name, "MAIN__" | "_QQmain") {
        return "main program".to_owned();
    }
    // glibc's internal names of functions that it exports.
    let name = name.strip_prefix("__GI_").unwrap_or(name);
    // A name that Cython generated is nobody's own.
    if let Some(python) = cython::python_name(name) {
        return python;
    }
    // The name of a C function is the author's, whatever it looks like.
    if language.is_some_and(is_c) {
        return name.to_owned();
    }
    if let Some(fortran) = fortran(name, language) {
        return fortran;
    }
    // A bare type code is a name too: `f` is not `float`.
    if name.starts_with("_Z")
        && let Ok(symbol) = cpp_demangle::Symbol::new(name)
    {
        let options = cpp_demangle::DemangleOptions::new().no_params().no_return_type();
        let mut demangled = Bounded::default();
        if symbol.structured_demangle(&mut demangled, &options).is_ok() {
            let mut plain = demangled.0.as_str();
            for qualifier in [" &&", " &", " const", " volatile"] {
                plain = plain.strip_suffix(qualifier).unwrap_or(plain);
            }
            return library::plain(&number_lambdas(&without_scopes_parameters(behind_thunk(
                plain,
            ))));
        }
    }
    if name.starts_with("_R") || name.starts_with("_ZN") {
        return demangle(name, DW_LANG_Rust).unwrap_or_else(|| name.to_owned());
    }
    begun_by(name).unwrap_or_else(|| name.to_owned())
}

/// A demangled C++ name with a bounded length: each part may repeat all parts before it twice, so
/// even a short name may be without end.
#[derive(Default)]
struct Bounded(String);

impl std::fmt::Write for Bounded {
    fn write_str(&mut self, piece: &str) -> std::fmt::Result {
        const LONGEST: usize = 1 << 20;
        if self.0.len() + piece.len() > LONGEST {
            return Err(std::fmt::Error);
        }
        self.0.push_str(piece);
        Ok(())
    }
}

/// The begin of a C++ function's name whose rest cannot be read: gcc has its own form for a part
/// that depends on a template's argument.
fn begun_by(name: &str) -> Option<String> {
    let rest = name.strip_prefix("_Z")?;
    let rest = rest.strip_prefix('L').unwrap_or(rest);
    let (scope, rest) = rest.strip_prefix("St").map_or(("", rest), |rest| ("std::", rest));
    let digits = rest.find(|c: char| !c.is_ascii_digit())?;
    let (own, behind) = rest[digits..].split_at_checked(rest[..digits].parse().ok()?)?;
    if own.is_empty() {
        return None;
    }
    let arguments = if behind.starts_with('I') { "<...>" } else { "" };
    Some(format!("{scope}{own}{arguments}"))
}

fn fortran(name: &str, language: Option<DwLang>) -> Option<String> {
    if let Some((module, procedure)) =
        name.strip_prefix("__").and_then(|rest| rest.split_once("_MOD_"))
    {
        return Some(format!("{module}::{procedure}"));
    }
    if let Some(flang) = name.strip_prefix("_Q") {
        return flang_name(flang);
    }
    if language.is_some_and(is_fortran) {
        return Some(name.strip_suffix('_').unwrap_or(name).to_owned());
    }
    None
}

/// The function that a compiler's adjusting entry of a virtual function leads to.
fn behind_thunk(name: &str) -> &str {
    let inner = ["{virtual override thunk(", "{covariant return thunk("]
        .iter()
        .find_map(|thunk| name.strip_prefix(thunk)?.strip_suffix(")}"));
    let Some(mut function) = inner else { return name };
    // The offsets come in front of the function.
    while let Some((_, rest)) = function.split_once("}, ").filter(|_| function.starts_with('{')) {
        function = rest;
    }
    function
}

fn is_c(language: DwLang) -> bool {
    [DW_LANG_C89, DW_LANG_C, DW_LANG_C99, DW_LANG_C11, DW_LANG_C17].contains(&language)
}

/// Whether a file's language is Fortran.
pub(super) fn is_fortran(language: DwLang) -> bool {
    const FORTRAN: [DwLang; 5] = [
        DW_LANG_Fortran77, DW_LANG_Fortran90, DW_LANG_Fortran95, DW_LANG_Fortran03,
        DW_LANG_Fortran08,
    ];
    FORTRAN.contains(&language)
}

/// flang's names: a capital letter opens each part (M module, F host procedure, P procedure, E
/// variable), and parts are in lower case.
fn flang_name(name: &str) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    for c in name.trim_end_matches('_').chars() {
        match c {
            // Variables and procedures of the main program, which has an empty name, have their own
            // names only.
            'E' | 'P' if parts.last().is_some_and(String::is_empty) => {}
            'M' | 'F' | 'P' | 'S' | 'E' => parts.push(String::new()),
            _ => parts.last_mut()?.push(c),
        }
    }
    if parts.iter().any(String::is_empty) || parts.is_empty() {
        return None;
    }
    Some(parts.join("::"))
}

/// `f<g(int)::{lambda#1}>` as `f<g::{lambda#1}>`: without the parameters of functions that are
/// scopes, which only some compilers' names have.
fn without_scopes_parameters(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(open) = rest.find('(') {
        let mut depth = 0usize;
        let closing = rest[open..].char_indices().find_map(|(at, c)| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            (depth == 0).then_some(open + at + 1)
        });
        let Some(close) = closing else { break };
        let after = rest[close..].strip_prefix(" const").unwrap_or(&rest[close..]);
        let is_scope = after.starts_with("::")
            && !rest[..open].ends_with("operator")
            && &rest[open..close] != "(anonymous namespace)";
        let keep = if is_scope { open } else { close };
        out.push_str(&rest[..keep]);
        rest = if is_scope { after } else { &rest[close..] };
    }
    out.push_str(rest);
    out
}

/// gcc writes `{lambda(int)#1}`, clang `$_0`: both become `{lambda#1}`.
fn number_lambdas(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    loop {
        let gcc = rest.find("{lambda(");
        let clang = rest.find("$_");
        match (gcc, clang) {
            (Some(at), other) if other.is_none_or(|other| at < other) => {
                let Some(hash) = rest[at..].find(")#").map(|hash| at + hash) else { break };
                out.push_str(&rest[..at]);
                out.push_str("{lambda");
                rest = &rest[hash + 1..];
            }
            (_, Some(at)) => {
                let digits = rest[at + 2..].bytes().take_while(u8::is_ascii_digit).count();
                let number = rest[at + 2..at + 2 + digits].parse::<u64>().unwrap_or(0);
                out.push_str(&rest[..at]);
                out.push_str(&format!("{{lambda#{}}}", number.saturating_add(1)));
                rest = &rest[at + 2 + digits..];
            }
            _ => break,
        }
    }
    out.push_str(rest);
    out
}

/// The interpreter to which a program or library belongs, by its file's name.
pub(super) fn interpreter(file: &str) -> Option<&'static str> {
    const FILES: [(&str, &str); 6] = [
        ("python", "<Python interpreter>"),
        ("R", "<R interpreter>"),
        ("perl", "<Perl interpreter>"),
        ("ruby", "<Ruby interpreter>"),
        ("lua", "<Lua interpreter>"),
        ("luajit", "<Lua interpreter>"),
    ];
    let name = file.strip_prefix("lib").unwrap_or(file);
    // `libpython3.11.so.1.0`, `ruby3.1`, `liblua5.4.so.0`, `libruby-3.1.so.3.1`.
    let stem = name.split(".so").next().unwrap_or(name);
    let stem = stem.trim_end_matches(|c: char| c.is_ascii_digit() || ".-_td".contains(c));
    FILES.iter().find(|(interpreter, _)| stem == *interpreter).map(|(_, shown)| *shown)
}

#[cfg(test)]
mod tests;
