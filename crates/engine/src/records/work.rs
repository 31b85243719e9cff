//! What a region runs: an outlined function in one of the two calling conventions.

use core::ffi::c_void;
use omphalos_sys::invoke;

/// An outlined function and its data.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Work {
    code: *const c_void,
    data: *mut c_void,
    /// Number of pointers in `data`, or `DATA` for a function of one pointer.
    argc: usize,
}

omphalos_layout::describe!(Work { code, data });

const DATA: usize = usize::MAX;

impl Work {
    /// Nothing to run.
    pub const NONE: Work =
        Work { code: core::ptr::null(), data: core::ptr::null_mut(), argc: DATA };

    /// GCC's convention: `code(data)`.
    pub const fn with_data(code: *const c_void, data: *mut c_void) -> Work {
        Work { code, data, argc: DATA }
    }

    /// LLVM's convention: `code(&gtid, &tid, args[0], .., args[argc - 1])`. `args` must stay valid
    /// until the region ends.
    pub const fn microtask(code: *const c_void, argc: usize, args: *const *mut c_void) -> Work {
        Work { code, data: args.cast_mut().cast(), argc }
    }

    /// The outlined function's address.
    pub fn code(&self) -> u64 {
        self.code as u64
    }

    /// Runs it. Meanwhile `exit_frame` holds the exit frame.
    ///
    /// # Safety
    /// The function and data must be what the constructor was promised.
    #[inline(always)]
    pub unsafe fn run(&self, gtid: i32, num: u32, exit_frame: *mut u64) {
        // SAFETY: the caller's promise.
        unsafe {
            if self.argc == DATA {
                invoke::call_with_data(self.code, self.data, exit_frame);
            } else {
                let args = self.data.cast_const().cast();
                invoke::call_microtask(self.code, gtid, num as i32, self.argc, args, exit_frame);
            }
        }
    }
}
