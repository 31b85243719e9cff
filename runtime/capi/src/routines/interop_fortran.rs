//! Interoperability routines under their other names, and GCC's `interop` construct.
//!
//! Three compilers return text from a Fortran function in three ways. gfortran passes the addresses
//! of a pointer and of its length in front of the arguments, which its module declares `value`.
//! Intel's compiler passes a descriptor of a pointer, and the arguments' addresses. LLVM's `_`
//! names take and return the same as the C routines. If GCC has such a name too, it has GCC's form
//! here, since flang binds to the C names.

use super::device_uid::omp_get_uid_from_device;
use super::interop::{
    Interop, omp_get_interop_int, omp_get_interop_name, omp_get_interop_ptr,
    omp_get_interop_rc_desc, omp_get_interop_str, omp_get_interop_type_desc,
};
use core::ffi::{CStr, c_char, c_int, c_uint, c_void};

/// # Safety
/// `text` is null or a C string.
unsafe fn length(text: *const c_char) -> usize {
    // SAFETY: the caller's promise.
    if text.is_null() { 0 } else { unsafe { CStr::from_ptr(text) }.count_bytes() }
}

/// gfortran's functions with a text as their result: `name(arguments) = expression;`
macro_rules! gfortran {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $type:ty),*) = $value:expr;)*) => { $(
        $(#[$doc])*
        ///
        /// # Safety
        /// The first two arguments must be valid for writes, `code` null or valid for writes.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            result: *mut *const c_char, size: *mut usize, $($arg: $type),*
        ) {
            // SAFETY: the caller's promise; the texts are constants.
            unsafe {
                let text: *const c_char = $value;
                result.write(text);
                size.write(length(text));
            }
        }
    )* };
}

gfortran! {
    /// A text property for gfortran.
    omp_get_interop_str_(of: Interop, property: c_int, code: *mut c_int)
        = omp_get_interop_str(of, property, code);
    /// A property's name for gfortran.
    omp_get_interop_name_(of: Interop, property: c_int) = omp_get_interop_name(of, property);
    /// A property's type for gfortran.
    omp_get_interop_type_desc_(of: Interop, property: c_int)
        = omp_get_interop_type_desc(of, property);
    /// The meaning of a return code, for gfortran.
    omp_get_interop_rc_desc_(of: Interop, code: c_int) = omp_get_interop_rc_desc(of, code);
    /// A device's unique name for gfortran.
    omp_get_uid_from_device_(device: c_int) = omp_get_uid_from_device(device);
    /// A device's unique name for gfortran's 8-byte integers.
    omp_get_uid_from_device_8_(device: i64)
        = omp_get_uid_from_device(super::names::narrow(device));
}

// LLVM's other names of the C routines, with the same arguments and results.
omphalos_sys::exported_routines! {
    /// LLVM's other name of the C routine.
    omp_get_num_interop_properties_(of: Interop) -> c_int
        = super::interop::omp_get_num_interop_properties(of);
    /// LLVM's other name of the C routine.
    omp_get_interop_int_(of: Interop, property: c_int, code: *mut c_int) -> isize
        = omp_get_interop_int(of, property, code);
    /// LLVM's other name of the C routine.
    omp_get_interop_ptr_(of: Interop, property: c_int, code: *mut c_int) -> *mut c_void
        = omp_get_interop_ptr(of, property, code);
    /// LLVM's other name of the C routine.
    __kmpc_get_interop_ptr(of: Interop, property: c_int, code: *mut c_int) -> *mut c_void
        = omp_get_interop_ptr(of, property, code);
    /// LLVM's other name of the C routine.
    __kmpc_get_interop_str(of: Interop, property: c_int, code: *mut c_int) -> *const c_char
        = omp_get_interop_str(of, property, code);
    /// LLVM's other name of the C routine.
    __kmpc_get_interop_name(of: Interop, property: c_int) -> *const c_char
        = omp_get_interop_name(of, property);
    /// LLVM's other name of the C routine.
    __kmpc_get_interop_type_desc(of: Interop, property: c_int) -> *const c_char
        = omp_get_interop_type_desc(of, property);
    /// LLVM's other name of the C routine.
    __kmpc_get_interop_rc_desc(of: Interop, code: c_int) -> *const c_char
        = omp_get_interop_rc_desc(of, code);
    /// LLVM's other name of the C routine.
    __kmpc_get_uid_from_device(device: c_int) -> *const c_char = omp_get_uid_from_device(device);
}

