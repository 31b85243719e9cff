//! Finds the outlined function that a construct's code passes to the runtime: the constant in the
//! argument at the call, wherever it was loaded (`flow`).

use std::rc::Rc;

use super::flow::{self, Call, Calls, Value};
use super::image::Image;
use super::{CRITICAL_PREFIX, Owner, Symbols};
use crate::entries::{self, Part};

/// A call of the runtime, as the code shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// The address one past the call, or past the jump that stands for it.
    pub after: u64,
    /// Whether the construct's function ended in a jump to the runtime, so that the return address
    /// is that of its caller: the function itself is on no stack.
    pub tail_called: bool,
    /// Whether an unknown function was called that then called the runtime: then only the body can
    /// name the construct.
    pub is_unknown: bool,
    /// Whether the code shows that the call goes to the runtime.
    pub is_direct: bool,
    /// The start of the outlined function, if the code shows the call's argument.
    pub body: Option<u64>,
}

/// Reads the code around a `codeptr_ra`.
pub(super) fn site(symbols: &Symbols, codeptr_ra: u64) -> Site {
    let plain = Site { after: codeptr_ra, ..Site::default() };
    let Some(module) = symbols.module(codeptr_ra) else { return plain };
    let Some(image) = &module.image else { return plain };
    if module.kind != Owner::User {
        return plain;
    }
    let address = codeptr_ra.wrapping_sub(module.bias);
    let in_process = |body: u64| body.wrapping_add(module.bias);
    let calls = calls_around(image, address.wrapping_sub(1));
    let call = calls.get(&address);
    if let Some(body) = call.and_then(|call| body_of(image, call)) {
        return Site { body: Some(in_process(body)), is_direct: true, ..plain };
    }
    if call.and_then(|call| call.callee.as_deref()).is_some_and(entries::is_of_a_runtime) {
        return Site { is_direct: true, ..plain };
    }
    if let [0xe8, displacement @ ..] = image.code_before(address, 5)
        && let Ok(displacement) = <[u8; 4]>::try_from(displacement)
    {
        let callee = address.wrapping_add_signed(i64::from(i32::from_le_bytes(displacement)));
        if !image.is_linkage(callee) {
            // A direct call within the module does not go to the runtime: the called function
            // jumped there.
            return match tail_call(image, callee) {
                Some((after, body)) => Site {
                    after: after.wrapping_add(module.bias),
                    tail_called: true,
                    body: body.map(in_process),
                    ..plain
                },
                None => Site { is_unknown: true, ..plain },
            };
        }
    }
    // A call through a pointer: the called function jumped to the runtime.
    Site { is_unknown: call.is_some(), ..plain }
}

/// The calls of the function around `address`.
pub(super) fn calls_around(image: &Image, address: u64) -> Rc<Calls> {
    let bounds = image.function_bounds(address).or_else(|| {
        let symbol = image.function_symbol(address).filter(|symbol| symbol.size > 0)?;
        Some((symbol.address, symbol.address + symbol.size))
    });
    let Some((start, end)) = bounds else { return Rc::default() };
    if let Some(known) = image.flows.borrow().get(&start) {
        return known.clone();
    }
    let found = Rc::new(flow::calls(image, start, end));
    image.flows.borrow_mut().insert(start, found.clone());
    found
}

/// The outlined function that a call passes to a runtime.
fn body_of(image: &Image, call: &Call) -> Option<u64> {
    let argument = call.arguments[argument_with_body(call.callee.as_deref()?)?];
    let (Value::Constant(body) | Value::Task(body)) = argument else { return None };
    image.starts_function(body).then_some(body)
}

/// The number of the argument by which a construct's entry point gets the outlined function, or the
/// task that was made for one.
pub(super) fn argument_with_body(callee: &str) -> Option<usize> {
    match callee {
        _ if entries::part(callee) == Some(Part::TaskAlloc) => Some(5),
        "__kmpc_parallel_51" => Some(5),
        _ if callee.starts_with("GOMP_target") => Some(1),
        _ if entries::is_gccs(callee) => Some(0),
        _ if callee.starts_with("__kmpc_") => Some(2),
        _ => None,
    }
}

/// The jump to the runtime in the function at `start`, and the outlined function that it passes; no
/// function if several jumps differ.
pub(super) fn tail_call(image: &Image, start: u64) -> Option<(u64, Option<u64>)> {
    let calls = calls_around(image, start);
    let mut jumps: Vec<&Call> = calls
        .values()
        .filter(|call| call.is_jump && call.callee.as_deref().is_some_and(entries::is_of_a_runtime))
        .collect();
    jumps.sort_by_key(|call| call.after);
    let bodies: Vec<Option<u64>> = jumps.iter().map(|call| body_of(image, call)).collect();
    let body =
        bodies.first().copied().flatten().filter(|_| bodies.windows(2).all(|two| two[0] == two[1]));
    Some((jumps.first()?.after, body))
}

/// The constant first argument of the call that returns to `after`.
pub(super) fn first_argument(symbols: &Symbols, after: u64) -> Option<u64> {
    address_argument(symbols, after, 0)
}

/// Returns an argument of that call, where the code has it as an address.
pub(super) fn address_argument(symbols: &Symbols, after: u64, number: usize) -> Option<u64> {
    let (_, bias) = symbols.image(after)?;
    Some(number_argument(symbols, after, number)?.wrapping_add(bias))
}

/// Returns an argument of the call that returns to `after`, where the code has it as a number.
/// `number`: which one, from 0; an argument behind the sixth is not known.
pub(super) fn number_argument(symbols: &Symbols, after: u64, number: usize) -> Option<u64> {
    let (image, bias) = symbols.image(after)?;
    let address = after.wrapping_sub(bias);
    let calls = calls_around(image, address.wrapping_sub(1));
    let value = calls.get(&address)?.arguments.get(number)?;
    if let Value::Constant(value) = value { Some(*value) } else { None }
}

/// The name of the word that the call at `codeptr_ra` passes, if it is a critical section's.
pub(super) fn critical_word(symbols: &Symbols, codeptr_ra: u64) -> Option<String> {
    let module = symbols.module(codeptr_ra)?;
    let image = module.image.as_ref()?;
    let symbol =
        image.data_symbol(word_of_critical(image, codeptr_ra.wrapping_sub(module.bias))?)?;
    symbol.name.starts_with(CRITICAL_PREFIX).then(|| symbol.name.to_string())
}

/// The word that the call which returns to `after` passes, if it is a critical section's.
pub(super) fn critical_lock(symbols: &Symbols, after: u64) -> Option<u64> {
    let (image, bias) = symbols.image(after)?;
    Some(word_of_critical(image, after.wrapping_sub(bias))?.wrapping_add(bias))
}

fn word_of_critical(image: &Image, after: u64) -> Option<u64> {
    let calls = calls_around(image, after.wrapping_sub(1));
    let call = calls.get(&after)?;
    let callee = call.callee.as_deref()?;
    let word = match entries::part(callee)? {
        Part::Critical if callee == "GOMP_critical_name_start" => call.arguments[0],
        Part::Critical if !entries::is_gccs(callee) => call.arguments[2],
        _ => return None,
    };
    let Value::Constant(word) = word else { return None };
    Some(word)
}
