//! Qualifies names of C++ functions for which line information has no linkage name. gcc leaves it
//! out for functions that no other file can see: `(anonymous namespace)::Index::insert` instead of
//! a bare `insert`.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use gimli::{AttributeValue, DwLang, UnitOffset, UnitRef};

use super::debug_file::Section;
use super::names::{Role, classify, plain};

type Entry = gimli::DebuggingInformationEntry<Section>;

/// A unit of a module: its offset, and the number of its own file, if it is in one.
pub(super) type UnitKey = (usize, Option<u64>);

/// The key of a unit.
pub(super) fn key_of(unit: &UnitRef<'_, Section>) -> UnitKey {
    (unit.header.offset().0, unit.dwo_id.map(|id| id.0))
}

/// The functions of the compilation units asked about so far.
#[derive(Default)]
pub(super) struct Units {
    units: HashMap<UnitKey, HashMap<usize, Rc<str>>>,
}

impl Units {
    /// The qualified name of the function, or inlined function, at `die` in the unit.
    pub(super) fn name(&mut self, unit: UnitRef<'_, Section>, die: UnitOffset) -> Option<Rc<str>> {
        let key = key_of(&unit);
        let names = self.units.entry(key).or_insert_with(|| names_of(&unit));
        let mut at = die;
        // Inlined instance, abstract instance, declaration: at most a few steps.
        for _ in 0..4 {
            if let Some(name) = names.get(&at.0) {
                return Some(name.clone());
            }
            let entry = unit.entry(at).ok()?;
            at = reference(&entry)?;
        }
        None
    }
}

/// Whether the language of a function has scopes that a bare name leaves out.
pub(super) fn has_scopes(language: Option<DwLang>) -> bool {
    use gimli::{DW_LANG_C_plus_plus, DW_LANG_C_plus_plus_11, DW_LANG_C_plus_plus_14};
    use gimli::{DW_LANG_C_plus_plus_17, DW_LANG_C_plus_plus_20};
    language.is_some_and(|language| {
        [
            DW_LANG_C_plus_plus, DW_LANG_C_plus_plus_11, DW_LANG_C_plus_plus_14,
            DW_LANG_C_plus_plus_17, DW_LANG_C_plus_plus_20,
        ]
        .contains(&language)
    })
}

fn reference(entry: &Entry) -> Option<UnitOffset> {
    let value = entry
        .attr_value(gimli::DW_AT_abstract_origin)
        .or_else(|| entry.attr_value(gimli::DW_AT_specification))?;
    match value {
        AttributeValue::UnitRef(offset) => Some(offset),
        _ => None,
    }
}

/// One open scope during the walk through a unit.
struct Scope {
    depth: isize,
    name: Option<Rc<str>>,
    /// The function, if the scope is one.
    function: Option<UnitOffset>,
}

/// The linkage name of the function that gcc's outlined function `name` was made of. A function
/// without another linkage name has only this one.
fn outlined_of(name: &str) -> Option<&str> {
    let at = name.find("._omp_fn.")?;
    Some(&name[..at]).filter(|base| base.starts_with("_Z"))
}

/// Whether several functions may have the name. gcc names all lambdas of one type `<lambda(int)>`,
/// so a template of one has the name of others too.
fn is_shared(name: &str) -> bool {
    name.contains("<lambda")
}

/// By the offset of a lambda's type: its scope, and its number there.
type Lambdas = HashMap<usize, (usize, usize)>;

