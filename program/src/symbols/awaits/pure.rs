//! Decides whether a loop only waits. `Symbols::awaits` (`mod.rs`) asks [`Pure::holds`] for each
//! loop around a place in the code; `getters.rs` asks [`Pure::answers`] for each function that such
//! a loop calls.
//!
//! A *round* is one pass through the loop, from its head back to its head. A *way* is one of the
//! paths that a round may take through the loop's branches. A value is *decided* if no round can
//! change it. It then comes from memory that no round writes, from constants in the code, from
//! registers that no round changes, from a call whose result only other threads change, or from a
//! place (of the stack, mostly) where the same round has put a decided value. The search starts at
//! each exit and goes back from each instruction to the instructions that set its operands.
//!
//! What must hold for a loop that only waits: the values on which its exits depend are decided. A
//! value that comes from itself counts rounds, so a loop with such a value is not found. If a value
//! depends on the way that a round takes, the branches within the loop must be decided too.
//!
//! ```c
//! while (!ready) count++;          // only waits: `ready` is decided, `count` does not matter
//! while (at < end) at = at + 1;    // not found: `at` comes from itself
//! ```

use iced_x86::{FlowControl, Instruction, Mnemonic};

use super::super::rounds::{Loop, Rounds};
use super::effects::{Effects, FIRST_ARGUMENT, STACK_POINTER, dwarf, number};
use super::getters::Code;
use super::sources::{Sources, overlap};
use super::{Awaits, Standing};

/// An address, and the number of bytes there.
pub(super) type Cell = (u64, usize);

/// An instruction that reads, and the memory that it reads.
pub(super) type Read = (u64, Option<Cell>);

/// The question whether a loop only waits.
pub(super) struct Pure<'a> {
    pub(super) rounds: &'a Rounds,
    pub(super) of: &'a Loop,
    pub(super) all: &'a [Effects],
    pub(super) standing: &'a Standing<'a>,
    pub(super) bias: u64,
    pub(super) code: &'a Code<'a>,
    /// Whether `of` is a whole function that a loop calls, not a loop. The question is then whether
    /// the function's result is decided.
    pub(super) is_function: bool,
    /// The number of calls from the loop to this function; 0 for the loop itself.
    pub(super) depth: u32,
    /// For a function: the registers whose values on entry its result depends on.
    entered: Vec<usize>,
    /// Instructions that write memory, and the memory that they write.
    pub(super) stores: Vec<(usize, Option<Cell>)>,
    /// Whether inner loops may wait until a number has grown: see
    /// [`waiting_rounds`](super::waiting_rounds).
    pub(super) meets: bool,
    /// Instructions that read the memory on which the end depends, and that memory.
    pub(super) reads: Vec<Read>,
    /// The first call of a function that reads such memory for the loop.
    pub(super) asks_at: Option<usize>,
    /// A call on whose result the end depends, and whose result other threads decide
    /// ([`Called::AsksOthers`](super::Called::AsksOthers)).
    asked: Option<usize>,
    /// Whether some value depends on the way that a round takes.
    merges: bool,
    /// By instruction: whether its operands are known to be decided. So values on which many others
    /// depend are followed once.
    decided: Vec<bool>,
    /// The number of values that may still be followed: each may come from two others.
    pub(super) values_left: std::cell::Cell<u32>,
}

/// rax and xmm0, in the numbering of instructions.
pub(super) const ANSWERS: [usize; 2] = [0, 16];
/// Values of registers that are followed in one loop.
const MOST_VALUES: u32 = 10_000;
/// Links between instructions that are followed for one value.
pub(super) const DEEPEST: usize = 100;

