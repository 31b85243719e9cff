//! The states of threads, by number and name (OpenMP 6.0, section 41.7).

use core::ffi::c_char;

use omphalos_abi::ompd::*;
use omphalos_abi::ompt::ompt_state_undefined;
use omphalos_ompd_answers::{Answer, Code, Held, memory};
use omphalos_ompd_view::states;

use crate::{code, held};

omphalos_ompd_answers::answered! {
    /// The state that follows `current_state` in the list of states. The list's first state follows
    /// `ompt_state_undefined`, which is also the list's last. The debugger frees the name.
    ompd_enumerate_states(
        [Space] address_space_handle: *mut ompd_address_space_handle_t, current_state: ompd_word_t;
        next_state: ompd_word_t, next_state_name: *const c_char, more_enums: ompd_word_t
    ) = state_behind(&address_space_handle, current_state);
}

fn state_behind(
    space: &Held,
    current: ompd_word_t,
) -> Answer<(ompd_word_t, *const c_char, ompd_word_t)> {
    let next = match u32::try_from(current) {
        Ok(state) if state == ompt_state_undefined as u32 => states::ALL.first().copied(),
        Ok(state) => states::next(state),
        Err(_) => None,
    };
    let (state, name) = next.ok_or(Code::BadInput)?;
    let name = memory::text(space.space.debugger(), name)?;
    Ok((state.into(), name, states::next(state).is_some().into()))
}
