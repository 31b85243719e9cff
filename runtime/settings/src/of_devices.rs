//! The environment's values for each device that the host plays: variables with `_DEV_N`, `_DEV` or
//! `_ALL` behind OpenMP's name (OpenMP 5.2, section 21). The first of these that is set counts,
//! then the host's value.

use super::icvs::Icvs;
use super::levels::levels;
use super::settings::Settings;
use super::values::{self, Parsed};
use super::variables::Variables;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;
use omphalos_sys::warning;

/// The ICVs that a device has of its own.
#[derive(Debug)]
pub struct OfDevice {
    /// The ICVs of its initial tasks.
    pub icvs: Icvs,
    /// nteams-var, 0 = not set.
    pub num_teams: AtomicU32,
    /// teams-thread-limit-var, 0 = not set.
    pub teams_thread_limit: AtomicU32,
}

omphalos_layout::describe!(OfDevice { icvs, num_teams, teams_thread_limit });

/// The variables that devices have of their own.
const KNOWN: [&str; 7] = [
    "OMP_NUM_THREADS", "OMP_DYNAMIC", "OMP_SCHEDULE", "OMP_MAX_ACTIVE_LEVELS", "OMP_THREAD_LIMIT",
    "OMP_NUM_TEAMS", "OMP_TEAMS_THREAD_LIMIT",
];

/// One device's values.
struct Reader<'a> {
    from: &'a Variables,
    device: u32,
}

impl Reader<'_> {
    fn take<T>(&self, name: &str, parse: impl Fn(&str) -> Parsed<T>) -> Option<T> {
        let own = format!("{name}_DEV_{}", self.device);
        let forms = [(own, true), (format!("{name}_DEV"), self.device == 0)];
        for (form, says_so) in forms {
            let Some(text) = self.from.exact(&form) else { continue };
            match parse(text) {
                Ok(value) => return Some(value),
                Err(wanted) if says_so && self.from.fault() => {
                    warning!(
                        "{form}={text:?} is ignored, using what else is set; it should be {wanted}"
                    );
                }
                Err(_) => {}
            }
        }
        // The host's reader prints the faults of this variable.
        parse(self.from.exact(&format!("{name}_ALL"))?).ok()
    }
}

/// Returns the ICVs of so many devices, as far as they have values of their own; the host's for the
/// rest.
pub(super) fn of_devices(from: &Variables, host: &Settings, count: u32) -> Vec<OfDevice> {
    unknown(from, count);
    (0..count).map(|device| of_device(&Reader { from, device }, host)).collect()
}

fn of_device(from: &Reader<'_>, host: &Settings) -> OfDevice {
    let mut icvs = host.initial;
    if let Some(threads) = from.take("OMP_NUM_THREADS", values::positive_list) {
        icvs.nthreads = threads.first().copied().unwrap_or(0);
        // One number is for all levels. Without this list the host's would count.
        icvs.deeper = levels(if threads.len() > 1 { &threads[1..] } else { &threads });
        if threads.len() > 1 {
            icvs.max_active_levels = i32::MAX as u32;
        }
    }
    if let Some(dynamic) = from.take("OMP_DYNAMIC", values::boolean) {
        icvs.dynamic = dynamic;
    }
    if let Some(schedule) = from.take("OMP_SCHEDULE", values::schedule) {
        icvs.schedule = schedule;
    }
    if let Some(most) = from.take("OMP_MAX_ACTIVE_LEVELS", values::number) {
        icvs.max_active_levels = most;
    }
    if let Some(limit) = from.take("OMP_THREAD_LIMIT", values::positive) {
        icvs.thread_limit = limit;
    }
    let or_hosts = |name, host: &AtomicU32| {
        let own = from.take(name, values::positive);
        AtomicU32::new(own.unwrap_or_else(|| host.load(Relaxed)))
    };
    OfDevice {
        icvs,
        num_teams: or_hosts("OMP_NUM_TEAMS", &host.num_teams),
        teams_thread_limit: or_hosts("OMP_TEAMS_THREAD_LIMIT", &host.teams_thread_limit),
    }
}

/// Prints the names that stand for no existing device, or for a variable that devices do not have.
fn unknown(from: &Variables, count: u32) {
    for (name, value) in from.all() {
        let Some((variable, which)) = name.split_once("_DEV") else { continue };
        let number = which.strip_prefix('_').map(str::parse::<u32>);
        let why = match (KNOWN.contains(&variable), &number) {
            _ if !variable.starts_with("OMP_") => continue,
            (true, None) if which.is_empty() => continue,
            (true, Some(Ok(number))) if *number < count => continue,
            (true, Some(Ok(_))) => format!("there are the devices 0 to {}", count - 1),
            (true, _) => String::from("a device's number should follow _DEV_"),
            // OMP_DEVICE_..., or the like.
            (false, _) if !which.is_empty() && number.is_none() => continue,
            (false, _) => format!("devices have no {variable} of their own"),
        };
        if from.fault() {
            warning!("{name}={value:?} is ignored: {why}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(list: &[(&str, &str)]) -> Vec<OfDevice> {
        let mut host = Settings::new();
        host.initial.nthreads = 7;
        of_devices(&Variables::of(list), &host, 2)
    }

    #[test]
    fn the_nearest_form_counts() {
        let all = read(&[
            ("OMP_NUM_THREADS_DEV_1", "3"),
            ("OMP_NUM_THREADS_DEV", "4,2"),
            ("OMP_DYNAMIC_ALL", "true"),
            ("OMP_NUM_TEAMS_DEV_0", "5"),
        ]);
        assert_eq!((all[0].icvs.nthreads, all[1].icvs.nthreads), (4, 3));
        let below = |at: usize| all[at].icvs.deeper.map(|level| level.threads());
        assert_eq!((below(0), below(1)), (Some(2), Some(3)));
        assert!(all[0].icvs.dynamic && all[1].icvs.dynamic);
        let teams = |at: usize| all[at].num_teams.load(Relaxed);
        assert_eq!((teams(0), teams(1)), (5, 0));
    }

    #[test]
    fn what_is_wrong_leaves_the_hosts() {
        let all = read(&[("OMP_NUM_THREADS_DEV", "many"), ("OMP_SCHEDULE_DEV_1", "no")]);
        assert_eq!((all[0].icvs.nthreads, all[0].icvs.deeper), (7, None));
        assert_eq!(all[1].icvs.schedule, Settings::new().initial.schedule);
    }
}