/// The numbers of lambdas, in the order of the source within the function or class around them.
/// Line information has another order.
fn lambdas_of(unit: &UnitRef<'_, Section>) -> Lambdas {
    let mut scopes: Vec<(isize, usize)> = Vec::new();
    // The type without a name that is open, and its place.
    let mut nameless: Option<(isize, (usize, u64, u64, usize))> = None;
    let mut found: BTreeSet<(usize, u64, u64, usize)> = BTreeSet::new();
    let mut entries = unit.entries();
    while let Ok(Some(entry)) = entries.next_dfs() {
        let (depth, offset) = (entry.depth(), entry.offset().0);
        while scopes.last().is_some_and(|scope| scope.0 >= depth) {
            scopes.pop();
        }
        nameless = nameless.filter(|open| open.0 < depth);
        let number = |name| entry.attr_value(name).and_then(|value| value.udata_value());
        let own = entry.attr_value(gimli::DW_AT_name);
        match entry.tag() {
            gimli::DW_TAG_class_type | gimli::DW_TAG_structure_type => {
                let name = own.and_then(|name| unit.attr_string(name).ok());
                if name.is_none_or(|name| name.starts_with(b"<lambda")) {
                    let scope = scopes.last().map_or(0, |scope| scope.1);
                    let line = number(gimli::DW_AT_decl_line).unwrap_or(0);
                    let column = number(gimli::DW_AT_decl_column).unwrap_or(0);
                    nameless = Some((depth, (scope, line, column, offset)));
                    continue;
                }
            }
            gimli::DW_TAG_subprogram => {
                let name = own.and_then(|name| unit.attr_string(name).ok());
                // Other types without names have no such function.
                if let Some((at, lambda)) = nameless
                    && at + 1 == depth
                    && name.is_some_and(|name| &*name == b"operator()")
                {
                    found.insert(lambda);
                }
            }
            _ => continue,
        }
        scopes.push((depth, offset));
    }
    let mut numbers = HashMap::new();
    let (mut scope, mut number) = (None, 0);
    for lambda in found {
        number = if scope == Some(lambda.0) { number + 1 } else { 1 };
        scope = Some(lambda.0);
        numbers.insert(lambda.3, (lambda.0, number));
    }
    numbers
}

fn names_of(unit: &UnitRef<'_, Section>) -> HashMap<usize, Rc<str>> {
    let lambdas = lambdas_of(unit);
    let mut names: HashMap<usize, Rc<str>> = HashMap::new();
    let mut scopes: Vec<Scope> = Vec::new();
    // Templates' functions, and the lambdas that they are made for.
    let mut made_for: Vec<(usize, usize)> = Vec::new();
    let mut entries = unit.entries();
    while let Ok(Some(entry)) = entries.next_dfs() {
        let depth = entry.depth();
        while scopes.last().is_some_and(|scope| scope.depth >= depth) {
            scopes.pop();
        }
        if entry.tag() == gimli::DW_TAG_template_type_parameter
            && let Some(function) = scopes.last().and_then(|scope| scope.function)
            && let Some(lambda) = type_of(unit, entry).filter(|at| lambdas.contains_key(&at.0))
        {
            made_for.push((function.0, lambda.0));
        }
        let own = entry
            .attr_value(gimli::DW_AT_name)
            .and_then(|name| unit.attr_string(name).ok())
            .map(|name| String::from_utf8_lossy(&name).into_owned());
        let name: Option<String> = match entry.tag() {
            gimli::DW_TAG_namespace => Some(own.unwrap_or_else(|| "(anonymous namespace)".into())),
            gimli::DW_TAG_class_type | gimli::DW_TAG_structure_type | gimli::DW_TAG_union_type => {
                match own {
                    Some(name) if !name.starts_with("<lambda") => Some(name),
                    _ => {
                        let number = lambdas.get(&entry.offset().0).map_or(1, |lambda| lambda.1);
                        Some(format!("{{lambda#{number}}}"))
                    }
                }
            }
            gimli::DW_TAG_subprogram => match own {
                Some(name) => Some(name),
                // A definition outside its class has the name of the declaration.
                None => {
                    let declared = reference(entry).and_then(|at| names.get(&at.0).cloned());
                    if let Some(declared) = declared {
                        names.insert(entry.offset().0, declared.clone());
                        scopes.clear();
                        let (name, function) = (Some(declared), Some(entry.offset()));
                        scopes.push(Scope { depth, name, function });
                    }
                    continue;
                }
            },
            _ => continue,
        };
        let is_function = entry.tag() == gimli::DW_TAG_subprogram;
        if is_function && let Some(name) = &name {
            let around = scopes.last().and_then(|scope| scope.function);
            if let (Some(around), Some(base)) = (around, outlined_of(name))
                && let Some(known) = names.get_mut(&around.0)
                && is_shared(known)
            {
                *known = base.into();
            }
            let outer = scopes.iter().filter_map(|scope| scope.name.as_deref());
            let full: Vec<&str> = outer.chain([name.as_str()]).collect();
            names.insert(entry.offset().0, plain(&full.join("::")).into());
        }
        let function = is_function.then(|| entry.offset());
        // A function that gcc made of a construct is inside its function, and is no scope of the
        // source.
        let is_users = |name: &String| classify(name).0 == Role::User;
        let name = name.filter(is_users).map(Rc::from);
        scopes.push(Scope { depth, name, function });
    }
    for (function, lambda) in made_for {
        let (scope, number) = lambdas[&lambda];
        let scope = names.get(&scope).cloned().unwrap_or_default();
        if let Some(name) = names.get_mut(&function)
            && let Some(numbered) = with_number(name, &scope, number)
        {
            *name = numbered.into();
        }
    }
    names
}

