//! Finds what a conditional jump compares, for code by which threads meet: a number that the code
//! counts just in front of the jump, and the number that it must reach. The compiler may store the
//! number behind the jump.
//!
//! ```c
//! if (++b->arrived == b->size) b->phase++; else while (b->phase == phase);
//! ```

use iced_x86::{FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpKind, Register};

use super::arguments_handed::{KEPT, MOST_STEPS, Values, keeps};
use super::awaits::Standing;
use super::partings::Parting;
use super::rounds::Rounds;
use super::{Symbols, access};

/// An address, and the number of bytes there.
type Cell = (u64, usize);

/// A comparison of a number that the code counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The memory that the code counts in.
    pub counter: Cell,
    /// The other number.
    pub limit: Limit,
}

/// The number with which a counter is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// It is in memory.
    Memory(Cell),
    /// The code has it: the counter's memory has this number when both are equal.
    Number(i64),
}

/// A number in the code: what is in memory now, or zero, and a distance from it.
#[derive(Clone, Copy)]
struct Traced {
    cell: Option<Cell>,
    more: i64,
    /// The code has counted in that memory.
    counted: bool,
    /// The instruction that loads it, if the code may count in that memory later.
    load: Option<usize>,
}

impl Traced {
    fn number(more: i64) -> Traced {
        Traced { cell: None, more, counted: false, load: None }
    }
}

/// Instructions in front of a jump among which the comparison is.
const NEAREST: usize = 16;

impl Symbols {
    /// The numbers that the conditional jump of `parting` compares, if one of them is a number that
    /// the straight code in front of the jump counts. The frame goes on at `now`.
    pub fn counted_at(
        &self,
        parting: &Parting,
        now: u64,
        standing: &Standing<'_>,
    ) -> Option<Counted> {
        let (image, bias) = self.image(parting.branch)?;
        let rounds = Rounds::with(image, parting.branch.wrapping_sub(bias))?;
        let all = &rounds.instructions;
        let jump = *rounds.places.get(&parting.branch.wrapping_sub(bias))?;
        let now = now.wrapping_sub(bias);
        let stands = place(all, now)?;
        let mut before = straight(&all[..jump]).to_vec();
        let count = before.len();
        // The thread has come through the code with which its side of the jump begins.
        if parting.side.contains(&all[stands].ip().wrapping_add(bias)) {
            let first = *rounds.places.get(&parting.side[0].wrapping_sub(bias))?;
            before.extend(all.get(first..stands).into_iter().flatten().take_while(goes_on));
        }
        let before = &before[..];
        let kept = |register: Register| keeps(&rounds, register, jump, stands);
        let values = Values::new((before, bias), standing, false, Some(&kept));
        let code = Code { before, values: &values };
        let wanted = all[jump].rflags_read();
        let mut latest = (0..count).rev().take(NEAREST);
        let sets = latest.find(|at| before[*at].rflags_modified() & wanted != 0)?;
        let [one, other] = code.sides(sets)?;
        let (one, other) = (code.settled(one)?, code.settled(other)?);
        if !values.stay(&rounds, jump, stands) {
            return None;
        }
        let (counter, other) = if one.counted { (one, other) } else { (other, one) };
        let limit = match other.cell {
            Some(cell) => Limit::Memory(cell),
            None => Limit::Number(other.more.wrapping_sub(counter.more)),
        };
        Some(Counted { counter: counter.cell.filter(|_| counter.counted)?, limit })
    }

    /// The addresses one past the instructions that write this memory in the function of a frame,
    /// which goes on at `now`.
    pub fn stores_around(&self, now: u64, cell: Cell, standing: &Standing<'_>) -> Vec<u64> {
        self.stores(now, cell, standing).unwrap_or_default()
    }

