//! The control words of floating-point arithmetic: rounding, precision, the exceptions that trap,
//! the treatment of denormals.

use core::arch::asm;

/// The control words of a thread: MXCSR without its flags, and the x87 unit's. Or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FpControl(u64);

/// The bits of MXCSR for past exceptions. They are no settings.
const FLAGS: u32 = 0x3f;
/// The shift of the x87 unit's word.
const X87_SHIFT: u32 = 32;
/// The mark of a value that has control words.
const SOME: u64 = 1 << 63;

impl FpControl {
    /// No words: [`resume`](Self::resume) leaves the thread its own.
    pub const NONE: FpControl = FpControl(0);

    /// Returns the calling thread's words.
    #[inline(always)]
    pub fn of_caller() -> FpControl {
        let (mxcsr, x87) = (mxcsr(), x87());
        FpControl(SOME | u64::from(x87) << X87_SHIFT | u64::from(mxcsr & !FLAGS))
    }

    /// Gives the calling thread these words. It writes only if the thread has others.
    #[inline(always)]
    pub fn resume(self) {
        if self != FpControl::NONE && self != FpControl::of_caller() {
            self.write();
        }
    }

    /// The past exceptions in MXCSR stay. Those of the x87 unit are forgotten: otherwise its next
    /// instruction would trap for an exception that happened while traps were masked.
    #[cold]
    #[inline(never)]
    fn write(self) {
        let wanted = (self.0 >> X87_SHIFT) as u16;
        if x87() != wanted {
            // SAFETY: reads a word of this stack; no number is on the x87 unit's stack in a call.
            unsafe { asm!("fnclex", "fldcw [{}]", in(reg) &raw const wanted, options(nostack)) };
        }
        let wanted = self.0 as u32 | mxcsr() & FLAGS;
        // SAFETY: reads a word of this stack, which came from this register on some thread. The
        // program expects its words to hold for its own code; the runtime does no arithmetic.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const wanted, options(nostack, readonly)) };
    }
}

#[inline(always)]
fn mxcsr() -> u32 {
    let mut word = 0u32;
    // SAFETY: writes a word of this stack.
    unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut word, options(nostack, preserves_flags)) };
    word
}

#[inline(always)]
fn x87() -> u16 {
    let mut word = 0u16;
    // SAFETY: as above.
    unsafe { asm!("fnstcw [{}]", in(reg) &raw mut word, options(nostack, preserves_flags)) };
    word
}
