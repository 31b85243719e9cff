//! Appends to a profile when its program has ended: the machine's CPUs, its energy and how busy it
//! was (the verb `profile` uses [`Watch`]), and the report (the verb `report`). The report is kept
//! because its names and lines come from the program's file: that file may be built anew by the
//! time the user compares two profiles.
//!
//! What must hold: chunks are appended whole, in the format's own way, so that a reader of any
//! version skips those that it does not know.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use omphalos_profile_format::{ChunkWriter, Full, Machine, PROCESS_CHUNK, Record, ReportPiece};
use omphalos_report::{Analysis, json};

use crate::energy::Meter;
use crate::topology;

/// The part of a report in one record, bytes.
const PIECE: usize = 1 << 16;

/// Appends the report, as JSON, to the profile that it was made from.
pub fn report(profile: &Path, analysis: &Analysis) -> io::Result<()> {
    let text = serde_json::to_string(&json::to_value(analysis)).map_err(io::Error::other)?;
    for piece in text.as_bytes().chunks(PIECE) {
        append(profile, ReportPiece { text: piece }.into())?;
    }
    Ok(())
}

fn append(profile: &Path, record: Record<'_>) -> io::Result<()> {
    append_all(profile, &[record])
}

fn append_all(profile: &Path, records: &[Record<'_>]) -> io::Result<()> {
    let mut memory = vec![0; 2 * PIECE];
    let mut writer = ChunkWriter::new(&mut memory);
    for record in records {
        writer.push(*record).map_err(|Full| io::Error::other("a record is too long"))?;
    }
    OpenOptions::new().append(true).open(profile)?.write_all(writer.seal(PROCESS_CHUNK))
}

/// The machine's figures at the start of a run: [`Watch::keep`] writes how they have changed.
pub struct Watch {
    begin: Instant,
    /// `None` where nobody asked for the energy.
    pub energy: Option<Meter>,
    busy: Option<u64>,
    own: u64,
}

impl Watch {
    /// Reads the figures at the start of a run. `counts_energy`: the energy too.
    pub fn begin(counts_energy: bool) -> Watch {
        let energy = counts_energy.then(Meter::begin);
        Watch { begin: Instant::now(), energy, busy: busy(), own: own_processor_time() }
    }

    /// Appends the changes since [`Watch::begin`] to the profile of a program that ran meanwhile.
    pub fn keep(&mut self, profile: &Path) -> io::Result<()> {
        if let Some(energy) = &mut self.energy {
            append_all(profile, &energy.records())?;
        }
        let (Some(before), Some(after)) = (self.busy, busy()) else { return Ok(()) };
        let own = own_processor_time().saturating_sub(self.own);
        let processor = model().unwrap_or_default();
        let cpus: Vec<Record<'_>> = topology::all().into_iter().map(Record::from).collect();
        append_all(profile, &cpus)?;
        append(
            profile,
            Machine {
                processor: processor.as_bytes(),
                cpus: online(),
                elapsed: self.begin.elapsed().as_nanos() as u64,
                others: after.saturating_sub(before).saturating_sub(own),
            }
            .into(),
        )
    }
}

/// Returns the time that all processors have worked since the machine started, with stolen time,
/// ns.
fn busy() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/stat").ok()?;
    let all = text.lines().next()?.strip_prefix("cpu ")?;
    let ticks: Vec<u64> = all.split_whitespace().filter_map(|tick| tick.parse().ok()).collect();
    // user nice system idle iowait irq softirq steal; guests' time is part of the first two.
    let [user, nice, system, _, _, irq, softirq, steal, ..] = ticks[..] else { return None };
    // SAFETY: asks for a number.
    let rate =
        u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).ok().filter(|r| *r > 0)?;
    Some((user + nice + system + irq + softirq + steal).saturating_mul(1_000_000_000 / rate))
}

/// Returns the processor time of this process and of its children that ended, ns.
fn own_processor_time() -> u64 {
    let of = |who| {
        // SAFETY: all-zero bytes are a valid `rusage`, which the call fills.
        let usage = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            libc::getrusage(who, &mut usage);
            usage
        };
        let ns =
            |time: libc::timeval| time.tv_sec as u64 * 1_000_000_000 + time.tv_usec as u64 * 1000;
        ns(usage.ru_utime) + ns(usage.ru_stime)
    };
    of(libc::RUSAGE_SELF) + of(libc::RUSAGE_CHILDREN)
}

fn online() -> u32 {
    // SAFETY: asks for a number.
    u32::try_from(unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) }).unwrap_or(1).max(1)
}

fn model() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
