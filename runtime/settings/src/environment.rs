//! Reads the environment, once: OpenMP's variables, and those of GCC's and LLVM's runtimes that
//! have a meaning here.
//!
//! If a value cannot be used, one line says so (variable, value, the value used instead, how to
//! mend it); the program goes on.
//!
//! The variables are read before they are needed ([`ahead`], when the library is loaded). These
//! values are dropped if the variables have changed by the first contact, or if there is anything
//! to say about them.

use super::binding::{self, binding};
use super::devices::{self, Devices, UNKNOWN_DEVICES};
use super::helpers::helpers;
use super::icvs::NO_LIMIT;
use super::loops::loop_kinds;
use super::of_devices::of_devices;
use super::own_variables;
use super::places;
use super::processors::Processors;
use super::settings::Settings;
use super::shown::Shown;
use super::stack::stack_size;
use super::take::{take, take_with};
use super::task_limits::task_limits;
use super::values::{self, Parsed, TargetOffload};
use super::variables::Variables;
use super::waits::Library;
use core::fmt;
use core::sync::atomic::Ordering::Relaxed;
use omphalos_sys::{cpus, warning};
use std::ffi::CString;

/// The contents of the environment.
pub struct Environment {
    /// The settings.
    pub settings: Settings,
    /// `OMP_DISPLAY_ENV`: whether to show them, and whether all.
    pub display: Option<bool>,
    /// `KMP_SETTINGS`: whether to show them in LLVM's form.
    pub list: bool,
}

/// Time-stamp cycles that one round of `GOMP_SPINCOUNT` takes, roughly (one pause).
const CYCLES_PER_ROUND: u64 = 40;

/// Reads everything, and prints the faults.
pub fn read() -> Environment {
    let from = &Variables::collect(true);
    let subset = |text: &str| places::subset(text, &cpus::affinity());
    let subset = take_with(from, "KMP_HW_SUBSET", subset, "using all processors");
    let processors = match &subset {
        Some(fewer) => Processors::of(fewer.len()),
        None => Processors::of_mask(),
    };
    let mut all = parse(from, processors, subset);
    all.settings.see_processors();
    all
}

/// As [`read`], but asks the system for nothing and prints nothing; [`Settings::see_processors`]
/// must follow. `None` if it needs more than that.
pub fn ahead() -> Option<Environment> {
    let from = &Variables::collect(false);
    if binding::MACHINE.iter().any(|name| from.get(name).is_some()) {
        return None;
    }
    let all = parse(from, Processors::one(), None);
    (!from.faulty() && all.display.is_none() && !all.list).then_some(all)
}

fn parse(from: &Variables, processors: Processors, subset: Option<Vec<usize>>) -> Environment {
    let mut settings = Settings::new();
    settings.processors = processors;
    threads(&mut settings, from);
    waiting(&mut settings, from);
    let own = subset.clone();
    settings.helpers = helpers(from, || own.unwrap_or_else(cpus::affinity));
    binding(&mut settings, from, subset);
    others(&mut settings, from);
    devices(&mut settings, from);
    let display = take(from, "OMP_DISPLAY_ENV", values::display, "showing nothing").flatten();
    own_variables::unknown(from);
    let debug = take(from, "OMP_DEBUG", values::debug, "using disabled").unwrap_or(false);
    settings.shown = Shown::of(&settings, debug);
    let list = take(from, "KMP_SETTINGS", values::boolean, "showing nothing").unwrap_or(false);
    Environment { settings, display, list }
}

/// Reads the variables of team sizes, nesting, loops and stacks.
fn threads(settings: &mut Settings, from: &Variables) {
    let processors = &settings.processors;
    let fallback =
        fmt::from_fn(|f| write!(f, "using {}, the number of processors", processors.count()));
    let nthreads =
        take(from, "OMP_NUM_THREADS", values::positive_list, fallback).unwrap_or_default();
    // 0 until the processors are counted.
    settings.initial.nthreads = nthreads.first().copied().unwrap_or(0);
    let mut nested = nthreads.len() > 1;
    if nested {
        settings.deeper_nthreads = nthreads;
    }
    let icvs = &mut settings.initial;
    if let Some(dynamic) = take(from, "OMP_DYNAMIC", values::boolean, "using false") {
        icvs.dynamic = dynamic;
    }
    let bind =
        take(from, "OMP_PROC_BIND", values::proc_bind, "threads stay unbound").unwrap_or_default();
    nested |= bind.len() > 1;
    if let Some(on) = take(from, "OMP_NESTED", values::boolean, "using false") {
        nested = on;
    }
    if nested {
        icvs.max_active_levels = i32::MAX as u32;
    }
    let fallback = format_args!("using {}", icvs.max_active_levels);
    if let Some(levels) = take(from, "OMP_MAX_ACTIVE_LEVELS", values::number, fallback) {
        icvs.max_active_levels = levels;
    }
    let limit = |name| take(from, name, values::positive, "using no limit");
    if let Some(limit) = limit("OMP_THREAD_LIMIT") {
        icvs.thread_limit = limit;
    }
    let process = limit("KMP_DEVICE_THREAD_LIMIT").or_else(|| limit("KMP_ALL_THREADS"));
    settings.process_limit = process.unwrap_or(NO_LIMIT);
    if let Some(schedule) = take(from, "OMP_SCHEDULE", values::schedule, "using static") {
        icvs.schedule = schedule;
    }
    settings.loop_kinds = loop_kinds(from);
    settings.stack_size.store(stack_size(from), Relaxed);
}

