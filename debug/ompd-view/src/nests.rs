//! Finds the iteration that a thread waits for in a nest of loops with dependences between
//! iterations.

use crate::runtime::Runtime;
use crate::snapshot::Wait;
use crate::target::Fault;
use crate::team::Team;
use crate::thread::Thread;

/// The largest number of loops in a nest that is believed.
const MOST_LOOPS: u64 = 64;

/// The iterations of the outermost loop that a thread may be in.
struct Reach {
    first: u64,
    /// One past the last.
    end: u64,
    /// The thread executes all of them; otherwise, some of them.
    all: bool,
}

impl Thread<'_> {
    /// The wait for iteration `number` of the nest at `nest`.
    pub(crate) fn sink(&self, team: &Team<'_>, nest: u64, number: u64) -> Result<Wait, Fault> {
        let runtime = self.runtime;
        let iteration = runtime.iteration(nest, number)?;
        let (mut own, mut never) = (None, None);
        if let (Some(&outer), Some(reach)) = (iteration.first(), self.reach(team, nest)?) {
            let outer = outer as u64;
            let is_own = reach.all && (reach.first..reach.end).contains(&outer);
            let is_behind = outer >= reach.end;
            if is_behind {
                never = Some("later".into());
            } else if is_own {
                // The thread itself has to execute that iteration, and waits instead.
                never = Some("own".into());
            }
            if reach.all && reach.end - reach.first == 1 {
                own = Some(reach.first);
            }
        }
        let sources = Vec::new();
        Ok(Wait::Sink { team: team.address, iteration, own, never, sources })
    }

    /// The iterations of the outermost loop that the thread may be in, as far as the loop's
    /// schedule tells. `None` if the runtime does not hand out this loop, or hands out the whole
    /// nest at once.
    fn reach(&self, team: &Team<'_>, nest: u64) -> Result<Option<Reach>, Fault> {
        let runtime = self.runtime;
        let Some(loops) = self.in_loop()? else { return Ok(None) };
        // clang passes one iteration more than there are.
        let told = runtime.word(nest.wrapping_add(8))?;
        if loops.iterations != told && loops.iterations.wrapping_add(1) != told {
            return Ok(None);
        }
        Ok(match (&*loops.schedule, loops.own, loops.chunk) {
            ("static", Some((first, count)), _) => {
                Some(Reach { first, end: first.saturating_add(count), all: true })
            }
            ("static", None, Some(chunk @ 1..)) => {
                let share = runtime.at(self.slot()?, "Slot.share")?;
                let next = runtime.get_first(share, "Member.rounds")?;
                let size = u64::from(team.size()?);
                let Some(first) = next.checked_sub(chunk.saturating_mul(size)) else {
                    return Ok(None);
                };
                let end = first.saturating_add(chunk).min(loops.iterations);
                (first < end).then_some(Reach { first, end, all: true })
            }
            // Chunks go out in order, so no chunk that is left comes before the thread's own.
            ("dynamic", ..) => loops.left.map(|left| {
                let end = loops.iterations.saturating_sub(left);
                Reach { first: 0, end, all: false }
            }),
            _ => None,
        })
    }
}

impl Runtime<'_> {
    /// The iteration of each loop, counted from 0, for iteration `number` of the nest. At `nest`
    /// stands a word with the number of loops; then, for each loop, its number of iterations, its
    /// first and last value and its step. Compilers pass other values than the program's.
    fn iteration(&self, nest: u64, number: u64) -> Result<Vec<i64>, Fault> {
        let loops = self.word(nest)? & (self.value("Nest.BITS")? - 1);
        if loops > MOST_LOOPS {
            return Err(Fault::Nonsense(format!("a nest of {loops} loops")));
        }
        let words = self.value("Nest.PER_LOOP")?;
        let mut values = Vec::new();
        let mut rest = number;
        for index in (0..loops).rev() {
            let count = self.word(nest.wrapping_add(8 * (1 + words * index)))?.max(1);
            values.push((rest % count) as i64);
            rest /= count;
        }
        values.reverse();
        Ok(values)
    }
}
