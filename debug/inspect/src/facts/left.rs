//! Finds the frame at which the runtime called the program's code, from the frames that it records
//! for its tasks.

use omphalos_ompd_view::snapshot::{Address, Task};

/// The greatest distance in bytes between a recorded frame and the caller's stack pointer. The
/// runtime records, as compilers and tools do, its own frame or that of the code that it called by
/// the frame pointer, which is so far below the caller's stack pointer.
pub const NEAR: u64 = 16;

/// Returns the innermost frame of a stack outside of the outermost code of a team's tasks there.
/// `cfas`: the stack pointers behind the return addresses of its frames, 0 for one that is not
/// known.
pub fn outside(
    cfas: impl DoubleEndedIterator<Item = u64> + Clone,
    tasks: &[Task],
    team: Address,
) -> Option<usize> {
    let (first, last) = (cfas.clone().next()?, cfas.clone().rev().find(|cfa| *cfa != 0)?);
    let of_team = tasks.iter().filter(|task| task.team == Some(team));
    let exits = of_team.map(|task| task.exit_frame).filter(|exit| (first..=last).contains(exit));
    let outermost = exits.max()?.saturating_add(NEAR);
    cfas.clone().position(|cfa| cfa > outermost)
}
