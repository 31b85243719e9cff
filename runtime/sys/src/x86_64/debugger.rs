//! Places that the runtime passes when something happens that debuggers may want to stop at (OMPD).
//!
//! Each is a function that only returns. The `call` to it is one that changes no register, as the
//! compiler knows. A pair of them costs 2.6 nanoseconds, half of the shortest task. So
//! constructs call them only while a debugger asks for it (`omphalos_engine::enable`); threads and
//! devices always do.

macro_rules! places {
    ($($(#[$meta:meta])* $pass:ident => $name:ident;)*) => {
        $(
            $(#[$meta])*
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            pub extern "C" fn $name() {
                core::arch::naked_asm!("ret")
            }

            $(#[$meta])*
            #[inline(always)]
            pub fn $pass() {
                // SAFETY: the function returns and does nothing else. Memory counts as read: a
                // debugger looks at it.
                unsafe {
                    core::arch::asm!("call {}", sym $name, options(readonly, preserves_flags));
                }
            }
        )*
    };
}

places! {
    /// A parallel region begins: its team is set up, no member executes it yet. On the encountering
    /// thread.
    parallel_begin => ompd_bp_parallel_begin;
    /// A parallel region has ended. On the encountering thread, back in the encountering task.
    parallel_end => ompd_bp_parallel_end;
    /// An explicit task begins: it is the current task, its code is about to be executed.
    task_begin => ompd_bp_task_begin;
    /// The code of an explicit task has been executed: it still is the current task.
    task_end => ompd_bp_task_end;
    /// The thread is an OpenMP thread from now on.
    thread_begin => ompd_bp_thread_begin;
    /// The thread is about to be no OpenMP thread any more.
    thread_end => ompd_bp_thread_end;
    /// A device was made ready.
    device_begin => ompd_bp_device_begin;
    /// A device was given up.
    device_end => ompd_bp_device_end;
    /// A league of teams begins.
    teams_begin => ompd_bp_teams_begin;
    /// The league of teams has ended.
    teams_end => ompd_bp_teams_end;
    /// A target region begins on the host.
    target_begin => ompd_bp_target_begin;
    /// The target region has ended.
    target_end => ompd_bp_target_end;
    /// The request of 2013's `ompd_enable` is carried out.
    enable_complete => ompt_enable_complete;
}
