//! Finds writes that the tracer did not see. A page that is opened for one thread's instruction is
//! open for all other threads at that moment. Their writes show by the values, at the next look.

use super::Model;
use super::device::state::{STALE, UNWRITTEN, WRITTEN};
use super::host::state::FINE;
use crate::access::Access;
use crate::trace::tracee::Memory;

/// The value of a device's bytes that nothing has written:
/// `runtime/engine/src/target/played/memory.rs`.
const POISON: u8 = 0xa5;

impl Model {
    /// Finds unseen writes to bytes of a device's that a region is about to use.
    pub fn catch_up_on_device(&mut self, access: &Access, memory: &Memory) {
        let Some(block) = self.block(access.start).filter(|it| it.live) else { return };
        let now = memory.some(access.start, access.bytes as usize);
        let is_written = |at: u64, now: u8| match block.state(at) {
            UNWRITTEN => now != POISON,
            STALE => self.entry_of(block, at).is_some_and(|(_, entry)| {
                let before = entry.before.get((at - entry.device) as usize);
                before.is_some_and(|before| *before != now)
            }),
            _ => false,
        };
        let bytes = (access.start..).zip(now);
        let written: Vec<u64> =
            bytes.filter(|(at, now)| is_written(*at, *now)).map(|(at, _)| at).collect();
        if let Some(block) = self.block_mut(access.start) {
            written.into_iter().for_each(|at| block.set(at, 1, WRITTEN));
        }
    }

    /// Finds unseen writes to bytes of the host's that the host is about to use.
    pub fn catch_up_on_host(&mut self, access: &Access, memory: &Memory) {
        if self.stale_mut(access.start, access.end()).next().is_none() {
            return;
        }
        let now = memory.some(access.start, access.bytes as usize);
        for stale in self.stale_mut(access.start, access.end()) {
            for (at, now) in (access.start..).zip(&now) {
                let Some(byte) = at.checked_sub(stale.start).map(|byte| byte as usize) else {
                    continue;
                };
                if stale.values.get(byte).is_some_and(|value| value != now) {
                    stale.states[byte] = FINE;
                }
            }
        }
    }
}
