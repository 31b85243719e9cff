//! How a program scales, from the runs of its sizes.

use omphalos_diff::{Run, Side, median_run};
use serde::{Deserialize, Serialize};

use crate::causes::{Cause, Look};
use crate::factors::Factors;
use crate::forecast::{self, Forecast};
use crate::limit::Limit;
use crate::machine::Machine;
use crate::output::Outputs;
use crate::rows::{self, Construct};
use crate::sentence;
use crate::size::Size;

/// The runs of one size, which is a number of threads.
#[derive(Clone, Debug)]
pub struct Runs {
    /// The threads that were asked for.
    pub threads: u32,
    /// The runs.
    pub side: Side,
}

/// How a program scales. `docs/scale.schema.json` describes it as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scaling {
    /// The format of this description: 1.
    pub format: u32,
    /// The limit, in a sentence.
    pub sentence: String,
    /// The limit, for programs.
    pub limit: Limit,
    /// The program's command line.
    pub command: Vec<String>,
    /// The machine's facts about its CPUs.
    pub machine: Machine,
    /// The sizes, from the fewest threads.
    pub sizes: Vec<Size>,
    /// The size at which the limit is named: the most threads for which the machine has CPUs.
    pub judged_threads: u32,
    /// Beyond so many threads, twice as many bring less than the square root of two; none where
    /// that is not so, or where other programs used the machine.
    pub knee_threads: Option<u32>,
    /// The share of the first size's time outside of regions.
    pub serial_share: f64,
    /// The limit of the speedup on any number of threads, by Amdahl's law and the serial share.
    pub amdahl_bound: Option<f64>,
    /// The forecast for twice the threads, on a machine with as many CPUs more; none where other
    /// programs used this one.
    pub forecast: Option<Forecast>,
    /// The losses at the judged size, the greatest first.
    pub causes: Vec<Cause>,
    /// The constructs at all sizes, that of the longest time first.
    pub constructs: Vec<Construct>,
    /// The differences in its output.
    pub outputs: Outputs,
}

/// A program that scales at least so well has no limit that is worth a word.
pub(crate) const WELL: f64 = 0.95;

impl Scaling {
    /// Makes the scaling from runs of several sizes, each size once.
    ///
    /// # Errors
    /// If there is no size.
    pub fn of(mut all: Vec<Runs>, machine: Machine, outputs: Outputs) -> Result<Scaling, String> {
        all.sort_by_key(|runs| runs.threads);
        let run = |runs: &'_ Runs| -> usize { median_run(&runs.side) };
        let chosen: Vec<(u32, &Run)> =
            all.iter().map(|runs| (runs.threads, &runs.side.runs()[run(runs)])).collect();
        let Some(&(_, first)) = chosen.first() else { return Err("no run was made".to_owned()) };
        let constructs = rows::of(&chosen);
        let sizes = sizes(&all, &chosen, &constructs, &machine);
        let judged = sizes.iter().rposition(|size| !size.is_oversubscribed).unwrap_or(0);
        let threads: Vec<u32> = sizes.iter().map(|size| size.threads).collect();
        let is_busy = sizes[judged].is_busy || sizes[0].is_busy;
        let look = Look {
            constructs: &constructs,
            sizes: &threads,
            at: judged,
            run: chosen[judged].1,
            machine: &machine,
            is_busy,
        };
        let causes = look.causes();
        let is_serial = |cause: &&Cause| cause.limit == Limit::SerialTime;
        let serial = first.summary.elapsed_ns - first.in_regions();
        let serial_share = (serial / first.summary.elapsed_ns).clamp(0.0, 1.0);
        let mut scaling = Scaling {
            format: 1,
            sentence: String::new(),
            limit: limit(&sizes, judged, &constructs, &causes),
            command: first.program.command.clone(),
            machine,
            judged_threads: threads[judged],
            knee_threads: if is_busy { None } else { knee(&sizes[..=judged]) },
            serial_share,
            amdahl_bound: (serial_share >= 0.01 || causes.iter().any(|c| is_serial(&c)))
                .then_some(1.0 / serial_share),
            forecast: match is_busy {
                true => None,
                false => forecast(&constructs, &sizes, judged, &chosen),
            },
            sizes,
            causes,
            constructs,
            outputs,
        };
        scaling.sentence = sentence::of(&scaling);
        Ok(scaling)
    }

    /// Returns the size at which the limit is named.
    pub fn judged(&self) -> &Size {
        let is_it = |size: &&Size| size.threads == self.judged_threads;
        self.sizes.iter().find(is_it).unwrap_or(&self.sizes[0])
    }
}

