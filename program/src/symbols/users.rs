//! Finds the places where a program's code passes an address to functions of a runtime or of the C
//! library, such as all places that take one lock.

use std::rc::Rc;

use super::flow::Value;
use super::image::Image;
use super::{Symbols, outlined};

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
        let of_file = |(image, bias): (_, u64)| {
            let calls = ways_out(image).filter(|(_, _, callee)| is_it(callee));
            calls.map(move |(after, ..)| after.wrapping_add(bias))
        };
        self.program_files().flat_map(of_file).take(MOST_CALLS).collect()
    }

    /// The return addresses of the calls that pass `address`; or, without an address, of those
    /// whose argument the code does not show. `argument` returns, for the name of a function that
    /// counts, which of its arguments is meant (0 for the first); for any other, `None`.
    pub fn calls_with(
        &self,
        address: Option<u64>,
        argument: &dyn Fn(&str) -> Option<usize>,
    ) -> Vec<u64> {
        let of_file = |(image, bias): (_, u64)| {
            let calls = ways_out(image)
                .filter_map(|(after, _, callee)| Some((after, argument(&callee)?)))
                .take(MOST_CALLS);
            calls.filter_map(move |(after, number)| {
                let calls = outlined::calls_around(image, after - 1);
                let is_wanted = match calls.get(&after)?.arguments[number] {
                    Value::Constant(known) => address == Some(known.wrapping_add(bias)),
                    _ => address.is_none(),
                };
                is_wanted.then(|| after.wrapping_add(bias))
            })
        };
        self.program_files().flat_map(of_file).collect()
    }

    /// The addresses one past each jump of the program that leads to another file's function of
    /// that name.
    pub fn jumps_out_to(&self, callee: &str) -> Vec<u64> {
        let of_file = |(image, bias): (_, u64)| {
            let jumps = ways_out(image).filter(|(_, is_jump, name)| *is_jump && **name == *callee);
            jumps.map(move |(after, ..)| after.wrapping_add(bias))
        };
        self.program_files().flat_map(of_file).collect()
    }
}

/// The calls and jumps (true) of a file's functions that lead to another file: the address one past
/// each, and the function there. The linkage's own jumps are not among them.
fn ways_out(image: &Image) -> impl Iterator<Item = (u64, bool, Rc<str>)> {
    let functions = image.functions().iter().take(MOST_FUNCTIONS);
    let ways = functions.flat_map(|&(start, end)| image.ways_out(start, end));
    ways.filter_map(|(after, is_jump)| {
        let callee = image.imported(after)?;
        (!image.is_linkage(after - 1)).then_some((after, is_jump, callee))
    })
}
