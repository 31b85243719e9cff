//! Entry stubs: the exported functions exist, and the functions behind them are type-checked.

/// An exported function of this name that ends the process.
#[doc(hidden)]
#[macro_export]
macro_rules! missing_entry {
    ($(#[$meta:meta])* $name:ident, $($behind:path),+) => {
        $(#[$meta])*
        /// # Safety
        /// An entry point of a C interface: the caller keeps to its rules.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name() {
            $(let _ = $behind;)+
            $crate::missing()
        }
    };
}

macro_rules! forms {
    ($($(#[$meta:meta])* $macro:ident;)*) => { forms! { @ ($) $($macro)* } };
    (@ ($d:tt) $($macro:ident)*) => { $(
        /// See `x86_64/stubs.rs` and `x86_64/quick.rs`.
        #[macro_export]
        macro_rules! $macro {
            ($d word:expr; $d($d rest:tt)*) => {
                const _: usize = $d word;
                $d crate::$macro! { $d($d rest)* }
            };
            ($d($d(#[$d meta:meta])* $d name:ident $d(($d($d argument:ident),*))?
              => $d($d behind:path),+;)*) => {
                $d($d crate::missing_entry! { $d(#[$d meta])* $d name, $d($d behind),+ })*
            };
        }
    )* };
}

forms! {
    entries;
    noted_entries;
    told_entries;
    quick_entries;
    placed_entries;
    found_entries;
    class_entries;
    located_class_entries;
    quick_noted_entries;
    variadic_entry;
    variadic_numbers_entry;
    variadic_text_entry;
}

/// See `x86_64/gomp_task.rs`.
#[macro_export]
macro_rules! entry_of_task {
    ($(#[$meta:meta])* $name:ident => $short:path, $watched:path, $target:path;
     attached: $attached:path, prepared: $prepared:expr, ready: $ready:expr,
     plain: $plain:expr) => {
        const _: (usize, usize, u32) = ($prepared, $ready, $plain);
        $crate::missing_entry! { $(#[$meta])* $name, $short, $watched, $target }
    };
}

/// See `x86_64/named.rs`.
#[macro_export]
macro_rules! named_entry {
    ($name:expr => $target:path $(, $imaginary:literal)?) => {
        #[unsafe(export_name = $name)]
        unsafe extern "C" fn stub() {
            let _ = $target;
            $crate::missing()
        }
    };
}

/// See `x86_64/named.rs`.
#[macro_export]
macro_rules! named_entry_taking_extended {
    ($($all:tt)*) => { $crate::named_entry! { $($all)* } };
}

/// See `x86_64/named.rs`.
#[macro_export]
macro_rules! named_entry_returning_extended {
    ($($all:tt)*) => { $crate::named_entry! { $($all)* } };
}
