//! Unwinds stacks from registers and memory: with `.eh_frame`, and with the frame pointer for code
//! without it.
//!
//! Each step must move the stack pointer up (except for a signal's frame), so a walk ends; it is
//! bounded as well.

mod base;
mod table;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use gimli::{
    BaseAddresses, CfaRule, EhFrameHdr, EvaluationResult, Expression, Location, NativeEndian,
    Register, RegisterRule, UnwindContext, Value,
};
use omphalos_ompd_view::{Registers, Target};

use crate::elf::Elf;
use crate::space::{Module, word};
use table::{Slice, Table};

/// Frames of one stack; deeper ones are left out.
pub const DEEPEST: usize = 4096;
/// Largest table of unwinding information that is read.
const LARGEST: u64 = 256 << 20;

/// A frame as unwound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw {
    /// The address at which it goes on; for the innermost frame, the current instruction.
    pub address: u64,
    /// An address in its current call: names and lines are looked up here.
    pub lookup: u64,
    /// The stack pointer behind the return address.
    pub cfa: u64,
    /// The kernel made the frame: below it is the handler of a signal.
    pub signal: bool,
}

/// Unwinds stacks, and reads each module's table once.
pub struct Unwinder<'a> {
    target: &'a dyn Target,
    modules: &'a [Module],
    tables: RefCell<HashMap<u64, Option<Rc<Table>>>>,
}

/// rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 to r15 and the return address, in DWARF's numbering.
pub type All = [Option<u64>; 17];
/// rbx, rbp, r12 to r15 in DWARF's numbering: a function's values there are known during calls too.
pub const SAVED: [usize; 6] = [3, 6, 12, 13, 14, 15];
const RBP: usize = 6;
const RSP: usize = 7;
const RIP: usize = 16;