impl<'a> Pure<'a> {
    pub(super) fn of(
        rounds: &'a Rounds,
        of: &'a Loop,
        all: &'a [Effects],
        standing: &'a Standing<'a>,
        bias: u64,
        meets: bool,
        code: &'a Code<'a>,
    ) -> Pure<'a> {
        let (stores, reads, entered) = (Vec::new(), Vec::new(), Vec::new());
        let (decided, values_left) = (vec![false; all.len()], std::cell::Cell::new(MOST_VALUES));
        let (asked, asks_at, merges) = (None, None, false);
        let (is_function, depth) = (false, 0);
        Pure {
            rounds,
            of,
            all,
            standing,
            bias,
            code,
            is_function,
            depth,
            entered,
            stores,
            meets,
            reads,
            asks_at,
            asked,
            merges,
            decided,
            values_left,
        }
    }

    /// Returns what the loop waits for. `None` if the code does not show that the loop only waits.
    ///
    /// What must hold, in the order of the checks:
    ///
    /// 1. No round changes the stack pointer.
    /// 2. The place of each write is known ([`find_stores`](Pure::find_stores)), apart from writes
    ///    that only try to exchange a value ([`tries`](Pure::tries)).
    /// 3. Each exit is a conditional jump that is decided.
    /// 4. The registers that give the place of each write are decided: each round writes there.
    /// 5. If a value depends on the way (`merges`), or threads meet in the loop (`meets`), the
    ///    jumps within the loop are decided too. With `meets`, inner loops that only wait are
    ///    excepted.
    /// 6. No write changes memory on which a decision depends, apart from exchanges
    ///    ([`is_exchange`](Pure::is_exchange)) with the memory that decides the end. Where the loop
    ///    writes at all, the place of each such memory is known.
    /// 7. With `meets`, a loop with an exit reads memory for that exit. Without, an exit that
    ///    depends neither on memory nor on a call (`asked`) is none: the loop has no end.
    pub(super) fn holds(mut self) -> Option<Awaits> {
        let members: Vec<usize> = (0..self.all.len()).filter(|at| self.of.inside[*at]).collect();
        if self.is_changed(STACK_POINTER) {
            return None;
        }
        let kept = (0..16).filter(|register| !self.is_changed(*register)).map(dwarf).collect();
        self.find_stores(&members)?;
        let exits: Vec<usize> = members.iter().copied().filter(|at| self.is_exit(*at)).collect();
        for at in &exits {
            self.jump(*at)?;
        }
        // The written memory must be at the same place in every round.
        let ends = self.reads.len();
        for at in self.stores.iter().map(|(at, _)| *at).collect::<Vec<_>>() {
            let one = self.one(at);
            for register in [one.memory_base(), one.memory_index()].into_iter().filter_map(number) {
                self.input(at, register, &mut vec![at])?;
            }
        }
        if self.merges || self.meets {
            let jumps = |at: &&usize| {
                self.one(**at).flow_control() == FlowControl::ConditionalBranch
                    && !exits.contains(at)
            };
            for at in members.iter().filter(jumps).copied().collect::<Vec<_>>() {
                if !self.meets || !self.only_waits(at) {
                    self.jump(at)?;
                }
            }
        }
        let (reads, also) = self.reads.split_at(ends);
        // The caller compares the memory that decides the end from look to look
        // (`Awaits::exchanges`), and so sees what exchanges do.
        let is_seen = |read: &Read| read.1.is_some() && reads.iter().any(|one| one.1 == read.1);
        let stays = |read: &Read, (at, other): &(usize, Option<Cell>)| match (read.1, other) {
            (Some(cell), Some(other)) if !overlap(cell, *other) => true,
            _ => self.is_exchange(*at) && is_seen(read),
        };
        let mut all = reads.iter().chain(also);
        if !all.all(|read| self.stores.iter().all(|store| stays(read, store))) {
            return None;
        }
        if reads.is_empty() && self.meets && !exits.is_empty() {
            return None;
        }
        let has_end = !exits.is_empty() && (!reads.is_empty() || self.asked.is_some());
        let ip = |at: usize| self.one(at).ip().wrapping_add(self.bias);
        let mut cells: Vec<Cell> = Vec::new();
        for cell in reads.iter().filter_map(|(_, cell)| *cell) {
            if !cells.contains(&cell) {
                cells.push(cell);
            }
        }
        let reads_at = reads.first().map(|(at, _)| *at).or(self.asked.map(ip));
        let reads_in = self.asks_at.map(ip);
        let asks = self.asked.map(|at| self.one(at).next_ip().wrapping_add(self.bias));
        let argument = self.asked.and_then(|at| self.value(at, FIRST_ARGUMENT, 0));
        let write = |(at, cell): &(usize, Option<Cell>)| Some((*cell.as_ref()?, self.number(*at)));
        let (exchanges, stores): (Vec<_>, Vec<_>) =
            self.stores.iter().partition(|(at, _)| self.is_exchange(*at));
        let writes = stores.into_iter().filter_map(write).collect();
        let once = match !has_end && !members.iter().any(|at| self.all[*at].calls) {
            true => self.read_before(!exits.is_empty()),
            false => None,
        };
        let (head, exchanges) = (ip(self.of.head), !exchanges.is_empty());
        Some(Awaits {
            head,
            reads_at,
            cells,
            reads_in,
            asks,
            argument,
            once,
            exchanges,
            writes,
            kept,
        })
    }

    /// For a function: returns the memory that it reads for its result, and the registers of its
    /// caller on which the result depends. `None` if its result is not decided.
    pub(super) fn answers(mut self) -> Option<(Vec<Read>, Vec<usize>)> {
        self.is_function = true;
        let members: Vec<usize> = (0..self.all.len()).collect();
        self.find_stores(&members)?;
        for at in members {
            match self.one(at).flow_control() {
                FlowControl::Return => {
                    for register in ANSWERS {
                        if self.is_changed(register) {
                            self.input(at, register, &mut vec![at])?;
                        }
                    }
                }
                FlowControl::UnconditionalBranch if self.all[at].gets.is_some() => {
                    self.inputs(at, &mut vec![at])?;
                }
                FlowControl::ConditionalBranch => self.jump(at)?,
                _ => {}
            }
        }
        self.asked.is_none().then_some((self.reads, self.entered))
    }

    /// Finds the memory that the loop writes. The second pass also finds a place whose address the
    /// loop itself has written at a place that the first pass found. `None` if a place stays
    /// unknown, or if the code does not show what an exchange writes.
    fn find_stores(&mut self, members: &[usize]) -> Option<()> {
        for at in members.iter().copied().filter(|at| self.all[*at].stores) {
            if !self.tries(at)? {
                self.stores.push((at, None));
            }
        }
        for _ in 0..2 {
            for place in 0..self.stores.len() {
                if self.stores[place].1.is_none() {
                    self.stores[place].1 = self.place(self.stores[place].0, 0);
                }
            }
        }
        self.stores.iter().all(|(_, cell)| cell.is_some()).then_some(())
    }

    /// Whether an instruction of the loop compares memory with a value that is no constant, and
    /// writes the memory if both are equal. It leaves the memory's old value in rax, so it is a
    /// read, too. What it writes is unknown: whoever looks at the loop has to see that the memory
    /// stays as it is.
    pub(super) fn is_exchange(&self, at: usize) -> bool {
        self.one(at).mnemonic() == Mnemonic::Cmpxchg && self.stores.iter().any(|it| it.0 == at)
    }

    /// Whether a round writes a register.
    pub(super) fn is_changed(&self, register: usize) -> bool {
        let mut all = self.all.iter().enumerate();
        all.any(|(at, one)| self.is_inside(at) && one.writes.contains(&register))
    }

    pub(super) fn one(&self, at: usize) -> &'a Instruction {
        &self.rounds.instructions[at]
    }

    /// Whether the loop may end behind an instruction.
    pub(super) fn is_exit(&self, at: usize) -> bool {
        let mut next = Vec::new();
        let one = self.one(at);
        let out = || !self.rounds.places.contains_key(&one.near_branch_target());
        let known = self.rounds.follow(at, &mut next).is_some();
        let jumps = one.flow_control() == FlowControl::ConditionalBranch;
        !known || jumps && out() || next.iter().any(|at| !self.is_inside(*at))
    }

    pub(super) fn is_inside(&self, at: usize) -> bool {
        self.of.inside.get(at).is_some_and(|is| *is)
    }

    /// Checks that a jump is conditional and that its condition is decided. `None` if not.
    fn jump(&mut self, jump: usize) -> Option<()> {
        let is_jump = self.one(jump).flow_control() == FlowControl::ConditionalBranch;
        (is_jump && self.flags(jump, &mut vec![jump])? > 0).then_some(())
    }

    /// Checks that the flags that an instruction reads are decided. Returns how many instructions
    /// set these flags; `None` if they are not decided. `way`: as for [`inputs`](Pure::inputs).
    fn flags(&mut self, at: usize, way: &mut Vec<usize>) -> Option<usize> {
        let wanted = self.one(at).rflags_read();
        if wanted == 0 {
            return Some(0);
        }
        let sets = |at: usize| {
            let one = self.one(at);
            one.rflags_modified() & wanted != 0 || one.flow_control() == FlowControl::Call
        };
        let found = self.behind(at, &sets);
        let count = found.from.len();
        self.all_inputs(found, way)?;
        Some(count)
    }

    /// Checks that all operands of an instruction are decided. `None` if not. `way`: the
    /// instructions whose operands led the search to this instruction, the first one first.
    fn inputs(&mut self, at: usize, way: &mut Vec<usize>) -> Option<()> {
        if self.decided[at] {
            return Some(());
        }
        if self.all[at].asks {
            self.asked.get_or_insert(at);
            return Some(());
        }
        if self.all[at].gets.is_some() {
            self.answer(at, way)?;
            self.decided[at] = true;
            return Some(());
        }
        let is_followed = self.one(at).flow_control() == FlowControl::Next && !self.all[at].hidden;
        if way.len() > DEEPEST || !is_followed {
            return None;
        }
        if self.all[at].loads {
            let cell = self.place(at, 0);
            let found = match cell {
                Some(cell) => Some(self.stored(at, cell)?),
                None => None,
            };
            let found = found.filter(|found| !found.from.is_empty());
            if found.as_ref().is_none_or(|found| self.is_function && found.crosses) {
                self.reads.push((self.one(at).ip().wrapping_add(self.bias), cell));
            }
            if let Some(found) = found {
                self.all_inputs(found, way)?;
            }
        }
        self.flags(at, way)?;
        for register in self.all[at].reads.clone() {
            self.input(at, register, way)?;
        }
        self.decided[at] = true;
        Some(())
    }

    /// Checks that the value of a register in front of an instruction is decided. `None` if not.
    pub(super) fn input(&mut self, at: usize, register: usize, way: &mut Vec<usize>) -> Option<()> {
        // The place in the code decides the stack pointer.
        if register == STACK_POINTER {
            return Some(());
        }
        let mut found = self.written(at, register);
        if register == ANSWERS[0] {
            let exchanges = found.from.extract_if(.., |from| self.is_exchange(*from));
            let exchanges: Vec<usize> = exchanges.collect();
            let read = |at: usize| (self.one(at).ip().wrapping_add(self.bias), self.place(at, 0));
            self.reads.extend(exchanges.into_iter().map(read).collect::<Vec<Read>>());
        }
        if self.is_function && found.crosses && !self.entered.contains(&register) {
            self.entered.push(register);
        }
        self.all_inputs(found, way)
    }

    fn all_inputs(&mut self, found: Sources, way: &mut Vec<usize>) -> Option<()> {
        self.merges |= found.merge;
        for from in found.from {
            // The value comes from itself in an earlier round: it counts something.
            if way.contains(&from) {
                return None;
            }
            way.push(from);
            self.inputs(from, way)?;
            way.pop();
        }
        Some(())
    }
}
