//! Finds what a filter of system calls (seccomp) that a program installs answers to a call.
//!
//! What must hold: this is pure, and follows the kernel (classic BPF, the part that seccomp takes).
//! A filter that the kernel would refuse has no answer.

mod calls;

pub use calls::{Call, READS_MEMORY, counting, messages, needed};

/// The kernel's `struct sock_filter`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Instruction {
    /// The operation.
    pub code: u16,
    /// The number of instructions to skip where the condition holds.
    pub jt: u8,
    /// The number of instructions to skip where it does not hold.
    pub jf: u8,
    /// Its operand.
    pub k: u32,
}

/// The longest filter that the kernel takes, instructions.
pub const LONGEST: usize = 4096;

/// The words that a filter reads: the call's number, the processor's kind, the address of the call,
/// six arguments; the lower half of each first.
pub type Data = [u32; 16];

/// The processor's kind, as filters see it: x86-64.
const KIND: u32 = 0xc000_003e;

/// Returns the words that a filter reads when this call is made.
pub fn data(number: u32, from: u64, arguments: [u64; 6]) -> Data {
    let mut data = [0; 16];
    data[0] = number;
    data[1] = KIND;
    let long = core::iter::once(from).chain(arguments);
    for (pair, word) in data[2..].chunks_exact_mut(2).zip(long) {
        pair.copy_from_slice(&[word as u32, (word >> 32) as u32]);
    }
    data
}

/// Returns the filter's answer; `None` if the kernel refuses such a filter.
pub fn answer(filter: &[Instruction], data: &Data) -> Option<u32> {
    let (mut a, mut x, mut memory) = (0u32, 0u32, [0u32; 16]);
    let mut at = 0usize;
    // Every jump leads forward: no instruction runs twice.
    loop {
        let Instruction { code, jt, jf, k } = *filter.get(at)?;
        at += 1;
        let operand = if code & 0x08 == 0 { k } else { x };
        match code {
            // Loads: of a word of the data, the data's length, a constant, a word of memory.
            0x20 if k.is_multiple_of(4) => a = *data.get(k as usize / 4)?,
            0x80 => a = size_of::<Data>() as u32,
            0x81 => x = size_of::<Data>() as u32,
            0x00 => a = k,
            0x01 => x = k,
            0x60 => a = *memory.get(k as usize)?,
            0x61 => x = *memory.get(k as usize)?,
            0x02 => *memory.get_mut(k as usize)? = a,
            0x03 => *memory.get_mut(k as usize)? = x,
            0x07 => x = a,
            0x87 => a = x,
            0x04 | 0x0c => a = a.wrapping_add(operand),
            0x14 | 0x1c => a = a.wrapping_sub(operand),
            0x24 | 0x2c => a = a.wrapping_mul(operand),
            // The kernel refuses a constant of zero; a variable zero ends the filter with 0.
            0x34 | 0x3c => match a.checked_div(operand) {
                Some(quotient) => a = quotient,
                None => return (code == 0x3c).then_some(0),
            },
            0x44 | 0x4c => a |= operand,
            0x54 | 0x5c => a &= operand,
            0xa4 | 0xac => a ^= operand,
            0x64 | 0x6c => a = a.wrapping_shl(operand),
            0x74 | 0x7c => a = a.wrapping_shr(operand),
            0x84 => a = a.wrapping_neg(),
            0x05 => at = at.checked_add(k as usize)?,
            0x15 | 0x1d => at += usize::from(if a == operand { jt } else { jf }),
            0x25 | 0x2d => at += usize::from(if a > operand { jt } else { jf }),
            0x35 | 0x3d => at += usize::from(if a >= operand { jt } else { jf }),
            0x45 | 0x4d => at += usize::from(if a & operand != 0 { jt } else { jf }),
            0x06 => return Some(k),
            0x16 => return Some(a),
            _ => return None,
        }
    }
}

/// Whether a call with this answer is carried out, or fails. Every other answer ends the thread or
/// the process, sends it a signal, or asks another process that does not know the call.
pub fn is_harmless(answer: u32) -> bool {
    const ERRNO: u32 = 0x0005_0000;
    const LOG: u32 = 0x7ffc_0000;
    const ALLOW: u32 = 0x7fff_0000;
    matches!(answer & 0xffff_0000, ERRNO | LOG | ALLOW)
}

