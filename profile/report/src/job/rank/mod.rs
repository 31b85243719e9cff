//! Reads one rank's record file in one pass: its totals, its records of MPI, its parts in
//! collective calls and messages. No sample and no stack is kept, so that the ranks of any job fit
//! into memory.

mod calls;

use std::collections::{BTreeMap, HashMap};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use omphalos_profile_format::{
    Item, MpiThread, Reader, Record, RegionSiteTotal, ThreadTotal, module_flag,
};
use omphalos_program::symbols::{ModuleInfo, PythonCode, PythonCodes, find_elsewhere};

use super::lost::Lost;
use crate::class_parts::{ClassParts, InMpi};
use crate::placement::{Cpus, Placement};
use crate::recording::Recording;
use crate::stacks::Stacks;
use crate::visible::visible_bytes;
use crate::{Profile, ReportError};

pub(crate) use calls::Call;

/// The number of regions of a rank that are kept, the longest.
const MOST_REGIONS: usize = 24;
/// The agent's number of the process's first thread.
const FIRST_THREAD: u32 = 0;
/// No figure of a real run is larger, ns.
const LARGEST: u64 = 1 << 56;

/// A place in the program: its file's name, and the address in that file; or a line of a script,
/// with its function, and no address. The same place has the same value in all ranks.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Site {
    pub(crate) file: String,
    pub(crate) at: u64,
}

impl Site {
    fn of_script(code: Option<&PythonCode>, unit: u64) -> Site {
        let line = code.map_or_else(|| "Python code".to_owned(), |code| code.place(unit).call());
        Site { file: line, at: 0 }
    }

    /// Returns the line of a script with its function.
    pub(super) fn script_line(&self) -> Option<&str> {
        (self.at == 0 && !self.file.is_empty()).then_some(&*self.file)
    }
}

/// An outermost region of the program.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    pub(crate) site: Site,
    /// The address in this rank.
    pub(crate) codeptr: u64,
    pub(crate) total: RegionSiteTotal,
    /// The part of the threads' work that was in calls of MPI, ns.
    pub(crate) mpi: u64,
    /// The part of the work without a processor, ns.
    pub(crate) queued: u64,
}

impl Region {
    /// Returns the time that the region's threads would run if they shared their work evenly, ns.
    pub(crate) fn shared(&self) -> u64 {
        let RegionSiteTotal { work, team_size_sum, instances, .. } = self.total;
        let ran = work.saturating_sub(self.mpi).saturating_sub(self.queued);
        let ran = ran.min(LARGEST);
        ((ran as f64 * instances as f64 / team_size_sum.max(1) as f64) as u64).min(LARGEST)
    }

    /// Returns the time by which the busiest thread runs longer than that, ns.
    pub(crate) fn gain(&self) -> u64 {
        self.total.gain.min(LARGEST)
    }
}

