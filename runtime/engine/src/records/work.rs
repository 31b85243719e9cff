//! The code that a region runs: an outlined function in one of the two calling conventions.

use super::Slot;
use core::ffi::c_void;
use omphalos_sys::invoke;

/// An outlined function and its data.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Work {
    code: *const c_void,
    data: *mut c_void,
    /// The number of pointers in `data`, or `DATA` for a function of one pointer.
    argc: usize,
}

omphalos_layout::describe!(Work { code, data });

const DATA: usize = usize::MAX;

impl Work {
    /// Nothing to run.
    pub const NONE: Work =
        Work { code: core::ptr::null(), data: core::ptr::null_mut(), argc: DATA };

    /// Returns the call by GCC's convention: `code(data)`.
    pub const fn with_data(code: *const c_void, data: *mut c_void) -> Work {
        Work { code, data, argc: DATA }
    }

    /// LLVM's convention: `code(&gtid, &tid, args[0], .., args[argc - 1])`. `args` must stay valid
    /// until the region ends.
    pub const fn microtask(code: *const c_void, argc: usize, args: *const *mut c_void) -> Work {
        Work { code, data: args.cast_mut().cast(), argc }
    }

    /// Returns the outlined function's address.
    pub fn code(&self) -> u64 {
        self.code as u64
    }

    /// Runs the function as a region on a member's implicit task. Meanwhile that task's word holds
    /// the exit frame.
    ///
    /// # Safety
    /// The function and data must keep the promise made to the constructor.
    #[inline(always)]
    pub unsafe fn run_in(&self, slot: &Slot, gtid: i32, num: u32) {
        // SAFETY: the caller's promise; the slot has both words.
        unsafe {
            self.call::<{ Slot::LEFT_BEHIND_EXIT }>(gtid, num, slot.task.tool.frame.exit.as_ptr())
        };
    }

    /// Runs the function. Meanwhile `exit_frame` holds the exit frame.
    ///
    /// # Safety
    /// As [`Work::run_in`].
    #[inline(always)]
    pub unsafe fn run(&self, gtid: i32, num: u32, exit_frame: *mut u64) {
        // SAFETY: the caller's promise.
        unsafe { self.call::<0>(gtid, num, exit_frame) };
    }

    #[inline(always)]
    unsafe fn call<const KEPT: isize>(&self, gtid: i32, num: u32, exit: *mut u64) {
        // SAFETY: the promise of both callers.
        unsafe {
            if self.argc == DATA {
                invoke::call_region::<KEPT>(self.code, self.data, exit);
            } else {
                let (args, num) = (self.data.cast_const().cast(), num as i32);
                invoke::call_microtask::<KEPT>(self.code, gtid, num, self.argc, args, exit);
            }
        }
    }
}
