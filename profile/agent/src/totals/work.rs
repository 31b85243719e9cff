//! The working memory of the totals: the sums over all threads, and the block that they make.

use super::records;
use crate::accounting::Class;
use crate::accounting::construct::{self, ConstructTable};
use crate::accounting::mpi::{self, MpiTable};
use crate::accounting::mutex::{CONTENDED_NS, open_wait};
use crate::accounting::region::{self, RegionTable};
use crate::accounting::sites::{self, CallTable, MutexTable, TaskTable, call as call_site};
use crate::accounting::table::Table;
use crate::accounting::target::TargetTable;
use crate::clock::ns;
use crate::mark;
use crate::stream;
use crate::thread::{self, Thread};
use core::ffi::CStr;
use core::sync::atomic::Ordering::Relaxed;
use omphalos_profile_format::{CallTotal, ChunkWriter, PROCESS_CHUNK, Record};

/// The sums over all threads, and the block.
pub struct Work {
    regions: RegionTable,
    mutexes: MutexTable,
    tasks: TaskTable,
    constructs: ConstructTable,
    calls: CallTable,
    targets: TargetTable,
    mpi: MpiTable,
    /// For each table that grows: the number of sites that it has room for.
    rooms: [usize; 6],
    buffer: &'static mut [u8],
    length: usize,
}

fn merge<const N: usize>(into: &Table<N>, from: &Table<N>, largest: &[usize]) {
    for entry in from.iter() {
        let Some(sum) = into.find_or_add(entry.key()) else {
            super::FULL.store(true, Relaxed);
            return;
        };
        for (at, value) in entry.read().into_iter().enumerate() {
            if largest.contains(&at) { sum.raise(at, value) } else { sum.add(at, value) }
        }
    }
}

/// The room at first for regions, mutexes, tasks, constructs, target constructs and calls of MPI.
const FIRST_ROOMS: [usize; 6] = [1024, 2048, 512, 1024, 256, 256];

fn give_room<const N: usize>(table: &mut Table<N>, room: &mut usize, wanted: usize) {
    if wanted > *room {
        *table = Table::new(wanted);
        *room = wanted;
    }
}

impl Work {
    /// Allocates.
    pub fn new() -> Work {
        let [regions, mutexes, tasks, constructs, targets, mpi] = FIRST_ROOMS;
        Work {
            regions: Table::new(regions),
            mutexes: Table::new(mutexes),
            tasks: Table::new(tasks),
            constructs: Table::new(constructs),
            calls: Table::new(1024),
            targets: Table::new(targets),
            mpi: Table::new(mpi),
            rooms: FIRST_ROOMS,
            // SAFETY: bytes.
            buffer: unsafe { crate::memory::zeroed(1 << 16) },
            length: 0,
        }
    }

    /// Makes room for the sites of all threads if there is not enough. Allocates memory that is
    /// never given back.
    pub fn grow(&mut self) {
        let wanted = |count: fn(&Thread) -> usize| thread::all().map(count).sum::<usize>() * 2 + 64;
        let [regions, mutexes, tasks, constructs, targets, mpi] = &mut self.rooms;
        give_room(&mut self.regions, regions, wanted(|thread| thread.regions.count()));
        give_room(&mut self.mutexes, mutexes, wanted(|thread| thread.mutexes.count()));
        give_room(&mut self.tasks, tasks, wanted(|thread| thread.tasks.count()));
        give_room(&mut self.constructs, constructs, wanted(|thread| thread.constructs.count()));
        give_room(&mut self.targets, targets, wanted(|thread| thread.targets.count()));
        give_room(&mut self.mpi, mpi, wanted(|thread| thread.mpi_sites.count()));
    }

    /// Forgets sums that were not written.
    pub fn reset(&mut self) {
        self.length = 0;
    }

    /// Returns the number of sites.
    pub fn sites(&self) -> usize {
        self.regions.count()
            + self.mutexes.count()
            + self.tasks.count()
            + self.constructs.count()
            + self.calls.count()
            + self.targets.count()
            + self.mpi.count()
    }

    /// Sums over all threads, up to `now`.
    pub fn sum(&mut self, now: u64) {
        self.regions.clear();
        self.mutexes.clear();
        self.tasks.clear();
        self.constructs.clear();
        self.calls.clear();
        self.targets.clear();
        self.mpi.clear();
        for thread in thread::all() {
            merge(&self.calls, &thread.calls, &[call_site::LONGEST]);
            merge(&self.regions, &thread.regions, &[]);
            thread.account.summed().add_sites(&self.regions);
            thread.account.summed().add_open(&self.regions, &thread.account, now);
            merge(&self.targets, &thread.targets, &[]);
            merge(&self.mpi, &thread.mpi_sites, &[mpi::site::LONGEST]);
            merge(&self.mutexes, &thread.mutexes, &[sites::mutex::LONGEST, sites::mutex::REGION]);
            // All threads know the same end of a construct, or none yet.
            merge(
                &self.constructs,
                &thread.constructs,
                &[construct::site::END, construct::site::AFTER],
            );
            merge(&self.tasks, &thread.tasks, &[sites::task::SHORTEST, sites::task::LONGEST]);
            if thread.alive.load(Relaxed) {
                self.add_open(thread, now);
            }
        }
        for region in region::all() {
            region.add_open(&self.regions, now);
            region.add_open_constructs(&self.constructs, now);
        }
    }

