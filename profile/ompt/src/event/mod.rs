//! The events: one structure for each, with the parameters of OMPT's callback of that name, whose
//! types are made safe. They are in `rows`; the data that some only point to is in `lent`.
//!
//! `codeptr` is the return address of the call into the runtime, which is the construct's place in
//! the program; 0 where there is none. Words and frames are valid only inside the callback, as the
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
