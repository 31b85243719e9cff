//! Places where debuggers stop.

macro_rules! places {
    ($($pass:ident => $name:ident;)*) => { $(
        /// See `x86_64/debugger.rs`.
        #[unsafe(no_mangle)]
        #[inline(never)]
        pub extern "C" fn $name() {
            super::keep();
        }

        /// See `x86_64/debugger.rs`.
        pub fn $pass() {
            $name();
        }
    )* };
}

places! {
    parallel_begin => ompd_bp_parallel_begin;
    parallel_end => ompd_bp_parallel_end;
    task_begin => ompd_bp_task_begin;
    task_end => ompd_bp_task_end;
    thread_begin => ompd_bp_thread_begin;
    thread_end => ompd_bp_thread_end;
    device_begin => ompd_bp_device_begin;
    device_end => ompd_bp_device_end;
    teams_begin => ompd_bp_teams_begin;
    teams_end => ompd_bp_teams_end;
    target_begin => ompd_bp_target_begin;
    target_end => ompd_bp_target_end;
    enable_complete => ompt_enable_complete;
}