    /// Adds the thread's open wait: its end has not come, and may never come.
    fn add_open(&self, thread: &Thread, now: u64) {
        if let Some((site, time)) = open_wait(thread, now)
            && ns(time) > CONTENDED_NS
            && let Some(entry) = self.mutexes.find_or_add(site)
        {
            // The wait counts as an acquisition, so that no more acquisitions waited than there
            // were.
            entry.add(sites::mutex::ACQUISITIONS, 1);
            entry.add(sites::mutex::TIMED, 1);
            entry.add(sites::mutex::CONTENDED, 1);
            entry.add(sites::mutex::WAIT, time);
            entry.raise(sites::mutex::LONGEST, time);
            entry.raise(sites::mutex::REGION, thread.place.codeptr.load(Relaxed));
        }
        // A mutex that it holds may be held for ever.
        if !thread.account.is_untimed() {
            for (key, held) in thread.holding.open(now) {
                let known = self.mutexes.find(key);
                known.into_iter().for_each(|entry| entry.add(sites::mutex::HOLD, held));
            }
        }
        // Sleep in a call of MPI is time of that call.
        let only_waits = |call: &&mark::Call| call.only_waits && !thread.mpi.is_open();
        if let Some(call) = thread.mark.call().filter(only_waits) {
            let (begin, region) = (thread.mark.since(), thread.place.codeptr.load(Relaxed));
            let region = if thread.account.class() == Class::Work { region } else { 0 };
            let key = [core::ptr::from_ref(call).addr() as u64, region, 0];
            if let Some(entry) = self.calls.find_or_add(key) {
                let time = now.saturating_sub(begin);
                entry.add(call_site::COUNT, 1);
                entry.add(call_site::BLOCKED, time);
                entry.add(call_site::ELAPSED, time);
                entry.raise(call_site::LONGEST, time);
            }
        }
    }

    /// Puts all sites into the buffer.
    pub fn push_sites(&mut self) {
        let Work {
            regions, mutexes, tasks, constructs, calls, targets, mpi, buffer, length, ..
        } = self;
        let totals =
            constructs.iter().map(|entry| records::of_construct(entry.key(), &entry.read()));
        totals.for_each(|record| push(buffer, length, record.into()));
        let all = || calls.iter().map(|entry| (site_of_call(entry.key()), entry));
        for (at, (site, _)) in all().enumerate() {
            // Several functions may have one name: a reader knows only the name.
            let same = || all().filter(|(other, _)| *other == site);
            if all().take(at).any(|(before, _)| before == site) {
                continue;
            }
            let sum = |field: usize| same().map(|(_, entry)| entry.read()[field]).sum();
            let longest = same().map(|(_, entry)| entry.read()[call_site::LONGEST]).max();
            let total = CallTotal {
                codeptr_ra: site.0,
                count: sum(call_site::COUNT),
                blocked: ns(sum(call_site::BLOCKED)),
                elapsed: ns(sum(call_site::ELAPSED)),
                longest: ns(longest.unwrap_or(0)),
                call: site.1.to_bytes(),
            };
            push(buffer, length, total.into());
        }
        for entry in regions.iter() {
            let (total, open, queued) = records::of_region(entry.key(), &entry.read());
            push(buffer, length, total.into());
            open.into_iter().for_each(|record| push(buffer, length, record.into()));
            queued.into_iter().for_each(|record| push(buffer, length, record.into()));
        }
        for entry in targets.iter() {
            push(buffer, length, records::of_target(entry.key(), &entry.read()).into());
        }
        for entry in mpi.iter() {
            push(buffer, length, records::of_mpi(entry.key(), &entry.read()).into());
        }
        for entry in mutexes.iter() {
            let (total, sampling) = records::of_mutex(entry.key(), &entry.read());
            push(buffer, length, total.into());
            if let Some(place) = records::place_of_mutex(entry.key(), &entry.read()) {
                push(buffer, length, place.into());
            }
            if let Some(slept) = records::sleep_with_mutex(entry.key(), &entry.read()) {
                push(buffer, length, slept.into());
            }
            sampling.into_iter().for_each(|record| push(buffer, length, record.into()));
        }
        for entry in tasks.iter() {
            let (total, sampling) = records::of_task(entry.key(), &entry.read());
            push(buffer, length, total.into());
            sampling.into_iter().for_each(|record| push(buffer, length, record.into()));
        }
    }

    /// Puts a record into the buffer, which is written if it is full.
    pub fn push(&mut self, record: Record<'_>) {
        push(self.buffer, &mut self.length, record);
    }

    /// Writes the buffer.
    pub fn flush(&mut self) {
        stream::write(ChunkWriter::resume(self.buffer, self.length).seal(PROCESS_CHUNK));
        self.length = 0;
    }
}

/// Returns a call's region and its name.
fn site_of_call([call, codeptr_ra, _]: [u64; 3]) -> (u64, &'static CStr) {
    // SAFETY: keys of this table are made of the addresses of statics.
    let call = unsafe { &*(call as *const mark::Call) };
    (codeptr_ra, call.name)
}

fn push(buffer: &mut [u8], length: &mut usize, record: Record<'_>) {
    for _ in 0..2 {
        let mut writer = ChunkWriter::resume(buffer, *length);
        if writer.push(record).is_ok() {
            *length = writer.length();
            return;
        }
        stream::write(writer.seal(PROCESS_CHUNK));
        *length = 0;
    }
}
