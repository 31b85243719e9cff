//! Reads names of functions in the forms of gdb and lldb: linkage names, and C++ names that they
//! have demangled, with parameters, a result's type or the mark of a copy.

use std::borrow::Cow;

use super::{Role, classify, display, is_mangled, strip_clone_suffixes};

/// A function's name, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameParts {
    /// The role of the function.
    pub role: Role,
    /// The function around its construct, as the user wrote it; for a function of the user's, the
    /// name itself. Empty if the name does not tell.
    pub around: String,
    /// The name as the user wrote it; for a function that the compiler made, the compiler's name.
    pub plain: String,
    /// Whether it is the inner half of a body: it has the user's code, and its outer half has none.
    pub inner: bool,
}

impl NameParts {
    /// Takes apart a debugger's name.
    pub fn of(name: &str) -> NameParts {
        let name = without_mark(name);
        let name = name.strip_prefix("::").unwrap_or(&name);
        let is_kernel = name.starts_with("__omp_offloading_");
        let name = without_parameters(name);
        let (role, base) = classify(name);
        let inner = role == Role::Body;
        let role = match role {
            Role::Body if is_kernel && !name.contains("omp_outlined") => Role::Target,
            role => role,
        };
        let (around, plain) = match role {
            Role::User => (name.to_owned(), plain(name)),
            _ => (around(base), name.to_owned()),
        };
        NameParts { role, around, plain, inner }
    }
}

/// Returns `f(int)._omp_fn.0` for `f(int) [clone ._omp_fn.0]`.
fn without_mark(name: &str) -> Cow<'_, str> {
    let marked = name.split_once("[clone ");
    let copy = marked.and_then(|(front, rest)| Some((front.trim_end(), rest.split_once(']')?.0)));
    copy.map_or(Cow::Borrowed(name), |(front, mark)| Cow::Owned(format!("{front}{mark}")))
}

/// The function around a construct, from the base of its body's name.
fn around(base: &str) -> String {
    if base.contains('(') || is_mangled(base) && base != "MAIN__" {
        return plain(base);
    }
    // gdb puts the enclosing function in front: `add::__m_MOD_add`.
    match base.rsplit_once("::").unwrap_or(("", base)) {
        // A main program's body is named after the function that passes the body on.
        (outer, "MAIN__") => outer.to_owned(),
        (_, inner) if is_mangled(inner) => plain(inner),
        _ => base.to_owned(),
    }
}

fn plain(name: &str) -> String {
    match name.contains([' ', '(', '<']) {
        true => without_result(without_parameters(name)).to_owned(),
        false => display(strip_clone_suffixes(name), None),
    }
}

/// A C++ function's name without its parameters: they come last, in parentheses outside template
/// arguments. An anonymous namespace's name has parentheses too.
fn without_parameters(name: &str) -> &str {
    let bare = name.trim_end_matches([' ', '&']).trim_end_matches(" const");
    if !bare.ends_with(')') {
        return name;
    }
    let mut depth = 0;
    let open = bare.char_indices().rev().find(|(_, c)| {
        depth += i32::from(*c == ')') - i32::from(*c == '(');
        depth == 0
    });
    // `operator()` is a name.
    let cut = open.map(|(at, _)| &bare[..at]).filter(|cut| !cut.ends_with("operator"));
    cut.filter(|cut| !cut.is_empty()).unwrap_or(name)
}

/// A C++ function's name without the type of its result, which a template's name has in front.
fn without_result(name: &str) -> &str {
    if name.contains("operator") {
        return name;
    }
    let mut depth = 0;
    let blank = name.char_indices().rev().find(|(_, c)| {
        depth += i32::from(">)]}".contains(*c)) - i32::from("<([{".contains(*c));
        depth == 0 && *c == ' '
    });
    blank.map_or(name, |(at, _)| name[at + 1..].trim_start_matches(['*', '&']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_debuggers_are_taken_apart() {
        for (name, role, around) in [
            ("main", Role::User, "main"),
            ("ns::f(int) [clone ._omp_fn.0]", Role::Outlined, "ns::f"),
            ("f(ns::A) [clone ._omp_fn.0] [clone .cold]", Role::Outlined, "f"),
            ("_ZN2ns1VIdE3sumEv.omp_outlined", Role::Region, "ns::V<double>::sum"),
            ("add::__m_MOD_add._omp_fn.0", Role::Outlined, "m::add"),
            ("half::MAIN__._omp_fn.1", Role::Outlined, "half"),
            ("MAIN__._omp_fn.1", Role::Outlined, ""),
            ("_QQmain..omp_par", Role::Outlined, "main program"),
            ("::__omp_offloading_10_2_main_l7_debug__(int*)", Role::Target, "main"),
            (".omp_outlined.", Role::Body, ""),
            ("_ZL5chainRKdi.omp_outlined_debug__(double&)", Role::Body, "chain"),
        ] {
            let parts = NameParts::of(name);
            assert_eq!((parts.role, &*parts.around), (role, around), "{name}");
        }
    }

    #[test]
    fn names_that_are_undone_already_lose_what_is_no_name() {
        for (name, written) in [
            ("void f<int>(int)", "f<int>"),
            ("std::vector<int>& A::get() const", "A::get"),
            ("(anonymous namespace)::run(int)", "(anonymous namespace)::run"),
            ("A::operator()(int) const", "A::operator()"),
            ("main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()"),
            ("_Z3addii", "add"),
            ("__m_MOD_solve.constprop.0", "m::solve"),
            ("MAIN__", "main program"),
            ("half", "half"),
            ("_ZL5chainRKdi.omp_outlined_debug__", "_ZL5chainRKdi.omp_outlined_debug__"),
        ] {
            assert_eq!(NameParts::of(name).plain, written, "{name}");
        }
    }
}