fn sizes(
    all: &[Runs],
    chosen: &[(u32, &Run)],
    constructs: &[Construct],
    machine: &Machine,
) -> Vec<Size> {
    let (least, first) = chosen[0];
    let first_elapsed = first.summary.elapsed_ns;
    let serial = (first_elapsed - first.in_regions()).clamp(0.0, first_elapsed);
    let size = |(at, (threads, run)): (usize, &(u32, &Run))| {
        let times = all[at].side.runs().iter().map(|run| run.summary.elapsed_ns);
        let grown = f64::from(*threads) / f64::from(least);
        let speedup = first_elapsed / run.summary.elapsed_ns;
        let is_oversubscribed = *threads > machine.processors();
        Size {
            threads: *threads,
            runs: all[at].side.count(),
            elapsed_ns: run.summary.elapsed_ns,
            least_ns: times.clone().fold(f64::INFINITY, f64::min),
            most_ns: times.fold(0.0, f64::max),
            speedup,
            efficiency: speedup / grown,
            amdahl_speedup: first_elapsed / (serial + (first_elapsed - serial) / grown),
            factors: Factors::of(constructs, at),
            is_oversubscribed,
            shares_cores: !is_oversubscribed && *threads > machine.cores(),
            has_slow_cores: *threads > machine.fast_cores(),
            is_busy: all[at].side.is_busy(),
        }
    };
    chosen.iter().enumerate().map(size).collect()
}

fn limit(sizes: &[Size], judged: usize, constructs: &[Construct], causes: &[Cause]) -> Limit {
    let size = &sizes[judged];
    let is_busy = size.is_busy || sizes[0].is_busy;
    let efficiency = match judged {
        0 => size.factors.parallel,
        // Elapsed times would tell how much the other programs took from each size.
        _ if is_busy => with_a_cpu(constructs, judged),
        _ => size.efficiency,
    };
    let has_more = sizes.iter().any(|size| size.is_oversubscribed);
    match causes.first() {
        _ if (judged == 0 || efficiency >= WELL) && has_more => Limit::Oversubscription,
        Some(cause) if is_busy && cause.limit == Limit::BusyMachine => cause.limit,
        _ if efficiency >= WELL => Limit::None,
        Some(cause) => cause.limit,
        None => Limit::None,
    }
}

/// Returns the efficiency at the size number `at`, for the time in which threads that could run had
/// a CPU.
fn with_a_cpu(constructs: &[Construct], at: usize) -> f64 {
    let outermost = constructs.iter().filter(|construct| construct.is_outermost());
    let rows: Vec<_> = outermost.filter_map(|construct| construct.sizes[at]).collect();
    let ideal: f64 = rows.iter().map(|row| row.ideal_ns).sum();
    let had_one = rows.iter().map(|row| row.elapsed_ns - row.lost.without_cpu_ns);
    ideal / had_one.sum::<f64>().max(1.0)
}

/// Returns the size with the greatest speedup squared by threads (Eager, Zahorjan, Lazowska, 1989):
/// beyond it, twice the threads bring less than the square root of two.
fn knee(sizes: &[Size]) -> Option<u32> {
    let power = |size: &Size| size.speedup * size.speedup / f64::from(size.threads);
    let best = sizes.iter().max_by(|a, b| power(a).total_cmp(&power(b)))?;
    (best.threads < sizes.last()?.threads).then_some(best.threads)
}

fn forecast(
    constructs: &[Construct],
    sizes: &[Size],
    judged: usize,
    chosen: &[(u32, &Run)],
) -> Option<Forecast> {
    let fits = |size: &Size| !size.is_oversubscribed;
    let is_alone = |size: &Size| fits(size) && !size.shares_cores && !size.has_slow_cores;
    let of = |is_known: &dyn Fn(&Size) -> bool| -> Vec<usize> {
        (0..sizes.len()).filter(|at| is_known(&sizes[*at])).collect()
    };
    // Threads that share cores, or have slow ones, say nothing about more cores.
    let mut known = of(&is_alone);
    if known.len() < 2 {
        known = of(&fits);
    }
    let last = *known.last()?;
    let threads: Vec<u32> = sizes.iter().map(|size| size.threads).collect();
    let twice = threads[judged].checked_mul(2)?;
    let held = chosen[last].1.mutexes.iter().filter_map(|mutex| mutex.hold_ns);
    let held = held.fold(0.0, f64::max).min(chosen[last].1.in_regions());
    let elapsed_ns = forecast::elapsed(constructs, &threads, &known, twice, held);
    (elapsed_ns > 0.0).then(|| Forecast {
        threads: twice,
        elapsed_ns,
        speedup: sizes[0].elapsed_ns / elapsed_ns,
        is_least: known.len() < 2,
    })
}
