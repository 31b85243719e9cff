//! Finds programs that signal other condition variables than the one that a thread waits for.

use omphalos_ompd_view::snapshot::{Address, Bringing, Brings};
use omphalos_program::{Owner, Passed};

use super::super::Stack;
use super::{doers::doers, places_of};
use crate::names::Named;

/// The class of the C++ library's own condition variables.
const CLASS: &str = "condition_variable";

/// Returns the places that signal condition variables, with the addresses of these, if each such
/// call of the program shows that it signals another one than `object`. A call shows that by the
/// variable's address, or by its place in an object of the class in which `object` has another one.
pub fn find(named: &Named<'_>, object: Address, stack: &Stack) -> Option<Brings> {
    let names = named.names();
    let functions = doers(Bringing::Signal).functions;
    let calls = names.calls_named(&|callee| functions.iter().any(|it| callee.starts_with(it)));
    let own = waited_part(named, stack);
    let mut others_at: Vec<Address> = Vec::new();
    for call in &calls {
        let at = match (names.passed(*call)?, &own) {
            (Passed::Constant(at), _) if at != object => at,
            (Passed::Part(of, at), Some((class, own))) if of == *class && at != *own => {
                object.wrapping_sub(*own).wrapping_add(at)
            }
            _ => return None,
        };
        if !others_at.contains(&at) {
            others_at.push(at);
        }
    }
    let places = places_of(named, &calls);
    (!places.is_empty()).then(|| Brings { places, others_at, ..Brings::default() })
}

/// The part of an object that the thread waits for: the object's class, and the distance into it.
fn waited_part(named: &Named<'_>, stack: &Stack) -> Option<(String, u64)> {
    let names = named.names();
    let own = stack.raw.iter().filter(|raw| names.owner(raw.lookup) == Owner::User);
    for raw in own {
        match names.passed(raw.address)? {
            // A method of the library passes on what its caller gave it.
            Passed::Part(class, 0) if class.starts_with(CLASS) => {}
            Passed::Part(class, at) => return Some((class, at)),
            Passed::Constant(_) => return None,
        }
    }
    None
}
