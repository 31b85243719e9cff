//! Looks at one process from one moment to another.

use std::time::Duration;

use omphalos_ompd_view::Fault;

use super::{Look, asking};
use crate::Way;
use crate::foreign::Ompd;

/// Several looks at one process: the first, and the last, which has what was seen between.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// The first look.
    pub first: Look,
    /// The last.
    pub last: Look,
    /// Looks in all.
    pub count: u32,
}

impl Series {
    /// Adds a look.
    pub fn add(&mut self, mut look: Look) {
        for thread in &mut look.snapshot.threads {
            let old = self.last.snapshot.threads.iter().find(|old| old.lwp == thread.lwp);
            if let Some(old) = old.filter(|old| old.print == thread.print && old.print != 0) {
                thread.unchanged = old.unchanged + 1;
            }
            let old = old.map_or(&[][..], |old| &old.calls[..]);
            let new: Vec<String> =
                old.iter().filter(|call| !thread.calls.contains(call)).cloned().collect();
            thread.calls.extend(new);
        }
        if self.count == 0 {
            self.first = look.clone();
        }
        self.last = look;
        self.count += 1;
    }
}

/// Looks at a process for as long as `apart`.
pub fn twice(pid: u32, way: Way, apart: Duration, ompd: &Ompd) -> Result<Series, Fault> {
    let mut series = Series::default();
    series.add(asking(pid, way, ompd)?);
    for _ in 0..LOOKS {
        std::thread::sleep(apart / LOOKS);
        series.add(asking(pid, way, ompd)?);
    }
    Ok(series)
}

/// Looks after the first of those that are compared.
pub const LOOKS: u32 = 8;
