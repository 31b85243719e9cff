//! Exported functions that are one expression each. `entries!` and its kin are for functions that
//! have to know their caller.

/// A row a function: `name(argument: type, ..) -> result = expression;`. C programs call it by this
/// name. The name's interface gives the rules for the arguments, so no row repeats them.
#[macro_export]
macro_rules! exported_routines {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)?
       = $value:expr;)*) => { $(
        $(#[$doc])*
        ///
        /// # Safety
        /// The caller keeps to the interface that the name belongs to: its addresses are valid.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments)]
        pub unsafe extern "C" fn $name($($argument: $type),*) $(-> $result)? {
            // SAFETY: the caller's promise.
            #[allow(unused_unsafe)]
            unsafe { $value }
        }
    )* };
}
