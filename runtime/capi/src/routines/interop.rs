//! Interoperability objects (`shared/interop.rs` has the objects that exist). Every question about
//! `omp_interop_none` has the answer "empty".

use crate::shared::interop;
use core::ffi::{CStr, c_char, c_int, c_void};

pub(super) type Interop = *const c_void;

/// `omp_irc_no_value`.
const NO_VALUE: c_int = 1;
const SUCCESS: c_int = 0;
/// `omp_irc_empty`.
const EMPTY: c_int = -1;
/// `omp_irc_out_of_range`.
const OUT_OF_RANGE: c_int = -2;
/// `omp_irc_type_int`, `_ptr` and `_str`: the property's true type, if the program asked for it as
/// another one.
const TYPE_NUMBER: c_int = -3;
const TYPE_POINTER: c_int = -4;
const TYPE_TEXT: c_int = -5;

/// `omp_ipr_vendor_name` and `omp_ipr_device_num`.
const VENDOR_NAME: c_int = -4;
const DEVICE_NUM: c_int = -5;

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

/// A property of an object that exists.
#[derive(Clone, Copy)]
enum Value {
    Number(isize),
    Text(&'static CStr),
}

/// Returns the value of property `of`. `Err` has the code that says why there is none. `asked`: the
/// code of the type whose routine the program called.
fn value(object: Interop, of: c_int, asked: c_int) -> Result<Value, c_int> {
    let (_, kind) = property(of).ok_or(OUT_OF_RANGE)?;
    let device = interop::device(object).ok_or(EMPTY)?;
    let is = match kind.to_bytes() {
        b"const char *" => TYPE_TEXT,
        b"N/A" => TYPE_POINTER,
        _ => TYPE_NUMBER,
    };
    match of {
        _ if is != asked => Err(is),
        VENDOR_NAME => Ok(Value::Text(c"omphalos")),
        DEVICE_NUM => Ok(Value::Number(device as isize)),
        _ => Err(NO_VALUE),
    }
}

/// # Safety
/// `code` must be null or valid for writes.
unsafe fn say(code: *mut c_int, value: Result<Value, c_int>) -> Option<Value> {
    if !code.is_null() {
        // SAFETY: the caller's promise.
        unsafe { code.write(value.err().unwrap_or(SUCCESS)) };
    }
    value.ok()
}

/// Properties beyond the standard's: none.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_num_interop_properties(_interop: Interop) -> c_int {
    0
}

/// Returns an integer property; 0 if there is none, and the code says why.
///
/// # Safety
/// `code` must be null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_interop_int(
    object: Interop,
    of: c_int,
    code: *mut c_int,
) -> isize {
    // SAFETY: the caller's promise.
    match unsafe { say(code, value(object, of, TYPE_NUMBER)) } {
        Some(Value::Number(number)) => number,
        _ => 0,
    }
}

/// Returns a pointer property: null, and the code says why.
///
/// # Safety
/// `code` must be null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_interop_ptr(
    object: Interop,
    of: c_int,
    code: *mut c_int,
) -> *mut c_void {
    // SAFETY: the caller's promise.
    unsafe { say(code, value(object, of, TYPE_POINTER)) };
    core::ptr::null_mut()
}

/// Returns a text property; null if there is none, and the code says why.
///
/// # Safety
/// `code` must be null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_interop_str(
    object: Interop,
    of: c_int,
    code: *mut c_int,
) -> *const c_char {
    // SAFETY: the caller's promise.
    match unsafe { say(code, value(object, of, TYPE_TEXT)) } {
        Some(Value::Text(text)) => text.as_ptr(),
        _ => core::ptr::null(),
    }
}

/// Returns a property's name; null if there is no such property.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_interop_name(_: Interop, of: c_int) -> *const c_char {
    property(of).map_or(core::ptr::null(), |(name, _)| name.as_ptr())
}

/// Returns a property's type; null if there is no such property.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_interop_type_desc(_: Interop, of: c_int) -> *const c_char {
    property(of).map_or(core::ptr::null(), |(_, kind)| kind.as_ptr())
}

/// Returns the meaning of a return code; null if it is none.
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
