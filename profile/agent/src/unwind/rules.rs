//! The step from a frame to its caller: the short form that fits the cache, and gimli's row for
//! everything else.

use super::expression::evaluate;
use super::modules::Module;
use super::{Registers, StackMemory, register};
use gimli::{
    CfaRule, EhFrame, EndianSlice, LittleEndian, Register, RegisterRule, UnwindContextStorage,
    UnwindSection, UnwindTableRow,
};

/// The size of the fixed working memory for gimli: no table row of real code needs more.
pub struct Storage;

impl UnwindContextStorage<usize> for Storage {
    type Rules = [(Register, RegisterRule<usize>); 24];
    type Stack = [UnwindTableRow<usize, Self>; 4];
}

/// gimli's working memory.
pub type Context = gimli::UnwindContext<usize, Storage>;

/// The registers that a caller may need and that the short form follows: rbx, rbp, r12 to r15.
const SAVED: [usize; 6] = [register::RBX, register::RBP, 12, 13, 14, 15];
pub(super) const SAME: i16 = i16::MIN;

/// The way from a frame to its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The outermost frame.
    End,
    /// There is no information: the frame pointer chain is tried.
    Unknown,
    /// The frame's address is a register and an offset, and registers are saved at multiples of
    /// eight from there; `i16::MIN` = not saved.
    Plain {
        /// The register, by DWARF number.
        register: u8,
        /// The offset that is added to the register, bytes.
        offset: i32,
        /// The places where the followed registers are saved, words from the frame's address.
        saved: [i16; 6],
    },
    /// Any other way: it is evaluated each time.
    Full,
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The registers are now the caller's.
    Caller {
        /// Whether the caller's program counter is no return address: the frame was a signal
        /// handler's.
        exact: bool,
    },
    /// There is no caller.
    End,
    /// The caller could not be found.
    Lost,
}

fn section(module: &Module) -> EhFrame<EndianSlice<'static, LittleEndian>> {
    let mut section = EhFrame::new(module.eh_frame, LittleEndian);
    section.set_address_size(8);
    section
}

type Row = UnwindTableRow<usize, Storage>;

/// Returns the row of `address` with its encoding, and whether it is a signal frame's; `None` if
/// the module says nothing about the address.
fn row_of_code<'c>(
    module: &Module,
    context: &'c mut Context,
    address: u64,
) -> Option<(&'c Row, gimli::Encoding, bool)> {
    let header = module.header.as_ref()?;
    let table = header.table()?;
    let section = section(module);
    let pointer = table.lookup(address, &module.bases).ok()?;
    let offset = table.pointer_to_offset(pointer).ok()?;
    let fde = section.fde_from_offset(&module.bases, offset, EhFrame::cie_from_offset).ok()?;
    if !fde.contains(address) {
        return None;
    }
    let encoding = fde.cie().encoding();
    let signal = fde.is_signal_trampoline();
    let row = fde.unwind_info_for_address(&section, &module.bases, context, address).ok()?;
    Some((row, encoding, signal))
}

/// Returns the rule of `address`. Async-signal-safe.
pub fn find(module: &Module, context: &mut Context, address: u64) -> Rule {
    match row_of_code(module, context, address) {
        None => Rule::Unknown,
        Some((_, _, true)) => Rule::Full,
        Some((row, _, false)) => shorten(row),
    }
}

fn shorten(row: &Row) -> Rule {
    match row.register(Register(register::RIP as u16)) {
        Some(RegisterRule::Undefined) | None => return Rule::End,
        Some(RegisterRule::Offset(-8)) => {}
        Some(_) => return Rule::Full,
    }
    let CfaRule::RegisterAndOffset { register: from, offset } = *row.cfa() else {
        return Rule::Full;
    };
    let (Ok(register), Ok(offset)) = (u8::try_from(from.0), i32::try_from(offset)) else {
        return Rule::Full;
    };
    let mut saved = [SAME; 6];
    for (place, number) in saved.iter_mut().zip(SAVED) {
        match row.register(Register(number as u16)) {
            None | Some(RegisterRule::SameValue | RegisterRule::Undefined) => {}
            Some(RegisterRule::Offset(at)) if at % 8 == 0 => match i16::try_from(at / 8) {
                Ok(words) => *place = words,
                Err(_) => return Rule::Full,
            },
            Some(_) => return Rule::Full,
        }
    }
    Rule::Plain { register, offset, saved }
}

/// Applies a plain rule.
pub fn apply_plain(
    registers: &mut Registers,
    memory: &StackMemory,
    from: u8,
    offset: i32,
    saved: &[i16; 6],
) -> Step {
    let frame = registers
        .get(u16::from(from))
        .and_then(|base| base.checked_add_signed(i64::from(offset)))
        .filter(|frame| *frame > registers.sp() || (*frame == registers.sp() && offset > 0));
    let Some(frame) = frame else { return Step::Lost };
    let Some(pc) = memory.read(frame.wrapping_sub(8)) else { return Step::Lost };
    for (words, number) in saved.iter().zip(SAVED) {
        if *words != SAME {
            let at = frame.wrapping_add_signed(i64::from(*words) * 8);
            if let (Some(value), Some(place)) = (memory.read(at), registers.0.get_mut(number)) {
                *place = value;
            }
        }
    }
    registers.0[register::RSP] = frame;
    registers.0[register::RIP] = pc;
    Step::Caller { exact: false }
}

/// Evaluates the whole row of `address`.
pub fn apply_full(
    module: &Module,
    context: &mut Context,
    address: u64,
    registers: &mut Registers,
    memory: &StackMemory,
) -> Step {
    let Some((row, encoding, signal)) = row_of_code(module, context, address) else {
        return Step::Lost;
    };
    let section = section(module);
    let frame = match row.cfa() {
        CfaRule::RegisterAndOffset { register, offset } => {
            registers.get(register.0).map(|base| base.wrapping_add_signed(*offset))
        }
        CfaRule::Expression(expression) => expression
            .get(&section)
            .ok()
            .and_then(|bytes| evaluate(bytes.0, encoding, registers, memory, None)),
    };
    let Some(frame) = frame else { return Step::Lost };
    let mut caller = *registers;
    caller.0[register::RSP] = frame;
    for (number, rule) in row.registers() {
        let Some(place) = caller.0.get_mut(usize::from(number.0)) else { continue };
        let value = match rule {
            RegisterRule::Undefined if usize::from(number.0) == register::RIP => return Step::End,
            RegisterRule::Offset(at) => memory.read(frame.wrapping_add_signed(*at)),
            RegisterRule::ValOffset(at) => Some(frame.wrapping_add_signed(*at)),
            RegisterRule::Register(other) => registers.get(other.0),
            RegisterRule::Expression(expression) => expression
                .get(&section)
                .ok()
                .and_then(|bytes| evaluate(bytes.0, encoding, registers, memory, Some(frame)))
                .and_then(|at| memory.read(at)),
            RegisterRule::ValExpression(expression) => expression
                .get(&section)
                .ok()
                .and_then(|bytes| evaluate(bytes.0, encoding, registers, memory, Some(frame))),
            _ => continue,
        };
        match value {
            Some(value) => *place = value,
            None if usize::from(number.0) == register::RIP => return Step::Lost,
            None => {}
        }
    }
    if caller.sp() <= registers.sp() && caller.pc() == registers.pc() {
        return Step::Lost;
    }
    *registers = caller;
    Step::Caller { exact: signal }
}
