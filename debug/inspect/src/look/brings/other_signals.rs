//! Distinguishes the condition variable that a thread waits for from others that the program
//! signals.

use omphalos_ompd_view::snapshot::{Address, Bringing, Brings};
use omphalos_program::{Owner, Passed};

use super::super::Stack;
use super::{doers::doers, place_of, places_of};
use crate::names::Named;

/// The class of the C++ library's own condition variables.
const CLASS: &str = "condition_variable";

/// Returns the places that signal condition variables, with the addresses of these, if each such
/// call of the program shows that it signals another one than `object`.
pub fn find(named: &Named<'_>, object: Address, stack: &Stack) -> Option<Brings> {
    let functions = doers(Bringing::Signal).functions;
    let is_signal = |callee: &str| functions.iter().any(|it| callee.starts_with(it));
    let calls = named.names().calls_named(&is_signal);
    let own = waited_part(named, stack);
    let mut others_at: Vec<Address> = Vec::new();
    for call in &calls {
        let at = other(named, *call, object, own.as_ref())?;
        if !others_at.contains(&at) {
            others_at.push(at);
        }
    }
    let places = places_of(named, &calls);
    (!places.is_empty()).then(|| Brings { places, others_at, ..Brings::default() })
}

/// Leaves of calls that signal condition variables those that may signal `object`. An inlined copy
/// of a line signals what the method itself signals there, even if its own code does not show that.
pub fn retain_own(named: &Named<'_>, object: Address, stack: &Stack, calls: &mut Vec<u64>) {
    let own = waited_part(named, stack);
    let is_other = |call: &u64| other(named, *call, object, own.as_ref()).is_some();
    let is_part = |call: &u64| matches!(named.names().passed(*call), Some(Passed::Part(..)));
    let (parts, rest): (Vec<u64>, Vec<u64>) = calls.iter().copied().partition(is_part);
    let (others, mut kept): (Vec<u64>, Vec<u64>) = parts.into_iter().partition(is_other);
    let of_others = places_of(named, &others);
    let of_own = places_of(named, &kept);
    let is_copy = |call: &u64| {
        let place = place_of(named, *call);
        place.is_some_and(|at| of_others.contains(&at) && !of_own.contains(&at))
    };
    kept.extend(rest.into_iter().filter(|call| !is_other(call) && !is_copy(call)));
    kept.sort_unstable();
    *calls = kept;
}

/// The condition variable that a call signals, if the code shows that it is another one than
/// `object`: by its address, or by its place in an object of the class in which `object` has
/// another one (`own`).
fn other(
    named: &Named<'_>,
    call: u64,
    object: Address,
    own: Option<&(String, u64)>,
) -> Option<Address> {
    match (named.names().passed(call)?, own) {
        (Passed::Constant(at), _) if at != object => Some(at),
        (Passed::Part(of, at), Some((class, own))) if of == *class && at != *own => {
            Some(object.wrapping_sub(*own).wrapping_add(at))
        }
        _ => None,
    }
}

/// The part of an object that the thread waits for: the object's class, and the distance into it.
fn waited_part(named: &Named<'_>, stack: &Stack) -> Option<(String, u64)> {
    let names = named.names();
    let own = stack.raw.iter().filter(|raw| names.owner(raw.lookup) == Owner::User);
    for raw in own {
        let passed = names.passed(raw.address).or_else(|| of_copy(named, raw.address));
        match passed? {
            // A method of the library passes on what its caller gave it.
            Passed::Part(class, 0) if class.starts_with(CLASS) => {}
            Passed::Part(class, at) => return Some((class, at)),
            Passed::Constant(_) => return None,
        }
    }
    None
}

/// A thread waits in an inlined copy of a method. Returns the argument that the method's own code
/// passes at that line.
fn of_copy(named: &Named<'_>, after: u64) -> Option<Passed> {
    let place = place_of(named, after)?;
    let is_wait = |callee: &str| {
        ["cond", "cnd_"].iter().any(|it| callee.contains(it)) && callee.contains("wait")
    };
    let calls = named.names().calls_named(&is_wait).into_iter();
    let mut here = calls.filter(|call| place_of(named, *call).as_ref() == Some(&place));
    here.find_map(|call| named.names().passed(call))
        .filter(|passed| matches!(passed, Passed::Part(..)))
}
