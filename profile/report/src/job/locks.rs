//! Finds the waits of ranks for access to a window. A rank that asks for the part of a target waits
//! until the rank that has access to this part gives it back.
//!
//! A library may return from `MPI_Win_lock` at once and ask for access later. Then the first call
//! that completes an operation waits, or the call that gives the access back.

use std::collections::HashMap;

use omphalos_profile_format::{MpiLock, mpi};

use super::clocks::Clocks;
use super::meetings::Waited;

/// The most accesses of all ranks that are kept.
const MOST: usize = 4 << 20;
/// The number of earlier accesses of a target that are looked at for one access.
const MOST_BEFORE: usize = 256;

const UNLOCK: Option<u32> = mpi::number("Win_unlock");

/// The access of one rank to one target's part of a window.
#[derive(Clone, Copy)]
struct Access {
    window: u64,
    target: u32,
    /// The rank in the job.
    rank: u32,
    exclusive: bool,
    /// The number of the function that got the access.
    call: u32,
    begin: u64,
    elapsed: u64,
    back: u64,
    back_elapsed: u64,
}

/// All accesses of all ranks.
#[derive(Default)]
pub(super) struct Locks {
    all: Vec<Access>,
    /// The number of accesses that were left out because there were too many.
    pub(super) left_out: u64,
}

impl Locks {
    pub(super) fn take(&mut self, rank: u32, record: &MpiLock) {
        if self.all.len() >= MOST {
            self.left_out += 1;
            return;
        }
        self.all.push(Access {
            window: record.window,
            target: record.target,
            rank,
            exclusive: record.exclusive == 1,
            call: record.call,
            begin: record.time.min(1 << 62),
            elapsed: record.elapsed.min(1 << 56),
            back: record.back.min(1 << 62),
            back_elapsed: record.back_elapsed.min(1 << 56),
        });
    }

    /// Gives the ranks other numbers; ranks without one are left out.
    pub(super) fn renumber(&mut self, numbers: &[Option<u32>]) {
        self.all.retain_mut(|access| {
            let number = numbers.get(access.rank as usize).copied().flatten();
            access.rank = number.unwrap_or(0);
            number.is_some()
        });
    }

    /// Adds each rank's waits. A call for access to all targets asks for shared access to one
    /// target after the other.
    pub(super) fn add_waits(&mut self, waits: &mut [HashMap<u32, Waited>], clocks: &Clocks) {
        let Some(unlock) = UNLOCK else { return };
        self.all.retain(|access| access.target != u32::MAX);
        let begin = |of: &Access| clocks.of(of.rank, of.begin);
        let back = |of: &Access| clocks.of(of.rank, of.back);
        let end = |of: &Access| back(of) + i128::from(of.back_elapsed);
        self.all.sort_by_key(|access| (access.window, access.target, end(access)));
        let is_same =
            |one: &Access, other: &Access| (one.window, one.target) == (other.window, other.target);
        for accesses in self.all.chunk_by(is_same) {
            for (at, access) in accesses.iter().enumerate() {
                let before = accesses[..at].iter().rev().take(MOST_BEFORE);
                let mut before = before.filter(|other| other.rank != access.rank);
                let before = before.find(|other| access.exclusive || other.exclusive);
                let free = before.map(end);
                let within = |from: i128, elapsed: u64| {
                    let waited = free.map_or(0, |free| (free - from).max(0));
                    let waited = u64::try_from(waited).unwrap_or(u64::MAX);
                    if waited > elapsed { None } else { Some(waited) }
                };
                let in_call = within(begin(access), access.elapsed);
                let in_unlock = match in_call {
                    Some(_) => 0,
                    None => within(back(access), access.back_elapsed).unwrap_or(0),
                };
                let Some(of) = waits.get_mut(access.rank as usize) else { continue };
                for (call, elapsed, wait) in [
                    (access.call, access.elapsed, in_call.unwrap_or(0)),
                    (unlock, access.back_elapsed, in_unlock),
                ] {
                    let sums: &mut Waited = of.entry(call).or_default();
                    sums.elapsed = sums.elapsed.saturating_add(elapsed);
                    sums.wait = sums.wait.saturating_add(wait);
                }
            }
        }
    }
}
