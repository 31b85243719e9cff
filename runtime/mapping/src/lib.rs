//! The data environment of a device: the parts of the host's memory that have a counterpart there,
//! and the times at which they are copied. See the crate's README.

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
