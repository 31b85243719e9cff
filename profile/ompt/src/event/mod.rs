//! What the callbacks tell: one structure for each event, the parameters of OMPT's callback of that
//! name with their types made safe. `host` has those of the host, `device` those of devices, `lent`
//! what both only point to.
//!
//! `codeptr` is the address that the call into the runtime returns to, 0 where there is none: the
//! construct's place in the program. Words and frames are good inside the callback only, as the
//! lifetimes say.

macro_rules! event {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<'a> {
            $($(#[$field_meta])* pub $field: $type,)*
            pub(crate) inside: core::marker::PhantomData<&'a ()>,
        }
    };
}

mod device;
mod host;
mod lent;

pub use device::*;
pub use host::*;
pub use lent::*;
