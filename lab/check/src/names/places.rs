//! Finds the place of a variable with the debug information.

use gimli::{EvaluationResult, Location, Piece, Value};
use omphalos_inspect::All;

use super::debug::{Slice, Variable};
use crate::trace::tracee::Memory;

/// A frame in which variables are searched.
pub struct Frame {
    /// An address in its current call.
    pub lookup: u64,
    pub cfa: u64,
    pub registers: All,
}

/// The place of a variable in a frame: its address, or its value if it is in a register.
pub enum Place {
    At(u64),
    Value(u64),
}

/// Finds the place of a variable in a frame.
pub fn place(variable: &Variable, frame: &Frame, bias: u64, memory: &Memory) -> Option<Place> {
    let base = variable.frame_base.map(|base| {
        match evaluate(base, variable.encoding, frame, None, bias, memory)? {
            Place::At(at) => Some(at),
            // A register has the value.
            Place::Value(value) => Some(value),
        }
    });
    evaluate(variable.location, variable.encoding, frame, base.flatten(), bias, memory)
}

fn evaluate(
    expression: gimli::Expression<Slice>,
    encoding: gimli::Encoding,
    frame: &Frame,
    base: Option<u64>,
    bias: u64,
    memory: &Memory,
) -> Option<Place> {
    let register =
        |number: gimli::Register| frame.registers.get(usize::from(number.0)).copied().flatten();
    let mut evaluation = expression.evaluation(encoding);
    evaluation.set_max_iterations(1000);
    let mut state = evaluation.evaluate().ok()?;
    loop {
        state = match state {
            EvaluationResult::Complete => break,
            EvaluationResult::RequiresRegister { register: number, .. } => {
                let value = Value::Generic(register(number)?);
                evaluation.resume_with_register(value).ok()?
            }
            EvaluationResult::RequiresMemory { address, size, .. } => {
                let mut value = memory.word(address)?;
                if size < 8 {
                    value &= (1 << (8 * u32::from(size))) - 1;
                }
                evaluation.resume_with_memory(Value::Generic(value)).ok()?
            }
            EvaluationResult::RequiresFrameBase => evaluation.resume_with_frame_base(base?).ok()?,
            EvaluationResult::RequiresCallFrameCfa => {
                evaluation.resume_with_call_frame_cfa(frame.cfa).ok()?
            }
            EvaluationResult::RequiresRelocatedAddress(at) => {
                evaluation.resume_with_relocated_address(at.wrapping_add(bias)).ok()?
            }
            _ => return None,
        };
    }
    let result = evaluation.as_result();
    let [Piece { size_in_bits: None, location, .. }] = result else { return None };
    match *location {
        Location::Address { address } => Some(Place::At(address)),
        Location::Register { register: number } => Some(Place::Value(register(number)?)),
        Location::Value { value } => Some(Place::Value(value.to_u64(u64::MAX).ok()?)),
        _ => None,
    }
}