/// Returns the first of these calls that would not be harmless under the filter.
pub fn forbids(filter: &[Instruction], calls: &[Call], from: u64) -> Option<&'static str> {
    let is_forbidden = |call: &&Call| {
        let data = data(call.number as u32, from, call.arguments);
        answer(filter, &data).is_some_and(|answer| !is_harmless(answer))
    };
    calls.iter().find(is_forbidden).map(|call| call.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KILL: u32 = 0x8000_0000;
    const ALLOW: u32 = 0x7fff_0000;

    fn one(code: u16, jt: u8, jf: u8, k: u32) -> Instruction {
        Instruction { code, jt, jf, k }
    }

    /// Returns a filter that ends the process for one number and allows all others.
    fn but(number: u32) -> [Instruction; 4] {
        [one(0x20, 0, 0, 0), one(0x15, 0, 1, number), one(0x06, 0, 0, KILL), one(0x06, 0, 0, ALLOW)]
    }

    #[test]
    fn a_filter_tells_calls_apart() {
        let of = |number| answer(&but(257), &data(number, 0, [0; 6]));
        assert_eq!((of(257), of(1)), (Some(KILL), Some(ALLOW)));
        let calls = needed(7, true);
        assert_eq!(forbids(&but(257), &calls, 0), Some("openat"));
        assert_eq!(forbids(&but(101), &calls, 0), None);
        assert!(calls.iter().all(|call| forbids(&but(call.number as u32), &calls, 0).is_some()));
    }

    #[test]
    fn a_filter_sees_arguments_and_the_processor() {
        // It allows `write` to 1 and 2 alone, where the other half of the word is zero.
        let filter = [
            one(0x20, 0, 0, 4),
            one(0x15, 1, 0, KIND),
            one(0x06, 0, 0, KILL),
            one(0x20, 0, 0, 0),
            one(0x15, 0, 4, 1),
            one(0x20, 0, 0, 20),
            one(0x15, 0, 3, 0),
            one(0x20, 0, 0, 16),
            one(0x25, 1, 0, 2),
            one(0x06, 0, 0, ALLOW),
            one(0x06, 0, 0, KILL),
        ];
        let write = |file| answer(&filter, &data(1, 0, [file, 0, 0, 0, 0, 0]));
        assert_eq!((write(2), write(7), write(1 << 32)), (Some(ALLOW), Some(KILL), Some(KILL)));
        assert_eq!(forbids(&filter, &needed(7, false), 0), Some("write"));
        assert_eq!(forbids(&filter, &needed(2, false), 0), None);
    }

    #[test]
    fn all_arithmetic_is_the_kernels() {
        let run = |code: u16, a: u32, k: u32| {
            let filter = [one(0x00, 0, 0, a), one(code, 0, 0, k), one(0x16, 0, 0, 0)];
            let by_x = [one(0x01, 0, 0, k), filter[0], one(code | 8, 0, 0, 0), filter[2]];
            let data = data(0, 0, [0; 6]);
            assert!(answer(&filter, &data).is_none_or(|one| answer(&by_x, &data) == Some(one)));
            answer(&filter, &data)
        };
        assert_eq!(run(0x04, u32::MAX, 2), Some(1));
        assert_eq!(run(0x14, 1, 2), Some(u32::MAX));
        assert_eq!(run(0x24, 1 << 31, 3), Some(1 << 31));
        assert_eq!((run(0x34, 7, 2), run(0x34, 7, 0)), (Some(3), None));
        assert_eq!(
            (run(0x44, 1, 2), run(0x54, 3, 2), run(0xa4, 3, 2)),
            (Some(3), Some(2), Some(1))
        );
        assert_eq!((run(0x64, 1, 4), run(0x74, 16, 4)), (Some(16), Some(1)));
    }

    #[test]
    fn words_are_kept_and_jumps_lead_on() {
        let filter = [
            one(0x80, 0, 0, 0),
            one(0x02, 0, 0, 3),
            one(0x05, 0, 0, 1),
            one(0x06, 0, 0, KILL),
            one(0x61, 0, 0, 3),
            one(0x87, 0, 0, 0),
            one(0x84, 0, 0, 0),
            one(0x16, 0, 0, 0),
        ];
        assert_eq!(answer(&filter, &data(0, 0, [0; 6])), Some(64u32.wrapping_neg()));
        for bad in
            [one(0x20, 0, 0, 2), one(0x20, 0, 0, 64), one(0x60, 0, 0, 16), one(0x30, 0, 0, 0)]
        {
            assert_eq!(answer(&[bad, one(0x06, 0, 0, ALLOW)], &data(0, 0, [0; 6])), None);
        }
        assert_eq!(answer(&[one(0x05, 0, 0, u32::MAX)], &data(0, 0, [0; 6])), None);
        assert_eq!(answer(&[], &data(0, 0, [0; 6])), None);
    }

    #[test]
    fn what_fails_does_no_harm() {
        let all = [0x7fff_0000, 0x7ffc_0000, 0x0005_0026];
        assert!(all.into_iter().all(is_harmless));
        let not = [0x8000_0000, 0, 0x0003_0000, 0x7ff0_0000, 0x7fc0_0000];
        assert!(!not.into_iter().any(is_harmless));
    }
}
