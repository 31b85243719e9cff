//! Everything that events book for one thread: its time, its place, its sites.
//!
//! What must hold: the thread's own callbacks write, and its handler where no callback is at work;
//! other threads read. There are two exceptions: a region's primary writes [`Account::over`], and
//! the runtime writes its own counts ([`super::counts`]).

use super::Account;
use super::construct::ConstructTable;
use super::holding::Holding;
use super::mpi::{Calls, MpiTable};
use super::place::Place;
use super::region::RegionTable;
use super::sites::{CallTable, MutexTable, TaskTable};
use super::target::TargetTable;

/// Everything that is booked for one thread.
pub struct Ledger {
    /// The thread's time by class.
    pub account: Account,
    /// The place where the thread is.
    pub place: Place,
    /// The mutexes that it has.
    pub holding: Holding,
    /// Region sites that it encountered.
    pub regions: RegionTable,
    /// Mutex sites that it acquired at.
    pub mutexes: MutexTable,
    /// Task sites that it created or executed at.
    pub tasks: TaskTable,
    /// Constructs in regions that it came to.
    pub constructs: ConstructTable,
    /// Calls that it was blocked in.
    pub calls: CallTable,
    /// Target constructs that it executed.
    pub targets: TargetTable,
    /// Its calls of MPI.
    pub mpi: Calls,
    /// Its calls of MPI by place.
    pub mpi_sites: MpiTable,
}

impl Default for Ledger {
    fn default() -> Self {
        Ledger {
            account: Account::default(),
            place: Place::default(),
            holding: Holding::default(),
            regions: RegionTable::new(64),
            mutexes: MutexTable::new(64),
            tasks: TaskTable::new(32),
            constructs: ConstructTable::new(64),
            calls: CallTable::new(256),
            targets: TargetTable::new(8),
            mpi: Calls::default(),
            mpi_sites: MpiTable::new(8),
        }
    }
}

impl Ledger {
    /// Forgets all sites, in a forked child: the parent writes them.
    pub fn clear(&self) {
        self.holding.clear();
        self.regions.clear();
        self.mutexes.clear();
        self.tasks.clear();
        self.constructs.clear();
        self.calls.clear();
        self.targets.clear();
        self.mpi.clear();
        self.mpi_sites.clear();
    }
}