/// Intel's compiler's description of a pointer to text.
#[repr(C)]
pub struct Descriptor {
    address: *const c_char,
    length: usize,
    offset: usize,
    /// 0: not associated; 5: associated, of this length.
    flags: usize,
}

/// Intel's module procedures with a text as their result.
macro_rules! intel {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $type:ty),*) = $value:expr;)*) => { $(
        $(#[$doc])*
        ///
        /// # Safety
        /// The descriptor must be valid for writes, the arguments for reads (an absent code is
        /// null).
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(result: *mut Descriptor, $($arg: $type),*) {
            // SAFETY: the caller's promise; the texts are constants.
            unsafe {
                let text: *const c_char = $value;
                (*result).address = text;
                (*result).flags = 0;
                if !text.is_null() {
                    (*result).length = length(text);
                    (*result).flags = 5;
                }
            }
        }
    )* };
}

intel! {
    /// A text property for Intel's compiler.
    omp_lib_mp_omp_get_interop_str_(of: *const Interop, property: *const c_int, code: *mut c_int)
        = omp_get_interop_str(*of, *property, code);
    /// A property's name for Intel's compiler.
    omp_lib_mp_omp_get_interop_name_(of: *const Interop, property: *const c_int)
        = omp_get_interop_name(*of, *property);
    /// A property's type for Intel's compiler.
    omp_lib_mp_omp_get_interop_type_desc_(of: *const Interop, property: *const c_int)
        = omp_get_interop_type_desc(*of, *property);
    /// The meaning of a return code, for Intel's compiler.
    omp_lib_mp_omp_get_interop_rc_desc_(of: *const Interop, code: *const c_int)
        = omp_get_interop_rc_desc(*of, *code);
    /// A device's unique name for Intel's compiler.
    omp_lib_mp_omp_get_uid_from_device_(device: *const c_int) = omp_get_uid_from_device(*device);
}

omphalos_sys::exported_routines! {
    /// A pointer property for Intel's compiler, which returns a `c_ptr` through its first argument.
    omp_lib_mp_omp_get_interop_ptr_(
        result: *mut *mut c_void, of: *const Interop, property: *const c_int, code: *mut c_int
    ) = result.write(omp_get_interop_ptr(*of, *property, code));
}

/// Intel's modules themselves: compiled code may refer to them, and nothing is done.
macro_rules! modules {
    ($($name:literal $function:ident;)*) => { $(
        /// A Fortran module's own code: none.
        #[unsafe(export_name = $name)]
        pub extern "C" fn $function() {}
    )* };
}

modules! {
    "omp_lib._" omp_lib_module;
    "omp_lib_kinds._" omp_lib_kinds_module;
}

/// GCC's `interop` construct: waits for its dependences. Objects that it makes or ends become
/// `omp_interop_none`; those that it uses stay (GOMP_5.1.3).
///
/// # Safety
/// GCC's code passes arrays of addresses of objects, each as long as the count before it says, and
/// null or dependences in libgomp's form.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOMP_interop(
    _device: c_int,
    made: c_int,
    make: *const *mut Interop,
    _kinds: *const c_void,
    _preferred: *const c_char,
    _used: c_int,
    _use: *const Interop,
    ended: c_int,
    end: *const *mut Interop,
    _flags: c_uint,
    dependences: *mut *mut c_void,
) {
    if !dependences.is_null() {
        // SAFETY: the caller's promise.
        unsafe { crate::gomp::task::wait_on(dependences, omphalos_engine::Caller::NONE) };
    }
    for (count, objects) in [(made, make), (ended, end)] {
        for at in 0..usize::try_from(count).unwrap_or(0) {
            // SAFETY: the caller's promise.
            unsafe { (*objects.add(at)).write(core::ptr::null()) };
        }
    }
}