/// The content of a rank's record file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rank {
    pub(crate) file: PathBuf,
    pub(crate) number: u32,
    pub(crate) size: u32,
    pub(crate) job: String,
    pub(crate) library: String,
    /// As in the record: 0 = MPI did not begin.
    pub(crate) level: u32,
    pub(crate) pid: u32,
    pub(crate) host: String,
    pub(crate) executable: String,
    pub(crate) command: Vec<String>,
    /// The difference of the wall clock and the monotonic one, ns: rough, but good enough to begin
    /// with.
    pub(crate) wall_less_clock: i128,
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// How long was measured, if that is not the whole run, ns. All times are of these parts.
    pub(crate) measured: Option<u64>,
    pub(crate) is_complete: bool,
    pub(crate) used_openmp: bool,
    /// The number of threads with any time.
    pub(crate) threads: u64,
    pub(crate) alive: u64,
    /// Time in regions that ran, in no wait and no call of MPI, ns.
    pub(crate) work: u64,
    /// Time outside regions that ran, in no wait and no call of MPI, ns.
    pub(crate) serial: u64,
    pub(crate) openmp_wait: u64,
    /// Asleep, not in MPI.
    pub(crate) blocked: u64,
    /// In calls of MPI.
    pub(crate) mpi: u64,
    /// The part of `mpi` without a processor.
    pub(crate) mpi_without_cpu: u64,
    /// The part of `mpi` in regions.
    pub(crate) mpi_in_regions: u64,
    /// The part of `mpi` on threads that the program made beside its first one, outside regions.
    pub(crate) mpi_beside: u64,
    /// At work without a processor, not in MPI.
    pub(crate) without_cpu: u64,
    /// Able to run without a processor, wherever the program was, waits included: by the kernel.
    pub(crate) runnable: u64,
    /// The sleep of `blocked`, as time that the rank takes longer.
    pub(crate) asleep: Lost,
    /// The same of `without_cpu`.
    pub(crate) lacked: Lost,
    /// The number of threads that called MPI.
    pub(crate) mpi_threads: u64,
    pub(crate) mpi_calls: u64,
    pub(crate) regions: Vec<Region>,
    pub(crate) calls: Vec<Call>,
    /// The time of all calls that ended, by function, ns.
    pub(crate) ended_calls: BTreeMap<u32, u64>,
    pub(crate) modules: Vec<ModuleInfo>,
    /// The number of bytes that could not be read.
    pub(crate) damaged: u64,
    /// The process's environment at its start, as "NAME=value".
    pub(crate) environment: Vec<String>,
    /// The process's placement at its start. Its threads' places are added up in `held_to`.
    pub(crate) placement: Placement,
    /// The sets of CPUs that busy threads may use, each with the number of threads that may use it.
    pub(crate) held_to: Vec<(Cpus, usize)>,
}

/// The records that are read for sums.
struct Totals {
    recording: Recording,
    stacks: Stacks,
    bodies: HashMap<u64, u64>,
    python: PythonCodes,
}

impl Totals {
    fn take(&mut self, record: &Record<'_>) {
        self.recording.take(0, record, &mut self.stacks);
    }
}