/// How long waits spin. `KMP_LIBRARY` and `OMP_WAIT_POLICY` choose roughly, the others exactly.
fn waiting(settings: &mut Settings, from: &Variables) {
    if let Some(library) = take(from, "KMP_LIBRARY", values::library, "using throughput") {
        settings.set_library(library);
        if library == Library::Serial {
            settings.initial.nthreads = 1;
        }
    }
    settings.wait_policy = take(from, "OMP_WAIT_POLICY", values::wait_policy, "using the default");
    match settings.wait_policy {
        Some(true) => settings.set_blocktime(u32::MAX),
        Some(false) => settings.set_blocktime(0),
        None => {}
    }
    blocktime(settings, from);
    if let Some(rounds) = take(from, "GOMP_SPINCOUNT", spin_count, "using the default") {
        settings.set_spin(rounds.saturating_mul(CYCLES_PER_ROUND));
    }
    settings.note_first_blocktime();
}

fn blocktime(settings: &Settings, from: &Variables) {
    if let Some(time) = take(from, "KMP_BLOCKTIME", values::blocktime, "using the default") {
        settings.set_blocktime_exactly(time);
    }
}

/// Reads `KMP_BLOCKTIME` again, as LLVM's runtime does when it begins anew.
pub fn read_blocktime_again(settings: &Settings) {
    blocktime(settings, &Variables::collect(true));
}

fn spin_count(text: &str) -> Parsed<u64> {
    let text = text.trim().to_ascii_lowercase();
    if text == "infinite" || text == "infinity" {
        return Ok(u64::MAX);
    }
    let (digits, factor) = match text.as_bytes().last() {
        Some(b'k') => (&text[..text.len() - 1], 1_000),
        Some(b'm') => (&text[..text.len() - 1], 1_000_000),
        Some(b'g') => (&text[..text.len() - 1], 1_000_000_000),
        _ => (text.as_str(), 1),
    };
    let count = digits.trim().parse::<u64>().map_err(|_| "a number of rounds or infinite")?;
    Ok(count.saturating_mul(factor))
}

/// Reads the other variables.
fn others(settings: &mut Settings, from: &Variables) {
    if let Some(on) = take(from, "OMP_CANCELLATION", values::boolean, "using false") {
        settings.cancellation = on;
    }
    if let Some(device) = take(from, "OMP_DEFAULT_DEVICE", values::number, "using 0") {
        settings.initial.default_device = device as i32;
    }
    if let Some(reserve) =
        take(from, "OMP_THREADS_RESERVE", values::threads_reserve, "reserving none")
    {
        settings.reserve = reserve;
    }
    if let Some(priority) = take(from, "OMP_MAX_TASK_PRIORITY", values::number, "using 0") {
        settings.max_task_priority = priority;
    }
    if let Some(on) = take(from, "KMP_ENABLE_TASK_THROTTLING", values::boolean, "using true") {
        settings.throttles_tasks = on;
    }
    settings.task_limits = task_limits(from);
    if let Some(on) = take(from, "KMP_INHERIT_FP_CONTROL", values::boolean, "using true") {
        settings.inherits_fp_control = on;
    }
    if let Some(on) = take(from, "OMP_DISPLAY_AFFINITY", values::boolean, "using false") {
        settings.display_affinity = on;
    }
    settings.affinity_format =
        from.get("OMP_AFFINITY_FORMAT").and_then(|text| CString::new(text).ok());
    if let Some(teams) = take(from, "OMP_NUM_TEAMS", values::positive, "using the default") {
        settings.num_teams.store(teams, Relaxed);
    }
    if let Some(limit) = take(from, "OMP_TEAMS_THREAD_LIMIT", values::positive, "using no limit") {
        settings.teams_thread_limit.store(limit, Relaxed);
    }
    if let Some(offload) = take(from, "OMP_TARGET_OFFLOAD", values::target_offload, "using default")
    {
        settings.set_target_offload(offload);
    }
    let fallback = "choosing by size and processors";
    settings.meeting = take(from, "OMPHALOS_MEETING", values::meeting, fallback);
    dispatch_buffers(from);
    let fallback = "using omp_default_mem_alloc";
    if let Some(allocator) = take(from, "OMP_ALLOCATOR", super::allocator::allocator, fallback) {
        settings.initial.allocator = allocator.handle;
        settings.allocator_traits = allocator.traits;
        settings.allocator_text = Some(allocator.text);
    }
}

/// Devices, and the helpers: threads that execute device work for which the program does not wait.
fn devices(settings: &mut Settings, from: &Variables) {
    let devices = take(from, "OMPHALOS_DEVICES", devices::devices, "the host is the only device");
    if let Some(devices) = devices
        && settings.target_offload() != TargetOffload::Disabled
    {
        settings.devices = match devices {
            Devices::Played(count) => {
                settings.of_devices = of_devices(from, settings, count);
                count.into()
            }
            Devices::OfPlugins(names) => {
                settings.plugins = names;
                UNKNOWN_DEVICES.into()
            }
        };
        settings.helpers.are_for_devices();
    }
}

/// `KMP_DISP_NUM_BUFFERS`. Here no number of buffers limits how many loops are under way at once;
/// but a value that LLVM's runtime would refuse gets its message.
fn dispatch_buffers(from: &Variables) {
    const MOST_BUFFERS: u32 = 4096;
    let name = "KMP_DISP_NUM_BUFFERS";
    let extent = match take(from, name, values::number, "nothing is changed") {
        Some(0) => "small",
        Some(n) if n > MOST_BUFFERS => "large",
        _ => return,
    };
    if from.fault() {
        warning!("{name} is too {extent}; nothing is changed; it should be 1 to {MOST_BUFFERS}");
    }
}
