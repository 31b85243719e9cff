//! Decides whether a loop around a wait would end if the wait returned now. The code is followed
//! from there, with the thread's registers and memory as they are, up to where it leaves the loop
//! or waits again.
//!
//! What must hold: if the way depends on an unknown value, there is no answer.

mod operands;

use std::collections::HashMap;

use iced_x86::{ConditionCode, FlowControl, Instruction, Mnemonic, OpKind};

use super::awaits::{Standing, dwarf};
use super::image::Image;
use super::rounds::{Loop, Rounds};
use super::{Owner, Symbols};
use operands::{cut, size_of};

/// Instructions that are followed, and nested calls.
const MOST_STEPS: usize = 512;
const DEEPEST: usize = 6;
const RAX: usize = 0;
const RSP: usize = 4;
/// rax, rcx, rdx, rsi, rdi, r8 to r11.
const SCRATCH: [usize; 9] = [0, 1, 2, 6, 7, 8, 9, 10, 11];

impl Symbols {
    /// Whether the innermost loop around the call that returns to `after` would end if that call
    /// returned now.
    pub fn would_end(&self, after: u64, standing: &Standing<'_>) -> Option<bool> {
        let module = self.module(after.wrapping_sub(1)).filter(|one| one.kind == Owner::User)?;
        let image = module.image.as_ref()?;
        let around = Rounds::around(image, after.wrapping_sub(module.bias))?;
        let of = around.loops().into_iter().next()?;
        let mut registers = [None; 16];
        for (number, value) in registers.iter_mut().enumerate() {
            *value = (standing.register)(dwarf(number)).filter(|_| !SCRATCH.contains(&number));
        }
        // The wait returns success.
        registers[RAX] = Some(0);
        let flags = Flags::default();
        let (bias, written) = (module.bias, HashMap::new());
        let is_lost = false;
        let mut way = Way { image, bias, standing, registers, flags, written, is_lost };
        way.follow(&around, &of, after.wrapping_sub(module.bias))
    }
}

/// The known flags of the last instruction that compares.
#[derive(Clone, Copy, Default)]
struct Flags {
    zero: Option<bool>,
    sign: Option<bool>,
    /// Sign and overflow differ.
    less: Option<bool>,
    carry: Option<bool>,
}

struct Way<'a> {
    image: &'a Image,
    bias: u64,
    standing: &'a Standing<'a>,
    registers: [Option<u64>; 16],
    flags: Flags,
    /// Bytes that the code has written meanwhile.
    written: HashMap<u64, Option<u8>>,
    /// The code has written to an unknown place.
    is_lost: bool,
}

