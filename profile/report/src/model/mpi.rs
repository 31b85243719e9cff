//! The calls of MPI by place.

use std::collections::BTreeMap;
use std::rc::Rc;

use omphalos_profile_format::{MpiCallTotal, mpi};

use super::sums::add;
use crate::recording::Recording;
use crate::symbols::{Construct, ConstructKind, Owner, Symbols};

/// All calls of one function of MPI at one place.
#[derive(Clone, Debug)]
pub struct MpiRow {
    /// The function's name, as `MPI_Recv`.
    pub function: String,
    /// The place that calls it.
    pub construct: Rc<Construct>,
    /// The number of calls that have ended.
    pub count: u64,
    /// The time from the calls to their returns, over all threads, ns.
    pub elapsed: u64,
    /// The longest call, ns.
    pub longest: u64,
}

impl MpiRow {
    /// Whether it begins or ends MPI.
    pub fn is_setup(&self) -> bool {
        ["MPI_Init", "MPI_Init_thread", "MPI_Finalize"].contains(&&*self.function)
    }
}

/// Returns `MPI_Recv`, for the number in the records.
pub(crate) fn function(number: u32) -> String {
    match mpi::CALLS.get(number as usize) {
        Some(name) => format!("MPI_{name}"),
        None => format!("function {number} of MPI"),
    }
}

/// Returns the place of a call. A region's code may leave by a jump for the function that it calls
/// last: that returns to the runtime, and the place is the region's.
fn place(symbols: &Symbols, total: &MpiCallTotal) -> Rc<Construct> {
    let MpiCallTotal { codeptr_ra, region_codeptr, .. } = *total;
    if region_codeptr != 0 && symbols.kind(codeptr_ra.wrapping_sub(1)) == Owner::Runtime {
        return Rc::new(symbols.construct(region_codeptr, ConstructKind::Region).last_call());
    }
    symbols.construct(codeptr_ra, ConstructKind::Place)
}

/// Makes one row for each function and place, the longest first.
pub(super) fn rows(recording: &Recording, symbols: &Symbols) -> Vec<MpiRow> {
    let mut rows: BTreeMap<(u32, Rc<str>), MpiRow> = BTreeMap::new();
    for total in recording.mpi_calls.values() {
        let construct = place(symbols, total);
        let row = rows.entry((total.call, construct.label.clone())).or_insert_with(|| MpiRow {
            function: function(total.call),
            construct,
            count: 0,
            elapsed: 0,
            longest: 0,
        });
        add(&mut row.count, total.count);
        add(&mut row.elapsed, total.elapsed);
        row.longest = row.longest.max(total.longest);
    }
    let mut rows: Vec<MpiRow> = rows.into_values().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.elapsed));
    rows
}
