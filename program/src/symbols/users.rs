//! Finds the places where a program's code passes an address to functions of a runtime or of the C
//! library, such as all places that take one lock.

use super::flow::Value;
use super::{Owner, Symbols, outlined};

/// The most functions of one file that are searched, and the most calls that are followed.
const MOST_FUNCTIONS: usize = 50_000;
const MOST_CALLS: usize = 256;

/// The object whose address a call passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passed {
    /// The object at this address.
    Constant(u64),
    /// A part of an object to which an argument of the calling function points: that object's
    /// class, and the distance into the object.
    Part(String, u64),
}

impl Symbols {
    /// The object whose address the call that returns to `after` passes as its first argument.
    pub fn passed(&self, after: u64) -> Option<Passed> {
        let (image, bias) = self.image(after)?;
        let address = after.wrapping_sub(bias);
        let value = outlined::calls_around(image, address - 1).get(&address)?.arguments[0];
        match value {
            Value::Constant(known) => Some(Passed::Constant(known.wrapping_add(bias))),
            Value::Argument(number, at) => {
                let class = self.class_of_argument(after - 1, number)?;
                Some(Passed::Part(class, u64::try_from(at).ok()?))
            }
            _ => None,
        }
    }

    /// The addresses one past the program's calls of the functions for which `is_it` is true.
    pub fn calls_named(&self, is_it: &dyn Fn(&str) -> bool) -> Vec<u64> {
        let mut found = Vec::new();
        for module in self.modules.iter().filter(|module| module.kind == Owner::User) {
            let Some(image) = &module.image else { continue };
            for &(start, end) in image.functions().iter().take(MOST_FUNCTIONS) {
                let calls = image.ways_out(start, end).map(|(after, _)| after);
                let calls = calls.filter(|after| {
                    !image.is_linkage(after - 1)
                        && image.imported(*after).is_some_and(|callee| is_it(&callee))
                });
                found.extend(calls.map(|after| after.wrapping_add(module.bias)));
            }
        }
        found.truncate(MOST_CALLS);
        found
    }

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
