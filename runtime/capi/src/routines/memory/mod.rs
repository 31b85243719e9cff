//! Memory management routines (OpenMP 5.2, chapter 6): the names; `omphalos-memory` does the work.

mod c_names;
mod entry_points;
mod gprivate;
mod partitions;
mod spaces;
mod tracked;
