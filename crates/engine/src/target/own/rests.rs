//! Rests that are taken while somebody watches (`watch.rs`): constructs of `nowait` take long
//! enough that who does not wait for them meets them.
//!
//! Only that many: a program that has thousands of them is not to take minutes.

use super::watch::is_watched;
use core::sync::atomic::{AtomicU32, Ordering};
use core::time::Duration;
use omphalos_events::TargetKind;

/// How long such a construct goes on when all of it is done.
const LONG: Duration = Duration::from_millis(8);
/// How long its task is given to begin.
const SHORT: Duration = Duration::from_millis(2);
/// So many rests are taken.
const MOST: u32 = 200;

static TAKEN: AtomicU32 = AtomicU32::new(0);

fn rest(time: Duration) {
    if TAKEN.fetch_add(1, Ordering::Relaxed) < MOST {
        std::thread::sleep(time);
    }
}

/// A task was left to helpers.
#[inline(always)]
pub fn task_left() {
    if is_watched() {
        rest(SHORT);
    }
}

/// All of a construct is done; its end is not told yet.
#[cold]
pub(super) fn done(kind: TargetKind) {
    use TargetKind::{EnterDataNowait, ExitDataNowait, TargetNowait, UpdateNowait};
    if matches!(kind, TargetNowait | EnterDataNowait | ExitDataNowait | UpdateNowait) {
        rest(LONG);
    }
}
