//! The data environment of a device: what of the host's memory has a counterpart there, and when it
//! is copied. See the crate's README.

mod fault;
mod item;
mod memory;
mod section;
mod table;

pub use fault::Fault;
pub use item::{Item, Kind, Map, Release};
pub use memory::{Memory, Note};
pub use section::Section;
pub use table::{Mapping, Part, Table};
