//! Interoperability objects. Without devices the only one is `omp_interop_none`, and every question
//! about it has the answer "empty".

use core::ffi::{CStr, c_char, c_int, c_void};

pub(super) type Interop = *const c_void;

/// `omp_irc_empty`.
const EMPTY: c_int = -1;
/// `omp_irc_out_of_range`.
const OUT_OF_RANGE: c_int = -2;

/// Names and types of the properties -1 to -9.
const PROPERTIES: [(&CStr, &CStr); 9] = [
    (c"fr_id", c"omp_interop_fr_t"),
    (c"fr_name", c"const char *"),
    (c"vendor", c"int"),
    (c"vendor_name", c"const char *"),
    (c"device_num", c"int"),
    (c"platform", c"N/A"),
    (c"device", c"N/A"),
    (c"device_context", c"N/A"),
    (c"targetsync", c"N/A"),
];

fn property(property: c_int) -> Option<&'static (&'static CStr, &'static CStr)> {
    PROPERTIES.get(usize::try_from(-1 - i64::from(property)).ok()?)
}

/// # Safety
/// `code` must be null or valid for writes.
unsafe fn say_empty(of: c_int, code: *mut c_int) {
    if !code.is_null() {
        // SAFETY: the caller's promise.
        unsafe { code.write(if property(of).is_some() { EMPTY } else { OUT_OF_RANGE }) };
    }
}

/// Properties beyond the standard's: none.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_num_interop_properties(_interop: Interop) -> c_int {
    0
}

/// An integer property: 0, and the code says that there is no object.
///
/// # Safety
/// `code` must be null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_interop_int(_: Interop, of: c_int, code: *mut c_int) -> isize {
    // SAFETY: the caller's promise.
    unsafe { say_empty(of, code) };
    0
}

/// A pointer property: null, and the code says that there is no object.
///
/// # Safety
/// `code` must be null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_interop_ptr(
    _: Interop,
    of: c_int,
    code: *mut c_int,
) -> *mut c_void {
    // SAFETY: the caller's promise.
    unsafe { say_empty(of, code) };
    core::ptr::null_mut()
}

/// A text property: null, and the code says that there is no object.
///
/// # Safety
/// `code` must be null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_interop_str(
    _: Interop,
    of: c_int,
    code: *mut c_int,
) -> *const c_char {
    // SAFETY: the caller's promise.
    unsafe { say_empty(of, code) };
    core::ptr::null()
}

/// A property's name; null if there is no such property.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_interop_name(_: Interop, of: c_int) -> *const c_char {
    property(of).map_or(core::ptr::null(), |(name, _)| name.as_ptr())
}

/// A property's type; null if there is no such property.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_interop_type_desc(_: Interop, of: c_int) -> *const c_char {
    property(of).map_or(core::ptr::null(), |(_, kind)| kind.as_ptr())
}

/// What a return code means; null if it is none.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_interop_rc_desc(_: Interop, code: c_int) -> *const c_char {
    let text = match code {
        1 => c"the call was right, but the property has no value",
        0 => c"success",
        -1 => c"the object is omp_interop_none",
        -2 => c"there is no such property",
        -3 => c"the property is an integer: ask omp_get_interop_int",
        -4 => c"the property is a pointer: ask omp_get_interop_ptr",
        -5 => c"the property is a text: ask omp_get_interop_str",
        -6 => c"another error",
        _ => return core::ptr::null(),
    };
    text.as_ptr()
}
