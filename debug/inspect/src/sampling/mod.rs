//! Takes many looks at a running process, as a profiler takes samples: each thread's place, and the
//! kernel's counts of its time. `README.md` explains the design.
//!
//! What must hold: the process goes on as it would without the looks. It gets no signal, no call of
//! it ends because of a look, and if this program dies in the middle, the kernel releases all
//! threads. The cost is bounded (`STOOD`, `OWN`), whatever rate was asked for.

mod processors;
mod stands;
mod states;
mod thread_files;
mod tick;
mod told_threads;
mod window;

use std::sync::Arc;
use std::time::{Duration, Instant};

use omphalos_ompd_view::{Fault, Layout, Runtime};

use crate::foreign::called;
use crate::space::live::{Identity, Live, Way, file, process, shown_by};
use crate::space::{Module, Space, modules};
use crate::unwind::Unwinder;

pub use crate::foreign::is_name_of_fork;
pub use stands::Stood;
pub use states::state_in;
use tick::Ticker;
pub use tick::{Place, Sighting};
pub use told_threads::Told;
use window::Window;

/// The largest share of a thread's time for which it stands still.
const STOOD: f64 = 0.015;
/// The largest share of all processors' time that this program takes.
const OWN: f64 = 0.02;
/// The time between two checks of the mapped files.
const FILES: Duration = Duration::from_millis(250);
/// The longest time between two ticks, whatever they cost.
const LONGEST: Duration = Duration::from_secs(2);

/// The parameters of sampling.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The process.
    pub pid: u32,
    /// The time to sample; `None`: until the process ends, or the watcher stops it.
    pub time: Option<Duration>,
    /// The time between two samples of a thread.
    pub period: Duration,
}

/// The receiver of the samples.
pub trait Watcher {
    /// Gets the program's files, each with its place for us: before the first tick, and whenever a
    /// file comes or goes.
    fn files(&mut self, files: &[(Module, Option<String>)]);

    /// Gets the samples of a tick, at this time of CLOCK_MONOTONIC, in ns.
    fn tick(&mut self, time: u64, seen: &[Sighting]);

    /// Whether sampling is to end.
    fn is_over(&self) -> bool;
}

/// The reason why sampling ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The time was over, or the watcher said so.
    Over,
    /// The process has ended.
    Gone,
    /// The process has become another program.
    Another,
}

/// The summary of sampling.
#[derive(Clone, Copy, Debug)]
pub struct Done {
    /// See [`End`].
    pub end: End,
    /// The cost to the process.
    pub stood: Stood,
    /// The cost to the machine: our own processor time.
    pub own: Duration,
    /// Ticks.
    pub ticks: u64,
}

/// The state that lasts over several stretches.
struct Course<'a> {
    plan: Plan,
    identity: Identity,
    begun: Instant,
    next: Instant,
    period: Duration,
    done: Done,
    /// Our processor time at the last tick.
    used: Duration,
    random: u64,
    /// The processors that this program may use. A look takes one of them from this thread.
    processors: f64,
    watcher: &'a mut dyn Watcher,
}

/// The end of a stretch, in which the same files are mapped.
enum Stretch {
    Ended(End),
    /// Other files are mapped: another stretch follows.
    Again,
}

/// The runtime's name, if there is one, and whether it tells of itself. A call before sampling also
/// shows whether we may look at the process.
pub fn runtime(pid: u32) -> Result<Option<(String, bool)>, Fault> {
    let (_, name) = Live::look(pid, Way::Running, |live| {
        let own = Runtime::find(live.as_target()).ok();
        let own = own.map(|runtime| (runtime.version().to_owned(), true));
        let files = modules(live.mappings());
        let other = || files.iter().find_map(|module| Some((called(module.name())?, false)));
        own.or_else(other)
    })?;
    Ok(name)
}

/// Samples a process.
pub fn sample(plan: Plan, watcher: &mut dyn Watcher) -> Result<Done, Fault> {
    let identity = Identity::of(plan.pid)?;
    stands::keep_news();
    let done = Done { end: End::Over, stood: Stood::default(), own: Duration::ZERO, ticks: 0 };
    let (begun, period) = (Instant::now(), plan.period);
    let random = u64::from(plan.pid) | 1 << 32;
    let used = used();
    let processors = std::thread::available_parallelism().map_or(1, usize::from) as f64;
    let next = begun;
    let mut course =
        Course { plan, identity, begun, next, period, done, used, random, processors, watcher };
    loop {
        match course.stretch() {
            Ok(Stretch::Again) => {}
            Ok(Stretch::Ended(end)) => break course.ended(end),
            // The process may end between any two questions.
            Err(fault) => match course.now() {
                Some(end) if course.done.ticks > 0 => break course.ended(end),
                _ => return Err(fault),
            },
        }
    }
}

