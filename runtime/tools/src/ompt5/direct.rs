//! Gives hooks the callbacks that they call themselves, without an event.
//!
//! Most callbacks of OpenMP 6.0 have the direct form of their kind (`omphalos_events::tell_tools`)
//! if the tool's data words are where identities begin: then a word's address is also the
//! identity's. So the hooks get a callback of the tool in [`FIRST`] as it is. A few callbacks get
//! less than their event has; for these the hooks get a function of this file. Tools in other slots
//! get events.
//!
//! What must hold: the signatures agree. The assertions of `translate` check the numbers.

use super::tool::tool;
use super::translate::shown;
use core::ffi::{c_int, c_void};
use omphalos_abi::ompt::*;
use omphalos_events::Identity;

/// The slot whose words stand first in an identity.
const FIRST: usize = 0;

/// The functions that hooks call in place of a callback; 0: none.
pub struct Direct {
    pub usual: usize,
    /// The function for a barrier that ends a region.
    pub closing: usize,
}

/// Returns the functions that hooks call for this callback of the tool in `slot`.
pub fn functions(slot: usize, number: usize, callback: usize) -> Direct {
    if slot != FIRST || callback == 0 {
        return Direct { usual: 0, closing: 0 };
    }
    let is = |other: ompt_callbacks_t| number == other as usize;
    let usual = if is(ompt_callback_implicit_task) {
        implicit_task as *const () as usize
    } else {
        callback
    };
    let closing = match () {
        () if is(ompt_callback_sync_region) => sync::<{ ompt_callback_sync_region }> as *const (),
        () if is(ompt_callback_sync_region_wait) => {
            sync::<{ ompt_callback_sync_region_wait }> as *const ()
        }
        () => core::ptr::null(),
    };
    Direct { usual, closing: closing as usize }
}

/// The direct form of `SyncRegion` and `SyncWait`, for barriers that end regions.
unsafe extern "C" fn sync<const NUMBER: ompt_callbacks_t>(
    kind: c_int,
    endpoint: c_int,
    region: *const Identity,
    task: *const Identity,
    codeptr: *const c_void,
) {
    let shown = shown::region(kind, endpoint, region);
    let address = tool(FIRST).callback(NUMBER as usize);
    if address == 0 {
        return;
    }
    // SAFETY: the tool registered it under a number of this signature.
    let callback: ompt_callback_sync_region_t = unsafe { core::mem::transmute(address) };
    // SAFETY: the words of the first slot are where identities begin; they outlive the call.
    unsafe { callback(kind, endpoint, word(shown), word(task), codeptr) }
}

/// The direct form of `ImplicitTask`.
unsafe extern "C" fn implicit_task(
    endpoint: c_int,
    region: *const Identity,
    task: *const Identity,
    parallelism: u32,
    index: u32,
    flags: u32,
) {
    // SAFETY: hooks pass an identity that outlives the call.
    let (shown, size) = shown::team(endpoint, unsafe { &*region }, parallelism, index, flags);
    let address = tool(FIRST).callback(ompt_callback_implicit_task as usize);
    if address == 0 {
        return;
    }
    // SAFETY: the tool registered it under this number.
    let callback: ompt_callback_implicit_task_t = unsafe { core::mem::transmute(address) };
    // SAFETY: as in `sync`.
    unsafe { callback(endpoint, word(shown), word(task), size, index, flags as c_int) }
}

fn word(identity: *const Identity) -> *mut ompt_data_t {
    identity.cast_mut().cast()
}
