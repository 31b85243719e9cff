//! Hidden helper threads (LLVM's), as the environment describes them: how many there are, which
//! thread numbers they have, and where they run.
//!
//! LLVM's runtime gives them the numbers from 2 on. Number 1 is its thread that leads the helpers
//! and executes nothing; here no thread has it. Other threads have number 0 and those after the
//! helpers', even if no helper was started: programs tell them apart by their numbers.

use super::places::{self, HelperPlaces};
use super::take::{take, take_with};
use super::values;
use super::variables::Variables;
use omphalos_sys::{needed, warning};

/// See the module.
#[derive(Debug)]
pub struct Helpers {
    /// `LIBOMP_NUM_HIDDEN_HELPER_THREADS`, if it was set.
    asked: Option<u32>,
    /// `LIBOMP_USE_HIDDEN_HELPER_TASK`.
    wanted: bool,
    /// `KMP_HIDDEN_HELPER_AFFINITY`, if it was set.
    pub places: Option<HelperPlaces>,
}

/// The highest number of a helper in LLVM's runtime if no variable says how many there are.
const USUAL_LAST: u32 = 8;
/// How many helpers a user may ask for at most.
const MOST_HELPERS: u32 = 16;

impl Helpers {
    /// The first helper's thread number.
    pub const FIRST_NUMBER: u32 = 2;

    /// Returns the helpers if none of the variables is set.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Helpers {
        Helpers { asked: None, wanted: true, places: None }
    }

    /// Notes that there are devices: helpers do the devices' work beside the program.
    pub(super) fn are_for_devices(&mut self) {
        self.asked = self.asked.or(Some(USUAL_LAST - 1));
    }

    /// Returns the last of the helpers' thread numbers. 0: there are to be no helpers, and the
    /// tasks that they would execute are tasks like any other. If no variable says otherwise, there
    /// are none in programs that were not linked against LLVM's or Intel's runtime.
    pub fn last_number(&self) -> u32 {
        match self.asked {
            _ if !self.wanted => 0,
            Some(0) => 0,
            Some(count) => count + 1,
            None if needed::llvm() => USUAL_LAST,
            None => 0,
        }
    }

    /// Returns how many helpers there may be.
    pub fn most(&self) -> u32 {
        self.last_number().saturating_sub(1)
    }
}

/// Reads the three variables. `own`: the processors that helpers may use.
pub(super) fn helpers(from: &Variables, own: impl FnOnce() -> Vec<usize>) -> Helpers {
    let wanted = take(from, "LIBOMP_USE_HIDDEN_HELPER_TASK", values::boolean, "using true");
    let count = |text: &str| match values::number(text) {
        Ok(count) if count <= MOST_HELPERS => Ok(count),
        _ => Err("a number from 0 to 16"),
    };
    let asked = take_with(from, "LIBOMP_NUM_HIDDEN_HELPER_THREADS", count, "using the default");
    Helpers { asked, wanted: wanted.unwrap_or(true), places: places(from, own) }
}

/// The variable that says where they run.
const PLACES: &str = "KMP_HIDDEN_HELPER_AFFINITY";

fn places(from: &Variables, own: impl FnOnce() -> Vec<usize>) -> Option<HelperPlaces> {
    from.get(PLACES)?;
    let own = own();
    let parse = |text: &str| places::helper_places(text, &own);
    let (places, ignored) = take_with(from, PLACES, parse, "hidden helper threads stay unbound")?;
    for word in ignored {
        if from.fault() {
            warning!("{PLACES}: {word}; the rest counts");
        }
    }
    Some(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_many() {
        let of = |asked, wanted| Helpers { asked, wanted, places: None };
        assert_eq!(Helpers::new().most(), 0, "a test is no program of LLVM's");
        assert_eq!((of(Some(8), true).last_number(), of(Some(8), true).most()), (9, 8));
        assert_eq!((of(Some(1), true).last_number(), of(Some(1), true).most()), (2, 1));
        assert_eq!((of(Some(0), true).last_number(), of(Some(0), true).most()), (0, 0));
        assert_eq!((of(Some(4), false).last_number(), of(Some(4), false).most()), (0, 0));
    }
}
