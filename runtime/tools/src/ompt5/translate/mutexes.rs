//! Locks and the other mutexes.

use super::{call, code};
use core::ffi::c_int;
use omphalos_abi::ompt::*;
use omphalos_events::Event;

/// Tells one of these events. Inlined, so that one jump leads to each.
#[inline(always)]
pub(super) fn notify(slot: usize, event: &Event<'_>) {
    match *event {
        Event::MutexAcquire { kind, hint, implementation, wait_id, codeptr } => {
            call!(
                slot,
                ompt_callback_mutex_acquire,
                ompt_callback_mutex_acquire_t,
                (kind as c_int, hint, implementation, wait_id, code(codeptr))
            );
        }
        Event::MutexAcquired { kind, wait_id, codeptr } => {
            call!(
                slot,
                ompt_callback_mutex_acquired,
                ompt_callback_mutex_t,
                (kind as c_int, wait_id, code(codeptr))
            );
        }
        Event::MutexReleased { kind, wait_id, codeptr } => {
            call!(
                slot,
                ompt_callback_mutex_released,
                ompt_callback_mutex_t,
                (kind as c_int, wait_id, code(codeptr))
            );
        }
        Event::LockInit { kind, hint, implementation, wait_id, codeptr } => {
            call!(
                slot,
                ompt_callback_lock_init,
                ompt_callback_mutex_acquire_t,
                (kind as c_int, hint, implementation, wait_id, code(codeptr))
            );
        }
        Event::LockDestroy { kind, wait_id, codeptr } => {
            call!(
                slot,
                ompt_callback_lock_destroy,
                ompt_callback_mutex_t,
                (kind as c_int, wait_id, code(codeptr))
            );
        }
        Event::NestLock { endpoint, wait_id, codeptr } => {
            call!(
                slot,
                ompt_callback_nest_lock,
                ompt_callback_nest_lock_t,
                (endpoint as c_int, wait_id, code(codeptr))
            );
        }
        _ => {}
    }
}
