//! The control words of floating-point arithmetic. To be written; until then each thread keeps its
//! own.

/// See `x86_64/fp_control.rs`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FpControl;

impl FpControl {
    /// See `x86_64/fp_control.rs`.
    pub const NONE: FpControl = FpControl;

    /// See `x86_64/fp_control.rs`.
    pub fn of_caller() -> FpControl {
        FpControl
    }

    /// See `x86_64/fp_control.rs`.
    pub fn resume(self) {}
}