    fn stores(&self, now: u64, cell: Cell, standing: &Standing<'_>) -> Option<Vec<u64>> {
        let (image, bias) = self.image(now)?;
        let rounds = Rounds::with(image, now.wrapping_sub(bias).wrapping_sub(1))?;
        let all = &rounds.instructions;
        let stands = place(all, now.wrapping_sub(bias))?;
        let writes = |at: &usize| {
            if !is_store(&all[*at]) {
                return false;
            }
            let before = straight(&all[..*at]);
            let kept = |register: Register| keeps(&rounds, register, *at, stands);
            let values = Values::new((before, bias), standing, false, Some(&kept));
            let address = values.place(&all[*at], before.len(), MOST_STEPS);
            address == Some(cell.0) && values.stay(&rounds, *at, stands)
        };
        let found = (0..all.len()).filter(writes);
        Some(found.map(|at| all[at].next_ip().wrapping_add(bias)).collect())
    }
}

/// The instruction with which a frame goes on at `now`, or the call behind which it does.
fn place(all: &[Instruction], now: u64) -> Option<usize> {
    let behind = || all.iter().position(|at| at.next_ip() == now);
    all.iter().position(|at| at.ip() == now).or_else(behind)
}

/// Whether the next instruction in memory follows this one, perhaps after a call.
fn goes_on(one: &&Instruction) -> bool {
    use FlowControl::{Call, IndirectCall, Next};
    matches!(one.flow_control(), Next | Call | IndirectCall)
}

/// The straight code at the end of a piece of code; calls count as straight.
fn straight(all: &[Instruction]) -> &[Instruction] {
    let count = all.iter().rev().take_while(goes_on).count();
    &all[all.len() - count..]
}

struct Code<'a> {
    before: &'a [Instruction],
    values: &'a Values<'a>,
}

