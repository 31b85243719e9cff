//! `kmp_task_t`, and the flags with which the program asks for one (LLVM, `kmp.h`).

use super::Routine;
use core::ffi::c_void;

/// `kmp_task_t`; the private part follows.
#[repr(C)]
pub struct KmpTask {
    /// The shared variables' addresses.
    pub shareds: *mut c_void,
    /// The task's entry.
    pub routine: Routine,
    /// The number of the part that an untied task executes next.
    pub part: i32,
    /// Destructors of the private part (a [`Routine`]), if the flags say so.
    pub data1: usize,
    /// `priority` clause in the low half, if the flags say so.
    pub data2: usize,
}

const _: () = {
    assert!(core::mem::size_of::<KmpTask>() == 40);
    assert!(core::mem::offset_of!(KmpTask, part) == 16);
    assert!(core::mem::offset_of!(KmpTask, data1) == 24);
};

/// The flags argument of `__kmpc_omp_task_alloc`.
#[derive(Clone, Copy)]
pub struct AllocFlags(pub u32);

#[allow(missing_docs)]
impl AllocFlags {
    pub const TIED: u32 = 1;
    pub const FINAL: u32 = 2;
    pub const MERGEABLE: u32 = 4;
    pub const DESTRUCTORS: u32 = 8;
    pub const PROXY: u32 = 0x10;
    pub const PRIORITY: u32 = 0x20;
    pub const DETACHABLE: u32 = 0x40;
    /// `threadset(omp_pool)`.
    pub const FREE_AGENT: u32 = 0x80;
    /// The `transparent` clause.
    pub const TRANSPARENT: u32 = 0x100;
    /// Hidden helper threads execute it. Among the bits that are the library's own in LLVM's
    /// runtime.
    pub const HIDDEN_HELPER: u32 = 1 << 26;

    /// Whether one of `flags` is set.
    pub fn has(self, flags: u32) -> bool {
        self.0 & flags != 0
    }
}
