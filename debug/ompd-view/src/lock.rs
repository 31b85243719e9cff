//! Locks: who holds one.

use crate::runtime::Runtime;
use crate::target::Fault;

/// Who holds a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// Nobody.
    Free,
    /// The thread with this number.
    Thread(i32),
    /// The task with this record: a nest lock's.
    Task(u64),
    /// Somebody without a name.
    Unnamed,
}

impl Runtime<'_> {
    /// Who holds the lock of four bytes at `address`: a lock, a critical section, the lock of
    /// atomics.
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

    /// Who holds the nest lock of eight bytes at `address`.
    pub fn nest_lock_holder(&self, address: u64) -> Result<Holder, Fault> {
        let word = self.word(address)?;
        let shift = self.value("NestLock.OWNER_SHIFT")?.min(63);
        let owner = (word >> shift).wrapping_mul(self.value("NestLock.OWNER_UNIT")?);
        Ok(if owner == 0 { Holder::Free } else { Holder::Task(owner) })
    }
}
