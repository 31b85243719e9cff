//! The states of threads, by number and name (OpenMP 6.0, section 41.7).

use core::ffi::c_char;

use omphalos_abi::ompd::*;
use omphalos_abi::ompt::ompt_state_undefined;
use omphalos_ompd_answers::{Answer, Code, Kind, memory};
use omphalos_ompd_view::states;

use crate::{HANDLES, code};

/// The state behind `current_state`; the first behind `ompt_state_undefined`, which is itself the
/// last. The name is the debugger's to free.
///
/// # Safety
/// Each pointer is null or points to a place for its result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_enumerate_states(
    address_space_handle: *mut ompd_address_space_handle_t,
    current_state: ompd_word_t,
    next_state: *mut ompd_word_t,
    next_state_name: *mut *const c_char,
    more_enums: *mut ompd_word_t,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let space = HANDLES.held(Kind::Space, address_space_handle)?.space;
        memory::wanted(next_state)?;
        memory::wanted(next_state_name)?;
        memory::wanted(more_enums)?;
        let next = match u32::try_from(current_state) {
            Ok(state) if state == ompt_state_undefined as u32 => states::ALL.first().copied(),
            Ok(state) => states::next(state),
            Err(_) => None,
        };
        let (state, name) = next.ok_or(Code::BadInput)?;
        let name = memory::text(space.debugger(), name)?;
        let more = states::next(state).is_some();
        // SAFETY: the caller's promise.
        unsafe {
            memory::put(next_state, state.into())?;
            memory::put(next_state_name, name)?;
            memory::put(more_enums, more.into())
        }
    };
    code(answer())
}