impl Course<'_> {
    fn ended(&mut self, end: End) -> Result<Done, Fault> {
        self.done.end = end;
        Ok(self.done)
    }

    /// Whether the process has ended, or is another one.
    fn now(&self) -> Option<End> {
        match Identity::of(self.plan.pid) {
            Ok(now) if now == self.identity => None,
            // Only its first thread has ended.
            Ok(_)
                if process::os(self.plan.pid, self.plan.pid)
                    .1
                    .is_some_and(|os| os.state == "Z") =>
            {
                None
            }
            Ok(_) => Some(End::Another),
            Err(_) => Some(End::Gone),
        }
    }

    /// Whether sampling is over. Time counts from look to look, so even the shortest sampling takes
    /// two looks.
    fn is_over(&self) -> bool {
        let time = self.plan.time.is_some_and(|time| self.begun.elapsed() >= time);
        time && self.done.ticks > 1 || self.watcher.is_over()
    }

    fn stretch(&mut self) -> Result<Stretch, Fault> {
        let pid = self.plan.pid;
        let modules = modules(&process::mappings(pid)?);
        let files: Vec<_> =
            modules.iter().map(|module| (module.clone(), file(pid, module))).collect();
        self.watcher.files(&files);
        let window = Window::of(shown_by(pid));
        let unwinder = Unwinder::new(&window, &modules);
        let mut ticker = Ticker::new(pid, &window, unwinder, layout(pid, &modules)?);
        let mut looked = Instant::now();
        loop {
            if looked.elapsed() > FILES {
                looked = Instant::now();
                if let Some(end) = self.now() {
                    return Ok(Stretch::Ended(end));
                }
                if !are_same(&crate::space::modules(&process::mappings(pid)?), &modules) {
                    return Ok(Stretch::Again);
                }
            }
            while Instant::now() < self.next {
                if self.is_over() {
                    return Ok(Stretch::Ended(End::Over));
                }
                let left = self.next.saturating_duration_since(Instant::now());
                std::thread::sleep(left.min(ASKED));
            }
            if self.is_over() && self.done.ticks > 0 {
                return Ok(Stretch::Ended(End::Over));
            }
            let (time, stops) = (monotonic(), self.done.stood);
            let seen = ticker.tick(&mut self.done.stood)?;
            if seen.is_empty() {
                return Ok(Stretch::Ended(self.now().unwrap_or(End::Gone)));
            }
            self.watcher.tick(time, &seen);
            self.pace(stops);
        }
    }

    /// Sets the time of the next tick: late enough that the cost of this tick is a small share of
    /// the time.
    fn pace(&mut self, before: Stood) {
        self.done.ticks += 1;
        let used = used();
        let own = used.saturating_sub(self.used);
        self.used = used;
        self.done.own += own;
        let stops = (self.done.stood.stops - before.stops).max(1) as f64;
        let stood = (self.done.stood.time - before.time).div_f64(stops);
        let dear = stood.div_f64(STOOD).max(own.div_f64(OWN * self.processors)).min(LONGEST);
        // Some ticks take longer by chance.
        let wanted = self.plan.period.max(dear);
        self.period = (self.period * 7 + wanted) / 8;
        // A program's own rhythm must not be the rhythm of the ticks, so the time varies at random.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        let part = 0.5 + (self.random >> 11) as f64 / (1u64 << 53) as f64;
        self.next = Instant::now().max(self.next) + self.period.max(self.plan.period).mul_f64(part);
    }
}

/// The time between two questions to the watcher whether to end.
const ASKED: Duration = Duration::from_millis(50);

/// The runtime's description of itself, if it has one.
fn layout(pid: u32, modules: &[Module]) -> Result<Option<Arc<Layout>>, Fault> {
    if modules.is_empty() {
        return Ok(None);
    }
    let found = Live::look(pid, Way::Running, |live| {
        Runtime::find(live.as_target()).ok().map(|runtime| runtime.layout().clone())
    });
    Ok(found?.1)
}

/// Whether two lists have the same files at the same places.
fn are_same(one: &[Module], other: &[Module]) -> bool {
    let key = |module: &Module| (module.base, module.inode, module.path.clone());
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| key(one) == key(other))
}

fn clock(which: libc::clockid_t) -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is writable.
    unsafe { libc::clock_gettime(which, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The time now in ns, on the clock of profiles.
pub fn monotonic() -> u64 {
    clock(libc::CLOCK_MONOTONIC).as_nanos() as u64
}

/// Processor time that this process has used.
fn used() -> Duration {
    clock(libc::CLOCK_PROCESS_CPUTIME_ID)
}
