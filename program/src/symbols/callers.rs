//! Where a program's code calls certain functions: another file's, its own, or such as stand in
//! headers and were put in the place of their calls.

use super::{Owner, Symbols};

/// Functions of one file that are gone over, and places that are given.
const MOST_FUNCTIONS: usize = 50_000;
const MOST_PLACES: usize = 64;

impl Symbols {
    /// One past each place of the program's that calls a function for which `is_it` holds, by its
    /// linkage name, or has its code. `headers`: the last parts of the names of those files that
    /// have code of such functions.
    pub fn callers(&self, is_it: &dyn Fn(&str) -> bool, headers: &[&str]) -> Vec<u64> {
        let mut found = Vec::new();
        for module in self.modules.iter().filter(|module| module.kind == Owner::User) {
            let Some(image) = &module.image else { continue };
            for &(start, end) in image.functions().iter().take(MOST_FUNCTIONS) {
                let calls = image.ways_out(start, end).filter_map(|(after, is_jump)| {
                    let own =
                        || Some(image.function_symbol(image.own_callee(after)?)?.name.clone());
                    let is_stub = is_jump && image.is_linkage(after - 1);
                    (!is_stub && is_it(&image.imported(after).or_else(own)?)).then_some(after)
                });
                let has_code = |at: &u64| {
                    let frames = image.frames(*at);
                    frames.iter().any(|frame| frame.name.as_deref().is_some_and(is_it))
                };
                let rows = image.rows_of(start, end, headers).into_iter().filter(has_code);
                found.extend(calls.chain(rows.map(|at| at + 1)).map(|at| at + module.bias));
                if found.len() >= MOST_PLACES {
                    return found;
                }
            }
        }
        found
    }
    /// One past each call, of the file around `start`, of the function that starts there.
    pub fn calls_to(&self, start: u64) -> Vec<u64> {
        let Some((image, bias)) = self.image(start) else { return Vec::new() };
        let at = start.wrapping_sub(bias);
        let name = image.function_symbol(at).map(|symbol| symbol.name.clone());
        let is_it = |after: &u64| {
            let by_name = || image.imported(*after).is_some_and(|callee| Some(callee) == name);
            image.own_callee(*after) == Some(at) || by_name()
        };
        let functions = image.functions().iter().take(MOST_FUNCTIONS);
        let ways = functions.flat_map(|&(start, end)| image.ways_out(start, end));
        let calls = ways.map(|(after, _)| after).filter(|after| !image.is_linkage(after - 1));
        calls.filter(is_it).take(MOST_PLACES).map(|after| after.wrapping_add(bias)).collect()
    }
}
