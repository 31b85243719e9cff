//! How long waits spin.

use super::settings::Settings;
use core::sync::atomic::Ordering;
use omphalos_sync::spin::{Sharing, Spin};

/// Time-stamp cycles in a millisecond, roughly: budgets need no precision.
const CYCLES_PER_MS: u64 = 2_500_000;
/// How long a wait spins by default: 3 to 4 ms. If there are more threads than processors, a wait
/// spins (and gives way to others) for at most this long, whatever the settings say.
pub(super) const DEFAULT_SPIN_CYCLES: u64 = 8_500_000;
/// The blocktime that programs are told (`kmp_get_blocktime`), in milliseconds: the default of
/// LLVM's and Intel's runtimes. It stands for [`DEFAULT_SPIN_CYCLES`], which is shorter.
pub(super) const DEFAULT_BLOCKTIME: u32 = 200;
/// How long a wait for a lock spins when there are more threads than processors.
const CROWDED_SPIN_CYCLES: u64 = 20_000;

/// The ways of waiting that `KMP_LIBRARY` and `kmp_set_library` choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Library {
    /// Teams of one, unless a construct says otherwise.
    Serial = 1,
    /// The machine is the program's own: waits spin for ever.
    Turnaround = 2,
    /// The machine is shared: waits spin for a while.
    Throughput = 3,
}

impl Settings {
    /// Returns the time-stamp cycles that a wait spins when `busy` threads work at once.
    #[inline(always)]
    pub fn spin_budget(&self, busy: u32) -> u64 {
        let spin = self.spin.load(Ordering::Relaxed);
        if self.crowded(busy) { spin.min(CROWDED_SPIN_CYCLES) } else { spin }
    }

    /// Called when a thread has waited in vain for as long as it may spin. Makes the next budgets
    /// take the control groups' quota into account.
    #[cold]
    pub fn waited_in_vain(&self) {
        if self.spin.load(Ordering::Relaxed) != 0 {
            self.processors.count();
        }
    }

    /// Whether `busy` threads are more than the processors.
    #[inline(always)]
    pub fn crowded(&self, busy: u32) -> bool {
        busy > 1 && busy as usize > self.processors.known()
    }

    /// Returns how a thread waits for others when `busy` threads work at once; `sharing` belongs
    /// to the thread.
    #[inline(always)]
    pub fn wait<'a>(&self, busy: u32, sharing: &'a Sharing) -> Spin<'a> {
        let spin = self.spin.load(Ordering::Relaxed);
        let processors = self.processors.known();
        if busy > 1 && busy as usize > processors {
            Spin::crowded(spin.min(DEFAULT_SPIN_CYCLES), processors, sharing)
        } else {
            Spin::polite(spin, processors, sharing)
        }
    }

    /// Whether waits spin for the default time, with a processor for each thread.
    #[inline(always)]
    pub fn spins_as_usual(&self, busy: u32) -> bool {
        self.spin.load(Ordering::Relaxed) == DEFAULT_SPIN_CYCLES && !self.crowded(busy)
    }

    /// Sets how long waits spin before they sleep: milliseconds, `u32::MAX` = always.
    pub fn set_blocktime(&self, milliseconds: u32) {
        self.blocktime.store(milliseconds, Ordering::Relaxed);
        self.set_spin(match milliseconds {
            u32::MAX => u64::MAX,
            some => u64::from(some) * CYCLES_PER_MS,
        });
    }

    /// Sets the blocktime that programs are told, and the microseconds for which waits spin.
    pub(crate) fn set_blocktime_exactly(&self, (told, microseconds): (u32, u64)) {
        self.blocktime.store(told, Ordering::Relaxed);
        self.set_spin(match microseconds {
            u64::MAX => u64::MAX,
            some => some * (CYCLES_PER_MS / 1000),
        });
    }

    /// Notes the blocktime that the environment gives, and the spinning budget that it stands for.
    pub(crate) fn note_first_blocktime(&mut self) {
        self.first_blocktime = (*self.blocktime.get_mut(), *self.spin.get_mut());
    }

    /// As [`set_blocktime`](Self::set_blocktime), for a program. The first blocktime of the process
    /// may stand for another time (see [`DEFAULT_BLOCKTIME`]). A program that sets the first
    /// blocktime again gets that time again.
    pub fn change_blocktime(&self, milliseconds: u32) {
        self.set_blocktime(milliseconds);
        if milliseconds == self.first_blocktime.0 {
            self.set_spin(self.first_blocktime.1);
        }
    }

    /// Returns the number of the way of waiting in Intel's interface.
    pub fn library(&self) -> u32 {
        self.library.load(Ordering::Relaxed)
    }

    /// Chooses a way of waiting. The caller sets team sizes, which are an ICV.
    pub fn set_library(&self, library: Library) {
        self.library.store(library as u32, Ordering::Relaxed);
        match library {
            Library::Serial => {}
            Library::Turnaround => self.set_blocktime(u32::MAX),
            // As in LLVM's runtime: a finite blocktime stays.
            Library::Throughput if self.blocktime.load(Ordering::Relaxed) == u32::MAX => {
                self.change_blocktime(DEFAULT_BLOCKTIME);
            }
            Library::Throughput => {}
        }
    }

    /// Sets the spinning budget, in time-stamp cycles; crowded teams spin less.
    pub fn set_spin(&self, cycles: u64) {
        self.spin.store(cycles, Ordering::Relaxed);
    }

    /// Whether waits spin without an end.
    pub fn spins_for_ever(&self) -> bool {
        self.spin.load(Ordering::Relaxed) == u64::MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_puts_back_holds_as_before() {
        let settings = Settings::new();
        settings.change_blocktime(0);
        assert!(!settings.spins_as_usual(1));
        settings.change_blocktime(DEFAULT_BLOCKTIME);
        assert!(settings.spins_as_usual(1));
        settings.set_library(Library::Turnaround);
        assert!(settings.spins_for_ever());
        settings.set_library(Library::Throughput);
        assert!(settings.spins_as_usual(1));
        // A time that ends stays.
        settings.change_blocktime(20);
        settings.set_library(Library::Throughput);
        assert_eq!(settings.blocktime.load(Ordering::Relaxed), 20);
    }

    #[test]
    fn a_wait_that_the_environment_chose_comes_back() {
        let mut settings = Settings::new();
        settings.set_spin(7);
        settings.note_first_blocktime();
        settings.change_blocktime(0);
        settings.change_blocktime(DEFAULT_BLOCKTIME);
        assert_eq!(settings.spin_budget(1), 7);
        assert_eq!(settings.blocktime.load(Ordering::Relaxed), DEFAULT_BLOCKTIME);
    }
}
