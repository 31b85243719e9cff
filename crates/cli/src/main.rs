//! The `omphalos` program.
fn main() {}
