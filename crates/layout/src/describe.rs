//! `described!`: one text gives the structure and the table of its fields.

/// One field of a described structure.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The field's name in the source, without a trailing zero.
    pub name: &'static str,
    /// Offset from the start of the structure, in bytes.
    pub offset: usize,
    /// Size in bytes.
    pub size: usize,
}

/// Defines a `#[repr(C)]` structure together with its `FIELDS` table.
#[macro_export]
macro_rules! described {
    ($(#[$meta:meta])* $vis:vis struct $name:ident {
        $($(#[$fmeta:meta])* $fvis:vis $field:ident : $ty:ty,)*
    }) => {
        $(#[$meta])*
        #[repr(C)]
        $vis struct $name {
            $($(#[$fmeta])* $fvis $field: $ty,)*
        }

        impl $name {
            /// Every field with its offset and size, in the order of the definition.
            pub const FIELDS: &'static [$crate::Field] = &[
                $($crate::Field {
                    name: stringify!($field),
                    offset: core::mem::offset_of!($name, $field),
                    size: core::mem::size_of::<$ty>(),
                },)*
            ];
        }
    };
}