impl Rank {
    /// Reads a record file; gives each part in a collective call or a message to `meets`.
    pub(crate) fn read(
        profile: &Profile,
        meets: &mut dyn FnMut(&Record<'_>),
    ) -> Result<Rank, ReportError> {
        let mut rank = Rank { file: profile.path().to_owned(), ..Rank::default() };
        let (recording, bodies, python) = Default::default();
        let mut totals = Totals { recording, stacks: Stacks::new(), bodies, python };
        let format = |error| ReportError::Format { path: profile.path().to_owned(), error };
        for item in Reader::new(profile.bytes()).map_err(format)? {
            match item {
                Item::Damage(damage) => rank.damaged += damage.length as u64,
                Item::Chunk(chunk) => {
                    for record in chunk.records().flatten() {
                        match record {
                            Record::MpiMeeting(_)
                            | Record::MpiMessage(_)
                            | Record::MpiWaited(_)
                            | Record::MpiAsked(_)
                            | Record::MpiLock(_) => meets(&record),
                            record => rank.take(&record, &mut totals),
                        }
                    }
                }
            }
        }
        find_elsewhere(&mut rank.modules, profile.path(), rank.pid);
        rank.sum(totals);
        Ok(rank)
    }

    fn take(&mut self, record: &Record<'_>, totals: &mut Totals) {
        match record {
            Record::Process(process) => {
                totals.take(record);
                self.pid = process.pid;
                self.host = visible_bytes(process.host);
                self.executable = visible_bytes(process.executable);
                self.command = process.argv.iter().map(visible_bytes).collect();
                self.environment = process.environment.iter().map(visible_bytes).collect();
                self.start = process.start_time;
                let wall = i128::from(process.wall_clock);
                self.wall_less_clock = wall - i128::from(process.start_time);
            }
            Record::Rank(rank) => {
                (self.number, self.size, self.level) = (rank.number, rank.size, rank.level);
                self.job = visible_bytes(rank.job);
                self.library = visible_bytes(rank.library);
            }
            Record::Module(module) => self.modules.push(module.into()),
            Record::End(end) => {
                self.is_complete = true;
                self.end = self.end.max(end.time);
                totals.take(record);
            }
            Record::ThreadTotal(total) => {
                self.end = self.end.max(total.time);
                totals.take(record);
            }
            Record::ThreadScheduling(_)
            | Record::ThreadQueued(_)
            | Record::MpiThread(_)
            | Record::MpiOpen(_)
            | Record::MpiCallTotal(_)
            | Record::RegionSiteTotal(_)
            | Record::RegionSiteQueued(_)
            | Record::RegionSiteOpen(_)
            | Record::Part(_) => totals.take(record),
            Record::RegionBody(known) => {
                totals.bodies.insert(known.codeptr_ra, known.body);
            }
            Record::PythonCode(code) => {
                totals.python.insert(code.code, PythonCode::new(code));
            }
            Record::ThreadCpu(_) | Record::MachineCpu(_) => {}
            record => {
                self.placement.take(record);
            }
        }
    }

    /// Fills in `held_to`. A thread with less than a fifth of the busiest thread's work is not
    /// busy: it has room beside others.
    fn sum_places(&mut self, threads: &BTreeMap<u32, ThreadTotal>, mpi: &BTreeMap<u32, MpiThread>) {
        let in_mpi =
            |number: &u32| mpi.get(number).map_or(0, |own| own.work.saturating_add(own.serial));
        let wanted = |number: &u32, total: &ThreadTotal| {
            total.work.saturating_add(total.serial_work).saturating_sub(in_mpi(number))
        };
        let most = threads.iter().map(|(number, total)| wanted(number, total)).max().unwrap_or(0);
        let mut sets: BTreeMap<Cpus, usize> = BTreeMap::new();
        for (number, place) in std::mem::take(&mut self.placement.threads) {
            let is_busy = |total: &ThreadTotal| wanted(&number, total) >= most / 5;
            if threads.get(&number).is_some_and(is_busy) && !place.allowed.is_empty() {
                *sets.entry(place.allowed).or_default() += 1;
            }
        }
        self.held_to = sets.into_iter().collect();
    }

    fn sum(&mut self, totals: Totals) {
        let Totals { recording, bodies, python, .. } = totals;
        let recording = recording.of_totals();
        self.measured = recording.measured();
        let known = || recording.threads.iter();
        let threads: BTreeMap<u32, ThreadTotal> =
            known().filter_map(|(number, thread)| Some((*number, thread.total?))).collect();
        let mpi: BTreeMap<u32, MpiThread> =
            known().filter_map(|(number, thread)| Some((*number, thread.mpi?))).collect();
        self.sum_places(&threads, &mpi);
        self.threads = threads.values().filter(|total| total.alive > 0).count() as u64;
        for (number, total) in &threads {
            let thread = &recording.threads[number];
            let known = thread.scheduling.unwrap_or_default();
            let own = thread.mpi.unwrap_or_default();
            let [in_work, in_serial] = InMpi::of_thread(&own);
            let (all, queued) = ([total.work, total.serial_work], thread.queued);
            let [all_work, all_serial] = all.map(|time| time.min(LARGEST));
            let work = ClassParts::of(all_work, known.blocked_work, queued.0, in_work);
            let serial = ClassParts::of(all_serial, known.blocked_serial, queued.1, in_serial);
            add(&mut self.work, work.ran);
            add(&mut self.serial, serial.ran);
            add(&mut self.without_cpu, work.queued + serial.queued);
            add(&mut self.runnable, known.runnable);
            add(&mut self.mpi_without_cpu, own.queued_work.saturating_add(own.queued_serial));
            add(&mut self.blocked, work.blocked + serial.blocked);
            let is_first = *number == FIRST_THREAD;
            self.asleep.take(is_first, [work.blocked, serial.blocked]);
            self.lacked.take(is_first, [work.queued, serial.queued]);
            add(&mut self.mpi, work.mpi + serial.mpi);
            add(&mut self.mpi_in_regions, work.mpi);
            if !is_first {
                add(&mut self.mpi_beside, serial.mpi);
            }
            let waits =
                [total.idle, total.barrier_wait, total.mutex_wait, total.task_wait, total.overhead];
            waits.into_iter().for_each(|wait| add(&mut self.openmp_wait, wait));
            add(&mut self.alive, total.alive);
        }
        self.mpi_threads = mpi.values().filter(|own| own.calls > 0).count() as u64;
        mpi.values().for_each(|own| add(&mut self.mpi_calls, own.calls));
        self.used_openmp = !recording.regions.is_empty();
        let in_regions = self.sum_calls(&recording, &python);
        let outermost = recording.regions.into_values().filter(|total| total.level <= 1);
        let mut outermost: Vec<RegionSiteTotal> = outermost.collect();
        outermost.sort_by_key(|total| (std::cmp::Reverse(total.elapsed), total.codeptr_ra));
        outermost.truncate(MOST_REGIONS);
        for total in outermost {
            let codeptr = total.codeptr_ra;
            let site = self.site(bodies.get(&codeptr).copied().unwrap_or(codeptr));
            let mpi = in_regions.get(&codeptr).copied().unwrap_or(0);
            let key = (codeptr, total.parent_codeptr, total.level);
            let queued = recording.queued_regions.get(&key).copied().unwrap_or(0);
            self.regions.push(Region { site, codeptr, total, mpi, queued });
        }
    }

    fn module(&self, address: u64) -> Option<&ModuleInfo> {
        let within = |module: &&ModuleInfo| (module.base..module.end).contains(&address);
        self.modules.iter().rev().find(within)
    }

    fn is_in_runtime(&self, address: u64) -> bool {
        self.module(address).is_some_and(|module| module.flags & module_flag::RUNTIME != 0)
    }

    /// Returns the place of an address of the rank's.
    fn site(&self, address: u64) -> Site {
        match self.module(address) {
            Some(module) => Site {
                file: visible_bytes(module.path.as_os_str().as_bytes()),
                at: (address - module.base).wrapping_add(module.file_offset),
            },
            None => Site { file: String::new(), at: address },
        }
    }

    /// Returns the time that was measured, without the begin of MPI, ns.
    pub(crate) fn elapsed(&self) -> u64 {
        self.measured.unwrap_or(self.run()).saturating_sub(self.beginning())
    }

    /// Returns the time from the process's begin to its end, ns.
    pub(crate) fn run(&self) -> u64 {
        self.end.saturating_sub(self.start)
    }

    /// Returns the time that `MPI_Init` took, ns.
    pub(crate) fn beginning(&self) -> u64 {
        let names = ["Init", "Init_thread"].map(omphalos_profile_format::mpi::number);
        let of = |number: Option<u32>| self.ended_calls.get(&number?).copied();
        names.into_iter().filter_map(of).sum()
    }

    /// Returns the time in which the rank was in no call of MPI, ns. For several threads in a
    /// region this is the mean of the threads.
    pub(crate) fn outside_mpi(&self) -> u64 {
        // While another thread waits for a message, the first one goes on.
        let alone = self.mpi - self.mpi_in_regions - self.mpi_beside;
        let alone = alone.saturating_sub(self.beginning());
        let shared = self.mpi_in_regions / self.threads.max(1);
        self.elapsed().saturating_sub(alone).saturating_sub(shared)
    }

    /// Returns the time that the rank's own work takes, ns: the work outside regions, and for each
    /// region the time of its busiest thread. Delays by a busy machine do not count.
    pub(crate) fn burden(&self) -> u64 {
        let of_regions = self.regions.iter().map(|region| region.shared() + region.gain());
        of_regions.fold(self.serial, u64::saturating_add)
    }
}

fn add(sum: &mut u64, part: u64) {
    *sum = sum.saturating_add(part).min(LARGEST);
}
