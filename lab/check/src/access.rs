//! Finds the memory that an instruction reads and writes. The tracer calls it at each fault.

use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess,
    Register, UsedMemory,
};
use libc::user_regs_struct;

use crate::ranges::PAGE;

/// The length of the longest instruction, bytes.
pub const LONGEST: usize = 15;

/// An instruction's access to some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub start: u64,
    pub bytes: u64,
    pub reads: bool,
    pub writes: bool,
    /// The C library makes the access for its caller.
    pub by_library: bool,
    /// No other thread can access the bytes in between.
    pub is_atomic: bool,
}

impl Access {
    pub fn end(&self) -> u64 {
        self.start.saturating_add(self.bytes)
    }
}

/// Returns the accesses of the instruction with these bytes, which is about to be executed. Only a
/// scattered or repeated access needs `fault`, the address of the fault. An instruction that
/// repeats itself (`rep movsb`) has its accesses up to the end of that page.
pub fn of(code: &[u8], registers: &user_regs_struct, fault: u64) -> Vec<Access> {
    let mut decoder = Decoder::with_ip(64, code, registers.rip, DecoderOptions::NONE);
    let instruction = decoder.decode();
    if instruction.is_invalid() {
        return Vec::new();
    }
    let mut factory = InstructionInfoFactory::new();
    let info = factory.info(&instruction);
    let is_atomic = instruction.has_lock_prefix() || instruction.mnemonic() == Mnemonic::Xchg;
    let has_mask = has_mask(&instruction);
    let starts = |memory: &UsedMemory| {
        memory.virtual_address(0, |register, _, _| value(register, registers))
    };
    let begins: Vec<u64> = info.used_memory().iter().filter_map(starts).collect();
    let repeated = repeated(&instruction, registers, &begins, fault);
    let mut all = Vec::new();
    for memory in info.used_memory() {
        let (reads, writes) = match memory.access() {
            OpAccess::Read | OpAccess::CondRead => (true, false),
            OpAccess::Write | OpAccess::CondWrite => (false, true),
            OpAccess::ReadWrite | OpAccess::ReadCondWrite => (true, true),
            _ => continue,
        };
        // An instruction with a mask, which is unknown here, uses the first element if it uses any:
        // compilers use masks for the ends of loops and blocks.
        let size = memory.memory_size();
        let one = if has_mask { size.element_size() } else { size.size() } as u64;
        let bytes = repeated.unwrap_or(one);
        // If the addresses are in a vector (a scatter), the fault shows which one is used.
        let (start, bytes) = match starts(memory) {
            Some(start) => (start, bytes),
            None => (fault, (size.element_size() as u64).max(1)),
        };
        if bytes > 0 {
            let by_library = false;
            all.push(Access { start, bytes, reads, writes, by_library, is_atomic });
        }
    }
    all
}

/// Returns the number of bytes that an instruction with a `rep` prefix uses from each of these
/// places on; `None` for an instruction without the prefix.
///
/// A processor moves many bytes at once, so the fault may be some elements ahead of the registers.
/// An instruction that goes downwards, or that compares, uses one element at a time.
fn repeated(
    instruction: &Instruction,
    registers: &user_regs_struct,
    begins: &[u64],
    fault: u64,
) -> Option<u64> {
    let repeats = instruction.has_rep_prefix() || instruction.has_repne_prefix();
    if !repeats || !instruction.is_string_instruction() {
        return None;
    }
    let (one, times) = (instruction.memory_size().size() as u64, registers.rcx);
    let goes_down = registers.eflags & DIRECTION != 0;
    if times == 0 || goes_down || compares(instruction.mnemonic()) {
        return Some(if times == 0 { 0 } else { one });
    }
    let all = times.saturating_mul(one);
    let page_ends = (fault & !(PAGE - 1)).saturating_add(PAGE);
    let reaches = |from: &u64| *from <= fault && fault - *from < all;
    let from = begins.iter().copied().filter(reaches).max();
    Some(from.map_or(one, |from| all.min((page_ends - from).next_multiple_of(one))))
}

/// Whether the instruction ends at the first element that differs, or at the first that is equal.
fn compares(mnemonic: Mnemonic) -> bool {
    use Mnemonic::{Cmpsb, Cmpsd, Cmpsq, Cmpsw, Scasb, Scasd, Scasq, Scasw};
    matches!(mnemonic, Cmpsb | Cmpsw | Cmpsd | Cmpsq | Scasb | Scasw | Scasd | Scasq)
}

/// The flag with which string instructions go to lower addresses.
const DIRECTION: u64 = 1 << 10;

/// Whether the instruction leaves out elements according to a mask.
fn has_mask(instruction: &Instruction) -> bool {
    use Mnemonic::{Vmaskmovpd, Vmaskmovps, Vpmaskmovd, Vpmaskmovq};
    let mnemonic = instruction.mnemonic();
    instruction.op_mask() != Register::None
        || matches!(mnemonic, Vmaskmovps | Vmaskmovpd | Vpmaskmovd | Vpmaskmovq)
}

/// Returns the length of the instruction at `at`, if it has the same effect in another place, and
/// execution goes on with the instruction after it.
pub fn movable(code: &[u8], at: u64) -> Option<usize> {
    let instruction = Decoder::with_ip(64, code, at, DecoderOptions::NONE).decode();
    let goes_on = instruction.flow_control() == FlowControl::Next;
    let is_movable = goes_on && !instruction.is_ip_rel_memory_operand();
    (is_movable && !instruction.is_invalid()).then(|| instruction.len())
}

