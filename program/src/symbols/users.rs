//! Finds where a program's code passes a certain address to functions of a runtime or of the C
//! library: all places that take one lock.

use super::flow::Value;
use super::{Owner, Symbols, outlined};

/// Functions of one file that are searched, and calls whose arguments are followed.
const MOST_FUNCTIONS: usize = 50_000;
const MOST_CALLS: usize = 256;

impl Symbols {
    /// The return addresses of the calls that pass `address`; or, without an address, of those
    /// whose argument the code does not show. `argument` returns, for the name of a function that
    /// counts, which of its arguments is meant (0 for the first); for any other, `None`.
    pub fn calls_with(
        &self,
        address: Option<u64>,
        argument: &dyn Fn(&str) -> Option<usize>,
    ) -> Vec<u64> {
        let mut found = Vec::new();
        for module in self.modules.iter().filter(|module| module.kind == Owner::User) {
            let Some(image) = &module.image else { continue };
            let wanted = address.map(|address| address.wrapping_sub(module.bias));
            let is_wanted = |value: Value| match value {
                Value::Constant(known) => wanted == Some(known),
                _ => wanted.is_none(),
            };
            let mut left = MOST_CALLS;
            for &(start, end) in image.functions().iter().take(MOST_FUNCTIONS) {
                let calls = image
                    .ways_out(start, end)
                    .filter_map(|(after, _)| Some((after, argument(&image.imported(after)?)?)));
                for (after, number) in calls.take(left) {
                    left -= 1;
                    let calls = outlined::calls_around(image, after - 1);
                    let call = calls.get(&after);
                    if call.is_some_and(|call| is_wanted(call.arguments[number])) {
                        found.push(after.wrapping_add(module.bias));
                    }
                }
            }
        }
        found
    }

    /// The addresses one past each jump of the program that leads to another file's function of
    /// that name.
    pub fn jumps_out_to(&self, callee: &str) -> Vec<u64> {
        let mut found = Vec::new();
        for module in self.modules.iter().filter(|module| module.kind == Owner::User) {
            let Some(image) = &module.image else { continue };
            let functions = image.functions().iter().take(MOST_FUNCTIONS);
            let ways = functions.flat_map(|&(start, end)| image.ways_out(start, end));
            let jumps = ways.filter(|(after, is_jump)| {
                let is_own = *is_jump && !image.is_linkage(after - 1);
                is_own && image.imported(*after).is_some_and(|name| *name == *callee)
            });
            found.extend(jumps.map(|(after, _)| after.wrapping_add(module.bias)));
        }
        found
    }
}