impl Way<'_> {
    fn follow(&mut self, around: &Rounds, of: &Loop, after: u64) -> Option<bool> {
        // The called functions, and the places in them to return to.
        let mut inner: Vec<Rounds> = Vec::new();
        let mut back: Vec<usize> = Vec::new();
        let mut at = *around.places.get(&after)?;
        for _ in 0..MOST_STEPS {
            let rounds = inner.last().unwrap_or(around);
            if inner.is_empty() && !*of.inside.get(at)? {
                return Some(true);
            }
            let one = *rounds.instructions.get(at)?;
            let place = |to: u64| rounds.places.get(&to).copied();
            at = match one.flow_control() {
                FlowControl::Next => {
                    self.step(&one);
                    if self.is_lost {
                        return None;
                    }
                    at + 1
                }
                FlowControl::ConditionalBranch => match self.holds(one.condition_code())? {
                    true => place(one.near_branch_target())?,
                    false => at + 1,
                },
                FlowControl::UnconditionalBranch if inner.is_empty() => {
                    match place(one.near_branch_target()) {
                        Some(to) => to,
                        // The way leads out of the function.
                        None => return Some(true),
                    }
                }
                FlowControl::UnconditionalBranch => place(one.near_branch_target())?,
                FlowControl::Call if inner.is_empty() && one.next_ip() == after => {
                    return Some(false);
                }
                FlowControl::Call => {
                    let start = self.image.own_callee(one.next_ip())?;
                    let called =
                        Rounds::with(self.image, start).filter(|_| back.len() < DEEPEST)?;
                    self.push(Some(one.next_ip().wrapping_add(self.bias)));
                    let begin = *called.places.get(&start)?;
                    back.push(at + 1);
                    inner.push(called);
                    begin
                }
                FlowControl::Return if !inner.is_empty() => {
                    let top = self.registers[RSP]?;
                    self.registers[RSP] = Some(top.wrapping_add(8));
                    inner.pop();
                    back.pop()?
                }
                FlowControl::Return => return Some(true),
                _ => return None,
            };
        }
        None
    }

    fn push(&mut self, value: Option<u64>) {
        self.registers[RSP] = self.registers[RSP].map(|top| top.wrapping_sub(8));
        if let Some(top) = self.registers[RSP] {
            self.store(top, 8, value);
        }
    }

    /// Executes any other instruction. After an instruction whose effect is unknown, its results
    /// are unknown.
    fn step(&mut self, one: &Instruction) {
        use Mnemonic::{
            Add, And, Cmp, Dec, Endbr64, Inc, Lea, Leave, Mov, Movsx, Movsxd, Movzx, Nop, Or, Pop,
            Push, Sub, Test, Xor,
        };
        let (first, second) = (self.operand(one, 0), self.operand(one, 1));
        let size = size_of(one, 0);
        let both = first.zip(second).map(|(one, other)| (cut(one, size), cut(other, size)));
        match one.mnemonic() {
            Nop | Endbr64 => {}
            Mov => self.set(one, second),
            Movzx => self.set(one, second.map(|it| cut(it, size_of(one, 1)))),
            Movsx | Movsxd => self.set(one, second.map(|it| signed(it, size_of(one, 1)) as u64)),
            Lea => {
                let to = self.address(one);
                self.set(one, to);
            }
            Cmp => self.compare(both, size),
            Test => self.logic(both.map(|(one, other)| one & other), size),
            Sub => {
                self.compare(both, size);
                self.set(one, both.map(|(one, other)| one.wrapping_sub(other)));
            }
            Add | Inc | Dec => {
                let by = match one.mnemonic() {
                    Add => second,
                    Inc => Some(1),
                    _ => Some(u64::MAX),
                };
                let sum = first.zip(by).map(|(one, by)| one.wrapping_add(by));
                self.logic(sum.map(|sum| cut(sum, size)), size);
                (self.flags.less, self.flags.carry) = (None, None);
                self.set(one, sum);
            }
            And | Or | Xor => {
                let is_same = one.op0_kind() == OpKind::Register
                    && one.op1_kind() == OpKind::Register
                    && one.op0_register() == one.op1_register();
                let value = match (one.mnemonic(), both) {
                    (Xor, _) if is_same => Some(0),
                    (And, Some((one, other))) => Some(one & other),
                    (Or, Some((one, other))) => Some(one | other),
                    (Xor, Some((one, other))) => Some(one ^ other),
                    _ => None,
                };
                self.logic(value, size);
                self.set(one, value);
            }
            Push => self.push(first),
            Pop => {
                let top = self.registers[RSP];
                let value = top.and_then(|top| self.load(top, 8));
                self.registers[RSP] = top.map(|top| top.wrapping_add(8));
                self.set(one, value);
            }
            Leave => {
                let base = self.registers[RBP];
                self.registers[RBP] = base.and_then(|base| self.load(base, 8));
                self.registers[RSP] = base.map(|base| base.wrapping_add(8));
            }
            _ if is_set(one) => {
                let holds = self.holds(one.condition_code());
                self.set(one, holds.map(u64::from));
            }
            _ => self.forget(one),
        }
    }

    /// Makes everything that the instruction writes unknown.
    fn forget(&mut self, one: &Instruction) {
        self.flags = Flags::default();
        let mut info = iced_x86::InstructionInfoFactory::new();
        let details = info.info(one);
        for used in details.used_registers() {
            let register = used.register().full_register();
            if super::access::writes(used.access()) && register.is_gpr64() {
                self.registers[register.number()] = None;
            }
        }
        if details.used_memory().iter().any(|memory| super::access::writes(memory.access())) {
            match self.address(one) {
                Some(at) => {
                    let size = one.memory_size().size().max(1);
                    (0..size as u64).for_each(|byte| _ = self.written.insert(at + byte, None));
                }
                // It may write anywhere: no memory is known.
                None => self.is_lost = true,
            }
        }
    }

    fn compare(&mut self, both: Option<(u64, u64)>, size: usize) {
        self.flags = both.map_or_else(Flags::default, |(one, other)| Flags {
            zero: Some(one == other),
            sign: Some(signed(one.wrapping_sub(other), size) < 0),
            less: Some(signed(one, size) < signed(other, size)),
            carry: Some(one < other),
        });
    }

    fn logic(&mut self, value: Option<u64>, size: usize) {
        let is_negative = value.map(|value| signed(value, size) < 0);
        let zero = value.map(|value| cut(value, size) == 0);
        self.flags =
            Flags { zero, sign: is_negative, less: is_negative, carry: value.map(|_| false) };
    }

    fn holds(&self, code: ConditionCode) -> Option<bool> {
        let Flags { zero, sign, less, carry } = self.flags;
        let or = |one: Option<bool>, other: Option<bool>| Some(one? || other?);
        Some(match code {
            ConditionCode::e => zero?,
            ConditionCode::ne => !zero?,
            ConditionCode::s => sign?,
            ConditionCode::ns => !sign?,
            ConditionCode::l => less?,
            ConditionCode::ge => !less?,
            ConditionCode::le => or(less, zero)?,
            ConditionCode::g => !or(less, zero)?,
            ConditionCode::b => carry?,
            ConditionCode::ae => !carry?,
            ConditionCode::be => or(carry, zero)?,
            ConditionCode::a => !or(carry, zero)?,
            _ => return None,
        })
    }
}

const RBP: usize = 5;

/// Whether the instruction sets its operand to the value of a condition.
fn is_set(one: &Instruction) -> bool {
    use Mnemonic::{Seta, Setae, Setb, Setbe, Sete, Setg, Setge, Setl, Setle, Setne, Setns, Sets};
    [Seta, Setae, Setb, Setbe, Sete, Setg, Setge, Setl, Setle, Setne, Setns, Sets]
        .contains(&one.mnemonic())
}

fn signed(value: u64, size: usize) -> i64 {
    let spare = 64 - 8 * size.clamp(1, 8) as u32;
    (value << spare).cast_signed() >> spare
}
