//! How the modules list signatures and records, a row each, as the C headers do.

/// Types of functions: `name(argument: type, ..) -> result;`.
macro_rules! signatures {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)?;)*) => {
        $(
            $(#[$doc])*
            pub type $name = unsafe extern "C" fn($($argument: $type),*) $(-> $result)?;
        )*
    };
}

/// Structures whose fields are as the published interface has them: `name { field: type, .. }`.
macro_rules! records {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty),* $(,)? })*) => {
        $(
            $(#[$doc])*
            #[allow(missing_docs)]
            #[repr(C)]
            #[derive(Clone, Copy)]
            pub struct $name {
                $(pub $field: $type,)*
            }
        )*
    };
}
