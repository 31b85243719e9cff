//! Many looks at a process that runs, as a profiler takes samples: where each thread is, and what
//! the kernel counts of its time. `README.md` says why it is done so.
//!
//! What must hold: the process goes on as it would without. No signal is sent to it, no call of it
//! ends by a look, and when this program dies in the middle, the kernel lets all go. What it costs
//! is bounded (`STOOD`, `OWN`), whatever rate was asked for.

mod processors;
mod stands;
mod states;
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

/// A thread stands for no larger share of its time.
const STOOD: f64 = 0.015;
/// This program takes no larger share of all processors.
const OWN: f64 = 0.02;
/// Between two times that we look which files are mapped.
const FILES: Duration = Duration::from_millis(250);
/// No longer than this is between two ticks, whatever they cost.
const LONGEST: Duration = Duration::from_secs(2);

/// How to sample.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The process.
    pub pid: u32,
    /// For how long; `None`: until it ends, or somebody says so.
    pub time: Option<Duration>,
    /// Between two samples of a thread.
    pub period: Duration,
}

/// Takes what is seen.
pub trait Watcher {
    /// The program's files, each with where it lies for us: before the first tick, and whenever one
    /// comes or goes.
    fn files(&mut self, files: &[(Module, Option<String>)]);

    /// A tick, at this time of CLOCK_MONOTONIC, ns.
    fn tick(&mut self, time: u64, seen: &[Sighting]);

    /// Whether it is enough.
    fn is_over(&self) -> bool;
}

/// Why it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The time was over, or the watcher said so.
    Over,
    /// The process has ended.
    Gone,
    /// The process has become another program.
    Another,
}

/// What it came to.
#[derive(Clone, Copy, Debug)]
pub struct Done {
    /// See there.
    pub end: End,
    /// What it cost the process.
    pub stood: Stood,
    /// What it cost the machine: our own processor time.
    pub own: Duration,
    /// Ticks.
    pub ticks: u64,
}

/// What goes on over several stretches.
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
    watcher: &'a mut dyn Watcher,
}

/// How a stretch ended.
enum Stretch {
    Ended(End),
    /// Other files are mapped.
    Again,
}

/// What the runtime is called, if there is one, and whether it tells of itself. Asked before
/// sampling, it also says whether the process may be looked at.
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
    let mut course =
        Course { plan, identity, begun, next: begun, period, done, used, random, watcher };
    loop {
        match course.stretch() {
            Ok(Stretch::Again) => {}
            Ok(Stretch::Ended(end)) => break course.ended(end),
            // It may end between any two questions.
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

    /// Whether the process has ended, or is another.
    fn now(&self) -> Option<End> {
        match Identity::of(self.plan.pid) {
            Ok(now) if now == self.identity => None,
            // Its first thread alone has ended.
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

    /// Time is from look to look: however short it is to last, two are needed.
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

    /// When the next tick is: not before what this one cost is a small share of the time.
    fn pace(&mut self, before: Stood) {
        self.done.ticks += 1;
        let used = used();
        let own = used.saturating_sub(self.used);
        self.used = used;
        self.done.own += own;
        let stops = (self.done.stood.stops - before.stops).max(1) as f64;
        let stood = (self.done.stood.time - before.time).div_f64(stops);
        let processors = std::thread::available_parallelism().map_or(1, usize::from) as f64;
        let dear = stood.div_f64(STOOD).max(own.div_f64(OWN * processors)).min(LONGEST);
        // Some ticks take longer by chance.
        let wanted = self.plan.period.max(dear);
        self.period = (self.period * 7 + wanted) / 8;
        // A program's own rhythm must not be that of the ticks.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        let part = 0.5 + (self.random >> 11) as f64 / (1u64 << 53) as f64;
        self.next = Instant::now().max(self.next) + self.period.max(self.plan.period).mul_f64(part);
    }
}

/// Between two times that somebody is asked whether it is enough.
const ASKED: Duration = Duration::from_millis(50);

/// The description that the runtime has of itself, if it has one.
fn layout(pid: u32, modules: &[Module]) -> Result<Option<Arc<Layout>>, Fault> {
    if modules.is_empty() {
        return Ok(None);
    }
    let found = Live::look(pid, Way::Running, |live| {
        Runtime::find(live.as_target()).ok().map(|runtime| runtime.layout().clone())
    });
    Ok(found?.1)
}

/// Whether they are the same files at the same places.
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

/// Now, on the clock that profiles have, ns.
pub fn monotonic() -> u64 {
    clock(libc::CLOCK_MONOTONIC).as_nanos() as u64
}

/// Processor time that this process has used.
fn used() -> Duration {
    clock(libc::CLOCK_PROCESS_CPUTIME_ID)
}
