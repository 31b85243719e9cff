//! Words of statics, and weak definitions.

/// See `x86_64/statics.rs`.
#[macro_export]
macro_rules! load_static {
    ($static:path, $offset:expr, $type:ty) => {
        $crate::load_static_slowly!($static, $offset, $type)
    };
}

/// See `x86_64/statics.rs`.
#[macro_export]
macro_rules! if_static_is_set {
    ($static:path, $with:block) => {
        if $crate::load_static_slowly!($static, 0, usize) != 0 $with
    };
}

/// See `x86_64/weak.rs`.
#[macro_export]
macro_rules! weak_entry {
    ($visibility:vis fn $address:ident() of $own:ident: $name:ident => $target:path) => {
        /// Returns the address of the runtime's own definition.
        $visibility fn $address() -> *const ::core::ffi::c_void {
            $target as *const ::core::ffi::c_void
        }
    };
}
