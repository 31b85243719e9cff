//! OMPT and OMPD before OpenMP 5.0: generations that name the same things and number them
//! differently.
//!
//! One module for each, with plain integers under the names of its text. Signatures are not types
//! here: all arguments are words of 8 bytes at most, and the code that passes a word says what it
//! means.

pub mod ompd2013;
pub mod ompd2016;
pub mod ompt2013;
pub mod ompt2014;
pub mod ompt2016;
pub mod trace2016;

/// Defines integer types with their constants, and `NUMBERS` from the same text.
macro_rules! numbers {
    ($($ty:ident { $($name:ident = $value:literal,)* })*) => {
        $(
            #[doc = concat!("`", stringify!($ty), "`.")]
            pub type $ty = core::ffi::c_int;
            $(#[doc = concat!("`", stringify!($name), "`.")] pub const $name: $ty = $value;)*
        )*

        /// Every number with its name.
        pub const NUMBERS: &[(&str, core::ffi::c_int)] =
            &[$($((stringify!($name), $name),)*)*];
    };
}
pub(crate) use numbers;

/// The function by which a tool of 2014 and 2016 is found.
pub const TOOL: &core::ffi::CStr = c"ompt_tool";
/// The function by which a tool of 2013 and early 2014 is found.
pub const INITIALIZE: &core::ffi::CStr = c"ompt_initialize";
/// The name that the header of 2016 defines in a tool that takes identifiers by value.
pub const BY_VALUE: &core::ffi::CStr = c"ompt_2016_ids";
/// The name that it defines in a tool that takes them by reference.
pub const BY_REFERENCE: &core::ffi::CStr = c"ompt_2016_data";
/// One past the highest event number of these generations.
pub const EVENT_LIMIT: usize = 62;
