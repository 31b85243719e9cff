//! The effects of an instruction on registers and memory.

use iced_x86::{FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, Register};

use super::super::access;

/// The registers that an instruction reads and writes, and its other effects.
pub(super) struct Effects {
    pub(super) reads: Vec<usize>,
    pub(super) writes: Vec<usize>,
    pub(super) loads: bool,
    pub(super) stores: bool,
    pub(super) calls: bool,
    /// The function that it calls returns something that other threads decide.
    pub(super) asks: bool,
    /// The function that it calls counts, and waits for others.
    pub(super) meets: bool,
    /// The start of the function that it calls, if that is the program's and only reads.
    pub(super) gets: Option<u64>,
}

/// General registers, and vector registers behind them.
const REGISTERS: usize = 16 + 32;
pub(super) const STACK_POINTER: usize = 4;
/// rdi.
pub(super) const FIRST_ARGUMENT: usize = 7;
/// rax, rcx, rdx, rsi, rdi, r8 to r11 in the numbering of instructions: a call may change them, and
/// all vector registers.
const SCRATCH: [usize; 9] = [0, 1, 2, 6, 7, 8, 9, 10, 11];
/// DWARF's numbers of rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, in the order of instructions'
/// numbers.
const DWARF: [usize; 8] = [0, 2, 1, 3, 7, 6, 4, 5];

pub(super) fn number(register: Register) -> Option<usize> {
    if register.is_gpr() {
        return Some(register.full_register().number());
    }
    register.is_vector_register().then(|| 16 + register.number())
}

impl Effects {
    pub(super) fn of(info: &mut InstructionInfoFactory, one: &Instruction) -> Effects {
        let details = info.info(one);
        let used = || details.used_registers().iter();
        let of = |is: &dyn Fn(OpAccess) -> bool| {
            let those = used().filter(|register| is(register.access()));
            those.filter_map(|register| number(register.register())).collect::<Vec<usize>>()
        };
        let (mut reads, mut writes) = (of(&access::reads), of(&access::writes));
        let memory = || details.used_memory().iter();
        let (loads, stores) = (
            memory().any(|at| access::reads(at.access())),
            memory().any(|at| access::writes(at.access())),
        );
        let calls = matches!(one.flow_control(), FlowControl::Call | FlowControl::IndirectCall);
        if calls {
            (reads, writes) = (Vec::new(), SCRATCH.into_iter().chain(16..REGISTERS).collect());
            return Effects {
                reads,
                writes,
                loads: false,
                stores: false,
                calls,
                asks: false,
                meets: false,
                gets: None,
            };
        }
        // A register that is set to zero does not depend on its old value.
        if matches!(one.mnemonic(), Mnemonic::Xor | Mnemonic::Pxor | Mnemonic::Xorps)
            && one.op0_register() == one.op1_register()
            && !loads
        {
            reads.clear();
        }
        Effects { reads, writes, loads, stores, calls, asks: false, meets: false, gets: None }
    }
}

pub(in super::super) fn dwarf(register: usize) -> usize {
    DWARF.get(register).copied().unwrap_or(register)
}

/// The inverse: from DWARF's number to the instructions'.
pub(super) fn from_dwarf(register: usize) -> usize {
    DWARF.iter().position(|known| *known == register).unwrap_or(register)
}