impl Code<'_> {
    /// The two numbers that the instruction `at` compares.
    fn sides(&self, at: usize) -> Option<[Traced; 2]> {
        let one = &self.before[at];
        let zero = Traced::number(0);
        Some(match one.mnemonic() {
            Mnemonic::Cmp => [self.side(at, 0)?, self.side(at, 1)?],
            Mnemonic::Test if one.op0_register() == one.op1_register() => [self.side(at, 0)?, zero],
            _ if one.op0_kind() == OpKind::Memory && added(one).is_some() => {
                let cell = (self.values.operand(at)?, one.memory_size().size());
                [Traced { cell: Some(cell), counted: true, ..zero }, zero]
            }
            _ if one.op0_kind() == OpKind::Register => {
                [self.register(one.op0_register(), at + 1, MOST_STEPS)?, zero]
            }
            _ => return None,
        })
    }

    fn side(&self, at: usize, number: u32) -> Option<Traced> {
        let one = &self.before[at];
        match one.op_kind(number) {
            OpKind::Memory => self.loaded(at, MOST_STEPS),
            OpKind::Register => self.register(one.op_register(number), at, MOST_STEPS),
            _ => Some(Traced::number(one.try_immediate(1).ok()? as i64)),
        }
    }

    /// The number in a register in front of the instruction `at`.
    fn register(&self, register: Register, at: usize, left: usize) -> Option<Traced> {
        let left = left.checked_sub(1)?;
        let whole = register.full_register();
        let mut info = InstructionInfoFactory::new();
        let mut writes = |one: &Instruction| {
            let used = info.info(one).used_registers().iter();
            let mut written = used.filter(|it| access::writes(it.access()));
            let is_call = one.flow_control() != FlowControl::Next;
            is_call && !KEPT.contains(&whole)
                || written.any(|it| it.register().full_register() == whole)
        };
        let from = self.before[..at].iter().rposition(&mut writes)?;
        let one = &self.before[from];
        let moved =
            |traced: Traced, by: i64| Traced { more: traced.more.wrapping_add(by), ..traced };
        match (one.mnemonic(), one.op1_kind()) {
            (Mnemonic::Xadd, OpKind::Register) if one.op0_kind() == OpKind::Memory => {
                let added = self.register(one.op1_register(), from, left)?;
                let cell = (self.values.operand(from)?, one.memory_size().size());
                // The register has the number from before the addition.
                let more = added.cell.is_none().then_some(added.more.wrapping_neg())?;
                Some(Traced { cell: Some(cell), more, counted: true, load: None })
            }
            (Mnemonic::Mov | Mnemonic::Movsxd | Mnemonic::Movzx, OpKind::Memory) => {
                self.loaded(from, left)
            }
            (Mnemonic::Mov | Mnemonic::Movsxd, OpKind::Register) => {
                self.register(one.op1_register(), from, left)
            }
            (Mnemonic::Mov, _) => Some(Traced::number(one.try_immediate(1).ok()? as i64)),
            (Mnemonic::Inc | Mnemonic::Dec | Mnemonic::Add | Mnemonic::Sub, _) => {
                Some(moved(self.register(register, from, left)?, added(one)?))
            }
            (Mnemonic::Lea, _) if one.memory_index() == Register::None => {
                let base = self.register(one.memory_base(), from, left)?;
                Some(moved(base, one.memory_displacement64() as i64))
            }
            (Mnemonic::Cdqe, _) => self.register(Register::RAX, from, left),
            _ => None,
        }
    }

    /// The number that the instruction `at` loads.
    fn loaded(&self, at: usize, left: usize) -> Option<Traced> {
        let one = &self.before[at];
        let stores = |it: &Instruction| same_place(it, one) && is_store(it);
        let earlier = self.before[..at].iter().rposition(stores);
        let is_slot = [Register::RBP, Register::RSP].contains(&one.memory_base());
        // A variable of the function has what the code put there.
        if let Some(from) = earlier.filter(|_| is_slot) {
            let put = &self.before[from];
            if put.mnemonic() == Mnemonic::Mov && put.op1_kind() == OpKind::Register {
                return self.register(put.op1_register(), from, left.checked_sub(1)?);
            }
        }
        let cell = (self.values.operand(at)?, one.memory_size().size());
        Some(Traced { cell: Some(cell), more: 0, counted: earlier.is_some(), load: Some(at) })
    }

    /// The number as a distance from what is in memory behind the code, which may count there once
    /// it has loaded the number.
    fn settled(&self, traced: Traced) -> Option<Traced> {
        let Some(load) = traced.load else { return Some(traced) };
        let stores = |it: &Instruction| same_place(it, &self.before[load]) && is_store(it);
        let Some(next) = self.before[load + 1..].iter().position(stores) else {
            return Some(traced);
        };
        let next = load + 1 + next;
        let put = &self.before[next];
        let by = match put.mnemonic() {
            Mnemonic::Mov if put.op1_kind() == OpKind::Register => {
                let sum = self.register(put.op1_register(), next, MOST_STEPS)?;
                let has_it = sum.cell == traced.cell && sum.load.is_some_and(|from| from >= load);
                has_it.then_some(sum.more)?
            }
            _ => added(put)?,
        };
        Some(Traced { more: traced.more.wrapping_sub(by), counted: true, ..traced })
    }
}

/// Whether two instructions have the same operand in memory.
fn same_place(one: &Instruction, other: &Instruction) -> bool {
    let parts = |it: &Instruction| {
        (it.memory_base(), it.memory_index(), it.memory_index_scale(), it.memory_displacement64())
    };
    parts(one) == parts(other)
}

/// Whether an instruction writes its operand in memory.
fn is_store(one: &Instruction) -> bool {
    let compares = matches!(one.mnemonic(), Mnemonic::Cmp | Mnemonic::Test);
    one.op0_kind() == OpKind::Memory && !compares
}

/// The constant that an instruction adds to its first operand.
fn added(one: &Instruction) -> Option<i64> {
    let constant = || one.try_immediate(1).ok().map(|number| number as i64);
    match one.mnemonic() {
        Mnemonic::Inc => Some(1),
        Mnemonic::Dec => Some(-1),
        Mnemonic::Add => constant(),
        Mnemonic::Sub => constant().map(i64::wrapping_neg),
        _ => None,
    }
}
