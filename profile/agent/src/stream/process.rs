//! The records about the process: its program, its machine, the objects that are mapped.

use crate::{clock, hardware, python, recording, sched, unwind};
use core::fmt::Arguments;
use omphalos_profile_format::{
    ByteStrings, ChunkWriter, ControlGroup, CounterSources, Message, Module, PROCESS_CHUNK,
    Process, ProcessAffinity, Rank, Record, job, name, severity,
};
use omphalos_sys::control_group;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Writes the process record. Allocates.
pub fn write_process() {
    let executable = std::fs::read_link("/proc/self/exe")
        .map(|path| path.into_os_string().into_vec())
        .unwrap_or_default();
    let argv = std::fs::read("/proc/self/cmdline").unwrap_or_default();
    let cwd =
        std::env::current_dir().map(|path| path.into_os_string().into_vec()).unwrap_or_default();
    let mut environment = Vec::new();
    for (name, value) in std::env::vars_os() {
        let name = name.as_bytes();
        let prefixes: [&[u8]; 4] = [b"OMP_", b"KMP_", b"GOMP_", b"OMPHALOS_"];
        // Other records say what these addresses stand for.
        let is_shown = name != b"OMPHALOS_PROFILE_ONLY_AT";
        if is_shown && prefixes.iter().any(|prefix| name.starts_with(prefix)) {
            environment.extend_from_slice(name);
            environment.push(b'=');
            environment.extend_from_slice(value.as_bytes());
            environment.push(0);
        }
    }
    let start = recording::started();
    let mut wall = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is ours.
    unsafe { libc::clock_gettime(libc::CLOCK_REALTIME, &mut wall) };
    let wall = wall.tv_sec as u64 * 1_000_000_000 + wall.tv_nsec as u64;
    let since = omphalos_sys::clock::nanoseconds().saturating_sub(start);
    let mut host = [0u8; 256];
    // SAFETY: the buffer belongs to this function; one byte is kept for the closing NUL.
    unsafe { libc::gethostname(host.as_mut_ptr().cast(), host.len() - 1) };
    let host = host.split(|byte| *byte == 0).next().unwrap_or(&[]);
    let (omp_version, runtime_version) = recording::runtime();
    write(
        Process {
            pid: std::process::id(),
            start_time: start,
            wall_clock: wall.saturating_sub(since),
            period: recording::period(),
            cpus: sched::count_processors(),
            executable: &executable,
            argv: ByteStrings::NulSeparated(&argv),
            cwd: &cwd,
            runtime_version: &runtime_version,
            omp_version,
            host,
            environment: ByteStrings::NulSeparated(&environment),
        }
        .into(),
    );
    let _ = clock::ticks();
    write_counter_sources();
    write_rank();
    write_affinity();
    write_control_group();
}

/// Writes which of the processor's events are counted, if the user asked for that. Allocates.
fn write_counter_sources() {
    let Some(sources) = hardware::sources::known() else { return };
    let missing: Vec<&[u8]> = sources.missing.iter().map(|line| line.as_bytes()).collect();
    let missing = ByteStrings::Slices(&missing);
    let user_only = u32::from(sources.user_only);
    write(CounterSources { events: sources.bits(), user_only, missing }.into());
}

/// The variables in which launchers say how they bind processes.
const BINDERS: [&[u8]; 9] = [
    b"HYDRA_USER_PROVIDED_BINDING",
    b"I_MPI_PIN",
    b"I_MPI_PIN_DOMAIN",
    b"MV2_CPU_BINDING_POLICY",
    b"OMPI_MCA_hwloc_base_binding_policy",
    b"OMPI_MCA_orte_bound_at_launch",
    b"PRTE_MCA_hwloc_default_binding_policy",
    b"SLURM_CPUS_PER_TASK",
    b"SLURM_CPU_BIND",
];

/// Writes on which processors the process may run since its start. Allocates.
fn write_affinity() {
    let online = std::fs::read("/sys/devices/system/cpu/online").unwrap_or_default();
    let mut list = [0u8; 512];
    let mut launcher = Vec::new();
    for (name, value) in std::env::vars_os() {
        if BINDERS.contains(&name.as_bytes()) {
            launcher.extend([name.as_bytes(), b"=", value.as_bytes(), b"\0"].concat());
        }
    }
    let (mask, length) = sched::Processors::at_start().bytes();
    write(
        ProcessAffinity {
            cpus: mask.get(..length).unwrap_or(&[]),
            online: online.trim_ascii(),
            cpuset: control_group::processors_list(&mut list),
            launcher: ByteStrings::NulSeparated(&launcher),
        }
        .into(),
    );
}

/// Writes the limits of the control group, and how long they stopped the process, if there are any.
/// Allocates.
pub fn write_control_group() {
    if let Some(limit) = control_group::limit() {
        write(
            ControlGroup {
                path: limit.path(),
                quota: limit.quota,
                period: limit.period,
                periods: limit.periods,
                throttled_periods: limit.throttled_periods,
                throttled: limit.throttled,
            }
            .into(),
        );
    }
}

/// Writes the rank that a launcher gave to the process, if any did. Allocates.
fn write_rank() {
    if let Some(rank) = name::rank().filter(|rank| rank.size > 1) {
        let job = job::name().unwrap_or_default();
        let name::Rank { number, size } = rank;
        let (level_asked, level) = (0, 0);
        write(Rank { number, size, level_asked, level, job: job.as_bytes(), library: b"" }.into());
    }
}

/// Writes the mapped objects that are known now. Allocates.
pub fn write_modules() {
    python::find();
    unwind::modules::with_newest(|modules, _| {
        let records = modules.list.iter().map(|module| Module {
            base: module.start,
            end: module.end,
            file_offset: module.file_offset,
            path: &module.path,
            build_id: &module.build_id,
            flags: module.flags,
        });
        let records: Vec<Record<'_>> = records.map(Record::from).collect();
        // The records go in groups: a chunk has a largest size, and paths are of any length.
        records.chunks(64).for_each(write_together);
    });
}

/// Writes a message for the reader. Allocates.
pub fn write_message(severity: u32, text: &str) {
    write(Message { severity, text: text.as_bytes() }.into());
}

/// Reports a problem to the user and to the record's reader.
pub fn warn(text: Arguments<'_>) {
    omphalos_sys::stderr::message(text);
    write_message(severity::WARNING, &text.to_string());
}

/// Writes one record as a chunk of its own.
pub fn write(record: Record<'_>) {
    write_together(&[record]);
}

/// Writes records as one chunk.
fn write_together(records: &[Record<'_>]) {
    let mut room = 1 << 12;
    while room <= 1 << 20 {
        let mut memory = vec![0; room];
        let mut writer = ChunkWriter::new(&mut memory);
        if records.iter().all(|record| writer.push(*record).is_ok()) {
            super::write(writer.seal(PROCESS_CHUNK));
            return;
        }
        room *= 4;
    }
    if let [one, more @ ..] = records
        && !more.is_empty()
    {
        write(*one);
        write_together(more);
    }
}