/// The class that is the entry's type, or that the type refers to.
fn type_of(unit: &UnitRef<'_, Section>, entry: &Entry) -> Option<UnitOffset> {
    let next = |entry: &Entry| match entry.attr_value(gimli::DW_AT_type)? {
        AttributeValue::UnitRef(offset) => Some(offset),
        _ => None,
    };
    let mut at = next(entry)?;
    // `const F &`, `F &&`: a few steps.
    for _ in 0..4 {
        let entry = unit.entry(at).ok()?;
        match next(&entry) {
            Some(further) => at = further,
            None => return Some(at),
        }
    }
    None
}

/// gcc's `apply<main()::<lambda(int)> >` as `apply<main::{lambda#2}>`: the first lambda without a
/// number in it is this one.
fn with_number(name: &str, scope: &str, number: usize) -> Option<String> {
    let at = name.find("<lambda(")?;
    let end = at + name[at..].find(")>")? + 2;
    // Its scope begins behind the last bracket that is open there.
    let mut depth = 0usize;
    let begin = name[..at].char_indices().rev().find_map(|(at, c)| {
        match c {
            '>' | ')' => depth += 1,
            '<' | '(' if depth > 0 => depth -= 1,
            '<' | '(' | ',' | ' ' if depth == 0 => return Some(at + 1),
            _ => {}
        }
        None
    });
    let (front, rest) = (&name[..begin.unwrap_or(0)], &name[end..]);
    let colons = if scope.is_empty() { "" } else { "::" };
    Some(format!("{front}{scope}{colons}{{lambda#{number}}}{rest}"))
}

#[cfg(test)]
mod tests {
    use super::with_number;

    #[test]
    fn a_template_is_made_for_a_lambda_with_a_number() {
        let name = "std::for_each<Iterator<double*>, main()::<lambda(double&)>&>";
        let numbered = with_number(name, "main", 3).unwrap();
        assert_eq!(numbered, "std::for_each<Iterator<double*>, main::{lambda#3}&>");
        let name = "apply<A<B(int)>::run(int)::<lambda()>, main()::<lambda(int)>>";
        let first = with_number(name, "A<B(int)>::run", 1).unwrap();
        assert_eq!(
            with_number(&first, "main", 2).unwrap(),
            "apply<A<B(int)>::run::{lambda#1}, main::{lambda#2}>"
        );
        assert_eq!(with_number("apply<int>", "main", 1), None);
    }
}