impl<'a> Unwinder<'a> {
    /// Makes one for stacks in `target`.
    pub fn new(target: &'a dyn Target, modules: &'a [Module]) -> Unwinder<'a> {
        Unwinder { target, modules, tables: RefCell::default() }
    }

    /// The target of the stacks.
    pub fn target(&self) -> &'a dyn Target {
        self.target
    }

    /// The stack, innermost frame first.
    pub fn walk(&self, start: &Registers) -> Vec<Raw> {
        self.walk_with(start, |_, _| true)
    }

    /// The same, and calls `each` for each frame with its registers, as far as they are known,
    /// until that returns false.
    pub fn walk_with(&self, start: &Registers, each: impl FnMut(&Raw, &All) -> bool) -> Vec<Raw> {
        let mut all: All = [None; 17];
        let [rbx, rbp, r12, r13, r14, r15] = start.saved;
        all[3] = Some(rbx);
        all[RBP] = Some(rbp);
        all[RSP] = Some(start.rsp);
        all[12..16].copy_from_slice(&[Some(r12), Some(r13), Some(r14), Some(r15)]);
        all[RIP] = Some(start.rip);
        // Around some system calls, such as vfork's, a return address is in a register.
        let [rax, _, rdi, rsi, rdx, r10, r8, r9] = start.call;
        (all[5], all[4], all[1]) = (Some(rdi), Some(rsi), Some(rdx));
        // Loops of the innermost function have their variables in these registers.
        (all[0], all[2], all[11]) =
            (Some(rax), start.lost.map(|at| at[0]), start.lost.map(|at| at[1]));
        all[8..11].copy_from_slice(&[Some(r8), Some(r9), Some(r10)]);
        self.walk_from(all, each)
    }

    /// The same, from the registers of the innermost frame, as far as they are known.
    pub fn walk_from(&self, mut all: All, mut each: impl FnMut(&Raw, &All) -> bool) -> Vec<Raw> {
        let mut context = UnwindContext::new();
        let mut frames = Vec::new();
        // The addresses of the innermost frame, and of a frame that a signal interrupted, are
        // exact, not behind a call.
        let mut exact = true;
        while frames.len() < DEEPEST {
            let (Some(address), Some(sp)) = (all[RIP], all[RSP]) else { break };
            if address < 4096 && !frames.is_empty() {
                break;
            }
            let lookup = if exact { address } else { address - 1 };
            let step = self.by_table(&mut context, lookup, &all);
            let (next, cfa, signal) = match step {
                Step::Caller { all, cfa, signal } => (Some(*all), cfa, signal),
                Step::Outermost => (None, 0, false),
                Step::Unknown => match self.by_pointers(&all, frames.is_empty()) {
                    Some((all, cfa)) => (Some(all), cfa, false),
                    None => (None, 0, false),
                },
            };
            let raw = Raw { address, lookup, cfa, signal };
            frames.push(raw);
            if !each(&raw, &all) {
                break;
            }
            let Some(next) = next else { break };
            if !signal && next[RSP].is_none_or(|next| next <= sp) {
                break;
            }
            exact = signal;
            all = next;
        }
        frames
    }

    fn by_table(&self, context: &mut UnwindContext<usize>, lookup: u64, all: &All) -> Step {
        let Some(table) = self.table(lookup) else { return Step::Unknown };
        let found = table.look_up(context, lookup, |begin, row, signal, expression, encoding| {
            let evaluate = |expression: Expression<Slice<'_>>, start: Option<u64>| {
                self.evaluate(expression, encoding, all, start)
            };
            let register = |at: Register| all.get(usize::from(at.0)).copied().flatten();
            let cfa = match row.cfa() {
                CfaRule::RegisterAndOffset { register: base, offset } => {
                    let known = register(*base)?.wrapping_add_signed(*offset);
                    match all[RSP]? {
                        // The frame pointer of a thread that nothing stopped is unknown.
                        sp if usize::from(base.0) == RBP && known <= sp => {
                            base::of_frame(self.target, begin, sp)?.wrapping_add_signed(*offset)
                        }
                        _ => known,
                    }
                }
                CfaRule::Expression(at) => evaluate(expression(at)?, None)?,
            };
            let mut next: All = *all;
            next[RSP] = Some(cfa);
            next[RIP] = None;
            // Registers that a call may change are unknown above it.
            for scratch in [0, 1, 2, 4, 5, 8, 9, 10, 11] {
                next[scratch] = None;
            }
            let mut ends = false;
            for (at, rule) in row.registers() {
                let number = usize::from(at.0);
                if number >= next.len() {
                    continue;
                }
                let load = |address: u64| word(self.target, address).ok();
                next[number] = match rule {
                    RegisterRule::Undefined => {
                        ends |= number == RIP;
                        None
                    }
                    RegisterRule::SameValue => all[number],
                    RegisterRule::Offset(offset) => load(cfa.wrapping_add_signed(*offset)),
                    RegisterRule::ValOffset(offset) => Some(cfa.wrapping_add_signed(*offset)),
                    RegisterRule::Register(other) => register(*other),
                    RegisterRule::Expression(at) => {
                        evaluate(expression(at)?, Some(cfa)).and_then(load)
                    }
                    RegisterRule::ValExpression(at) => evaluate(expression(at)?, Some(cfa)),
                    _ => None,
                };
            }
            if ends {
                return Some(Step::Outermost);
            }
            next[RIP].map(|_| Step::Caller { all: Box::new(next), cfa, signal })
        });
        found.unwrap_or(Step::Unknown)
    }

    fn evaluate(
        &self,
        expression: Expression<Slice<'_>>,
        encoding: gimli::Encoding,
        all: &All,
        start: Option<u64>,
    ) -> Option<u64> {
        let mut evaluation = expression.evaluation(encoding);
        evaluation.set_max_iterations(10_000);
        if let Some(start) = start {
            evaluation.set_initial_value(start);
        }
        let mut state = evaluation.evaluate().ok()?;
        loop {
            state = match state {
                EvaluationResult::Complete => break,
                EvaluationResult::RequiresRegister { register, .. } => {
                    let value = all.get(usize::from(register.0)).copied().flatten()?;
                    evaluation.resume_with_register(Value::Generic(value)).ok()?
                }
                EvaluationResult::RequiresMemory { address, .. } => {
                    let value = word(self.target, address).ok()?;
                    evaluation.resume_with_memory(Value::Generic(value)).ok()?
                }
                _ => return None,
            };
        }
        match evaluation.as_result().last()?.location {
            Location::Address { address } => Some(address),
            Location::Value { value } => value.to_u64(u64::MAX).ok(),
            _ => None,
        }
    }

    /// A step without a table: out of a call of an address without code, otherwise by the frame
    /// pointer.
    fn by_pointers(&self, all: &All, innermost: bool) -> Option<(All, u64)> {
        let (sp, pc) = (all[RSP]?, all[RIP]?);
        let mut next = *all;
        for lost in [0, 2, 8, 9, 10, 11] {
            next[lost] = None;
        }
        if innermost && self.module(pc).is_none() {
            let back = word(self.target, sp).ok()?;
            if self.module(back).is_some() {
                next[RIP] = Some(back);
                next[RSP] = Some(sp.wrapping_add(8));
                return Some((next, sp.wrapping_add(8)));
            }
        }
        let base = all[RBP].filter(|base| *base >= sp && base % 8 == 0)?;
        next[RBP] = word(self.target, base).ok();
        next[RIP] = word(self.target, base.wrapping_add(8)).ok();
        next[RSP] = Some(base.wrapping_add(16));
        next[RIP].map(|_| (next, base.wrapping_add(16)))
    }

    fn module(&self, address: u64) -> Option<&Module> {
        let next = self.modules.partition_point(|module| module.base <= address);
        self.modules.get(next.checked_sub(1)?).filter(|module| address < module.end)
    }

    fn table(&self, address: u64) -> Option<Rc<Table>> {
        let module = self.module(address)?;
        let mut tables = self.tables.borrow_mut();
        tables.entry(module.base).or_insert_with(|| self.read(module).map(Rc::new)).clone()
    }

    fn read(&self, module: &Module) -> Option<Table> {
        let elf = Elf::read(self.target, module.base).ok()?;
        let (header, size) = elf.eh_frame_header?;
        let mut head = vec![0; size.min(16) as usize];
        self.target.read(header, &mut head).ok()?;
        let bases = BaseAddresses::default().set_eh_frame_hdr(header);
        let parsed = EhFrameHdr::new(&head, NativeEndian).parse(&bases, 8).ok()?;
        let gimli::Pointer::Direct(frames) = parsed.eh_frame_ptr() else { return None };
        let (start, end) = (header.min(frames), elf.segment_end(header)?);
        let length = end.checked_sub(start).filter(|length| *length <= LARGEST)?;
        let mut bytes = vec![0; length as usize];
        self.target.read(start, &mut bytes).ok()?;
        let bases = bases.set_eh_frame(frames);
        let (header, frames) = ((header - start) as usize, (frames - start) as usize);
        (header < bytes.len() && frames < bytes.len()).then_some(Table {
            bytes,
            header,
            frames,
            bases,
        })
    }
}

enum Step {
    Caller { all: Box<All>, cfa: u64, signal: bool },
    Outermost,
    Unknown,
}
