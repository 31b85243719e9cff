//! Barriers, taskwait and taskgroup.
//!
//! A barrier or taskwait is a wait from the construct's begin to its end, except for the tasks that
//! the thread executes inside; a taskgroup is one only while its end waits.
// OMPT's constants keep the names of the specification.
#![allow(non_upper_case_globals)]

use crate::accounting::{Class, IMPLEMENTATION_BARRIERS};
use crate::thread::Thread;
use crate::tool::on_thread;
use core::ffi::c_void;
use omphalos_abi::ompt::*;

/// OMPT's `sync_region`.
///
/// # Safety
/// Called by the runtime, as OMPT says.
pub unsafe extern "C" fn sync_region(
    kind: ompt_sync_region_t,
    endpoint: ompt_scope_endpoint_t,
    _region: *mut ompt_data_t,
    _task: *mut ompt_data_t,
    _codeptr: *const c_void,
) {
    match kind {
        ompt_sync_region_taskgroup | ompt_sync_region_reduction => {}
        ompt_sync_region_taskwait => on_thread(|thread, now| {
            wait(thread, Class::TaskWait, endpoint, now);
        }),
        _ => on_thread(|thread, now| {
            let account = &thread.account;
            if endpoint == ompt_scope_begin {
                account.switch(Class::Barrier, now);
                if kind == ompt_sync_region_barrier_implementation {
                    account.count(IMPLEMENTATION_BARRIERS, 1);
                }
                if let Some(context) = thread.stack().top_mut() {
                    context.in_barrier = true;
                    context.had_barrier = true;
                    context.publish(account, now);
                }
            } else if endpoint == ompt_scope_end {
                let active = thread.stack().active();
                account.settle(now);
                // A worker that idled through its region's end goes on idling.
                if account.class() != Class::Idle {
                    account.switch(active, now);
                }
                if let Some(context) = thread.stack().top_mut() {
                    context.in_barrier = false;
                }
            }
        }),
    }
}

/// OMPT's `sync_region_wait`.
///
/// # Safety
/// Called by the runtime, as OMPT says.
pub unsafe extern "C" fn sync_region_wait(
    kind: ompt_sync_region_t,
    endpoint: ompt_scope_endpoint_t,
    _region: *mut ompt_data_t,
    _task: *mut ompt_data_t,
    _codeptr: *const c_void,
) {
    if kind == ompt_sync_region_taskgroup {
        on_thread(|thread, now| wait(thread, Class::TaskWait, endpoint, now));
    }
}

fn wait(thread: &Thread, class: Class, endpoint: ompt_scope_endpoint_t, now: u64) {
    if endpoint == ompt_scope_begin {
        thread.account.switch(class, now);
    } else if endpoint == ompt_scope_end {
        thread.account.switch(thread.stack().active(), now);
    }
}
