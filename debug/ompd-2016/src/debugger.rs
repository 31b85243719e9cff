//! The debugger's callbacks.

use core::ffi::{CStr, c_void};

use omphalos_abi::earlier::ompd2016::*;
use omphalos_ompd_answers::Code;

omphalos_ompd_answers::debugged_process!(
    d_alloc_memory d_free_memory t_sizeof_prim_type target_to_host t_symbol_addr_lookup
    t_read_memory t_write_memory,
    ompd_target_type_sizes_t, |name, found, _file| (name, found)
);
