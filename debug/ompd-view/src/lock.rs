//! The holders of locks.

use crate::runtime::Runtime;
use crate::target::Fault;

/// The holder of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// Nobody.
    Free,
    /// The thread with this number.
    Thread(i32),
    /// The task with this record; of a nest lock.
    Task(u64),
    /// A holder that is not known by number.
    Unnamed,
}

impl Runtime<'_> {
    /// Returns the holder of the four-byte lock at `address`: a lock, a critical section, the lock
    /// of atomics.
    pub fn lock_holder(&self, address: u64) -> Result<Holder, Fault> {
        let word = self.number(address, 4)?;
        let owner = word & !1;
        Ok(if owner == 0 {
            Holder::Free
        } else if owner == self.value("Lock.UNNAMED")? {
            Holder::Unnamed
        } else {
            let shift = self.value("Lock.OWNER_SHIFT")?.min(31);
            Holder::Thread((owner >> shift) as i32 - 1)
        })
    }

    /// Returns the holder of the eight-byte nest lock at `address`.
    pub fn nest_lock_holder(&self, address: u64) -> Result<Holder, Fault> {
        let word = self.word(address)?;
        let shift = self.value("NestLock.OWNER_SHIFT")?.min(63);
        let owner = (word >> shift).wrapping_mul(self.value("NestLock.OWNER_UNIT")?);
        Ok(if owner == 0 { Holder::Free } else { Holder::Task(owner) })
    }
}
