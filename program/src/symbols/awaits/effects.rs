//! Finds the effects of an instruction on registers and memory. All files of this folder use them.

use iced_x86::{
    CpuidFeature, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, Register,
};

use super::super::access;

/// The registers that an instruction reads and writes, and its other effects.
pub(super) struct Effects {
    pub(super) reads: Vec<usize>,
    pub(super) writes: Vec<usize>,
    pub(super) loads: bool,
    pub(super) stores: bool,
    pub(super) calls: bool,
    /// Whether the instruction calls a function whose result other threads decide.
    pub(super) asks: bool,
    /// Whether the instruction calls a function that only counts and waits for other threads.
    pub(super) meets: bool,
    /// The start of the function that the instruction calls, if that is a function of the program's
    /// that only reads.
    pub(super) gets: Option<u64>,
    /// Whether the instruction takes its values from where nobody follows them: a clock, say.
    pub(super) hidden: bool,
}

/// The number of general registers, and of vector registers, whose numbers follow.
const REGISTERS: usize = 16 + 32;
pub(super) const STACK_POINTER: usize = 4;
/// rdi, in the numbering of instructions.
pub(super) const FIRST_ARGUMENT: usize = 7;
/// The registers that a call may change, in the numbering of instructions: rax, rcx, rdx, rsi, rdi,
/// r8 to r11. A call may also change all vector registers.
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
                hidden: false,
            };
        }
        // A register that is set to zero does not depend on its old value.
        if matches!(one.mnemonic(), Mnemonic::Xor | Mnemonic::Pxor | Mnemonic::Xorps)
            && one.op0_register() == one.op1_register()
            && !loads
        {
            reads.clear();
        }
        let is_followed = |register: Register| !(register.is_k() || register.is_mm());
        let hidden = !used().all(|it| is_followed(it.register()))
            || one.cpuid_features().iter().any(|feature| HIDDEN.contains(feature));
        let (asks, meets, gets) = (false, false, None);
        Effects { reads, writes, loads, stores, calls, asks, meets, gets, hidden }
    }
}

/// Instructions that read a clock, random numbers or facts about the processor, and those of the
/// x87 unit, whose registers are not followed.
const HIDDEN: [CpuidFeature; 10] = [
    CpuidFeature::TSC,
    CpuidFeature::RDTSCP,
    CpuidFeature::RDPMC,
    CpuidFeature::RDPID,
    CpuidFeature::RDRAND,
    CpuidFeature::RDSEED,
    CpuidFeature::CPUID,
    CpuidFeature::FPU,
    CpuidFeature::FPU287,
    CpuidFeature::FPU387,
];

pub(in super::super) fn dwarf(register: usize) -> usize {
    DWARF.get(register).copied().unwrap_or(register)
}

/// Returns the instructions' number of the register that has this number in DWARF.
pub(super) fn from_dwarf(register: usize) -> usize {
    DWARF.iter().position(|known| *known == register).unwrap_or(register)
}
