//! Finds where a program's code calls certain functions: another file's, its own, or functions in
//! headers that were inlined.

use std::collections::HashMap;
use std::rc::Rc;

use super::image::Image;
use super::{Module, Owner, Symbols};

/// Functions of one file that are searched, and places that are returned.
const MOST_FUNCTIONS: usize = 50_000;
const MOST_PLACES: usize = 64;

impl Module {
    /// The file, if calls are searched in it: a file of the program that has line information. An
    /// MPI library has forty megabytes of code, and without lines no call there has a place.
    fn searched(&self) -> Option<&Image> {
        self.image.as_ref().filter(|image| self.kind == Owner::User && image.has_lines())
    }
}

impl Symbols {
    /// The addresses one past each call, in the program, of a function for whose linkage name
    /// `is_it` is true, or one past the begin of such a function's inlined code. `headers`: the
    /// last parts of the names of the files that have code of such functions.
    pub fn callers(&self, is_it: &dyn Fn(&str) -> bool, headers: &[&str]) -> Vec<u64> {
        let mut found = Vec::new();
        for module in &self.modules {
            let Some(image) = module.searched() else { continue };
            for &(start, end) in image.functions().iter().take(MOST_FUNCTIONS) {
                let calls = image.ways_out(start, end).filter_map(|(after, is_jump)| {
                    let own =
                        || Some(image.function_symbol(image.own_callee(after)?)?.name.clone());
                    let is_stub = is_jump && image.is_linkage(after - 1);
                    (!is_stub && is_it(&image.imported(after).or_else(own)?)).then_some(after)
                });
                let code_of = |at: &u64| {
                    let frames = image.frames(*at);
                    let is_it = |name: Option<&str>| name.is_some_and(is_it);
                    let own = frames.iter().rev().find(|frame| is_it(frame.name.as_deref()));
                    own.map(|frame| frame.entry)
                };
                // Only the first row is such a call: gcc gives the line of its code also to the
                // code behind it, where the ways past it join.
                let mut known = Vec::new();
                let mut rows = image.rows_of(start, end, headers);
                rows.sort_unstable();
                let rows = rows.into_iter().filter_map(|at| {
                    let entry = code_of(&at).filter(|entry| !known.contains(entry))?;
                    known.push(entry);
                    // The compiler may put parts of the code in front of a loop around it.
                    let begin = entry.and_then(|entry| image.entry_address(at, entry));
                    let is_its = |at: &u64| (start..end).contains(at) && code_of(at) == Some(entry);
                    Some(begin.filter(is_its).unwrap_or(at) + 1)
                });
                found.extend(calls.chain(rows).map(|at| at + module.bias));
                if found.len() >= MOST_PLACES {
                    return found;
                }
            }
        }
        found
    }

    /// The addresses one past each call of the function that starts at `start`, in its file.
    pub fn calls_to(&self, start: u64) -> Vec<u64> {
        let module = self.module(start);
        let Some((image, bias)) = module.and_then(|own| Some((own.searched()?, own.bias))) else {
            return Vec::new();
        };
        let at = start.wrapping_sub(bias);
        let sites = image.call_sites();
        let name = image.function_symbol(at).map(|symbol| symbol.name.clone());
        let by_name = name.and_then(|name| sites.of_imported.get(&name));
        let own = sites.of_own.get(&at).into_iter().chain(by_name).flatten();
        own.take(MOST_PLACES).map(|after| after.wrapping_add(bias)).collect()
    }
}

/// The addresses one past each call of a file, by the called function.
#[derive(Debug, Default)]
pub(super) struct CallSites {
    /// The calls of the file's own functions, keyed by the function's start.
    of_own: HashMap<u64, Vec<u64>>,
    /// The calls of imported functions, keyed by the function's name.
    of_imported: HashMap<Rc<str>, Vec<u64>>,
}

impl Image {
    /// Returns the calls in the file. They are searched once: there may be hundreds of thousands.
    fn call_sites(&self) -> &CallSites {
        self.call_sites.get_or_init(|| {
            let mut sites = CallSites::default();
            for &(start, end) in self.functions().iter().take(MOST_FUNCTIONS) {
                for (after, _) in self.ways_out(start, end) {
                    if self.is_linkage(after - 1) {
                        continue;
                    }
                    if let Some(callee) = self.own_callee(after) {
                        sites.of_own.entry(callee).or_default().push(after);
                    } else if let Some(name) = self.imported(after) {
                        sites.of_imported.entry(name).or_default().push(after);
                    }
                }
            }
            sites
        })
    }
}
