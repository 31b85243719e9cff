//! One tick: each thread's place, and the kernel's counts of its time.

use std::collections::HashMap;
use std::sync::Arc;

use omphalos_ompd_view::asleep::calls;
use omphalos_ompd_view::{Fault, Layout, Registers};

use super::processors::Processors;
use super::stands::{Caught, Stood, Tracer};
use super::thread_files::{AllFiles, Schedule, ThreadFiles};
use super::told_threads::{self, Told};
use super::window::{Window, copied};
use crate::space::live::{process, shown_by};
use crate::space::numbers::Numbers;
use crate::unwind::Unwinder;

/// The place of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On a processor.
    Runs,
    /// Able to run, without a processor.
    Waits,
    /// Asleep in the system call of this number; `u64::MAX`: elsewhere in the kernel.
    Sleeps(u64),
    /// It has woken meanwhile, did not stop in time, or was on our processor: no stack is known.
    Unknown,
}

/// A thread at a tick.
#[derive(Clone, Debug)]
pub struct Sighting {
    /// The kernel's number of the thread.
    pub lwp: u32,
    /// See [`Place`].
    pub place: Place,
    /// Addresses, innermost first: the first is exact, the others are return addresses.
    pub stack: Arc<[u64]>,
    /// Time on a processor, and time able to run without one, since the thread began, ns.
    pub times: Option<(u64, u64)>,
    /// The runtime's facts about it.
    pub told: Option<Told>,
}

/// The last sight of a thread that sleeps; it holds until the thread has run.
struct Asleep {
    call: String,
    turns: Option<u64>,
    stack: Arc<[u64]>,
}

/// A process whose files stay as they are.
pub struct Ticker<'a> {
    pid: u32,
    window: &'a Window,
    unwinder: Unwinder<'a>,
    layout: Option<Arc<Layout>>,
    asleep: HashMap<u32, Asleep>,
    processors: Processors,
    files: AllFiles,
    tracer: Tracer,
}

impl<'a> Ticker<'a> {
    /// `layout`: of the runtime, if it tells of itself.
    pub fn new(
        pid: u32,
        window: &'a Window,
        unwinder: Unwinder<'a>,
        layout: Option<Arc<Layout>>,
    ) -> Ticker<'a> {
        let (asleep, processors) = (HashMap::new(), Processors::new());
        let (files, tracer) = (AllFiles::of(pid), Tracer::default());
        Ticker { pid, window, unwinder, layout, asleep, processors, files, tracer }
    }

    /// Looks at each thread once.
    pub fn tick(&mut self, stood: &mut Stood) -> Result<Vec<Sighting>, Fault> {
        let pid = self.pid;
        let (own, mut met) = (self.processors.stay(self.tracer.lwp()), None);
        let lwps = process::threads(pid)?;
        let (numbers, told) = match &self.layout {
            Some(layout) => {
                (Numbers::of(pid, lwps.iter().copied()), told_threads::threads(self.window, layout))
            }
            None => Default::default(),
        };
        self.asleep.retain(|lwp, _| lwps.contains(lwp));
        self.files.keep(&lwps);
        let shown = shown_by(pid);
        let mut seen = Vec::with_capacity(lwps.len());
        let mut running = Vec::new();
        for lwp in lwps {
            let Some((files, call)) = self.files.of_thread(lwp) else { continue };
            let now = files.schedule();
            let times = now.map(|now| (now.ran, now.queued));
            let told = told.get(&numbers.seen(lwp)).copied();
            let nowhere: Arc<[u64]> = Arc::new([]);
            let mut sighting = Sighting { lwp, place: Place::Unknown, stack: nowhere, times, told };
            if process::is_running(&call) {
                match own.filter(|own| files.processor() == Some(*own)) {
                    Some(own) => met = Some(own),
                    None => running.push((lwp, files)),
                }
            } else if let Some((number, stack)) = self.sleeper(lwp, &files, call, now, shown) {
                (sighting.place, sighting.stack) = (Place::Sleeps(number), stack);
            }
            seen.push(sighting);
        }
        for Caught { lwp, registers, copy, at_once } in self.tracer.each(shown, running, stood) {
            let stack = self.walk(&registers, copy);
            if let Some(sighting) = seen.iter_mut().find(|sighting| sighting.lwp == lwp) {
                let place = if at_once { Place::Runs } else { Place::Waits };
                (sighting.place, sighting.stack) = (place, stack);
            }
        }
        self.processors.leave(met);
        Ok(seen)
    }

    /// The call's number and the stack of a thread that sleeps; `None` if it has woken meanwhile.
    fn sleeper(
        &mut self,
        lwp: u32,
        files: &ThreadFiles,
        call: String,
        now: Option<Schedule>,
        shown: u32,
    ) -> Option<(u64, Arc<[u64]>)> {
        let registers = calls::asleep(&call)?;
        let number = calls::in_call(&registers).unwrap_or(u64::MAX);
        let turns = now.map(|now| now.turns);
        let same = |known: &&Asleep| turns.is_some() && known.turns == turns && known.call == call;
        if let Some(known) = self.asleep.get(&lwp).filter(same) {
            return Some((number, known.stack.clone()));
        }
        let stack = self.walk(&registers, copied(shown, registers.rsp));
        let still = files.call()? == call && files.schedule().map(|now| now.turns) == turns;
        if !still {
            self.asleep.remove(&lwp);
            return None;
        }
        self.asleep.insert(lwp, Asleep { call, turns, stack: stack.clone() });
        Some((number, stack))
    }

    fn walk(&self, registers: &Registers, copy: Vec<u8>) -> Arc<[u64]> {
        self.window.show(registers.rsp, copy);
        self.unwinder.walk(registers).iter().map(|raw| raw.address).collect()
    }
}
