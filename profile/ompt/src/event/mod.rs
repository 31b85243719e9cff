//! What the callbacks tell: one structure for each event, the parameters of OMPT's callback of that
//! name with their types made safe. `rows` has them, `lent` what some only point to.
//!
//! `codeptr` is the address that the call into the runtime returns to, 0 where there is none: the
//! construct's place in the program. Words and frames are good inside the callback only, as the
//! lifetimes say.

mod lent;

pub use lent::*;

use crate::device::Device;
use crate::kinds::*;
use crate::word::Word;
use core::ffi::{CStr, c_void};

macro_rules! structures {
    ($($(#[$meta:meta])* $name:ident {
        $($(#[$of_field:meta])* $field:ident: $type:ty $(= $raw:ty)?,)*
    } $(by $hand:ident)? => $rows:tt)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<'a> {
            $($(#[$of_field])* pub $field: $type,)*
            pub(crate) inside: core::marker::PhantomData<&'a ()>,
        }
    )*};
}

rows!(structures);