/// Returns the value of a register.
pub fn value(register: Register, from: &user_regs_struct) -> Option<u64> {
    let full = match register.full_register() {
        Register::FS => return Some(from.fs_base),
        Register::GS => return Some(from.gs_base),
        Register::CS | Register::DS | Register::ES | Register::SS => return Some(0),
        full => *place(full, &mut { *from })?,
    };
    Some(if register.size() == 4 { full & 0xffff_ffff } else { full })
}

/// Returns the field of an eight-byte register.
pub fn place(register: Register, of: &mut user_regs_struct) -> Option<&mut u64> {
    Some(match register {
        Register::RAX => &mut of.rax,
        Register::RBX => &mut of.rbx,
        Register::RCX => &mut of.rcx,
        Register::RDX => &mut of.rdx,
        Register::RSI => &mut of.rsi,
        Register::RDI => &mut of.rdi,
        Register::RBP => &mut of.rbp,
        Register::RSP => &mut of.rsp,
        Register::R8 => &mut of.r8,
        Register::R9 => &mut of.r9,
        Register::R10 => &mut of.r10,
        Register::R11 => &mut of.r11,
        Register::R12 => &mut of.r12,
        Register::R13 => &mut of.r13,
        Register::R14 => &mut of.r14,
        Register::R15 => &mut of.r15,
        Register::RIP => &mut of.rip,
        _ => return None,
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Registers of a thread, with some values.
    pub(crate) fn registers() -> user_regs_struct {
        // SAFETY: all-zero is a valid value of this plain structure.
        let mut registers: user_regs_struct = unsafe { std::mem::zeroed() };
        (registers.rax, registers.rcx, registers.rsp) = (0x1000, 3, 0x8000);
        registers
    }

    #[test]
    fn loads_and_stores() {
        let access = |start, bytes, reads, writes| {
            let (by_library, is_atomic) = (false, false);
            Access { start, bytes, reads, writes, by_library, is_atomic }
        };
        // mov edx, [rax + 4*rcx]
        assert_eq!(of(&[0x8b, 0x14, 0x88], &registers(), 0), [access(0x100c, 4, true, false)]);
        // add qword ptr [rax], 1
        assert_eq!(of(&[0x48, 0x83, 0x00, 0x01], &registers(), 0), [access(0x1000, 8, true, true)]);
        // movups [rax], xmm0
        assert_eq!(of(&[0x0f, 0x11, 0x00], &registers(), 0), [access(0x1000, 16, false, true)]);
        // push rax
        assert_eq!(of(&[0x50], &registers(), 0), [access(0x7ff8, 8, false, true)]);
        // vmovdqu8 [rax]{k1}, zmm16
        let masked = [0x62, 0xe1, 0x7f, 0x49, 0x7f, 0x00];
        assert_eq!(of(&masked, &registers(), 0), [access(0x1000, 1, false, true)]);
    }

    #[test]
    fn what_is_repeated() {
        let (mut moves, all) = (registers(), |code: &[u8], registers: &_, fault| {
            let used = of(code, registers, fault);
            used.iter().map(|it| (it.start, it.bytes, it.reads, it.writes)).collect::<Vec<_>>()
        });
        (moves.rdi, moves.rsi, moves.rcx) = (0x1fe0, 0x9010, 0x4000);
        let page = [(0x1fe0, 0x1020, false, true), (0x9010, 0x1020, true, false)];
        // rep movsb, which faults ahead of its registers, at what it writes and at what it reads
        assert_eq!(all(&[0xf3, 0xa4], &moves, 0x2000), page);
        let first = [(0x1fe0, 0xff0, false, true), (0x9010, 0xff0, true, false)];
        assert_eq!(all(&[0xf3, 0xa4], &moves, 0x9010), first);
        moves.rcx = 2;
        // rep stosq, repe cmpsb
        assert_eq!(all(&[0xf3, 0x48, 0xab], &moves, 0x1fe0), [(0x1fe0, 16, false, true)]);
        let compared = all(&[0xf3, 0xa6], &moves, 0x1fe0);
        assert!(
            compared
                .iter()
                .all(|(_, bytes, reads, writes)| (*bytes, *reads, *writes) == (1, true, false))
        );
        moves.rcx = 0;
        assert_eq!(all(&[0xf3, 0xa4], &moves, 0x1fe0), []);
        // rep movsb, downwards
        (moves.rcx, moves.eflags) = (9, DIRECTION);
        assert_eq!(all(&[0xf3, 0xa4], &moves, 0x1fe0)[0], (0x1fe0, 1, false, true));
    }

    #[test]
    fn what_a_vector_says() {
        let of = |code: &[u8]| of(code, &registers(), 0x5010);
        // vscatterdps [rax + 4*zmm1]{k1}, zmm0; vgatherdpd ymm0, [rax + 8*xmm1], ymm2
        let [write] = of(&[0x62, 0xf2, 0x7d, 0x49, 0xa2, 0x04, 0x88])[..] else { panic!() };
        assert_eq!((write.start, write.bytes, write.reads, write.writes), (0x5010, 4, false, true));
        let [read] = of(&[0xc4, 0xe2, 0xed, 0x92, 0x04, 0xc8])[..] else { panic!() };
        assert_eq!((read.start, read.bytes, read.reads, read.writes), (0x5010, 8, true, false));
    }

    #[test]
    fn what_stands_elsewhere() {
        assert_eq!(movable(&[0x41, 0x54, 0x55], 0x1000), Some(2), "push r12");
        assert_eq!(movable(&[0x80, 0x3d, 1, 2, 0x14, 0, 0], 0x1000), None, "cmp byte ptr [rip+..]");
        assert_eq!(movable(&[0xe9, 0, 0, 0, 0], 0x1000), None, "jmp");
    }
}
